/** Generated from the contract; do not edit. */

/** Every code that an error answer can carry. */
export type ErrorCode =
  | 'validation_failed'
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'permission_denied'
  | 'consent_required'
  | 'https_required'
  | 'resource_not_found'
  | 'method_not_allowed'
  | 'idempotency_conflict'
  | 'invalid_state'
  | 'slot_unavailable'
  | 'preauthorization_exists'
  | 'benefit_exhausted'
  | 'source_version_conflict'
  | 'duplicate_claim_reference'
  | 'session_already_claimed'
  | 'duplicate_remittance_reference'
  | 'duplicate_settlement_reference'
  | 'endpoint_disabled'
  | 'endpoint_limit_reached'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'session_in_past'
  | 'outside_availability'
  | 'not_eligible'
  | 'booking_not_covered'
  | 'service_mismatch'
  | 'amount_exceeds_request'
  | 'valid_until_in_past'
  | 'authorization_required'
  | 'session_not_delivered'
  | 'currency_mismatch'
  | 'adjudication_lines_mismatch'
  | 'adjudication_unbalanced'
  | 'claim_not_adjudicated'
  | 'allocation_duplicate'
  | 'over_allocation'
  | 'future_timestamp'
  | 'webhook_url_not_allowed'
  | 'rate_limited'
  | 'internal_error'
  | 'service_unavailable';

/**
 * An event, in the form of its type.
 */
export type Event =
  | SandboxPingEvent
  | PreauthorizationRequestedEvent
  | PreauthorizationApprovedEvent
  | PreauthorizationDeniedEvent
  | PreauthorizationExpiredEvent
  | PreauthorizationCancelledEvent
  | ClaimSubmittedEvent
  | ClaimInformationRequestedEvent
  | ClaimResubmittedEvent
  | ClaimApprovedEvent
  | ClaimPartiallyApprovedEvent
  | ClaimDeniedEvent
  | ClaimSettledEvent
  | ClaimReversedEvent
  | ClaimCancelledEvent
  | RemittanceReconciledEvent
  | RemittanceExceptionEvent;
/**
 * An approval or a denial, told apart by `outcome`. All fields are required.
 */
export type PreauthorizationDecisionInput = PreauthorizationApproval | PreauthorizationDenial;

/**
 * The payer's judgement of a claim. On every line, billed = allowed + adjustment and allowed = payer + patient_responsibility.
 */
export interface Adjudication {
  /**
   * The adjudication's identifier.
   */
  id: string;
  /**
   * Always `claim_adjudication`.
   */
  object: 'claim_adjudication';
  /**
   * Counts the claim's adjudications, from 1.
   */
  version: number;
  /**
   * Derived from the totals: the payer's is all, some or none of the billed.
   */
  decision: 'approved' | 'partially_approved' | 'denied';
  /**
   * Exact sums over the lines, in one currency.
   */
  amount: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * What was claimed. In minor units.
     */
    billed: number;
    /**
     * What the payer owes. In minor units.
     */
    payer: number;
    /**
     * What the patient owes. In minor units.
     */
    patient_responsibility: number;
    /**
     * What nobody owes. In minor units.
     */
    adjustment: number;
  };
  /**
   * Why.
   *
   * Items: A reason code.
   */
  reason_codes: string[];
  /**
   * The rule that was applied.
   */
  policy: {
    /**
     * The payer's reference of the rule.
     */
    reference: string;
    /**
     * The rule's version.
     */
    version: string;
  };
  /**
   * Every line of the claim.
   *
   * Items: The judgement of one line.
   */
  lines: {
    /**
     * The claim's line.
     */
    line_number: number;
    /**
     * The line's amounts.
     */
    amount: {
      /**
       * What was claimed. In minor units.
       */
      billed: number;
      /**
       * What is payable by anyone. In minor units.
       */
      allowed: number;
      /**
       * What the payer owes. In minor units.
       */
      payer: number;
      /**
       * What the patient owes. In minor units.
       */
      patient_responsibility: number;
      /**
       * What nobody owes. In minor units.
       */
      adjustment: number;
    };
    /**
     * Why.
     *
     * Items: A reason code.
     */
    reason_codes: string[];
  }[];
  /**
   * When it was decided. UTC, in milliseconds.
   */
  decided_at: string;
}
/**
 * The payer's judgement of every line of a claim.
 */
export interface AdjudicationInput {
  /**
   * The payer's reference of the rule applied.
   */
  policy_reference: string;
  /**
   * The rule's version.
   */
  policy_version: string;
  /**
   * Why.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: A reason code.
   */
  reason_codes: string[];
  /**
   * References to evidence.
   *
   * @minItems 0
   * @maxItems 32
   *
   * Items: A reference to evidence.
   */
  evidence_refs?: string[];
  /**
   * Every line of the claim exactly once.
   *
   * @minItems 1
   * @maxItems 100
   *
   * Items: The judgement of one line.
   */
  lines: {
    /**
     * The claim's line.
     */
    line_number: number;
    /**
     * billed = allowed + adjustment, and allowed = payer + patient_responsibility.
     */
    amount: {
      /**
       * What was claimed. In minor units.
       */
      billed: number;
      /**
       * What is payable by anyone. In minor units.
       */
      allowed: number;
      /**
       * What the payer owes. In minor units.
       */
      payer: number;
      /**
       * What the patient owes. In minor units.
       */
      patient_responsibility: number;
      /**
       * What nobody owes. In minor units.
       */
      adjustment: number;
    };
    /**
     * Why.
     *
     * @minItems 1
     * @maxItems 16
     *
     * Items: A reason code.
     */
    reason_codes: string[];
  }[];
}
/**
 * The API as the presented key sees it.
 */
export interface Api {
  /**
   * Always `api`.
   */
  object: 'api';
  /**
   * The version that the path names.
   */
  version: 'v1';
  /**
   * The key's environment.
   */
  environment: 'sandbox' | 'production';
  /**
   * The resource areas.
   */
  resources: string[];
}
/**
 * A practitioner's recurring weekly hours, in the practitioner's own time zone.
 */
