/** Reverses an adjudicated claim, after payments has reversed the claim's liability. */

import type { JsonResponse } from '@carecover/commands';
import type { ReversalInput } from '@carecover/contract';
import type { Command } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { rejectedTransition } from '../rules/recording';
import { nextStatus } from '../rules/transitions';
import { setPendingStep } from '../store/claims';
import {
  type ClaimCommandDeps,
  commitPendingStep,
  executeInPayments,
  executeOnClaim,
  prepareOnClaim,
} from './claim-command';
import { decideOn } from './record-changes';
import { releaseIfAvailable } from './release-claim';

/**
 * Reverses a claim.
 *
 * @throws ApiError resource_not_found, invalid_state if the claim's status or its ledger does not allow it
 */
export async function reverseClaim(
  deps: ClaimCommandDeps,
  call: Call<'reverseClaim'>,
): Promise<JsonResponse> {
  const reply = await executeOnClaim(deps, call, (command) => executeReversal(deps, command));
  const { tenant, requestId } = call.caller;
  const claim = { tenant, claimId: call.params.claim_id };
  if (!reply.replayed) await releaseIfAvailable(deps, claim, requestId);
  return reply;
}

/**
 * Executes the steps of a reversal: checks it and stores it as the claim's pending step, closes the claim's account in payments, and
 * records the reversal, which can't be rejected any more.
 *
 * @returns the response; null if another executor has stored it
 * @throws the API errors of {@link reverseClaim}
 */
export async function executeReversal(
  deps: ClaimCommandDeps,
  command: Command,
): Promise<JsonResponse | null> {
  const { tenant, requestId } = command.caller;
  if ((await storePendingReversal(deps, command)) === null) return null;
  await executeInPayments(deps.sql, command, () =>
    deps.payments.reverseLiability({ tenant, claimId: command.resourceId }, requestId),
  );
  return recordReversal(deps.sql, command);
}

/** Checks a reversal and stores it as the claim's pending step. Returns null as above. */
function storePendingReversal(deps: ClaimCommandDeps, command: Command): Promise<'prepared' | null> {
  return prepareOnClaim(deps, command, ({ claim, status }, { id }) => {
    if (nextStatus('reverse', status, claim.state.decision) === null)
      throw rejectedTransition('reverse', status);
    return async (tx) => {
      await setPendingStep(tx, claim, { command_id: id, operation: 'reverseClaim', decided_at: null });
      return 'prepared' as const;
    };
  });
}

/** Records a prepared reversal. */
function recordReversal(sql: Sql, command: Command): Promise<JsonResponse | null> {
  return commitPendingStep(sql, command, (current, { id: cause, caller, body }) => {
    const { reason_code: reasonCode } = body as ReversalInput;
    const by = { cause, authority: caller.authority, requestId: caller.requestId };
    return { recording: decideOn(current, [{ transition: 'reverse', reasonCode, ...by }], null) };
  });
}
