/**
 * What the pre-authorization's workflow asks of care, as activities on its queue. Each may be repeated after a crash with the same
 * input and then does nothing new. Refusals carry the contract's codes. Times in ISO 8601 UTC.
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

/** Activities on the queue `care`. */
export interface CareForPreauthorizations {
  /** Confirms a reserved booking. @throws Refusal `invalid_state` where it was cancelled or its session has begun */
  confirmBooking(input: { tenant: string; bookingId: string; preauthorizationId: string }): Promise<void>;
}
