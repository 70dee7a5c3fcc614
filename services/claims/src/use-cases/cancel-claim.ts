/** Cancels a claim that is not adjudicated, and records later that benefits has released the claim's pre-authorization. */
import type { CancellationInput } from '@carecover/contract';
import type { Call, Reply, Sql } from '@carecover/platform';
import type { ClaimView } from '@carecover/workflow-claim';
import { setReleased } from '../store/claims';
import { resolveOpenRequest } from '../store/information-requests';
import { type ClaimCommandDeps, type CommandOfClaim, commitOnClaim, executeOnClaim } from './claim-command';
import { decideOn } from './record-changes';
import { type ClaimOfTenant, viewClaim } from './view-claim';

/**
 * Cancels a claim.
 *
 * @throws ApiError resource_not_found, invalid_state if the claim's status does not allow it
 */
export function cancelClaim(deps: ClaimCommandDeps, call: Call<'cancelClaim'>): Promise<Reply> {
  return executeOnClaim(deps, call);
}

/** Records the cancellation of a claim. @throws the API errors of {@link cancelClaim} */
export function commitCancellation(sql: Sql, step: CommandOfClaim): Promise<ClaimView> {
  return commitOnClaim(sql, step, 200, (current, { id: cause, caller, body }) => {
    const { reason_code: reasonCode } = body as CancellationInput;
    const { recordedAt, write } = decideOn(current, [
      { move: 'cancel', cause, authority: caller.authority, reasonCode },
    ]);
    return (tx) => [write(tx), resolveOpenRequest(tx, current.claim, 'cancelled', recordedAt)];
  });
}

/** Records that benefits has released the pre-authorization of a cancelled or reversed claim. */
export async function recordReleased(sql: Sql, which: ClaimOfTenant): Promise<ClaimView> {
  await setReleased(sql, which.tenant, which.claimId);
  return viewClaim(sql, which);
}
