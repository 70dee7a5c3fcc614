/** Creates a pending pre-authorization in one database transaction. */

import { type JsonResponse, writeOnce } from '@carecover/commands';
import { ApiError, type Caller, newId, requireResource, type Tenant } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { databaseNow, type Query, type Sql, type Tx } from '@carecover/postgres';
import type { BookingSnapshot } from '@carecover/workflow-preauthorization';
import { preauthorizationResource } from '../resources';
import { checkCreation, checkNoOther, checkSessionAhead } from '../rules/preauthorization-creation';
import { decideBy } from '../rules/preauthorization-expiry';
import { lockBooking } from '../store/bookings';
import { type EligibilityCheckRow, findEligibilityCheck } from '../store/eligibility-checks';
import { lockMembers } from '../store/members';
import {
  factInsert,
  findOpenPreauthorization,
  insertPreauthorization,
  lockPreauthorization,
  type PreauthorizationRow,
} from '../store/preauthorizations';
import { expireLockedIfDue } from './expire-overdue';
import { eventInsert, signalInsert } from './record-changes';

export interface CreationDependencies {
  readonly sql: Sql;
  /** Called after a commit that enqueued a signal to a pre-authorization's workflow. */
  readonly notifySignals: () => void;
  /** Reads a booking from care. @throws ApiError resource_not_found, service_unavailable */
  readonly readBooking: (caller: Caller, bookingId: string) => Promise<BookingSnapshot>;
}

/**
 * Creates a pending pre-authorization for an eligibility check and a booking of care.
 *
 * @throws ApiError service_unavailable, resource_not_found, not_eligible, booking_not_covered, invalid_state, service_mismatch,
 *   preauthorization_exists, session_in_past, checked in this order; idempotency_conflict
 */
export async function createPreauthorization(
  { sql, notifySignals, readBooking }: CreationDependencies,
  call: Call<'createPreauthorization'>,
): Promise<JsonResponse> {
  const { caller, body } = call;
  const booking = await outcomeOf(readBooking(caller, body.booking_id));
  const fetch =
    'error' in booking
      ? undefined
      : (tx: Tx) => fetchForCreation(tx, caller.tenant, body.eligibility_check_id, booking.value);
  const effect = async (tx: Tx, fetched: FetchedForCreation) => {
    // The error of the call to care is thrown only if the creation is new: a repeated request gets its stored response, also while care is
    // unavailable.
    if ('error' in booking) throw booking.error;
    const row = await createForBooking(tx, caller, body.eligibility_check_id, fetched);
    const { created_at: at } = row;
    const { authority, requestId } = caller;
    return {
      status: 201,
      body: preauthorizationResource(row),
      resourceId: row.id,
      writes: [
        factInsert(tx, caller.tenant, row, { type: 'requested', authority, at }),
        signalInsert(tx, row, 'requested', { at, authority, requestId }),
        eventInsert(tx, row, 'requested', at),
      ],
    };
  };
  const reply = await writeOnce(sql, call, call.replayStatus, effect, fetch);
  notifySignals();
  return reply;
}

/** The values that a creation reads after it has locked the booking. */
interface FetchedForCreation {
  readonly found: EligibilityCheckRow | null;
  readonly booking: BookingSnapshot;
  /** Whether benefits has received the booking's cancellation. */
  readonly isCancelled: boolean;
  /** The ID of the booking's open pre-authorization. */
  readonly openId: string | null;
  readonly now: Date;
}

function fetchForCreation(
  tx: Tx,
  tenant: Tenant,
  eligibilityCheckId: string,
  booking: BookingSnapshot,
): Query<FetchedForCreation> {
  const fetched = tx.pipeline([
    // Blocks erasures during this transaction, because an erasure can move the eligibility check to another coverage.
    lockMembers(tx, tenant),
    findEligibilityCheck(tx, tenant, eligibilityCheckId),
    lockBooking(tx, tenant, booking.bookingId),
    findOpenPreauthorization(tx, tenant, booking.bookingId),
    databaseNow(tx),
  ]);
  return fetched.withResult(([, found, isCancelled, openId, now]) => ({
    found,
    booking,
    isCancelled,
    openId,
    now,
  }));
}

async function createForBooking(
  tx: Tx,
  caller: Caller,
  eligibilityCheckId: string,
  { found, booking, isCancelled, openId, now: fetchedAt }: FetchedForCreation,
): Promise<PreauthorizationRow> {
  const { tenant } = caller;
  const check = requireResource(caller, eligibilityCheckId, found, '/eligibility_check_id');
  const requested = {
    status: check.status,
    scheduledAt: check.scheduled_at,
    isRetrospective: check.retrospective,
  };
  checkCreation(requested, isCancelled ? { ...booking, status: 'cancelled' } : booking);
  // The clock is read again after a lock for which the transaction can have waited.
  const now = openId === null ? fetchedAt : await requireExpired(tx, tenant, openId);
  checkSessionAhead(requested, booking, now);
  if (check.coverage_id === null || check.coverage_observation_id === null) {
    throw new Error('an eligible check has no coverage');
  }
  return insertPreauthorization(tx, tenant, {
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
}

/**
 * Rejects a creation if the booking's earlier pre-authorization has not ended. If that one is overdue, it is expired first, so that a late
 * workflow timer does not block the creation.
 *
 * @returns the database's time after the lock
 * @throws ApiError preauthorization_exists
 */
async function requireExpired(tx: Tx, tenant: Tenant, id: string): Promise<Date> {
  const row = await lockPreauthorization(tx, tenant, id);
  if (row === null) throw new Error('a pre-authorization was deleted');
  checkNoOther((await expireLockedIfDue(tx, row)).status);
  return row.locked_at;
}

async function outcomeOf<T>(work: Promise<T>): Promise<{ value: T } | { error: ApiError }> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}
