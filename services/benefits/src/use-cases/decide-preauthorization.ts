/**
 * The steps of a payer's decision on a pre-authorization, in benefits. `beginDecision` checks the decision. For an approval it also reserves a
 * session under the coverage's lock, and then the workflow has care confirm the booking. `commitDecision` records the decision. If a step
 * rejects the command, `abandonDecision` releases the reserved session.
 */
import { type PreauthorizationDecisionInput, parseInstant } from '@carecover/contract';
import {
  ApiError,
  databaseNow,
  decideCommand,
  dropCommand,
  lockCommand,
  newId,
  notFound,
  type Sql,
  type Tx,
} from '@carecover/platform';
import type { PreauthorizationReport } from '@carecover/workflow-preauthorization';
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
  type LockedPreauthorization,
  lockPreauthorization,
  type PreauthorizationRow,
  setDecidingCommand,
  stateOf,
} from '../store/preauthorizations';
import { findReservation, insertReservation, releaseReservation } from '../store/reservations';
import { commitWithResponse, type PreauthorizationCommand } from './commit-command';
import { expireIfDue, expireOverdueBeside } from './expire-overdue';
import { recordChange } from './record-change';
import { reportPreauthorization } from './review-preauthorization';

/**
 * Checks the decision of a command. For an approval it also reserves a session and stores the command as the pre-authorization's deciding
 * command. After an API error the command is deleted.
 *
 * @returns the booking to confirm; null for a denial, or if the decision is already recorded
 * @throws ApiError invalid_state if the pre-authorization is not pending; amount_exceeds_request, valid_until_in_past, benefit_exhausted
 */
export async function beginDecision(
  sql: Sql,
  { commandId, tenant, id }: PreauthorizationCommand,
): Promise<{ readonly bookingId: string } | null> {
  await expireIfDue(sql, tenant, id);
  await expireOverdueBeside(sql, tenant, id);
  return decideCommand(sql, tenant, commandId, async (tx, { body }) => {
    const row = await lockPreauthorization(tx, tenant, id);
    if (row === null) throw notFound();
    const isRepetition = row.deciding_command_id === commandId;
    if (isRepetition) return { bookingId: row.booking_id };
    const decision = body as PreauthorizationDecisionInput;
    checkDecision(stateOf(row), decision, await databaseNow(tx));
    // An earlier approval command reserved a session and was then deleted. This session is released, also if the current decision is a
    // denial.
    if (row.deciding_command_id !== null) await releaseReservation(tx, tenant, id);
    if (decision.outcome === 'denied') return null;
    await reserveSession(tx, row);
    await setDecidingCommand(tx, tenant, id, commandId);
    return { bookingId: row.booking_id };
  });
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
 * @throws ApiError invalid_state if the pre-authorization has ended after that check, valid_until_in_past if `valid_until` has passed after
 *   it, benefit_exhausted
 */
export async function commitDecision(
  sql: Sql,
  step: PreauthorizationCommand,
): Promise<PreauthorizationReport> {
  try {
    await commitWithResponse(sql, step, async (tx, row, { body, caller }) => {
      try {
        return await recordDecision(tx, row, body as PreauthorizationDecisionInput, caller.authority);
      } catch (error) {
        throw error instanceof ApiError ? new RejectedAtCommit(error) : error;
      }
    });
  } catch (error) {
    throw error instanceof RejectedAtCommit ? error.rejection : error;
  }
  return reportPreauthorization(sql, step.tenant, step.id);
}

/**
 * Releases the session that {@link beginDecision} reserved and deletes the command, because a later step rejected the decision. Checks
 * `valid_until` again: if a run repeats a decision whose confirmation was withdrawn, care rejects it with `invalid_state`, but the client
 * must receive the reason of the first rejection.
 *
 * @returns whether the decision is recorded, by another attempt of the command; nothing is changed then
 * @throws ApiError valid_until_in_past if `valid_until` has passed; CommandGone if the command is already deleted
 */
export async function abandonDecision(
  sql: Sql,
  { commandId, tenant, id }: PreauthorizationCommand,
): Promise<boolean> {
  const rejected = await sql.begin(async (tx) => {
    const command = await lockCommand(tx, tenant, commandId);
    if (command.answered) return null;
    await dropCommand(tx, tenant, commandId);
    const row = await lockPreauthorization(tx, tenant, id);
    if (row === null) throw notFound();
    if (row.deciding_command_id === commandId) {
      await releaseReservation(tx, tenant, id);
      await setDecidingCommand(tx, tenant, id, null);
    }
    return { decision: command.body as PreauthorizationDecisionInput, now: await databaseNow(tx) };
  });
  if (rejected?.decision.outcome === 'approved') checkValidity(rejected.decision, rejected.now);
  return rejected === null;
}

async function recordDecision(
  tx: Tx,
  row: LockedPreauthorization,
  input: PreauthorizationDecisionInput,
  authority: string,
): Promise<PreauthorizationRow> {
  const now = await databaseNow(tx);
  const record = (change: PreauthorizationChange) => recordChange(tx, row, change, { at: now, authority });
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