export interface Availability {
  /**
   * Always `availability`.
   */
  object: 'availability';
  /**
   * The practitioner.
   */
  practitioner_id: string;
  /**
   * IANA time zone in which the hours are meant.
   */
  timezone: string;
  /**
   * The stretches.
   *
   * Items: One stretch of one weekday.
   */
  weekly_hours: {
    /**
     * Day of the week, 0 is Sunday.
     */
    weekday: number;
    /**
     * First bookable minute, HH:MM.
     */
    start: string;
    /**
     * End of the stretch, HH:MM.
     */
    end: string;
    /**
     * Formats offered in this stretch.
     *
     * Items: A format.
     */
    formats: ('online' | 'in_person' | 'phone')[];
  }[];
}
/**
 * A reserved slot of a practitioner's time.
 */
export interface Booking {
  /**
   * The booking's identifier.
   */
  id: string;
  /**
   * Always `booking`.
   */
  object: 'booking';
  /**
   * The session that the booking made.
   */
  session_id: string;
  /**
   * Who gives the session.
   */
  practitioner_id: string;
  /**
   * Start of the session. UTC, in milliseconds.
   */
  starts_at: string;
  /**
   * End of the session. UTC, in milliseconds.
   */
  ends_at: string;
  /**
   * The practitioner's IANA time zone.
   */
  timezone: string;
  /**
   * How the session takes place.
   */
  format: 'online' | 'in_person' | 'phone';
  /**
   * `self_pay` starts confirmed; `covered` starts reserved and is confirmed by the approval of its pre-authorization.
   */
  status: 'reserved' | 'confirmed' | 'cancelled';
  /**
   * Who pays.
   */
  payment_source: 'self_pay' | 'covered';
}
/**
 * A slot to book.
 */
export interface BookingInput {
  /**
   * Who is to give the session.
   */
  practitioner_id: string;
  /**
   * Start of the session. RFC 3339 with an offset; floored to milliseconds.
   */
  starts_at: string;
  /**
   * End of the session, after its start and at most 8 hours later. RFC 3339 with an offset; floored to milliseconds.
   */
  ends_at: string;
  /**
   * How the session is to take place.
   */
  format: 'online' | 'in_person' | 'phone';
  /**
   * Who pays.
   */
  payment_source: 'self_pay' | 'covered';
}
/**
 * One page of a list, newest first.
 */
export interface BookingList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The page.
   */
  data: Booking[];
  /**
   * Whether more follow: ask again with `starting_after` set to the last id.
   */
  has_more: boolean;
}
/**
 * Why something is cancelled.
 */
export interface CancellationInput {
  /**
   * Why.
   */
  reason_code: string;
}
/**
 * A claim for payment for a delivered session.
 */
export interface Claim {
  /**
   * The claim's identifier.
   */
  id: string;
  /**
   * Always `claim`.
   */
  object: 'claim';
  /**
   * Where the claim stands.
   */
  status:
    | 'draft'
    | 'submitted'
    | 'queried'
    | 'approved'
    | 'partially_approved'
    | 'denied'
    | 'settled'
    | 'reversed'
    | 'cancelled';
  /**
   * The provider's own reference.
   */
  provider_claim_reference: string | null;
  /**
   * Counts submissions: 1 at first, and one more with each evidence.
   */
  submission_version: number;
  /**
   * Amounts, in one currency.
   */
  amount: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The sum of the lines. In minor units.
     */
    billed: number;
    /**
     * The payer's current total, 0 when denied; null while no adjudication stands. In minor units.
     */
    approved: number | null;
    /**
     * What remittances advised; null until the first. In minor units.
     */
    remitted: number | null;
    /**
     * What was seen to move; null until the first. In minor units.
     */
    settled: number | null;
  };
  /**
   * When the service was given.
   */
  service_period: {
    /**
     * Start of the session. UTC, in milliseconds.
     */
    starts_at: string;
    /**
     * End of the session. UTC, in milliseconds.
     */
    ends_at: string;
  };
  /**
   * The lines, in order.
   *
   * Items: One line of a claim.
   */
  lines: {
    /**
     * Counts from 1 in the order of submission.
     */
    line_number: number;
    /**
     * The code system of service_code.
     */
    code_system: string;
    /**
     * The code system's version.
     */
    code_system_version: string | null;
    /**
     * The service.
     */
    service_code: string;
    /**
     * How many of the service.
     */
    units: number;
    /**
     * The line's total. In minor units.
     */
    amount: number;
  }[];
  /**
   * The payer's questions, oldest first.
   */
  information_requests: ClaimInformationRequest[];
  /**
   * The adjudication that stands; null while none does.
   */
  adjudication: Adjudication | null;
  /**
   * When it was first submitted. UTC, in milliseconds.
   */
  submitted_at: string | null;
  /**
   * When it last changed. UTC, in milliseconds.
   */
  updated_at: string;
}
/**
 * A payer's question about a claim.
 */
export interface ClaimInformationRequest {
  /**
   * The request's identifier.
   */
  id: string;
  /**
   * Always `claim_information_request`.
   */
  object: 'claim_information_request';
  /**
   * Why the payer asks.
   */
  reason_code: string;
  /**
   * What the payer wants.
   *
   * Items: A type of evidence.
   */
  requested_evidence_types: string[];
  /**
   * Open until it is answered or lapses.
   */
  status: 'open' | 'fulfilled' | 'cancelled';
  /**
   * When it lapses unanswered; null if never. UTC, in milliseconds.
   */
  due_at: string | null;
  /**
   * When it was asked. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * When it was answered or cancelled; null while open. UTC, in milliseconds.
   */
  resolved_at: string | null;
}
/**
 * A claim was approved in full.
 */
export interface ClaimApprovedEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'claim.approved';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: ClaimEventData;
}
/**
 * A claim as it was.
 */
export interface ClaimEventData {
  /**
   * The claim.
   */
  id: string;
  /**
   * Always `claim`.
   */
  object: 'claim';
  /**
   * Where it stood.
   */
  status:
    | 'draft'
    | 'submitted'
    | 'queried'
    | 'approved'
    | 'partially_approved'
    | 'denied'
    | 'settled'
    | 'reversed'
    | 'cancelled';
  /**
   * How often it had been submitted.
   */
  submission_version: number;
  /**
   * The standing adjudication's version; null if none stood.
   */
  adjudication_version: number | null;
  /**
   * Amounts, in one currency.
   */
  amount: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * What was claimed. In minor units.
     */
    billed: number;
    /**
     * The payer's total; null while no adjudication stood. In minor units.
     */
    approved: number | null;
    /**
     * What remittances advised; null until the first. In minor units.
     */
    remitted: number | null;
    /**
     * What was seen to move; null until the first. In minor units.
     */
    settled: number | null;
  };
}
/**
 * A claim was cancelled.
 */
