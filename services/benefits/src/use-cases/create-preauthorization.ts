/** Creates a pending pre-authorization in one database transaction, and then starts its workflow. */
import {
  ApiError,
  type Call,
  type Caller,
  databaseNow,
  newId,
  type OwnedResource,
  type Reply,
  requireResource,
  type Sql,
  type Tx,
  writeOnce,
} from '@carecover/platform';
import type { BookingFacts } from '@carecover/workflow-preauthorization';
import { preauthorizationResource } from '../resources';
import { checkCreation, checkNoOther, checkSessionAhead, decideBy } from '../rules/preauthorization-creation';
import { lockBooking } from '../store/bookings';
import { findEligibilityCheck } from '../store/eligibility-checks';
import { lockMembers } from '../store/members';
import {
  appendFact,
  findOpenPreauthorization,
  insertPreauthorization,
  lockPreauthorization,
  type PreauthorizationRow,
} from '../store/preauthorizations';
import { expireLockedIfDue } from './expire-overdue';
import { appendPreauthorizationEvent } from './record-change';

export interface CreationDependencies {
  readonly sql: Sql;
  /** Starts the workflow of a pre-authorization after the commit, without waiting for Temporal. */
  readonly startWorkflow: (preauthorization: OwnedResource) => void;
  /** Reads a booking from care. @throws ApiError resource_not_found, service_unavailable */
  readonly readBooking: (caller: Caller, bookingId: string) => Promise<BookingFacts>;
}

/**
 * Creates a pending pre-authorization for an eligibility check and a booking of care.
 *
 * @throws ApiError service_unavailable, resource_not_found, not_eligible, booking_not_covered, invalid_state, service_mismatch,
 *   preauthorization_exists, session_in_past, checked in this order; idempotency_conflict
 */
export async function createPreauthorization(
  { sql, startWorkflow, readBooking }: CreationDependencies,
  call: Call<'createPreauthorization'>,
): Promise<Reply> {
  const { caller, body } = call;
  const booking = await outcomeOf(readBooking(caller, body.booking_id));
  let created: OwnedResource | null = null;
  const reply = await writeOnce(sql, call, call.replayStatus, async (tx) => {
    // Thrown only for a new creation: a repeated request gets its stored response, also while care is unavailable.
    if ('error' in booking) throw booking.error;
    const row = await createForBooking(tx, caller, body.eligibility_check_id, booking.value);
    created = { id: row.id, tenant: caller.tenant, environment: caller.environment };
    return { status: 201, body: preauthorizationResource(row), resourceId: row.id };
  });
  if (created !== null) startWorkflow(created);
  return reply;
}

async function createForBooking(
  tx: Tx,
  caller: Caller,
  eligibilityCheckId: string,
  booking: BookingFacts,
): Promise<PreauthorizationRow> {
  const { tenant, authority } = caller;
  // Blocks erasures during this transaction, because an erasure can move the eligibility check to another coverage.
  await lockMembers(tx, tenant);
  const found = await findEligibilityCheck(tx, tenant, eligibilityCheckId);
  const check = requireResource(caller, eligibilityCheckId, found);
  const isCancelled = await lockBooking(tx, tenant, booking.bookingId);
  checkCreation(
    { status: check.status, scheduledAt: check.scheduled_at },
    isCancelled ? { ...booking, status: 'cancelled' } : booking,
  );
  await requireNoOther(tx, caller, booking.bookingId);
  const now = await databaseNow(tx);
  checkSessionAhead(booking, now);
  if (check.coverage_id === null || check.coverage_observation_id === null) {
    throw new Error('an eligible check has no coverage');
  }
  const row = await insertPreauthorization(tx, tenant, {
    id: newId('preauth_'),
    environment: caller.environment,
    eligibility_check_id: check.id,
    booking_id: booking.bookingId,
    coverage_id: check.coverage_id,
    coverage_observation_id: check.coverage_observation_id,
    requested_amount: check.requested_amount,
    currency: check.currency,
    decide_by: decideBy(now, new Date(booking.startsAt)),
    created_at: now,
  });
  await appendFact(tx, tenant, row, { type: 'requested', authority, at: now });
  await appendPreauthorizationEvent(tx, row, 'requested', now);
  return row;
}

/**
 * Rejects the creation if the booking has an open pre-authorization. Expires an overdue one first, so that a late workflow timer does not
 * block the creation. @throws ApiError preauthorization_exists
 */
async function requireNoOther(tx: Tx, { tenant }: Caller, bookingId: string): Promise<void> {
  const id = await findOpenPreauthorization(tx, tenant, bookingId);
  const row = id === null ? null : await lockPreauthorization(tx, tenant, id);
  if (row !== null) checkNoOther((await expireLockedIfDue(tx, row)).status);
}

async function outcomeOf<T>(work: Promise<T>): Promise<{ value: T } | { error: ApiError }> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}
