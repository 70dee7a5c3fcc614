/**
 * The steps of the pre-authorization's workflow in care: HTTP calls from its local activities. Each may be repeated after a crash with
 * the same input and then does nothing new. Rejections carry the contract's codes. The second argument is the id of the request. Times in
 * ISO 8601 UTC.
 */

/** A booking as care knows it now. Read by benefits at `GET /internal/bookings/{booking_id}`. */
export interface BookingFacts {
  readonly bookingId: string;
  readonly sessionId: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly status: 'reserved' | 'confirmed' | 'cancelled';
  readonly paymentSource: 'self_pay' | 'covered';
}

/** A booking's confirmation by one approval. */
export interface BookingConfirmation {
  readonly tenant: string;
  readonly bookingId: string;
  readonly preauthorizationId: string;
  /** The id of the command that approves. */
  readonly approvalId: string;
}

/** Steps in care. */
export interface CareForPreauthorizations {
  /**
   * Confirms a reserved booking.
   *
   * @throws ApiError `invalid_state` where it was cancelled, its session has begun, or this approval was withdrawn
   */
  confirmBooking(input: BookingConfirmation, requestId: string): Promise<void>;
  /**
   * Undoes {@link confirmBooking} of the same approval, and makes one that arrives later fail. Leaves a cancelled booking, a session
   * that has begun and the confirmation of another approval as they are.
   */
  withdrawConfirmation(input: BookingConfirmation, requestId: string): Promise<void>;
}