export interface ClaimCancelledEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'claim.cancelled';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: ClaimEventData;
}
/**
 * A claim was denied.
 */
export interface ClaimDeniedEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'claim.denied';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: ClaimEventData;
}
/**
 * The payer requested information.
 */
export interface ClaimInformationRequestedEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'claim.information_requested';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: ClaimEventData;
}
/**
 * A claim for a delivered session.
 */
export interface ClaimInput {
  /**
   * The eligibility check.
   */
  eligibility_check_id: string;
  /**
   * The session.
   */
  session_id: string;
  /**
   * The provider's own reference, unique in the project.
   */
  provider_claim_reference: string;
  /**
   * What was done. Lines are numbered from 1 in this order.
   *
   * @minItems 1
   * @maxItems 100
   *
   * Items: One line.
   */
  lines: {
    /**
     * The code system of service_code.
     */
    code_system: string;
    /**
     * The code system's version.
     */
    code_system_version?: string | null;
    /**
     * The service.
     */
    service_code: string;
    /**
     * How many of the service.
     */
    units: number;
    /**
     * The line's total. In minor units.
     */
    amount: number;
  }[];
  /**
   * The authorization, where there is one.
   */
  preauthorization_id?: string | null;
  /**
   * References to evidence.
   *
   * @minItems 0
   * @maxItems 32
   *
   * Items: A reference to evidence.
   */
  evidence_refs?: string[];
}
/**
 * One page of a list, newest first.
 */
export interface ClaimList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The page.
   */
  data: Claim[];
  /**
   * Whether more follow: ask again with `starting_after` set to the last id.
   */
  has_more: boolean;
}
/**
 * A claim was approved in part.
 */
export interface ClaimPartiallyApprovedEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'claim.partially_approved';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: ClaimEventData;
}
/**
 * Evidence was added and the claim was resubmitted.
 */
export interface ClaimResubmittedEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'claim.resubmitted';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: ClaimEventData;
}
/**
 * A claim was reversed.
 */
export interface ClaimReversedEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'claim.reversed';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: ClaimEventData;
}
/**
 * The settlements of a claim reached its approved amount.
 */
export interface ClaimSettledEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'claim.settled';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: ClaimEventData;
}
/**
 * A claim was submitted.
 */
export interface ClaimSubmittedEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'claim.submitted';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: ClaimEventData;
}
/**
 * A claim's state and amounts as they were known at a cutoff. The same cutoff gives the same bytes, for ever.
 */
export interface ClaimValuation {
  /**
   * The claim's identifier, a colon and the cutoff.
   */
  id: string;
  /**
   * Always `claim_valuation`.
   */
  object: 'claim_valuation';
  /**
   * The claim.
   */
  claim_id: string;
  /**
   * The cutoff, inclusive. UTC, in milliseconds.
   */
  valuation_at: string;
  /**
   * ISO 4217 code of the currency.
   */
  currency: string;
  /**
   * The claim's status at the cutoff.
   */
  status:
    | 'draft'
    | 'submitted'
    | 'queried'
    | 'approved'
    | 'partially_approved'
    | 'denied'
    | 'settled'
    | 'reversed'
    | 'cancelled';
  /**
   * Amounts known at the cutoff.
   */
  amount: {
    /**
     * What was claimed. In minor units.
     */
    billed: number;
    /**
     * What the payer owes; null while no adjudication stands. In minor units.
     */
    payer_liability: number | null;
    /**
     * What the patient owes; null while no adjudication stands. In minor units.
     */
    patient_responsibility: number | null;
    /**
     * What nobody owes; null while no adjudication stands. In minor units.
     */
    adjustment: number | null;
    /**
     * What payer advice said is paid. In minor units.
     */
    remitted: number;
    /**
     * What was independently seen to move. In minor units.
     */
    settled: number;
    /**
     * Payer liability less what settled; null while no adjudication stands. In minor units.
     */
    outstanding: number | null;
  };
  /**
   * The rule of the adjudication that stood; null if none did.
   */
  policy: {
    /**
     * The payer's reference of the rule.
     */
    reference: string;
    /**
     * The rule's version.
     */
    version: string;
  } | null;
  /**
   * The facts whose effective_at and recorded_at are both on or before the cutoff, in sequence.
   *
   * Items: One fact of a claim's history.
   */
  events: {
    /**
     * The fact's place in the claim's history, from 1.
     */
    sequence: number;
    /**
     * What happened.
     */
    type:
      | 'created'
      | 'validated'
      | 'submitted'
      | 'queried'
      | 'evidence_added'
      | 'resubmitted'
      | 'approved'
      | 'partially_approved'
      | 'denied'
      | 'remittance_recorded'
      | 'settled'
      | 'reconciled'
      | 'reversed'
      | 'cancelled';
    /**
     * Business time: when the underlying fact took effect. UTC, in milliseconds.
     */
    effective_at: string;
    /**
     * Knowledge time: when the service recorded the fact. UTC, in milliseconds.
     */
    recorded_at: string;
    /**
     * The status before; null for the first fact.
     */
    previous_status:
      | 'draft'
      | 'submitted'
      | 'queried'
      | 'approved'
      | 'partially_approved'
      | 'denied'
      | 'settled'
      | 'reversed'
      | 'cancelled'
      | null;
    /**
     * The status after.
     */
    next_status:
      | 'draft'
      | 'submitted'
      | 'queried'
      | 'approved'
      | 'partially_approved'
      | 'denied'
      | 'settled'
      | 'reversed'
      | 'cancelled'
      | null;
    /**
     * Why, where the fact has a reason.
     */
    reason_code: string | null;
    /**
     * What the fact rests on.
     *
     * Items: A reference.
     */
    evidence_references: string[];
  }[];
}
/**
 * Whether one member consents. There is one a member.
 */
export interface Consent {
  /**
   * The consent's identifier.
   */
  id: string;
  /**
   * Always `consent`.
   */
  object: 'consent';
  /**
   * What the member said last.
   */
  status: 'granted' | 'withdrawn';
  /**
   * When it was last recorded. UTC, in milliseconds.
   */
  updated_at: string;
}
/**
 * What a member says about sharing data.
 */
export interface ConsentInput {
  /**
   * The payer's reference of the member. Never shown in any answer.
   */
  member_reference: string;
  /**
   * Granted or withdrawn.
   */
  status: 'granted' | 'withdrawn';
}
/**
 * Statements about many coverages. All of them are recorded or none.
 */
