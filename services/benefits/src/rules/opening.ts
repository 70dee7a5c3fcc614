/** Whether a pre-authorization may be opened, and until when it waits for its decision. Pure. */
import { PREAUTHORIZATION_DECISION_MS } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import type { BookingFacts } from '@carecover/workflow-preauthorization';

export interface CheckRelied {
  readonly status: 'eligible' | 'ineligible';
  readonly scheduledAt: Date;
}

/**
 * What must hold before the booking's other pre-authorizations are looked at.
 *
 * @throws ApiError not_eligible, booking_not_covered, invalid_state (the booking is cancelled), service_mismatch
 */
export function checkOpening(check: CheckRelied, booking: BookingFacts): void {
  if (check.status !== 'eligible') {
    throw new ApiError('not_eligible', '/eligibility_check_id names a check that came out ineligible.');
  }
  if (booking.paymentSource !== 'covered') {
    throw new ApiError('booking_not_covered', '/booking_id names a booking that is paid by the person.');
  }
  if (booking.status === 'cancelled') {
    throw new ApiError('invalid_state', '/booking_id names a booking that is cancelled.');
  }
  if (check.scheduledAt.getTime() !== Date.parse(booking.startsAt)) {
    throw new ApiError(
      'service_mismatch',
      '/eligibility_check_id names a check for another time than the booking.',
    );
  }
}

/** @throws ApiError session_in_past from the session's start on */
export function checkSessionAhead(booking: BookingFacts, now: Date): void {
  if (Date.parse(booking.startsAt) <= now.getTime()) {
    throw new ApiError('session_in_past', '/booking_id names a booking whose session has begun.');
  }
}

/** Until when a decision can be made: 14 days from its creation, or until the session's start if that is earlier. */
export function decideBy(createdAt: Date, sessionStartsAt: Date): Date {
  return new Date(Math.min(createdAt.getTime() + PREAUTHORIZATION_DECISION_MS, sessionStartsAt.getTime()));
}
