/**
 * A payer's decision on a pre-authorization. The first step checks the decision and, for an approval, reserves a session under the coverage's
 * lock. Then care confirms the booking, and the last step records the decision. If a step rejects the command, the confirmation is withdrawn
 * and the session released.
 */
import { type PreauthorizationDecisionInput, parseInstant } from '@carecover/contract';
import {
  ApiError,
  type Call,
  type Command,
  commitCommand,
  databaseNow,
  decideCommand,
  dropCommand,
  executeCommand,
  isRejection,
  lockCommand,
  newId,
  notFound,
  type Reply,
  requireResource,
  type Sql,
  type Tx,
} from '@carecover/platform';
import { preauthorizationResource } from '../resources';
import type { PreauthorizationChange } from '../rules/preauthorization-changes';
import {
  approvedAt,
  checkApprovalAtCommit,
  checkDecision,
  checkValidity,
  decisionOf,
} from '../rules/preauthorization-decision';
import { checkSessionLeft, remainingSessions } from '../rules/session-reservation';
import { lockSessions } from '../store/coverages';
import {
  findPreauthorization,
  type LockedPreauthorization,
  lockPreauthorization,
  type PreauthorizationRow,
  setDecidingCommand,
  stateOf,
} from '../store/preauthorizations';
import { findReservation, insertReservation, releaseReservation } from '../store/reservations';
import { expireOverdueBeside } from './expire-overdue';
import { lockForCommand, type PreauthorizationCommandDeps, whenLockable } from './preauthorization-command';
import { recordChange } from './record-change';

/**
 * Decides a pre-authorization.
 *
 * @throws ApiError resource_not_found; invalid_state if the pre-authorization is not pending or its booking can't be confirmed;
 *   amount_exceeds_request, valid_until_in_past, benefit_exhausted; idempotency_conflict, service_unavailable
 */
export async function decidePreauthorization(
  deps: PreauthorizationCommandDeps,
  call: Call<'decidePreauthorization'>,
): Promise<Reply> {
  const { caller } = call;
  const { preauthorization_id: id } = call.params;
  const reply = await executeCommand(deps.sql, call, {
    resourceId: id,
    body: call.body,
    replayStatus: call.replayStatus,
    precheck: async () => {
      requireResource(caller, id, await findPreauthorization(deps.sql, caller.tenant, id));
    },
    execute: (command) => executeDecision(deps, command),
  });
  deps.notifySignals();
  return reply;
}

/**
 * Executes the steps of a decision.
 *
 * @returns the response; null if another executor has stored it
 * @throws the API errors of {@link decidePreauthorization}
 */
export async function executeDecision(
  deps: PreauthorizationCommandDeps,
  command: Command,
): Promise<Reply | null> {
  const { sql, care } = deps;
  const { id: approvalId, resourceId: preauthorizationId, caller } = command;
  const { tenant, requestId } = caller;
  const booking = await beginDecision(deps, command);
  const confirmation = booking && { tenant, bookingId: booking.bookingId, preauthorizationId, approvalId };
  try {
    if (confirmation !== null) await care.confirmBooking(confirmation, requestId);
    return await commitDecision(sql, command);
  } catch (error) {
    if (!isRejection(error)) throw error;
    if (confirmation !== null) await care.withdrawConfirmation(confirmation, requestId);
    const rejection = await abandonDecision(sql, command, error);
    if (rejection === null) return null;
    throw rejection;
  }
}

/**
 * Checks the decision of a command. For an approval it also reserves a session and stores the command as the pre-authorization's deciding
 * command. After an API error the command is deleted.
 *
 * @returns the booking to confirm; null for a denial, or if the decision is already recorded
 * @throws ApiError invalid_state if the pre-authorization is not pending; amount_exceeds_request, valid_until_in_past, benefit_exhausted
 */
async function beginDecision(
  deps: PreauthorizationCommandDeps,
  { id: commandId, resourceId: id, caller, body }: Command,
): Promise<{ readonly bookingId: string } | null> {
  const { sql } = deps;
  const { tenant } = caller;
  await expireOverdueBeside(sql, tenant, id);
  return whenLockable(deps, caller, id, () =>
    decideCommand(sql, tenant, commandId, async (tx) => {
      const { row, now } = await lockForCommand(tx, caller, id, commandId);
      if (row.deciding_command_id === commandId) return { bookingId: row.booking_id };
      const decision = body as PreauthorizationDecisionInput;
      checkDecision(stateOf(row), decision, now);
      // An earlier approval command reserved a session and was then deleted. This session is released, also if the current decision is a
      // denial.
      if (row.deciding_command_id !== null) await releaseReservation(tx, tenant, id);
      if (decision.outcome === 'denied') return null;
      await reserveSession(tx, row);
      await setDecidingCommand(tx, tenant, id, commandId);
      return { bookingId: row.booking_id };
    }),
  );
}