export interface CoverageBatchInput {
  /**
   * The version of this format.
   */
  contract_version: '2026-08-01';
  /**
   * The payer's reference of the batch.
   */
  batch_reference: string;
  /**
   * The payer's contract.
   */
  source_contract_reference: string;
  /**
   * The payer's version of the batch.
   */
  batch_version: string;
  /**
   * When the payer made the batch; its records are taken as observed then. RFC 3339 with an offset; floored to milliseconds.
   */
  generated_at: string;
  /**
   * The statements.
   *
   * @minItems 1
   * @maxItems 500
   */
  records: CoverageBatchRecord[];
}
/**
 * What the payer says of one coverage in a batch.
 */
export interface CoverageBatchRecord {
  /**
   * The payer's reference of the coverage.
   */
  coverage_reference: string;
  /**
   * The payer's version of this statement.
   */
  record_version: string;
  /**
   * The payer's reference of the insured group.
   */
  tenant_reference: string;
  /**
   * The payer's reference of the member. Never shown in any answer.
   */
  member_reference: string;
  /**
   * The service that is covered.
   */
  service_code: string;
  /**
   * The plan's name.
   */
  plan_name: string;
  /**
   * The coverage's status at the payer.
   */
  status: 'active' | 'paused' | 'exhausted' | 'expired';
  /**
   * ISO 4217 code of the currency.
   */
  currency: 'KES' | 'USD' | 'EUR' | 'GBP';
  /**
   * Most that is covered of one session. In minor units.
   */
  amount_limit: number;
  /**
   * Sessions left, as the payer counts them.
   */
  remaining_sessions: number;
  /**
   * Whether a session must be authorized before it is claimed.
   */
  authorization_required: boolean;
  /**
   * Order among several coverages, 1 is primary; null ranks last.
   */
  coordination_priority: number | null;
  /**
   * Start of the cover. RFC 3339 with an offset; floored to milliseconds.
   */
  valid_from: string;
  /**
   * End of the cover, exclusive; after its start. RFC 3339 with an offset; floored to milliseconds.
   */
  valid_until: string;
}
/**
 * What became of a batch: every record was recorded or had been recorded before.
 */
export interface CoverageBatchResult {
  /**
   * Always `coverage_batch_result`.
   */
  object: 'coverage_batch_result';
  /**
   * The payer's reference of the batch.
   */
  batch_reference: string;
  /**
   * SHA-256 of the exact body received, in lowercase hexadecimal.
   */
  artifact_sha256: string;
  /**
   * Records in the batch.
   */
  total: number;
  /**
   * Records that were new.
   */
  recorded: number;
  /**
   * Records that had been recorded before with the same content.
   */
  replayed: number;
  /**
   * The observation of each record, in the order of the batch.
   *
   * @maxItems 500
   */
  observations: CoverageObservation[];
}
/**
 * One statement of a payer about a coverage at a moment. Observations are never changed; the latest observed one is the snapshot.
 */
export interface CoverageObservation {
  /**
   * The observation's identifier.
   */
  id: string;
  /**
   * Always `coverage_observation`.
   */
  object: 'coverage_observation';
  /**
   * The coverage that was observed.
   */
  coverage_id: string;
  /**
   * How the observation came in.
   */
  source: 'payer_api' | 'batch_file';
  /**
   * The payer's contract.
   */
  source_contract_reference: string;
  /**
   * The payer's reference of the coverage.
   */
  external_coverage_reference: string;
  /**
   * The payer's version of the statement.
   */
  source_version: string;
  /**
   * The snapshot's version; grows when a later observation moves the snapshot.
   */
  snapshot_version: number;
  /**
   * The coverage's status at the payer.
   */
  status: 'active' | 'paused' | 'exhausted' | 'expired';
  /**
   * The service that is covered.
   */
  service_code: string;
  /**
   * Most that is covered of one session.
   */
  amount_limit: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The limit of one session. In minor units.
     */
    value: number;
  };
  /**
   * Sessions left, as the payer counted them.
   */
  remaining_sessions: number;
  /**
   * Whether a session must be authorized before it is claimed.
   */
  authorization_required: boolean;
  /**
   * Order among several coverages, 1 is primary; null ranks last.
   */
  coordination_priority: number | null;
  /**
   * Start of the cover. UTC, in milliseconds.
   */
  valid_from: string;
  /**
   * End of the cover, exclusive. UTC, in milliseconds.
   */
  valid_until: string;
  /**
   * When the payer saw this. UTC, in milliseconds.
   */
  observed_at: string;
}
/**
 * What the payer says of a coverage now.
 */
export interface CoverageInput {
  /**
   * The payer's contract.
   */
  source_contract_reference: string;
  /**
   * The payer's reference of the coverage.
   */
  external_coverage_reference: string;
  /**
   * The payer's version of this statement.
   */
  source_version: string;
  /**
   * The payer's reference of the insured group.
   */
  tenant_reference: string;
  /**
   * The payer's reference of the member. Never shown in any answer.
   */
  member_reference: string;
  /**
   * The service that is covered.
   */
  service_code: string;
  /**
   * The plan's name.
   */
  plan_name: string;
  /**
   * The coverage's status at the payer.
   */
  status: 'active' | 'paused' | 'exhausted' | 'expired';
  /**
   * ISO 4217 code of the currency.
   */
  currency: 'KES' | 'USD' | 'EUR' | 'GBP';
  /**
   * Most that is covered of one session. In minor units.
   */
  amount_limit: number;
  /**
   * Sessions left, as the payer counts them.
   */
  remaining_sessions: number;
  /**
   * Whether a session must be authorized before it is claimed.
   */
  authorization_required: boolean;
  /**
   * Order among several coverages, 1 is primary; null ranks last.
   */
  coordination_priority: number | null;
  /**
   * Start of the cover. RFC 3339 with an offset; floored to milliseconds.
   */
  valid_from: string;
  /**
   * End of the cover, exclusive; after its start. RFC 3339 with an offset; floored to milliseconds.
   */
  valid_until: string;
  /**
   * When the payer saw this; not in the future. RFC 3339 with an offset; floored to milliseconds.
   */
  observed_at: string;
  /**
   * What the statement rests on.
   *
   * @minItems 1
   * @maxItems 20
   *
   * Items: A reference.
   */
  evidence_references: string[];
}
/**
 * A judgement of a member's cover for one session at its time.
 */
