/**
 * The two ends of a decision's saga. The first evaluates it and, for an approval, reserves a session under the coverage's lock;
 * between them care confirms the booking; the last records the decision, as of the moment in which it was evaluated.
 */
import {
  type PreauthorizationDecision,
  type PreauthorizationDecisionInput,
  parseInstant,
} from '@carecover/contract';
import { ApiError, databaseNow, decideCommand, newId, type Sql, type Tx } from '@carecover/platform';
import { checkDecision, checkValidity } from '../rules/benefit-state';
import { approve, deny } from '../store/preauthorization-facts';
import { type LockedPreauthorization, type PreauthorizationRow, stateOf } from '../store/preauthorizations';
import { releaseSession, reserveSession } from '../store/reservations';

/**
 * Evaluates the decision of a command; an approval then holds a session and stands as being carried out by that command.
 *
 * @returns the booking to confirm, or null where there is none
 * @throws ApiError, and the command is forgotten in the same commit
 */
export function beginDecision(
  sql: Sql,
  commandId: string,
  lock: (tx: Tx) => Promise<LockedPreauthorization>,
): Promise<{ bookingId: string } | null> {
  return decideCommand(sql, commandId, async (tx, command) => {
    const decision = command.body as PreauthorizationDecisionInput;
    return hold(tx, commandId, await lock(tx), decision);
  });
}

async function hold(
  tx: Tx,
  commandId: string,
  row: LockedPreauthorization,
  decision: PreauthorizationDecisionInput,
): Promise<{ bookingId: string } | null> {
  const isMine = row.deciding_command_id === commandId;
  if (isMine) return { bookingId: row.booking_id };
  checkDecision(stateOf(row), decision, await databaseNow(tx));
  // What an approval whose command is gone left behind is not this decision's.
  if (row.deciding_command_id !== null) await releaseSession(tx, row.id);
  if (decision.outcome === 'denied') return null;
  await reserveSession(tx, reservationFor(row));
  await tx`update preauthorizations set deciding_command_id = ${commandId} where id = ${row.id}`;
  return { bookingId: row.booking_id };
}

/**
 * Records a decision that was begun.
 *
 * @throws ApiError invalid_state where the pre-authorization was ended meanwhile, valid_until_in_past where that passed meanwhile,
 *   benefit_exhausted
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
    return deny(tx, row, decisionOf(row, input, authority, now), { at: now, authority });
  }
  if (row.status !== 'pending') {
    throw new ApiError(
      'invalid_state',
      `The pre-authorization is ${row.status}: it can be decided only while pending.`,
    );
  }
  // Care may have taken any time to confirm the booking.
  checkValidity(input, now);
  const reservedAt = await reserveSession(tx, reservationFor(row));
  // After a step back of the clock the reservation may be ahead of it. A decision never is.
  const decidedAt = new Date(Math.min(reservedAt.getTime(), now.getTime()));
  const terms = {
    approvedAmount: input.approved_amount,
    validUntil: new Date(parseInstant(input.valid_until)),
  };
  return approve(tx, row, decisionOf(row, input, authority, decidedAt), terms, { at: now, authority });
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
