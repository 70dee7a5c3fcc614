/** Decides whether a member's coverage pays for a session, and stores the decision. An eligibility check reserves nothing. */

import { type DecidedWrite, type JsonResponse, type WriteRequest, writeOnce } from '@carecover/commands';
import { type EligibilityCheck, type EligibilityCheckInput, parseInstant } from '@carecover/contract';
import { ApiError, type Caller, newId, type Tenant } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Transactions, Tx } from '@carecover/postgres';
import { eligibilityCheckResource } from '../resources';
import { checkConsent } from '../rules/consent';
import { type CoverageSnapshot, decideEligibility } from '../rules/eligibility';
import { remainingSessions } from '../rules/session-reservation';
import { type CheckedSession, findSnapshots, type SnapshotRow } from '../store/coverages';
import { type EligibilityCheckRow, eligibilityCheckInsert } from '../store/eligibility-checks';
import {
  findMemberWithConsent,
  findOrCreateMember,
  lockMembers,
  type MemberWithConsent,
} from '../store/members';
import { overdueReservationsOf } from '../store/reservations';
import { expireOverdue } from './expire-overdue';

/**
 * Creates an eligibility check. Overdue pre-authorizations of the benefit expire first, because they reserve sessions.
 *
 * @throws ApiError consent_required, session_in_past, idempotency_conflict
 */
export function createEligibilityCheck(
  sql: Transactions,
  call: Pick<Call<'createEligibilityCheck'>, 'body' | 'replayStatus' | keyof WriteRequest>,
): Promise<JsonResponse> {
  const { caller, body } = call;
  const { tenant } = caller;
  const fetch = (tx: Tx) =>
    tx.pipeline([lockMembers(tx, tenant), findMemberWithConsent(tx, tenant, body.member_reference)]);
  const effect = async (tx: Tx, [checkedAt, member]: Awaited<ReturnType<typeof fetch>>) => {
    const known = member ?? {
      id: await findOrCreateMember(tx, tenant, body.member_reference),
      consent: null,
    };
    const session = sessionOf(caller, body, checkedAt, known);
    const snapshots = await findWithoutOverdue(tx, tenant, session);
    const { row, ...written } = decideCheck(body, session, checkedAt, snapshots);
    return { ...written, writes: [eligibilityCheckInsert(tx, tenant, row)] };
  };
  return writeOnce(sql, call, call.replayStatus, effect, fetch);
}

/** Returns the session that a check is about. @throws ApiError consent_required, session_in_past */
export function sessionOf(
  caller: Caller,
  body: EligibilityCheckInput,
  checkedAt: Date,
  member: MemberWithConsent,
): CheckedSession {
  checkConsent(member.consent, caller);
  const scheduledAt = new Date(parseInstant(body.scheduled_at));
  const { retrospective = false, service_code: serviceCode, currency } = body;
  if (scheduledAt < checkedAt && !retrospective)
    throw new ApiError(
      'session_in_past',
      '/scheduled_at must be in the future, or /retrospective must be true.',
    );
  return { memberId: member.id, serviceCode, currency, scheduledAt, retrospective };
}

/** Decides a check on the snapshots of its session. Returns its response and its row. */
export function decideCheck(
  { amount }: Pick<EligibilityCheckInput, 'amount'>,
  { memberId, serviceCode, currency, scheduledAt, retrospective }: CheckedSession,
  checkedAt: Date,
  snapshots: readonly SnapshotRow[],
): DecidedWrite<EligibilityCheckRow> & { readonly body: EligibilityCheck } {
  const { eligible, reasonCodes, coverage } = decideEligibility(
    { scheduledAt, amount },
    snapshots.map(snapshotOf),
  );
  const row: EligibilityCheckRow = {
    id: newId('elig_'),
    member_id: memberId,
    status: eligible ? 'eligible' : 'ineligible',
    reason_codes: [...reasonCodes],
    service_code: serviceCode,
    scheduled_at: scheduledAt,
    requested_amount: amount,
    currency,
    coverage_id: coverage?.coverageId ?? null,
    coverage_observation_id: coverage?.observationId ?? null,
    maximum_per_session: coverage?.amountLimit ?? null,
    authorization_required: coverage?.authorizationRequired ?? false,
    remaining_sessions: coverage?.remainingSessions ?? null,
    coverage_valid_until: coverage?.validUntil ?? null,
    checked_at: checkedAt,
    retrospective,
  };
  return { status: 201, body: eligibilityCheckResource(row), resourceId: row.id, row };
}

/** Reads the snapshots of a session, after the expiry of the benefit's overdue pre-authorizations. */
async function findWithoutOverdue(tx: Tx, tenant: Tenant, session: CheckedSession): Promise<SnapshotRow[]> {
  const [overdue, snapshots] = await tx.pipeline([
    overdueReservationsOf(tx, tenant, session),
    findSnapshots(tx, tenant, session),
  ]);
  if (overdue.length === 0) return snapshots;
  await expireOverdue(tx, tenant, overdue);
  return findSnapshots(tx, tenant, session);
}

export function snapshotOf(row: SnapshotRow): CoverageSnapshot {
  return {
    coverageId: row.coverage_id,
    observationId: row.id,
    status: row.status,
    amountLimit: row.amount_limit,
    remainingSessions: remainingSessions(row.remaining_sessions, row.reserved),
    authorizationRequired: row.authorization_required,
    coordinationPriority: row.coordination_priority,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    observedAt: row.observed_at,
    recording: row.recording,
  };
}
