/** Decides whether a member's coverage pays for a session, and stores the decision. An eligibility check reserves nothing. */

import { type JsonResponse, type WriteRequest, writeOnce } from '@carecover/commands';
import { parseInstant } from '@carecover/contract';
import { ApiError, newId, type Tenant } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Query, Transactions, Tx } from '@carecover/postgres';
import { eligibilityCheckResource } from '../resources';
import { checkConsent } from '../rules/consent';
import { type CoverageSnapshot, decideEligibility } from '../rules/eligibility';
import { remainingSessions } from '../rules/session-reservation';
import { type Benefit, findSnapshots, findSnapshotsInEffect, type SnapshotRow } from '../store/coverages';
import { type EligibilityCheckRow, eligibilityCheckInsert } from '../store/eligibility-checks';
import { findMemberWithConsent, findOrCreateMember, lockMembers } from '../store/members';
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
    const memberId = member?.id ?? (await findOrCreateMember(tx, tenant, body.member_reference));
    checkConsent(member?.consent ?? null, caller);
    const scheduledAt = new Date(parseInstant(body.scheduled_at));
    const { retrospective = false } = body;
    if (scheduledAt < checkedAt && !retrospective)
      throw new ApiError(
        'session_in_past',
        '/scheduled_at must be in the future, or /retrospective must be true.',
      );

    const benefit = { memberId, serviceCode: body.service_code, currency: body.currency };
    const find = retrospective ? findSnapshotsInEffect : findSnapshots;
    const rows = await findWithoutOverdue(tx, tenant, benefit, () => find(tx, tenant, benefit, scheduledAt));
    const decision = decideEligibility({ scheduledAt, amount: body.amount }, rows.map(snapshotOf));
    const row: EligibilityCheckRow = {
      id: newId('elig_'),
      member_id: memberId,
      status: decision.eligible ? 'eligible' : 'ineligible',
      reason_codes: [...decision.reasonCodes],
      service_code: body.service_code,
      scheduled_at: scheduledAt,
      requested_amount: body.amount,
      currency: body.currency,
      coverage_id: decision.coverage?.coverageId ?? null,
      coverage_observation_id: decision.coverage?.observationId ?? null,
      maximum_per_session: decision.coverage?.amountLimit ?? null,
      authorization_required: decision.coverage?.authorizationRequired ?? false,
      remaining_sessions: decision.coverage?.remainingSessions ?? null,
      coverage_valid_until: decision.coverage?.validUntil ?? null,
      checked_at: checkedAt,
      retrospective,
    };
    return {
      status: 201,
      body: eligibilityCheckResource(row),
      resourceId: row.id,
      writes: [eligibilityCheckInsert(tx, tenant, row)],
    };
  };
  return writeOnce(sql, call, call.replayStatus, effect, fetch);
}

/** Reads snapshots by the given query, after the expiry of the benefit's overdue pre-authorizations. */
async function findWithoutOverdue(
  tx: Tx,
  tenant: Tenant,
  benefit: Benefit,
  find: () => Query<SnapshotRow[]>,
): Promise<SnapshotRow[]> {
  const [overdue, snapshots] = await tx.pipeline([overdueReservationsOf(tx, tenant, benefit), find()]);
  if (overdue.length === 0) return snapshots;
  await expireOverdue(tx, tenant, overdue);
  return find();
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
