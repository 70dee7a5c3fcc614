/**
 * The first and the last step of a decision. The first checks it and, for an approval, reserves a session under the coverage's lock. Then
 * care confirms the booking. The last step records the decision with the time of the reservation.
 */
import {
  type PreauthorizationDecision,
  type PreauthorizationDecisionInput,
  parseInstant,
} from '@carecover/contract';
import { ApiError, databaseNow, decideCommand, newId, type Sql, type Tx } from '@carecover/platform';
import { checkDecision, checkValidity } from '../rules/benefit-state';
import { approvePreauthorization, denyPreauthorization } from '../store/preauthorization-facts';
import {
  type LockedPreauthorization,
  type PreauthorizationRow,
  setDecidingCommand,
  stateOf,
} from '../store/preauthorizations';
import { releaseSession, reserveSession } from '../store/reservations';

/**
 * Checks the decision of a command. For an approval it also reserves a session and records the command as the deciding one.
 *
 * @returns the booking to confirm, or null if there is none
 * @throws ApiError and deletes the command in the same commit
 */
export function beginDecision(
  sql: Sql,
  commandId: string,
  lock: (tx: Tx) => Promise<LockedPreauthorization>,
): Promise<{ bookingId: string } | null> {
  return decideCommand(sql, commandId, async (tx, command) => {
    const decision = command.body as PreauthorizationDecisionInput;
    return reserveForDecision(tx, commandId, await lock(tx), decision);
  });
}

async function reserveForDecision(
  tx: Tx,
  commandId: string,
  row: LockedPreauthorization,
  decision: PreauthorizationDecisionInput,
): Promise<{ bookingId: string } | null> {
  const isRepetition = row.deciding_command_id === commandId;
  if (isRepetition) return { bookingId: row.booking_id };
  checkDecision(stateOf(row), decision, await databaseNow(tx));
  // The reservation of an approval whose command was deleted does not belong to this decision.
  if (row.deciding_command_id !== null) await releaseSession(tx, row.project_id, row.id);
  if (decision.outcome === 'denied') return null;
  await reserveSession(tx, reservationFor(row));
  await setDecidingCommand(tx, row.project_id, row.id, commandId);
  return { bookingId: row.booking_id };
}

/**
 * Records a decision after its first step.
 *
 * @throws ApiError invalid_state if the pre-authorization has ended since, valid_until_in_past if that has passed since, benefit_exhausted
 */
export async function recordDecision(
  tx: Tx,
  row: LockedPreauthorization,
  input: PreauthorizationDecisionInput,
  authority: string,
): Promise<PreauthorizationRow> {
  const now = await databaseNow(tx);
  if (input.outcome === 'denied') {
    checkDecision(stateOf(row), input, now);
    return denyPreauthorization(tx, row, decisionOf(row, input, authority, now), { at: now, authority });
  }
  if (row.status !== 'pending') {
    throw new ApiError(
      'invalid_state',
      `The pre-authorization is ${row.status}: it can be decided only while pending.`,
    );
  }
  // The confirmation in care can take any time.
  checkValidity(input, now);
  const reservedAt = await reserveSession(tx, reservationFor(row));
  // If the clock stepped back, the reservation can be ahead of the clock. A decision never is.
  const decidedAt = new Date(Math.min(reservedAt.getTime(), now.getTime()));
  const terms = {
    approvedAmount: input.approved_amount,
    validUntil: new Date(parseInstant(input.valid_until)),
  };
  return approvePreauthorization(tx, row, decisionOf(row, input, authority, decidedAt), terms, {
    at: now,
    authority,
  });
}

function reservationFor(row: PreauthorizationRow) {
  return { tenant: row.project_id, coverageId: row.coverage_id, preauthorizationId: row.id };
}

function decisionOf(
  row: PreauthorizationRow,
  input: PreauthorizationDecisionInput,
  authority: string,
  decidedAt: Date,
): PreauthorizationDecision {
  return {
    id: newId('pad_'),
    object: 'preauthorization_decision',
    version: 1,
    outcome: input.outcome,
    reason_codes: input.reason_codes,
    policy: { reference: input.policy_reference, version: input.policy_version },
    authority_reference: authority,
    evidence_references: [
      ...input.evidence_references,
      row.eligibility_check_id,
      row.booking_id,
      row.coverage_observation_id,
    ],
    decided_at: decidedAt.toISOString(),
  };
}
