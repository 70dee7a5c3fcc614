/**
 * A payer's decision on a pre-authorization. A denial is one transaction. An approval has three steps: it is checked, and a session is
 * reserved under the coverage's lock; care confirms the booking; the decision is recorded. If a step rejects the approval, the rejection is
 * stored, care withdraws the confirmation, and the session is released.
 */

import {
  commitCommand,
  decideCommand,
  dropCommand,
  executeCommand,
  type JsonResponse,
  lockCommand,
} from '@carecover/commands';
import { type PreauthorizationDecisionInput, parseInstant } from '@carecover/contract';
import { ApiError, type Command, isRejection, newId, notFound, requireResource } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Sql, Tx } from '@carecover/postgres';
import { failpoint } from '@carecover/process';
import type { BookingConfirmation } from '@carecover/workflow-preauthorization';
import { preauthorizationResource } from '../resources';
import {
  approvedAt,
  checkApprovalAtCommit,
  checkDecision,
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
  setDecidingRejection,
  stateOf,
} from '../store/preauthorizations';
import { findReservation, insertReservation, releaseReservation } from '../store/reservations';
import { expireOverdueBeside } from './expire-overdue';
import {
  changePreauthorization,
  type PreauthorizationCommandDeps,
  requireDecidable,
  whenDecidable,
} from './preauthorization-command';
import { recordChange, signalInsert } from './record-changes';

type Approval = Extract<PreauthorizationDecisionInput, { outcome: 'approved' }>;

/**
 * Decides a pre-authorization.
 *
 * @throws ApiError resource_not_found; invalid_state if the pre-authorization is not pending or its booking can't be confirmed;
 *   amount_exceeds_request, valid_until_in_past, benefit_exhausted; idempotency_conflict, service_unavailable
 */
export async function decidePreauthorization(
  deps: PreauthorizationCommandDeps,
  call: Call<'decidePreauthorization'>,
): Promise<JsonResponse> {
  const { caller, body } = call;
  const { preauthorization_id: id } = call.params;
  if (body.outcome === 'denied')
    return changePreauthorization(deps, call, (tx, row, context) => {
      checkDecision(stateOf(row), body, context.at);
      const decision = decisionOf(body, decidedOn(row), { id: newId('pad_'), ...context });
      return recordChange(tx, row, { type: 'denied', decision }, context);
    });
  const reply = await executeCommand(deps.sql, call, {
    resourceId: id,
    body,
    replayStatus: call.replayStatus,
    precheck: async () => {
      requireResource(caller, id, await findPreauthorization(deps.sql, caller.tenant, id));
    },
    execute: (command) => executeApproval(deps, command),
  });
  deps.notifySignals();
  return reply;
}

/** Returns the resources on which a decision relies. */
function decidedOn(row: PreauthorizationRow) {
  return {
    eligibilityCheckId: row.eligibility_check_id,
    bookingId: row.booking_id,
    coverageObservationId: row.coverage_observation_id,
  };
}

/**
 * Executes the steps of an approval.
 *
 * @returns the response; null if another executor has stored it
 * @throws the API errors of {@link decidePreauthorization}; StartAgain if another executor has rejected the command
 */
export async function executeApproval(
  deps: PreauthorizationCommandDeps,
  command: Command,
): Promise<JsonResponse | null> {
  const { sql, care } = deps;
  const { requestId } = command.caller;
  const begun = await beginApproval(deps, command);
  if (begun === null) return null;
  const { confirmation } = begun;
  try {
    if (begun.rejection !== null) throw begun.rejection;
    await care.confirmBooking(confirmation, requestId);
    return await commitApproval(sql, command);
  } catch (error) {
    if (!isRejection(error)) throw error;
    const rejection = await storeRejection(sql, command, error);
    if (rejection === null) return null;
    await care.withdrawConfirmation(confirmation, requestId);
    await abandonApproval(sql, command, rejection);
    throw rejection;
  }
}

/** An approval in progress. */
interface BegunApproval {
  readonly confirmation: BookingConfirmation;
  /** Why an earlier executor rejected the approval; null if none did. */
  readonly rejection: ApiError | null;
}

/**
 * Checks an approval, reserves a session, and stores the command as the pre-authorization's approval in progress. After an API error the
 * command is deleted.
 *
 * @returns null if another executor has stored the response
 * @throws ApiError invalid_state if the pre-authorization is not pending; amount_exceeds_request, valid_until_in_past, benefit_exhausted
 */
async function beginApproval(
  deps: PreauthorizationCommandDeps,
  { id: commandId, resourceId: id, caller, body }: Command,
): Promise<BegunApproval | null> {
  const { sql } = deps;
  const { tenant } = caller;
  await expireOverdueBeside(sql, tenant, id);
  const begin = async (tx: Tx, _command: Command, locked: LockedPreauthorization | null) => {
    const row = requireDecidable(locked, commandId);
    const confirmation = { tenant, bookingId: row.booking_id, preauthorizationId: id, approvalId: commandId };
    if (row.pending_command_id === commandId) return { confirmation, rejection: storedRejection(row) };
    checkDecision(stateOf(row), body as Approval, row.locked_at);
    await reserveSession(tx, row);
    await setDecidingCommand(tx, tenant, id, commandId);
    return { confirmation, rejection: null };
  };
  const lock = (tx: Tx) => lockPreauthorization(tx, tenant, id);
  const decide = () => decideCommand(sql, tenant, commandId, begin, lock);
  return whenDecidable(deps, caller, id, decide);
}

