/** The creation of a pre-authorization, in the transaction that remembers its answer. */
import { ApiError, type Caller, databaseNow, newId, notFound, type Tx } from '@carecover/platform';
import type { BookingFacts } from '@carecover/workflow-preauthorization';
import { expireWhereDue } from '../activities/preauthorization-steps';
import { checkOpening, checkSessionAhead, decideBy } from '../rules/opening';
import { findEligibilityCheck } from '../store/eligibility-checks';
import { lockMembers } from '../store/erasure';
import { openPreauthorization } from '../store/preauthorization-facts';
import {
  lockBooking,
  lockPreauthorization,
  openPreauthorizationOf,
  type PreauthorizationRow,
} from '../store/preauthorizations';

/**
 * Opens a pre-authorization for a booking, as care knew it just now.
 *
 * @throws ApiError resource_not_found, not_eligible, booking_not_covered, invalid_state, service_mismatch,
 *   preauthorization_exists, session_in_past, looked for in this order
 */
export async function openForBooking(
  tx: Tx,
  caller: Caller,
  eligibilityCheckId: string,
  booking: BookingFacts,
): Promise<PreauthorizationRow> {
  // An erasure may move the check to another coverage: it runs before this or after it.
  await lockMembers(tx, caller.tenant);
  const check = await findEligibilityCheck(tx, caller.tenant, eligibilityCheckId);
  if (check === null) throw notFound();
  const isCancelled = await lockBooking(tx, caller.tenant, booking.bookingId);
  checkOpening(
    { status: check.status, scheduledAt: check.scheduled_at },
    isCancelled ? { ...booking, status: 'cancelled' } : booking,
  );
  await rejectSecondOpening(tx, caller, booking.bookingId);
  const now = await databaseNow(tx);
  checkSessionAhead(booking, now);
  if (check.coverage_id === null || check.coverage_observation_id === null) {
    throw new Error('an eligible check names no coverage');
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

/** One that is overdue expires here and now, so that a late timer keeps nobody waiting. */
async function rejectSecondOpening(tx: Tx, caller: Caller, bookingId: string): Promise<void> {
  const id = await openPreauthorizationOf(tx, caller.tenant, bookingId);
  if (id === null) return;
  const row = await lockPreauthorization(tx, caller.tenant, id);
  if (row === null) return;
  const { status } = await expireWhereDue(tx, row);
  if (status === 'pending' || status === 'approved') {
    throw new ApiError(
      'preauthorization_exists',
      '/booking_id names a booking that has a pending or approved one.',
    );
  }
}
