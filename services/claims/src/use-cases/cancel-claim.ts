/** Cancels a claim that is not adjudicated. */

import type { JsonResponse } from '@carecover/commands';
import type { Call } from '@carecover/http';
import { resolveOpenRequest } from '../store/information-requests';
import { type ClaimCommandDeps, decideOnClaim } from './claim-command';
import { decideOn } from './record-changes';
import { releaseIfAvailable } from './release-claim';

/**
 * Cancels a claim, and releases the session and pre-authorization that it used.
 *
 * @throws ApiError resource_not_found, invalid_state if the claim's status does not allow it
 */
export async function cancelClaim(deps: ClaimCommandDeps, call: Call<'cancelClaim'>): Promise<JsonResponse> {
  const reply = await decideOnClaim(deps, call, 200, (current, { id: cause, caller }) => {
    const { reason_code: reasonCode } = call.body;
    const by = { cause, authority: caller.authority, requestId: caller.requestId };
    const recording = decideOn(current, [{ transition: 'cancel', reasonCode, ...by }]);
    return {
      recording,
      beside: (tx) => resolveOpenRequest(tx, current.claim, 'cancelled', recording.recordedAt),
    };
  });
  const { tenant, requestId } = call.caller;
  const claim = { tenant, claimId: call.params.claim_id };
  if (!reply.replayed) await releaseIfAvailable(deps, claim, requestId);
  return reply;
}
