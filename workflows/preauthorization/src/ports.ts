/**
 * What the pre-authorization's workflow asks of others, as activities: of the care service on its queue, and of the benefits
 * service, whose steps are one transaction each and run as local activities. Each may be repeated after a crash with the
 * same input and then does nothing new. Times in ISO 8601 UTC.
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

/** Which pre-authorization: its workflow's input. */
export interface PreauthorizationIdentity {
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: 'sandbox' | 'production';
}

/** One step of a command; the command's row says what was asked. */
export interface CommandStep extends PreauthorizationIdentity {
  readonly commandId: string;
}

/** How a pre-authorization stands after a step. */
export interface PreauthorizationReport {
  readonly status: 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';
  /** When it expires if nothing happens; null where nothing can make it expire as it stands. */
  readonly deadline: string | null;
  /** The same as milliseconds from now by the clock of the rules, 0 where it has passed; null with the deadline. */
  readonly dueInMs: number | null;
  readonly usedByClaimId: string | null;
}

/** Local activities of the benefits service. */
export interface PreauthorizationSteps {
  /** Lets it expire where its deadline has passed, and tells how it stands; null where the facts know none such. */
  review(which: PreauthorizationIdentity): Promise<PreauthorizationReport | null>;
  /**
   * Judges a decision; for an approval also reserves a session of the benefit.
   *
   * @returns the booking to confirm; null where there is none to confirm (a denial, or a decision that is recorded already)
   * @throws Refusal invalid_state, amount_exceeds_request, valid_until_in_past, benefit_exhausted
   */
  beginDecision(step: CommandStep): Promise<{ readonly bookingId: string } | null>;
  /** Records the decision with its answer and event. @throws Refusal invalid_state where it was ended meanwhile */
  commitDecision(step: CommandStep): Promise<PreauthorizationReport>;
  /** Gives back what {@link beginDecision} reserved and forgets the command, because a later step refused. */
  abandonDecision(step: CommandStep): Promise<void>;
  /** @throws Refusal invalid_state */
  cancel(step: CommandStep): Promise<PreauthorizationReport>;
  /** As {@link cancel}, because its booking was cancelled: finds nothing to do where it is over. */
  cancelForBooking(step: CommandStep): Promise<PreauthorizationReport>;
  /** Brings its deadline about, for the sandbox's test helper. @throws Refusal invalid_state */
  expireNow(step: CommandStep): Promise<PreauthorizationReport>;
}
