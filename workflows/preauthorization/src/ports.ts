/** What the pre-authorization's workflow, and the benefits service, ask of the care service. */

/** A booking as care knows it now; times in ISO 8601 UTC. Read at `GET /internal/bookings/{booking_id}`. */
export interface BookingFacts {
  readonly bookingId: string;
  readonly sessionId: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly status: 'reserved' | 'confirmed' | 'cancelled';
  readonly paymentSource: 'self_pay' | 'covered';
}

/** Activities on the queue `care`. Each may be repeated after a crash with the same input and then does nothing new. */
export interface CareForPreauthorizations {
  /** Confirms a reserved booking. @throws Refusal `invalid_state` where it was cancelled or its session has begun */
  confirmBooking(input: { tenant: string; bookingId: string; preauthorizationId: string }): Promise<void>;
}