/** @throws ApiError benefit_exhausted */
async function reserveSession(
  tx: Tx,
  { id, project_id: tenant, coverage_id: coverageId }: PreauthorizationRow,
): Promise<void> {
  const { stated, reserved } = await lockSessions(tx, tenant, coverageId);
  checkSessionLeft(remainingSessions(stated, reserved));
  await insertReservation(tx, tenant, coverageId, id);
}

function storedRejection({ pending_rejection: stored }: PreauthorizationRow): ApiError | null {
  return stored && new ApiError(stored.code, stored.message);
}

/**
 * Rolls back the commit of a rejected approval without deleting its command. The command is deleted after care has withdrawn the booking's
 * confirmation.
 */
class RejectedAtCommit extends Error {
  override readonly name = 'RejectedAtCommit';

  constructor(readonly rejection: ApiError) {
    super(rejection.message);
  }
}

/**
 * Records the approval that {@link beginApproval} checked, with its response and event. If the approval is rejected, the command stays
 * pending until {@link abandonApproval}.
 *
 * @returns the response; null if another executor has stored it
 * @throws ApiError invalid_state if the pre-authorization has ended after that check, valid_until_in_past if `valid_until` has passed after
 *   it, or the rejection that another executor has stored
 */
async function commitApproval(
  sql: Sql,
  { id: commandId, resourceId: id, caller: { tenant } }: Command,
): Promise<JsonResponse | null> {
  const fetch = (tx: Tx) =>
    tx.pipeline([lockPreauthorization(tx, tenant, id), findReservation(tx, tenant, id)]);
  const record = async (tx: Tx, command: Command, [row, reservedAt]: Awaited<ReturnType<typeof fetch>>) => {
    if (row === null) throw notFound();
    try {
      const approved = await recordApproval(tx, row, reservedAt, command);
      return { status: 200, body: preauthorizationResource(approved) };
    } catch (error) {
      throw error instanceof ApiError ? new RejectedAtCommit(error) : error;
    }
  };
  try {
    return await commitCommand(sql, tenant, commandId, record, fetch);
  } catch (error) {
    throw error instanceof RejectedAtCommit ? error.rejection : error;
  }
}

async function recordApproval(
  tx: Tx,
  row: LockedPreauthorization,
  reservedAt: Date | null,
  { caller: { authority, requestId }, body }: Command,
): Promise<PreauthorizationRow> {
  const input = body as Approval;
  const { locked_at: now } = row;
  const rejection = storedRejection(row);
  if (rejection !== null) throw rejection;
  checkApprovalAtCommit(stateOf(row), input, now);
  if (reservedAt === null) throw new Error('an approval in progress has no reservation');
  const at = approvedAt(reservedAt, now);
  const change = {
    type: 'approved',
    decision: decisionOf(input, decidedOn(row), { id: newId('pad_'), authority, at }),
    approvedAmount: input.approved_amount,
    validUntil: new Date(parseInstant(input.valid_until)),
  } as const;
  return recordChange(tx, row, change, { at: now, authority, requestId });
}

/**
 * Stores why an approval is rejected, before care withdraws the confirmation. After that, no executor records the approval, even if the
 * reason ceases because the clock is set back.
 *
 * @returns the rejection that was stored first; null if another executor has recorded the approval
 * @throws StartAgain if another executor has deleted the command
 */
async function storeRejection(
  sql: Sql,
  { id: commandId, operation, resourceId: id, caller: { tenant } }: Command,
  rejection: ApiError,
): Promise<ApiError | null> {
  const first = await sql.begin(async (tx) => {
    const { answered } = await lockCommand(tx, tenant, commandId);
    if (answered) return null;
    const row = await lockPreauthorization(tx, tenant, id);
    // The pre-authorization has ended meanwhile, because care cancelled its booking: no executor can record the approval.
    if (row?.pending_command_id !== commandId) return rejection;
    const stored = storedRejection(row);
    if (stored === null) await setDecidingRejection(tx, tenant, id, rejection);
    return stored ?? rejection;
  });
  failpoint('command.rejected', operation);
  return first;
}

/**
 * Deletes the command of a rejected approval, releases the session that {@link beginApproval} reserved, and asks for a review, because the
 * deadline of the decision applies again. Does nothing if another executor has done it.
 */
async function abandonApproval(
  sql: Sql,
  { id: commandId, resourceId: id, caller: { tenant, authority, requestId } }: Command,
  rejection: ApiError,
): Promise<void> {
  await sql.begin(async (tx) => {
    // All steps lock the command's row before the pre-authorization's row, which prevents deadlocks.
    await dropCommand(tx, tenant, commandId, rejection);
    const row = await lockPreauthorization(tx, tenant, id);
    if (row?.pending_command_id !== commandId) return;
    await releaseReservation(tx, tenant, id);
    await setDecidingCommand(tx, tenant, id, null);
    const context = { at: row.locked_at, authority, requestId };
    await signalInsert(tx, row, `approval rejected: ${rejection.code}`, context);
  });
}