/**
 * Rolls back the commit of a rejected decision without deleting its command. The command is deleted after care has withdrawn the booking's
 * confirmation.
 */
class RejectedAtCommit extends Error {
  override readonly name = 'RejectedAtCommit';

  constructor(readonly rejection: ApiError) {
    super(rejection.message);
  }
}

/**
 * Records the decision that {@link beginDecision} checked, with its response and event. If the decision is rejected, the command stays
 * pending until {@link abandonDecision}.
 *
 * @returns the response; null if another executor has stored it
 * @throws ApiError invalid_state if the pre-authorization has ended after that check, valid_until_in_past if `valid_until` has passed after
 *   it, benefit_exhausted
 */
async function commitDecision(
  sql: Sql,
  { id: commandId, resourceId: id, caller: { tenant } }: Command,
): Promise<Reply | null> {
  try {
    return await commitCommand(sql, tenant, commandId, async (tx, command) => {
      const row = await lockPreauthorization(tx, tenant, id);
      if (row === null) throw notFound();
      try {
        return { status: 200, body: preauthorizationResource(await recordDecision(tx, row, command)) };
      } catch (error) {
        throw error instanceof ApiError ? new RejectedAtCommit(error) : error;
      }
    });
  } catch (error) {
    throw error instanceof RejectedAtCommit ? error.rejection : error;
  }
}

/**
 * Releases the session that {@link beginDecision} reserved and deletes the command, because a later step rejected the decision. Checks
 * `valid_until` again: if a decision whose confirmation was withdrawn is repeated, care rejects it with `invalid_state`, but the client
 * must receive the reason of the first rejection.
 *
 * @returns the error that the client receives; null if another executor has recorded the decision, in which case nothing is changed
 * @throws StartAgain if the command is already deleted
 */
async function abandonDecision(
  sql: Sql,
  { id: commandId, resourceId: id, caller: { tenant } }: Command,
  rejection: ApiError,
): Promise<ApiError | null> {
  return sql.begin(async (tx) => {
    const command = await lockCommand(tx, tenant, commandId);
    if (command.answered) return null;
    const reason =
      validityError(command.body as PreauthorizationDecisionInput, await databaseNow(tx)) ?? rejection;
    await dropCommand(tx, tenant, commandId, reason);
    const row = await lockPreauthorization(tx, tenant, id);
    if (row === null) throw notFound();
    if (row.deciding_command_id === commandId) {
      await releaseReservation(tx, tenant, id);
      await setDecidingCommand(tx, tenant, id, null);
    }
    return reason;
  });
}

/** Returns the error of an approval whose `valid_until` has passed; null otherwise. */
function validityError(decision: PreauthorizationDecisionInput, now: Date): ApiError | null {
  if (decision.outcome === 'denied') return null;
  try {
    checkValidity(decision, now);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

async function recordDecision(
  tx: Tx,
  row: LockedPreauthorization,
  { caller: { authority, requestId }, body }: Command,
): Promise<PreauthorizationRow> {
  const input = body as PreauthorizationDecisionInput;
  const now = await databaseNow(tx);
  const record = (change: PreauthorizationChange) =>
    recordChange(tx, row, change, { at: now, authority, requestId });
  const decided = {
    eligibilityCheckId: row.eligibility_check_id,
    bookingId: row.booking_id,
    coverageObservationId: row.coverage_observation_id,
  };
  const id = newId('pad_');
  if (input.outcome === 'denied') {
    checkDecision(stateOf(row), input, now);
    return record({ type: 'denied', decision: decisionOf(input, decided, { id, authority, at: now }) });
  }
  checkApprovalAtCommit(stateOf(row), input, now);
  const at = approvedAt(await reserveSession(tx, row), now);
  return record({
    type: 'approved',
    decision: decisionOf(input, decided, { id, authority, at }),
    approvedAmount: input.approved_amount,
    validUntil: new Date(parseInstant(input.valid_until)),
  });
}

/**
 * Reserves one session unless the pre-authorization reserves one already. Returns the reservation's time.
 *
 * @throws ApiError benefit_exhausted
 */
async function reserveSession(
  tx: Tx,
  { id, project_id: tenant, coverage_id: coverageId }: PreauthorizationRow,
): Promise<Date> {
  const reservedAt = await findReservation(tx, tenant, id);
  if (reservedAt !== null) return reservedAt;
  const { stated, reserved } = await lockSessions(tx, tenant, coverageId);
  checkSessionLeft(remainingSessions(stated, reserved));
  return insertReservation(tx, tenant, coverageId, id);
}
