/** The creation of a pre-authorization, in the transaction that stores its response. */
import { ApiError, type Caller, databaseNow, newId, notFound, type Tx } from '@carecover/platform';
import type { BookingFacts } from '@carecover/workflow-preauthorization';
import { expireLockedIfDue } from '../activities/preauthorization-steps';
import { checkOpening, checkSessionAhead, decideBy } from '../rules/opening';
import { findEligibilityCheck } from '../store/eligibility-checks';
import { lockMembers } from '../store/erasure';
import { openPreauthorization } from '../store/preauthorization-facts';
import {
  findOpenPreauthorization,
  lockBooking,
  lockPreauthorization,
  type PreauthorizationRow,
} from '../store/preauthorizations';

/**
 * Creates a pending pre-authorization for a booking that was just read from care.
 *
 * @throws ApiError resource_not_found, not_eligible, booking_not_covered, invalid_state, service_mismatch,
 *   preauthorization_exists, session_in_past, checked in this order
 */
export async function openForBooking(
  tx: Tx,
  caller: Caller,
  eligibilityCheckId: string,
  booking: BookingFacts,
): Promise<PreauthorizationRow> {
  // An erasure can move the check to another coverage, so it must run before or after this transaction.
  await lockMembers(tx, caller.tenant);
  const check = await findEligibilityCheck(tx, caller.tenant, eligibilityCheckId);
  if (check === null) throw notFound();
  const isCancelled = await lockBooking(tx, caller.tenant, booking.bookingId);
  checkOpening(
    { status: check.status, scheduledAt: check.scheduled_at },
    isCancelled ? { ...booking, status: 'cancelled' } : booking,
  );
  await requireNoOpenPreauthorization(tx, caller, booking.bookingId);
  const now = await databaseNow(tx);
  checkSessionAhead(booking, now);
  if (check.coverage_id === null || check.coverage_observation_id === null) {
    throw new Error('an eligible check has no coverage');
  }
  return openPreauthorization(
    tx,
    {
      id: newId('preauth_'),
      project_id: caller.tenant,
      environment: caller.environment,
      eligibility_check_id: check.id,
      booking_id: booking.bookingId,
      coverage_id: check.coverage_id,
      coverage_observation_id: check.coverage_observation_id,
      requested_amount: check.requested_amount,
      currency: check.currency,
      decide_by: decideBy(now, new Date(booking.startsAt)),
      created_at: now,
    },
    caller.authority,
  );
}

/** Rejects a second open pre-authorization of a booking. Expires an overdue one first, so that a late timer does not block. */
async function requireNoOpenPreauthorization(tx: Tx, caller: Caller, bookingId: string): Promise<void> {
  const id = await findOpenPreauthorization(tx, caller.tenant, bookingId);
  if (id === null) return;
  const row = await lockPreauthorization(tx, caller.tenant, id);
  if (row === null) return;
  const { status } = await expireLockedIfDue(tx, row);
  if (status === 'pending' || status === 'approved') {
    throw new ApiError(
      'preauthorization_exists',
      '/booking_id already has a pending or approved pre-authorization.',
    );
  }
}
