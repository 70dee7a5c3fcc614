/** The rules for the creation of a pre-authorization, and the deadline for the payer's decision on it. Pure functions. */
import type { PreauthorizationStatus } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { BookingSnapshot } from '@carecover/workflow-preauthorization';

export interface RequestedCheck {
  readonly status: 'eligible' | 'ineligible';
  readonly scheduledAt: Date;
  /** Whether the check was made with `retrospective`. */
  readonly isRetrospective: boolean;
}

/**
 * Checks that a pre-authorization can be created for an eligibility check and a booking. The booking's other pre-authorizations are
 * checked by {@link checkNoOther}.
 *
 * @throws ApiError not_eligible, booking_not_covered, invalid_state (the booking is cancelled), service_mismatch
 */
export function checkCreation(check: RequestedCheck, booking: BookingSnapshot): void {
  if (check.status !== 'eligible') {
    throw new ApiError('not_eligible', '/eligibility_check_id must name a check with the status eligible.');
  }
  if (booking.paymentSource !== 'covered') {
    throw new ApiError('booking_not_covered', '/booking_id must name a covered booking.');
  }
  if (booking.status === 'cancelled') {
    throw new ApiError('invalid_state', '/booking_id must name a booking that is not cancelled.');
  }
  if (check.scheduledAt.getTime() !== Date.parse(booking.startsAt)) {
    throw new ApiError(
      'service_mismatch',
      '/eligibility_check_id must name a check for the time of the booking.',
    );
  }
}

/**
 * Checks that the booking's session has not started, or can be authorized afterwards: it was recorded outside the calendar, and its check is
 * retrospective.
 *
 * @throws ApiError session_in_past
 */
export function checkSessionAhead(check: RequestedCheck, booking: BookingSnapshot, now: Date): void {
  const canFollow = booking.isRecorded && check.isRetrospective;
  if (Date.parse(booking.startsAt) <= now.getTime() && !canFollow) {
    throw new ApiError(
      'session_in_past',
      '/booking_id must name a booking whose session has not started. The session of a booking that was recorded with POST /sessions can have started if /eligibility_check_id names a retrospective check.',
    );
  }
}

/** Checks that the booking's earlier pre-authorization is neither pending nor approved. @throws ApiError preauthorization_exists */
export function checkNoOther(earlier: PreauthorizationStatus): void {
  if (earlier === 'pending' || earlier === 'approved') {
    throw new ApiError(
      'preauthorization_exists',
      '/booking_id already has a pending or approved pre-authorization.',
    );
  }
}