export interface EligibilityCheck {
  /**
   * The check's identifier.
   */
  id: string;
  /**
   * Always `eligibility_check`.
   */
  object: 'eligibility_check';
  /**
   * The judgement.
   */
  status: 'eligible' | 'ineligible';
  /**
   * Why. An eligible check has exactly `eligible`.
   *
   * Items: A reason.
   */
  reason_codes: (
    | 'eligible'
    | 'coverage_not_found'
    | 'coverage_inactive'
    | 'coordination_required'
    | 'outside_coverage_period'
    | 'benefit_exhausted'
    | 'amount_exceeds_benefit'
  )[];
  /**
   * What was asked about.
   */
  service: {
    /**
     * The service.
     */
    code: string;
    /**
     * When the session is to start. UTC, in milliseconds.
     */
    scheduled_at: string;
  };
  /**
   * Amounts, in one currency.
   */
  amount: {
    /**
     * What the session costs. In minor units.
     */
    requested: number;
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * Most that the coverage pays of one session. In minor units.
     */
    maximum_per_session: number | null;
  };
  /**
   * Whether the coverage asks for authorization; false where no coverage was judged.
   */
  authorization_required: boolean;
  /**
   * Sessions left when checked, reservations taken off.
   */
  remaining_sessions: number | null;
  /**
   * End of the cover, exclusive. UTC, in milliseconds.
   */
  coverage_valid_until: string | null;
  /**
   * When the check was made. UTC, in milliseconds.
   */
  checked_at: string;
}
/**
 * A session to judge before it takes place.
 */
export interface EligibilityCheckInput {
  /**
   * The payer's reference of the member. Never shown in any answer.
   */
  member_reference: string;
  /**
   * The service.
   */
  service_code: string;
  /**
   * When the session is to start; in the future. RFC 3339 with an offset; floored to milliseconds.
   */
  scheduled_at: string;
  /**
   * What the session costs. In minor units.
   */
  amount: number;
  /**
   * ISO 4217 code of the currency.
   */
  currency: 'KES' | 'USD' | 'EUR' | 'GBP';
}
/**
 * A test event, sent only by the test operation.
 */
export interface SandboxPingEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'sandbox.ping';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: PingEventData;
}
/**
 * What the test event says.
 */
export interface PingEventData {
  /**
   * Always `pong`.
   */
  message: 'pong';
}
/**
 * A pre-authorization was requested.
 */
export interface PreauthorizationRequestedEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'preauthorization.requested';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: PreauthorizationEventData;
}
/**
 * A pre-authorization as it was.
 */
export interface PreauthorizationEventData {
  /**
   * The pre-authorization.
   */
  id: string;
  /**
   * Always `preauthorization`.
   */
  object: 'preauthorization';
  /**
   * Where it stood.
   */
  status: 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';
  /**
   * The decision's version; null if undecided.
   */
  decision_version: number | null;
  /**
   * Amounts, in one currency.
   */
  amount: {
    /**
     * What was asked for. In minor units.
     */
    requested: number;
    /**
     * What was approved; null unless it was. In minor units.
     */
    approved: number | null;
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
  };
}
/**
 * A pre-authorization was approved.
 */
export interface PreauthorizationApprovedEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'preauthorization.approved';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: PreauthorizationEventData;
}
/**
 * A pre-authorization was denied.
 */
export interface PreauthorizationDeniedEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'preauthorization.denied';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: PreauthorizationEventData;
}
/**
 * A pre-authorization expired.
 */
export interface PreauthorizationExpiredEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'preauthorization.expired';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: PreauthorizationEventData;
}
/**
 * A pre-authorization was cancelled.
 */
export interface PreauthorizationCancelledEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'preauthorization.cancelled';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: PreauthorizationEventData;
}
/**
 * The settlements equal the total of the remittance.
 */
export interface RemittanceReconciledEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'remittance.reconciled';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: RemittanceEventData;
}
/**
 * A remittance as it was.
 */
export interface RemittanceEventData {
  /**
   * The remittance.
   */
  id: string;
  /**
   * Always `remittance`.
   */
  object: 'remittance';
  /**
   * Where it stood.
   */
  status: 'received' | 'reconciled' | 'exception';
  /**
   * The total.
   */
  amount: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The sum of the allocations. In minor units.
     */
    paid: number;
  };
}
/**
 * The settlements do not match the remittance, or are late.
 */
export interface RemittanceExceptionEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: string;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * What happened.
   */
  type: 'remittance.exception';
  /**
   * The version of the event's form.
   */
  schema_version: 'v1';
  /**
   * Grows with each event of a resource, so that a receiver can order them.
   */
  resource_version: number;
  /**
   * When it happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: RemittanceEventData;
}
/**
 * One page of a list, newest first.
 */
export interface EventList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The page.
   */
  data: Event[];
  /**
   * Whether more follow: ask again with `starting_after` set to the last id.
   */
  has_more: boolean;
}
/**
 * The answer to an open information request.
 */
export interface EvidenceInput {
  /**
   * The open request.
   */
  information_request_id: string;
  /**
   * References to evidence.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: A reference to evidence.
   */
  evidence_refs: string[];
}
/**
 * What the payer wants to know.
 */
export interface InformationRequestInput {
  /**
   * Why the payer asks.
   */
  reason_code: string;
  /**
   * What the payer wants.
   *
   * @minItems 1
   * @maxItems 16
   *
   * Items: A type of evidence.
   */
  requested_evidence_types: string[];
  /**
   * When the request lapses unanswered; in the future. Absent or null: never. RFC 3339 with an offset; floored to milliseconds.
   */
  due_at?: string | null;
}
/**
 * A practitioner's public profile. Synthetic in the sandbox.
 */
export interface Practitioner {
  /**
   * The practitioner's identifier.
   */
  id: string;
  /**
   * Always `practitioner`.
   */
  object: 'practitioner';
  /**
   * Full name.
   */
  name: string;
  /**
   * Profession, in words.
   */
  profession: string;
  /**
   * Where the practitioner works.
   */
  location: {
    /**
     * City.
     */
    city: string;
    /**
     * Country, ISO 3166-1 alpha-2.
     */
    country: string;
  };
  /**
   * The fee of one session.
   */
  session_fee: {
    /**
     * The fee. In minor units.
     */
    amount: number;
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
  };
}
/**
 * One page of a list, newest first.
 */
export interface PractitionerList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The page.
   */
  data: Practitioner[];
  /**
   * Whether more follow: ask again with `starting_after` set to the last id.
   */
  has_more: boolean;
}
/**
 * A request that the payer authorize one covered session. The benefit is reserved by its approval, not before.
 */
