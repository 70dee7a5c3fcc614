/** Adjudicates a claim: checks the adjudicated lines, and records the decision after payments has posted the payer's liability. */

import type { JsonResponse } from '@carecover/commands';
import type { AdjudicationInput } from '@carecover/contract';
import { ApiError, type Caller, type Command } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import type { Liability } from '@carecover/workflow-claim';
import {
  adjudicate,
  checkExpectedVersions,
  decisionChange,
  nextVersion,
  toAdjudication,
} from '../rules/adjudication';
import { rejectedTransition } from '../rules/recording';
import { notYet } from '../rules/remittance';
import { nextStatus } from '../rules/transitions';
import { insertAdjudication, type LockedClaim, setPendingStep } from '../store/claims';
import {
  type ClaimCommandDeps,
  commitPendingStep,
  executeInPayments,
  executeOnClaim,
  prepareOnClaim,
} from './claim-command';
import type { CurrentClaim } from './lapse-information-request';
import { decideOn } from './record-changes';

/**
 * Adjudicates a claim.
 *
 * @throws ApiError resource_not_found, invalid_state if the claim's status does not allow it or the claim has the maximum number of
 * adjudications, adjudication_lines_mismatch, adjudication_unbalanced, validation_failed
 */
export function adjudicateClaim(
  deps: ClaimCommandDeps,
  call: Call<'adjudicateClaim'>,
): Promise<JsonResponse> {
  return executeOnClaim(deps, call, (command) => executeAdjudication(deps, command));
}

/**
 * Executes the steps of an adjudication: checks it and stores it as the claim's pending step, opens the payer's liability in payments, and
 * records the decision, which can't be rejected any more.
 *
 * @returns the response; null if another executor has stored it
 * @throws the API errors of {@link adjudicateClaim}
 */
export async function executeAdjudication(
  deps: ClaimCommandDeps,
  command: Command,
): Promise<JsonResponse | null> {
  const liability = await storePendingAdjudication(deps, command);
  if (liability === null) return null;
  await executeInPayments(deps.sql, command, () =>
    deps.payments.openLiability(liability, command.caller.requestId),
  );
  return recordAdjudication(deps.sql, command, liability.decidedAt);
}

/**
 * Checks whether a locked claim can be adjudicated as the input says. Returns the adjudication's version and its sums in minor units.
 *
 * @throws ApiError invalid_state, adjudication_lines_mismatch, adjudication_unbalanced, validation_failed
 */
export function checkAdjudication({ claim, status }: CurrentClaim, input: AdjudicationInput) {
  const { row, state } = claim;
  if (nextStatus('approve', status, state.decision) === null) throw rejectedTransition('approve', status);
  if ((state.remitted ?? 0) > 0) {
    throw new ApiError('invalid_state', 'The claim has a remittance, so it can no longer be adjudicated.');
  }
  checkExpectedVersions(state, input);
  return sumsOf(row, state, input);
}

function sumsOf(
  { lines }: LockedClaim['row'],
  { adjudicationVersion }: LockedClaim['state'],
  input: AdjudicationInput,
) {
  return {
    adjudicationVersion: nextVersion(adjudicationVersion),
    totals: adjudicate(lines, input.lines).totals,
  };
}

/** Checks an adjudication and stores it as the claim's pending step. Returns the input of the step in payments; null as above. */
function storePendingAdjudication(deps: ClaimCommandDeps, command: Command): Promise<Liability | null> {
  return prepareOnClaim(deps, command, (current, { id, body }) => {
    const { claim, lapse } = current;
    const decidedAt = decidedAtOf(claim, command);
    const liability = liabilityOf(current, id, body as AdjudicationInput, decidedAt);
    const pendingStep = { command_id: id, operation: 'adjudicateClaim', decided_at: decidedAt } as const;
    const recording = lapse === null ? null : decideOn(current, [], pendingStep);
    return async (tx) => {
      await (recording === null ? setPendingStep(tx, claim, pendingStep) : recording.write(tx, []));
      return liability;
    };
  });
}

/**
 * Checks an adjudication, and returns the input of its step in payments. An adjudication whose step is pending was checked before, and
 * payments may have executed it since: a remittance that is recorded here only now can't reject it any more.
 *
 * @throws the API errors of {@link checkAdjudication}
 */
export function liabilityOf(
  current: CurrentClaim,
  commandId: string,
  input: AdjudicationInput,
  decidedAt: string,
): Liability {
  const { row, state } = current.claim;
  const { adjudicationVersion, totals } =
    row.pending_step?.command_id === commandId
      ? sumsOf(row, state, input)
      : checkAdjudication(current, input);
  return {
    tenant: row.project_id,
    environment: row.environment,
    claimId: row.id,
    adjudicationId: adjudicationIdOf(commandId),
    adjudicationVersion,
    currency: row.currency,
    amount: totals,
    decidedAt,
  };
}

/** Records the decision of a prepared adjudication. */
function recordAdjudication(sql: Sql, command: Command, decidedAt: string): Promise<JsonResponse | null> {
  return commitPendingStep(sql, command, (current, { id: cause, caller, body }) => {
    const { claim } = current;
    const { adjudication, change } = decisionOf(claim, cause, caller, body as AdjudicationInput, decidedAt);
    if (nextStatus(change.transition, current.status, claim.state.decision) === null)
      throw notYet('what payments took back before the decision is not recorded yet');
    return {
      recording: decideOn(current, [change], null),
      beside: (tx) => insertAdjudication(tx, claim, adjudication),
    };
  });
}

/** Returns the adjudication of a command on a locked claim, and the change that records it. */
export function decisionOf(
  { row, state }: LockedClaim,
  commandId: string,
  { authority, requestId }: Caller,
  input: AdjudicationInput,
  decidedAt: string,
) {
  const adjudication = toAdjudication(input, adjudicate(row.lines, input.lines), {
    id: adjudicationIdOf(commandId),
    version: state.adjudicationVersion + 1,
    currency: row.currency,
    decidedAt,
  });
  return {
    adjudication,
    change: decisionChange(input, adjudication, { cause: commandId, authority, requestId }),
  };
}

/** Returns the ID of a command's adjudication. A repeated command gets the same ID, so that payments opens only one liability. */
function adjudicationIdOf(commandId: string): string {
  return `adj_${commandId.slice('cmd_'.length)}`;
}

/** Returns the decided_at of a command's adjudication: the time in the pending step if a crash interrupted the command, otherwise now. */
function decidedAtOf(claim: LockedClaim, command: Command): string {
  const { pending_step } = claim.row;
  const known = pending_step?.command_id === command.id ? pending_step.decided_at : null;
  return known ?? new Date(claim.now).toISOString();
}
