/**
 * Steps of the pre-authorization's workflow in care: HTTP calls from its local activities. Each can be repeated after a crash with the
 * same input without a second effect. Rejections have the contract's codes. The second argument is the request's ID. Times in ISO 8601 UTC.
 */
import { localSteps } from '@carecover/platform/workflow';

/** A booking's current state in care. Benefits reads it at `GET /internal/bookings/{booking_id}`. */
export interface BookingFacts {
  readonly bookingId: string;
  readonly sessionId: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly status: 'reserved' | 'confirmed' | 'cancelled';
  readonly paymentSource: 'self_pay' | 'covered';
}

/** Identifies the confirmation of a booking by one approval of its pre-authorization. */
export interface BookingConfirmation {
  readonly tenant: string;
  readonly bookingId: string;
  readonly preauthorizationId: string;
  /** ID of the command that approves the pre-authorization. */
  readonly approvalId: string;
}

/** Steps in care. */
export interface CareForPreauthorizations {
  /**
   * Confirms a reserved booking.
   *
   * @throws ApiError `invalid_state` if the booking is cancelled, its session has started, or the confirmation of this approval was withdrawn
   */
  confirmBooking(input: BookingConfirmation, requestId: string): Promise<void>;
  /**
   * Undoes {@link confirmBooking} of the same approval. If that call arrives later, it is rejected. Does not change a cancelled booking, a session
   * that has started or the confirmation of another approval.
   */
  withdrawConfirmation(input: BookingConfirmation, requestId: string): Promise<void>;
}

/** The steps in care, with their summaries in the Temporal UI. */
export const care = localSteps<CareForPreauthorizations>('10s', {
  confirmBooking: 'Care: confirm the booking',
  withdrawConfirmation: 'Rejected: care withdraws the confirmation',
});