export interface Preauthorization {
  /**
   * The pre-authorization's identifier.
   */
  id: string;
  /**
   * Always `preauthorization`.
   */
  object: 'preauthorization';
  /**
   * The check relied on.
   */
  eligibility_check_id: string;
  /**
   * The booking that it is for.
   */
  booking_id: string;
  /**
   * Where it stands.
   */
  status: 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';
  /**
   * The decision's reasons; empty until decided.
   *
   * Items: A reason code.
   */
  reason_codes: string[];
  /**
   * Amounts, in one currency.
   */
  amount: {
    /**
     * What was asked for. In minor units.
     */
    requested: number;
    /**
     * What was approved; null unless it was. In minor units.
     */
    approved: number | null;
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
  };
  /**
   * Until when the approval can be used; null unless it was approved. UTC, in milliseconds.
   */
  valid_until: string | null;
  /**
   * When it was opened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * The decision; null until there is one.
   */
  decision: PreauthorizationDecision | null;
}
/**
 * The payer's decision on a pre-authorization.
 */
export interface PreauthorizationDecision {
  /**
   * The decision's identifier.
   */
  id: string;
  /**
   * Always `preauthorization_decision`.
   */
  object: 'preauthorization_decision';
  /**
   * Counts the decisions, from 1.
   */
  version: number;
  /**
   * What was decided.
   */
  outcome: 'approved' | 'denied';
  /**
   * Why.
   *
   * Items: A reason code.
   */
  reason_codes: string[];
  /**
   * The rule that was applied.
   */
  policy: {
    /**
     * The payer's reference of the rule.
     */
    reference: string;
    /**
     * The rule's version.
     */
    version: string;
  };
  /**
   * Which key of which project decided.
   */
  authority_reference: string;
  /**
   * The caller's references, then the eligibility check, the booking and the coverage observation relied on.
   *
   * @minItems 0
   * @maxItems 32
   *
   * Items: A reference.
   */
  evidence_references: string[];
  /**
   * When it was decided. UTC, in milliseconds.
   */
  decided_at: string;
}
/**
 * The payer approves: one session of the benefit is reserved at once.
 */
export interface PreauthorizationApproval {
  /**
   * The decision.
   */
  outcome: 'approved';
  /**
   * What is approved, at most what was requested. In minor units.
   */
  approved_amount: number;
  /**
   * Until when the approval can be used; in the future. RFC 3339 with an offset; floored to milliseconds.
   */
  valid_until: string;
  /**
   * Why.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: A reason code.
   */
  reason_codes: string[];
  /**
   * The payer's reference of the rule applied.
   */
  policy_reference: string;
  /**
   * The rule's version.
   */
  policy_version: string;
  /**
   * What the decision rests on.
   *
   * @minItems 1
   * @maxItems 29
   *
   * Items: A reference to evidence.
   */
  evidence_references: string[];
}
/**
 * The payer denies: the benefit stays available.
 */
export interface PreauthorizationDenial {
  /**
   * The decision.
   */
  outcome: 'denied';
  /**
   * Why.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: A reason code.
   */
  reason_codes: string[];
  /**
   * The payer's reference of the rule applied.
   */
  policy_reference: string;
  /**
   * The rule's version.
   */
  policy_version: string;
  /**
   * What the decision rests on.
   *
   * @minItems 1
   * @maxItems 29
   *
   * Items: A reference to evidence.
   */
  evidence_references: string[];
}
/**
 * A covered booking and the check that found it eligible.
 */
export interface PreauthorizationInput {
  /**
   * The eligibility check.
   */
  eligibility_check_id: string;
  /**
   * The booking.
   */
  booking_id: string;
}
/**
 * One page of a list, newest first.
 */
export interface PreauthorizationList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The page.
   */
  data: Preauthorization[];
  /**
   * Whether more follow: ask again with `starting_after` set to the last id.
   */
  has_more: boolean;
}
/**
 * A payer's advice of payment, allocated to claims.
 */
export interface Remittance {
  /**
   * The remittance's identifier.
   */
  id: string;
  /**
   * Always `remittance`.
   */
  object: 'remittance';
  /**
   * Received until observed settlements sum to the total (reconciled); an exception when they go beyond it, come in another currency or not in time.
   */
  status: 'received' | 'reconciled' | 'exception';
  /**
   * The payer's reference, unique in the project.
   */
  payer_reference: string;
  /**
   * The total.
   */
  amount: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The sum of the allocations. In minor units.
     */
    paid: number;
  };
  /**
   * The allocations, in the order given.
   *
   * Items: What of it is for one claim.
   */
  allocations: {
    /**
     * The claim.
     */
    claim_id: string;
    /**
     * What is paid for it. In minor units.
     */
    paid_amount: number;
    /**
     * Why.
     *
     * Items: A reason code.
     */
    reason_codes: string[];
  }[];
  /**
   * When the payer sent the advice. UTC, in milliseconds.
   */
  received_at: string;
  /**
   * When it was reconciled; null while it is not. UTC, in milliseconds.
   */
  reconciled_at: string | null;
}
/**
 * A payer's advice of payment. All its allocations are recorded or none.
 */
export interface RemittanceInput {
  /**
   * The payer's reference, unique in the project.
   */
  payer_reference: string;
  /**
   * ISO 4217 code of the currency.
   */
  currency: 'KES' | 'USD' | 'EUR' | 'GBP';
  /**
   * When the payer sent the advice; not in the future. RFC 3339 with an offset; floored to milliseconds.
   */
  received_at: string;
  /**
   * The allocations, each of another claim.
   *
   * @minItems 1
   * @maxItems 100
   *
   * Items: What of it is for one claim.
   */
  allocations: {
    /**
     * The claim.
     */
    claim_id: string;
    /**
     * What is paid for it. In minor units.
     */
    paid_amount: number;
    /**
     * Why. Absent: none.
     *
     * @minItems 0
     * @maxItems 16
     *
     * Items: A reason code.
     */
    reason_codes?: string[];
  }[];
}
/**
 * One page of a list, newest first.
 */
export interface RemittanceList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The page.
   */
  data: Remittance[];
  /**
   * Whether more follow: ask again with `starting_after` set to the last id.
   */
  has_more: boolean;
}
/**
 * Why something is reversed.
 */
export interface ReversalInput {
  /**
   * Why.
   */
  reason_code: string;
}
/**
 * One session of care. It carries no identifier of the person, of anything clinical or of a payer.
 */
