/** Reverses an adjudicated claim, after payments has reversed the claim's liability. */
import type { ReversalInput } from '@carecover/contract';
import type { Call, Reply, Sql } from '@carecover/platform';
import type { ClaimView, PaymentsForClaims } from '@carecover/workflow-claim';
import { rejectedTransition } from '../rules/recording';
import { nextStatus } from '../rules/transitions';
import { setPendingStep } from '../store/claims';
import {
  type ClaimCommandDeps,
  type CommandOfClaim,
  commitOnClaim,
  executeInPayments,
  executeOnClaim,
  prepareOnClaim,
} from './claim-command';
import { decideOn } from './record-changes';

/**
 * Reverses a claim.
 *
 * @throws ApiError resource_not_found, invalid_state if the claim's status does not allow it
 */
export function reverseClaim(deps: ClaimCommandDeps, call: Call<'reverseClaim'>): Promise<Reply> {
  return executeOnClaim(deps, call);
}

/**
 * Checks the reversal of a claim, stores it as the claim's pending step, and closes the claim's account in payments. Returns false if the
 * command already has a response, or while another command has a pending step.
 *
 * @throws the API errors of {@link reverseClaim}
 */
export async function prepareReversal(
  sql: Sql,
  payments: PaymentsForClaims,
  step: CommandOfClaim,
  requestId: string,
): Promise<boolean> {
  const prepared = await prepareOnClaim(sql, step, ({ claim, status }, command) => {
    if (nextStatus('reverse', status, claim.state.decision) === null)
      throw rejectedTransition('reverse', status);
    return async (tx) => {
      await setPendingStep(tx, claim, { command_id: command.id, update: 'reverse', decided_at: null });
      return true;
    };
  });
  if (prepared === null) return false;
  const { tenant, claimId } = step;
  await executeInPayments(sql, step, () => payments.reverseLiability({ tenant, claimId }, requestId));
  return true;
}

/** Records the reversal of a claim. Never rejects it, because payments has already reversed the liability. */
export function commitReversal(sql: Sql, step: CommandOfClaim): Promise<ClaimView> {
  return commitOnClaim(sql, step, 200, (current, { id: cause, caller, body }) => {
    const { reason_code: reasonCode } = body as ReversalInput;
    const { write } = decideOn(
      current,
      [{ move: 'reverse', cause, authority: caller.authority, reasonCode }],
      null,
    );
    return (tx) => [write(tx)];
  });
}