export interface Session {
  /**
   * The session's identifier.
   */
  id: string;
  /**
   * Always `session`.
   */
  object: 'session';
  /**
   * Who gives the session.
   */
  practitioner_id: string;
  /**
   * Start of the session. UTC, in milliseconds.
   */
  starts_at: string;
  /**
   * End of the session. UTC, in milliseconds.
   */
  ends_at: string;
  /**
   * The practitioner's IANA time zone.
   */
  timezone: string;
  /**
   * How the session takes place.
   */
  format: 'online' | 'in_person' | 'phone';
  /**
   * The booking's status until starts_at, then in_progress, and delivered from ends_at; or cancelled.
   */
  status: 'reserved' | 'confirmed' | 'in_progress' | 'delivered' | 'cancelled';
  /**
   * Who pays.
   */
  payment_source: 'self_pay' | 'covered';
}
/**
 * One page of a list, newest first.
 */
export interface SessionList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The page.
   */
  data: Session[];
  /**
   * Whether more follow: ask again with `starting_after` set to the last id.
   */
  has_more: boolean;
}
/**
 * An independent observation that money of a remittance moved.
 */
export interface Settlement {
  /**
   * The settlement's identifier.
   */
  id: string;
  /**
   * Always `settlement`.
   */
  object: 'settlement';
  /**
   * The remittance.
   */
  remittance_id: string;
  /**
   * The observer's reference, unique in the project.
   */
  source_reference: string;
  /**
   * What was observed.
   */
  amount: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The amount. In minor units.
     */
    observed: number;
  };
  /**
   * What of it settles which claim; empty while unmatched without allocations of its own.
   *
   * Items: What of it settles one claim.
   */
  allocations: {
    /**
     * The claim.
     */
    claim_id: string;
    /**
     * What it settles of the claim. In minor units.
     */
    amount: number;
  }[];
  /**
   * Matched to claims, waiting, or reversed.
   */
  status: 'matched' | 'unmatched' | 'reversed';
  /**
   * When the money was seen to move. UTC, in milliseconds.
   */
  observed_at: string;
  /**
   * When the service recorded the observation. UTC, in milliseconds.
   */
  recorded_at: string;
}
/**
 * An independent observation that money of a remittance moved.
 */
export interface SettlementInput {
  /**
   * The remittance.
   */
  remittance_id: string;
  /**
   * The observer's reference, unique in the project.
   */
  source_reference: string;
  /**
   * ISO 4217 code of the currency.
   */
  currency: 'KES' | 'USD' | 'EUR' | 'GBP';
  /**
   * What was observed. In minor units.
   */
  amount: number;
  /**
   * When the money was seen to move; not in the future. RFC 3339 with an offset; floored to milliseconds.
   */
  observed_at: string;
  /**
   * What settles which claim; sums to the amount.
   *
   * @minItems 1
   * @maxItems 100
   *
   * Items: What of it settles one claim.
   */
  allocations?: {
    /**
     * The claim.
     */
    claim_id: string;
    /**
     * What it settles. In minor units.
     */
    amount: number;
  }[];
}
/**
 * A scoped token, shown once. It dies with the key that made it.
 */
export interface Token {
  /**
   * Always `token`.
   */
  object: 'token';
  /**
   * The token itself.
   */
  token: string;
  /**
   * What it may do.
   *
   * Items: A scope.
   */
  scopes: (
    | 'practitioners:read'
    | 'availability:read'
    | 'bookings:read'
    | 'bookings:write'
    | 'sessions:read'
    | 'sessions:write'
    | 'coverages:read'
    | 'coverages:write'
    | 'benefits:read'
    | 'benefits:write'
    | 'benefits:decide'
    | 'claims:read'
    | 'claims:write'
    | 'claims:adjudicate'
    | 'remittances:read'
    | 'remittances:write'
    | 'settlements:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'consents:read'
    | 'consents:write'
    | '*'
  )[];
  /**
   * When it stops working. UTC, in milliseconds.
   */
  expires_at: string;
}
/**
 * A token for a public client.
 */
export interface TokenInput {
  /**
   * What it may do: a part of the key's scopes.
   *
   * @minItems 1
   * @maxItems 22
   *
   * Items: A scope.
   */
  scopes: (
    | 'practitioners:read'
    | 'availability:read'
    | 'bookings:read'
    | 'bookings:write'
    | 'sessions:read'
    | 'sessions:write'
    | 'coverages:read'
    | 'coverages:write'
    | 'benefits:read'
    | 'benefits:write'
    | 'benefits:decide'
    | 'claims:read'
    | 'claims:write'
    | 'claims:adjudicate'
    | 'remittances:read'
    | 'remittances:write'
    | 'settlements:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'consents:read'
    | 'consents:write'
    | '*'
  )[];
  /**
   * Lifetime in seconds.
   */
  expires_in: number;
  /**
   * If given, it reaches these resources alone and creates none.
   *
   * @minItems 0
   * @maxItems 100
   *
   * Items: A resource.
   */
  resource_ids?: string[];
}
/**
 * What became of sending one event to one endpoint.
 */
export interface WebhookDelivery {
  /**
   * The event's identifier.
   */
  id: string;
  /**
   * Always `webhook_delivery`.
   */
  object: 'webhook_delivery';
  /**
   * Whether the receiver accepted it.
   */
  delivered: boolean;
  /**
   * Attempts so far.
   */
  attempts: number;
  /**
   * The receiver's HTTP status; null = no answer.
   */
  response_status: number | null;
}
/**
 * What became of sending one event to one endpoint, try by try.
 */
export interface WebhookDeliveryRecord {
  /**
   * The event's identifier.
   */
  id: string;
  /**
   * Always `webhook_delivery`.
   */
  object: 'webhook_delivery';
  /**
   * Whether the receiver accepted it.
   */
  delivered: boolean;
  /**
   * Attempts so far.
   */
  attempts: number;
  /**
   * The receiver's HTTP status; null = no answer.
   */
  response_status: number | null;
  /**
   * The endpoint.
   */
  endpoint_id: string;
  /**
   * The event's type.
   */
  type:
    | 'sandbox.ping'
    | 'preauthorization.requested'
    | 'preauthorization.approved'
    | 'preauthorization.denied'
    | 'preauthorization.expired'
    | 'preauthorization.cancelled'
    | 'claim.submitted'
    | 'claim.information_requested'
    | 'claim.resubmitted'
    | 'claim.approved'
    | 'claim.partially_approved'
    | 'claim.denied'
    | 'claim.settled'
    | 'claim.reversed'
    | 'claim.cancelled'
    | 'remittance.reconciled'
    | 'remittance.exception';
  /**
   * Pending while tries are left; failed when none is.
   */
  status: 'pending' | 'delivered' | 'failed';
  /**
   * When it is tried next; null if it is not. UTC, in milliseconds.
   */
  next_attempt_at: string | null;
  /**
   * The tries, oldest first.
   *
   * Items: One try.
   */
  history: {
    /**
     * When it started. UTC, in milliseconds.
     */
    at: string;
    /**
     * The receiver's HTTP status; null = no answer.
     */
    response_status: number | null;
    /**
     * How long it took, in milliseconds.
     */
    duration_ms: number;
    /**
     * What went wrong; null if nothing did.
     */
    error: string | null;
    /**
     * The start of the receiver's answer.
     */
    response_excerpt: string | null;
  }[];
}
/**
 * One page of a list, newest first.
 */
export interface WebhookDeliveryRecordList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The page.
   */
  data: WebhookDeliveryRecord[];
  /**
   * Whether more follow: ask again with `starting_after` set to the last id.
   */
  has_more: boolean;
}
/**
 * An address to which events are sent.
 */
export interface WebhookEndpoint {
  /**
   * The endpoint's identifier.
   */
  id: string;
  /**
   * Always `webhook_endpoint`.
   */
  object: 'webhook_endpoint';
  /**
   * Where events are sent.
   */
  url: string;
  /**
   * The event types that are sent.
   *
   * Items: An event type.
   */
  events: (
    | 'sandbox.ping'
    | 'preauthorization.requested'
    | 'preauthorization.approved'
    | 'preauthorization.denied'
    | 'preauthorization.expired'
    | 'preauthorization.cancelled'
    | 'claim.submitted'
    | 'claim.information_requested'
    | 'claim.resubmitted'
    | 'claim.approved'
    | 'claim.partially_approved'
    | 'claim.denied'
    | 'claim.settled'
    | 'claim.reversed'
    | 'claim.cancelled'
    | 'remittance.reconciled'
    | 'remittance.exception'
  )[];
  /**
   * Whether events are sent.
   */
  status: 'active' | 'disabled';
  /**
   * When it was registered. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * Since when it is disabled; null while active. UTC, in milliseconds.
   */
  disabled_at: string | null;
}
/**
 * An address to which events are to be sent.
 */
export interface WebhookEndpointInput {
  /**
   * Where to send events: an https address on the internet.
   */
  url: string;
  /**
   * The event types to send.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: An event type.
   */
  events: (
    | 'sandbox.ping'
    | 'preauthorization.requested'
    | 'preauthorization.approved'
    | 'preauthorization.denied'
    | 'preauthorization.expired'
    | 'preauthorization.cancelled'
    | 'claim.submitted'
    | 'claim.information_requested'
    | 'claim.resubmitted'
    | 'claim.approved'
    | 'claim.partially_approved'
    | 'claim.denied'
    | 'claim.settled'
    | 'claim.reversed'
    | 'claim.cancelled'
    | 'remittance.reconciled'
    | 'remittance.exception'
  )[];
}
/**
 * One page of a list, newest first.
 */
export interface WebhookEndpointList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The page.
   */
  data: WebhookEndpoint[];
  /**
   * Whether more follow: ask again with `starting_after` set to the last id.
   */
  has_more: boolean;
}
/**
 * What to change of an endpoint; what is absent stays.
 */
export interface WebhookEndpointUpdate {
  /**
   * Where to send events: an https address on the internet.
   */
  url?: string;
  /**
   * The event types to send.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: An event type.
   */
  events?: (
    | 'sandbox.ping'
    | 'preauthorization.requested'
    | 'preauthorization.approved'
    | 'preauthorization.denied'
    | 'preauthorization.expired'
    | 'preauthorization.cancelled'
    | 'claim.submitted'
    | 'claim.information_requested'
    | 'claim.resubmitted'
    | 'claim.approved'
    | 'claim.partially_approved'
    | 'claim.denied'
    | 'claim.settled'
    | 'claim.reversed'
    | 'claim.cancelled'
    | 'remittance.reconciled'
    | 'remittance.exception'
  )[];
  /**
   * `active` opens a disabled endpoint again; `disabled` closes it.
   */
  status?: 'active' | 'disabled';
}
/**
 * An endpoint with the secret that signs what is sent to it. The secret is shown here and never again.
 */
export interface WebhookEndpointWithSecret {
  /**
   * The endpoint's identifier.
   */
  id: string;
  /**
   * Always `webhook_endpoint`.
   */
  object: 'webhook_endpoint';
  /**
   * Where events are sent.
   */
  url: string;
  /**
   * The event types that are sent.
   *
   * Items: An event type.
   */
  events: (
    | 'sandbox.ping'
    | 'preauthorization.requested'
    | 'preauthorization.approved'
    | 'preauthorization.denied'
    | 'preauthorization.expired'
    | 'preauthorization.cancelled'
    | 'claim.submitted'
    | 'claim.information_requested'
    | 'claim.resubmitted'
    | 'claim.approved'
    | 'claim.partially_approved'
    | 'claim.denied'
    | 'claim.settled'
    | 'claim.reversed'
    | 'claim.cancelled'
    | 'remittance.reconciled'
    | 'remittance.exception'
  )[];
  /**
   * Whether events are sent.
   */
  status: 'active' | 'disabled';
  /**
   * When it was registered. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * Since when it is disabled; null while active. UTC, in milliseconds.
   */
  disabled_at: string | null;
  /**
   * Signs deliveries, by the Standard Webhooks specification.
   */
  signing_secret: string;
}
/**
 * How many events a recovery sends again.
 */
export interface WebhookRecovery {
  /**
   * Always `webhook_recovery`.
   */
  object: 'webhook_recovery';
  /**
   * Events that will be sent again.
   */
  count: number;
}
/**
 * A stretch of time whose undelivered events are to be sent again.
 */
export interface WebhookRecoveryInput {
  /**
   * Start of the stretch, inclusive. RFC 3339 with an offset; floored to milliseconds.
   */
  since: string;
  /**
   * End of the stretch, exclusive; after its start and at most 30 days later. RFC 3339 with an offset; floored to milliseconds.
   */
  until: string;
}
