/** Generated from the contract; do not edit. */

/** Every code of an API error. */
export type ErrorCode =
  | 'validation_failed'
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'permission_denied'
  | 'consent_required'
  | 'https_required'
  | 'resource_not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'idempotency_conflict'
  | 'invalid_state'
  | 'slot_unavailable'
  | 'preauthorization_exists'
  | 'benefit_exhausted'
  | 'source_version_conflict'
  | 'duplicate_claim_reference'
  | 'session_already_claimed'
  | 'duplicate_session_reference'
  | 'duplicate_remittance_reference'
  | 'advice_settled'
  | 'duplicate_settlement_reference'
  | 'endpoint_disabled'
  | 'endpoint_limit_reached'
  | 'valuation_not_ready'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'session_in_past'
  | 'session_too_old'
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
  | 'over_recovery'
  | 'advice_unbalanced'
  | 'future_timestamp'
  | 'webhook_url_not_allowed'
  | 'rate_limited'
  | 'internal_error'
  | 'service_unavailable';

export type PractitionerId = `prc_${string}`;
export type BookingId = `bkg_${string}`;
export type SessionId = `ses_${string}`;
export type CoverageId = `cov_${string}`;
export type CoverageObservationId = `cobs_${string}`;
export type EligibilityCheckId = `elig_${string}`;
export type PreauthorizationId = `preauth_${string}`;
export type PreauthorizationDecisionId = `pad_${string}`;
export type ClaimId = `clm_${string}`;
export type ClaimInformationRequestId = `cir_${string}`;
export type AdjudicationId = `adj_${string}`;
export type RemittanceId = `rem_${string}`;
export type PaymentAdviceId = `adv_${string}`;
export type RecoveryId = `rcv_${string}`;
export type SettlementId = `stl_${string}`;
export type ValuationRunId = `vrun_${string}`;
export type BulkJobId = `job_${string}`;
export type ConsentId = `con_${string}`;
export type WebhookEndpointId = `whe_${string}`;
export type EventId = `evt_${string}`;

/**
 * The outcome of a claim's adjudication.
 */
export type AdjudicationDecision = 'approved' | 'partially_approved' | 'denied';
/**
 * The age of a claim: whole days from its submission.
 */
export type AgeBand = 'days_0_30' | 'days_31_60' | 'days_61_90' | 'days_over_90';
/**
 * The status of a booking.
 */
export type BookingStatus = 'reserved' | 'confirmed' | 'cancelled';
/**
 * What each line of the file of a bulk job is.
 */
export type BulkJobKind =
  | 'claims'
  | 'adjudications'
  | 'remittances'
  | 'settlements'
  | 'sessions'
  | 'eligibility_checks';
/**
 * What a bulk job does after a rejected line.
 */
export type BulkJobOnError = 'continue' | 'stop';
/**
 * The outcome of a line of a bulk job.
 */
export type BulkJobResultStatus = 'waiting' | 'succeeded' | 'replayed' | 'rejected';
/**
 * The status of a bulk job.
 */
export type BulkJobStatus =
  | 'receiving'
  | 'pending'
  | 'running'
  | 'paused'
  | 'completed'
  | 'stopped'
  | 'cancelled';
/**
 * The type of a fact in a claim's history.
 */
export type ClaimFactType =
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
 * The status of a claim.
 */
export type ClaimStatus =
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
 * The status of a member's consent.
 */
export type ConsentStatus = 'granted' | 'withdrawn';
/**
 * How the service received an observation of a coverage.
 */
export type CoverageSource = 'payer_api' | 'batch_file';
/**
 * The status of a coverage at the payer.
 */
export type CoverageStatus = 'active' | 'paused' | 'exhausted' | 'expired';
/**
 * A currency: its ISO 4217 code.
 */
export type Currency = 'KES' | 'USD' | 'EUR' | 'GBP';
/**
 * A sum in a development triangle.
 */
export type DevelopmentMeasure =
  | 'claim_count'
  | 'billed'
  | 'payer_liability'
  | 'patient_responsibility'
  | 'adjustment'
  | 'remitted'
  | 'settled'
  | 'outstanding';
/**
 * The periods of the rows of a development triangle.
 */
export type DevelopmentOrigin = 'service_month' | 'service_quarter' | 'service_year';
/**
 * The distance of the valuation dates of a development triangle.
 */
export type DevelopmentStep = 'month' | 'quarter' | 'year';
/**
 * What is due in a project with simulated time.
 */
export type DueItemKind =
  | 'preauthorization.decide_by'
  | 'preauthorization.valid_until'
  | 'claim.information_due'
  | 'remittance.deadline'
  | 'webhook.retry'
  | 'session.start'
  | 'session.end';
/**
 * A reason for the result of an eligibility check.
 */
export type EligibilityReasonCode =
  | 'eligible'
  | 'coverage_not_found'
  | 'coverage_inactive'
  | 'coordination_required'
  | 'outside_coverage_period'
  | 'benefit_exhausted'
  | 'amount_exceeds_benefit';
/**
 * The result of an eligibility check.
 */
export type EligibilityStatus = 'eligible' | 'ineligible';
/**
 * The environment of a key.
 */
export type Environment = 'sandbox' | 'production';
/**
 * An event. `type` determines the format of `data`.
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
  | RemittanceExceptionEvent
  | BulkJobCompletedEvent;
/**
 * The type of an event.
 */
export type EventType =
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
  | 'bulk_job.completed';
/**
 * The status of an information request.
 */
export type InformationRequestStatus = 'open' | 'fulfilled' | 'cancelled';
/**
 * What an amount of a payment advice that belongs to no claim is.
 */
export type PaymentAdjustmentKind = 'fee' | 'interest' | 'forwarded_balance' | 'other';
/**
 * The status of a payment advice.
 */
export type PaymentAdviceStatus = 'received' | 'reconciled' | 'exception' | 'withdrawn';
/**
 * Who pays for a session.
 */
export type PaymentSource = 'self_pay' | 'covered';
/**
 * An approval or a denial, determined by `outcome`. All fields are required.
 */
export type PreauthorizationDecisionInput = PreauthorizationApproval | PreauthorizationDenial;
/**
 * The outcome of the payer's decision on a pre-authorization.
 */
export type PreauthorizationOutcome = 'approved' | 'denied';
/**
 * The status of a pre-authorization.
 */
export type PreauthorizationStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';
/**
 * The ID of an operation that leads to the reconciliation of a remittance.
 */
export type ReconciliationOperation = 'createSettlement' | 'reverseSettlement';
/**
 * Why a remittance is not reconciled.
 */
export type ReconciliationReason =
  | 'awaiting_funds'
  | 'partial_funds'
  | 'allocation_unmatched'
  | 'amount_exceeds_advice'
  | 'currency_mismatch'
  | 'deadline_passed'
  | 'advice_withdrawn';
/**
 * The status of a remittance.
 */
export type RemittanceStatus = 'received' | 'reconciled' | 'exception';
/**
 * What a key or a token permits. `*` permits everything.
 */
export type Scope =
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
  | 'clock:read'
  | 'clock:write'
  | '*';
/**
 * How a session takes place.
 */
export type SessionFormat = 'online' | 'in_person' | 'phone';
/**
 * The status of a session.
 */
export type SessionStatus = 'reserved' | 'confirmed' | 'in_progress' | 'delivered' | 'cancelled';
/**
 * The status of a settlement.
 */
export type SettlementStatus = 'matched' | 'unmatched' | 'reversed';
/**
 * Whether a test clock is advancing.
 */
export type TestClockStatus = 'ready' | 'advancing' | 'failed';
/**
 * Why a settlement is unmatched.
 */
export type UnmatchedReason = 'allocation_unmatched' | 'amount_exceeds_advice' | 'currency_mismatch';
/**
 * A dimension by which a valuation run groups claims.
 */
export type ValuationDimension =
  | 'status'
  | 'practitioner_id'
  | 'payer_reference'
  | 'plan'
  | 'service_month'
  | 'submission_month'
  | 'age_band';
/**
 * The kind of the result of a valuation run.
 */
export type ValuationRunKind = 'totals' | 'development';
/**
 * The status of a valuation run.
 */
export type ValuationRunStatus = 'pending' | 'ready' | 'failed';
/**
 * The status of the delivery of an event to an endpoint.
 */
export type WebhookDeliveryStatus = 'pending' | 'delivered' | 'failed';
/**
 * Whether an endpoint receives events.
 */
export type WebhookEndpointStatus = 'active' | 'disabled';

/**
 * The payer's decision on a claim. On every line, billed = allowed + adjustment and allowed = payer + patient_responsibility.
 */
export interface Adjudication {
  /**
   * The adjudication's identifier.
   */
  id: AdjudicationId;
  /**
   * Always `claim_adjudication`.
   */
  object: 'claim_adjudication';
  /**
   * The number of the claim's adjudication, from 1.
   */
  version: number;
  /**
   * Derived from the totals: the payer pays all, a part or none of the billed amount.
   */
  decision: AdjudicationDecision;
  /**
   * Exact sums over the lines, in one currency.
   */
  amount: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The claimed amount. In minor units.
     */
    billed: number;
    /**
     * The amount that the payer pays. In minor units.
     */
    payer: number;
    /**
     * The amount that the patient pays. In minor units.
     */
    patient_responsibility: number;
    /**
     * The amount that neither the payer nor the patient pays. In minor units.
     */
    adjustment: number;
  };
  /**
   * The reasons of the adjudication.
   *
   * Items: A reason code.
   */
  reason_codes: string[];
  /**
   * The applied rule.
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
   * Items: The adjudication of one line.
   */
  lines: {
    /**
     * The number of the line in the claim.
     */
    line_number: number;
    /**
     * The line's amounts.
     */
    amount: {
      /**
       * The claimed amount. In minor units.
       */
      billed: number;
      /**
       * The part of the billed amount that the payer accepts. In minor units.
       */
      allowed: number;
      /**
       * The part of the allowed amount that the payer pays. In minor units.
       */
      payer: number;
      /**
       * The part of the allowed amount that the patient pays. In minor units.
       */
      patient_responsibility: number;
      /**
       * The part of the billed amount that neither the payer nor the patient pays. In minor units.
       */
      adjustment: number;
    };
    /**
     * The reasons for this line.
     *
     * Items: A reason code.
     */
    reason_codes: string[];
  }[];
  /**
   * When the payer decided. UTC, in milliseconds.
   */
  decided_at: string;
}
/**
 * The payer's adjudication of every line of a claim.
 */
export interface AdjudicationInput {
  /**
   * The payer's reference of the applied rule.
   */
  policy_reference: string;
  /**
   * The version of the applied rule.
   */
  policy_version: string;
  /**
   * The reasons of the adjudication.
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
   * Items: The adjudication of one line.
   */
  lines: {
    /**
     * The number of the line in the claim.
     */
    line_number: number;
    /**
     * billed = allowed + adjustment, and allowed = payer + patient_responsibility.
     */
    amount: {
      /**
       * The claimed amount. In minor units.
       */
      billed: number;
      /**
       * The part of the billed amount that the payer accepts. In minor units.
       */
      allowed: number;
      /**
       * The part of the allowed amount that the payer pays. In minor units.
       */
      payer: number;
      /**
       * The part of the allowed amount that the patient pays. In minor units.
       */
      patient_responsibility: number;
      /**
       * The part of the billed amount that neither the payer nor the patient pays. In minor units.
       */
      adjustment: number;
    };
    /**
     * The reasons for this line.
     *
     * @minItems 1
     * @maxItems 16
     *
     * Items: A reason code.
     */
    reason_codes: string[];
  }[];
  /**
   * The submission_version of the claim as it was read for the decision. If it has grown, the adjudication is rejected with invalid_state.
   */
  expected_submission_version?: number;
  /**
   * The version of the adjudication that this one replaces, 0 if there is none. If the claim has another one, the adjudication is rejected with invalid_state.
   */
  expected_adjudication_version?: number;
}
/**
 * The version of the API and the environment of the key.
 */
export interface Api {
  /**
   * Always `api`.
   */
  object: 'api';
  /**
   * The version in the path.
   */
  version: 'v1';
  /**
   * The key's environment.
   */
  environment: Environment;
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
  practitioner_id: PractitionerId;
  /**
   * IANA time zone of the hours.
   */
  timezone: string;
  /**
   * The periods.
   *
   * Items: One period of one weekday.
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
     * End of the period, HH:MM.
     */
    end: string;
    /**
     * Formats offered in this period.
     *
     * Items: A format.
     */
    formats: SessionFormat[];
  }[];
}
/**
 * A reserved slot of a practitioner's time.
 */
export interface Booking {
  /**
   * The booking's identifier.
   */
  id: BookingId;
  /**
   * Always `booking`.
   */
  object: 'booking';
  /**
   * The session of the booking.
   */
  session_id: SessionId;
  /**
   * The practitioner who gives the session.
   */
  practitioner_id: PractitionerId;
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
  format: SessionFormat;
  /**
   * `self_pay` starts confirmed; `covered` starts reserved and is confirmed by the approval of its pre-authorization.
   */
  status: BookingStatus;
  /**
   * Who pays.
   */
  payment_source: PaymentSource;
}
/**
 * A slot to book.
 */
export interface BookingInput {
  /**
   * The practitioner who gives the session.
   */
  practitioner_id: PractitionerId;
  /**
   * Start of the session. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  starts_at: string;
  /**
   * End of the session, after its start and at most 8 hours later. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  ends_at: string;
  /**
   * How the session takes place.
   */
  format: SessionFormat;
  /**
   * Who pays.
   */
  payment_source: PaymentSource;
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
   * The items of this page.
   */
  data: Booking[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * A file whose lines are executed, each as one operation.
 */
export interface BulkJob {
  /**
   * The job's identifier.
   */
  id: BulkJobId;
  /**
   * Always `bulk_job`.
   */
  object: 'bulk_job';
  /**
   * What each line of the file is.
   */
  kind: BulkJobKind;
  /**
   * receiving: the file arrives. pending: no line is executed yet. stopped: a line was rejected, and on_error is stop. completed, stopped and cancelled are final.
   */
  status: BulkJobStatus;
  /**
   * What the job does after a rejected line.
   */
  on_error: BulkJobOnError;
  /**
   * Whether the job writes nothing.
   */
  dry_run: boolean;
  /**
   * Numbers of lines. The last four add up to the first.
   */
  counts: {
    /**
     * The lines of the file.
     */
    total: number;
    /**
     * The lines that were executed; in a dry run, that would be.
     */
    succeeded: number;
    /**
     * The lines that repeat an earlier line of the file, and so had no second effect.
     */
    replayed: number;
    /**
     * The lines that were rejected.
     */
    rejected: number;
    /**
     * The lines that are not executed. Those of a job that has ended never will be.
     */
    waiting: number;
  };
  /**
   * When the upload started. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * When the job ended; null before. UTC, in milliseconds.
   */
  completed_at: string | null;
  /**
   * When the results of the lines were deleted, after their retention; null before. UTC, in milliseconds.
   */
  results_deleted_at: string | null;
}
/**
 * A bulk job has ended.
 */
export interface BulkJobCompletedEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'bulk_job.completed';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: BulkJobEventData;
}
/**
 * A bulk job at the time of the event.
 */
export interface BulkJobEventData {
  /**
   * The job.
   */
  id: BulkJobId;
  /**
   * Always `bulk_job`.
   */
  object: 'bulk_job';
  /**
   * What each line of the file is.
   */
  kind: BulkJobKind;
  /**
   * The status at the time of the event.
   */
  status: BulkJobStatus;
  /**
   * Numbers of lines. The last four add up to the first.
   */
  counts: {
    /**
     * The lines of the file.
     */
    total: number;
    /**
     * The lines that were executed; in a dry run, that would be.
     */
    succeeded: number;
    /**
     * The lines that repeat an earlier line of the file, and so had no second effect.
     */
    replayed: number;
    /**
     * The lines that were rejected.
     */
    rejected: number;
    /**
     * The lines that are not executed. Those of a job that has ended never will be.
     */
    waiting: number;
  };
}
/**
 * One page of a list, newest first.
 */
export interface BulkJobList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The items of this page.
   */
  data: BulkJob[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * The result of one line of the file of a bulk job.
 */
export interface BulkJobResult {
  /**
   * Always `bulk_job_result`.
   */
  object: 'bulk_job_result';
  /**
   * The line of the file at which the row starts, from 1.
   */
  line: number;
  /**
   * What names the row for its sender, such as provider_claim_reference; null if it has none.
   */
  reference: string | null;
  /**
   * The outcome. replayed: the row repeats an earlier row of the file, whose resource it has.
   */
  status: BulkJobResultStatus;
  /**
   * The created or changed resource; null if there is none.
   */
  resource_id: string | null;
  /**
   * Why the row was rejected; null otherwise.
   */
  error: {
    /**
     * The code of the API error.
     */
    code: ErrorCode;
    /**
     * The message, which names invalid fields by JSON pointers.
     */
    message: string;
  } | null;
}
/**
 * One page of a list, newest first.
 */
export interface BulkJobResultList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The items of this page.
   */
  data: BulkJobResult[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * The reason of a cancellation.
 */
export interface CancellationInput {
  /**
   * The reason code.
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
  id: ClaimId;
  /**
   * Always `claim`.
   */
  object: 'claim';
  /**
   * The claim's status.
   */
  status: ClaimStatus;
  /**
   * The provider's own reference.
   */
  provider_claim_reference: string | null;
  /**
   * The number of submissions. Each evidence is a new submission.
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
     * The payer's total, 0 if denied; null while there is no adjudication. In minor units.
     */
    approved: number | null;
    /**
     * The total of remittances less recoveries; null until the first. A valuation has 0 until then. In minor units.
     */
    remitted: number | null;
    /**
     * The total of observed settlements; null until the first. A valuation has 0 until then. In minor units.
     */
    settled: number | null;
  };
  /**
   * The time of the session.
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
     * The number of the line, from 1 in the order of submission.
     */
    line_number: number;
    /**
     * The list of codes to which service_code belongs.
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
     * The number of units of the service, with all digits of the submission.
     */
    units: number;
    /**
     * The total of the line. In minor units.
     */
    amount: number;
  }[];
  /**
   * The payer's questions, oldest first.
   */
  information_requests: ClaimInformationRequest[];
  /**
   * The current adjudication; null without one.
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
 * The payer's question about a claim.
 */
export interface ClaimInformationRequest {
  /**
   * The request's identifier.
   */
  id: ClaimInformationRequestId;
  /**
   * Always `claim_information_request`.
   */
  object: 'claim_information_request';
  /**
   * The reason of the question.
   */
  reason_code: string;
  /**
   * The types of evidence that the payer requires.
   *
   * Items: A type of evidence.
   */
  requested_evidence_types: string[];
  /**
   * `open` until a response (`fulfilled`), a lapse or a cancellation (`cancelled`).
   */
  status: InformationRequestStatus;
  /**
   * The deadline. Without a response, the request lapses then. Null: none. UTC, in milliseconds.
   */
  due_at: string | null;
  /**
   * When the payer sent the request. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * When it was fulfilled or cancelled; null while open. UTC, in milliseconds.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'claim.approved';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: ClaimEventData;
}
/**
 * A claim at the time of the event.
 */
export interface ClaimEventData {
  /**
   * The claim.
   */
  id: ClaimId;
  /**
   * Always `claim`.
   */
  object: 'claim';
  /**
   * The status at the time of the event.
   */
  status: ClaimStatus;
  /**
   * The number of submissions.
   */
  submission_version: number;
  /**
   * The current adjudication's version; null while there is none.
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
     * The claimed amount. In minor units.
     */
    billed: number;
    /**
     * The payer's total; null while there is no adjudication. In minor units.
     */
    approved: number | null;
    /**
     * The total of remittances; null until the first. In minor units.
     */
    remitted: number | null;
    /**
     * The total of observed settlements; null until the first. In minor units.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'claim.cancelled';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'claim.denied';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'claim.information_requested';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
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
  eligibility_check_id: EligibilityCheckId;
  /**
   * The session.
   */
  session_id: SessionId;
  /**
   * The provider's own reference, unique in the project.
   */
  provider_claim_reference: string;
  /**
   * The provided services. Lines are numbered from 1 in this order.
   *
   * @minItems 1
   * @maxItems 100
   *
   * Items: One line of a claim.
   */
  lines: {
    /**
     * The list of codes to which service_code belongs, such as CPT. The payer and the provider agree on codes.
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
     * The number of units of the service, greater than 0. All digits are kept: of a decimal of at most 15 digits, and of the shortest decimal of a double (at most 17 digits), as JSON.stringify writes it. A decimal that a double changes is rejected.
     */
    units: number;
    /**
     * The total of the line. In minor units.
     */
    amount: number;
  }[];
  /**
   * The pre-authorization, if the claim uses one.
   */
  preauthorization_id?: PreauthorizationId | null;
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
 * The resources that a claim is connected with, with the amounts of its remittances and settlements.
 */
export interface ClaimLinks {
  /**
   * Always `claim_links`.
   */
  object: 'claim_links';
  /**
   * The claim.
   */
  claim_id: ClaimId;
  /**
   * The session that it claims.
   */
  session_id: SessionId;
  /**
   * The booking of the session.
   */
  booking_id: BookingId;
  /**
   * Who recorded the session outside the booking calendar, and when; null if it was booked in a slot.
   */
  session_recorded: {
    /**
     * The API key that recorded the session.
     */
    by: string;
    /**
     * When the session was recorded. UTC, in milliseconds.
     */
    at: string;
  } | null;
  /**
   * The practitioner of the session.
   */
  practitioner_id: PractitionerId;
  /**
   * The eligibility check that it relies on.
   */
  eligibility_check_id: EligibilityCheckId;
  /**
   * The pre-authorization that it uses; null if it uses none.
   */
  preauthorization_id: PreauthorizationId | null;
  /**
   * ISO 4217 code of the currency.
   */
  currency: string;
  /**
   * The remittances that are not taken back in full, in the order in which they were recorded. Their sum is the claim's remitted amount.
   *
   * Items: A remittance that pays for the claim.
   */
  remittances: {
    /**
     * The remittance.
     */
    id: RemittanceId;
    /**
     * The amount that it allocates to the claim, less what was taken back. In minor units.
     */
    amount: number;
  }[];
  /**
   * The settlements that were matched to the claim, in the order in which they were recorded. Their sum is the claim's settled amount.
   *
   * Items: A settlement of the claim.
   */
  settlements: {
    /**
     * The settlement.
     */
    id: SettlementId;
    /**
     * The amount of the claim that it settles, less what was taken back; 0 once it is reversed, and if it settles a recovery. In minor units.
     */
    amount: number;
  }[];
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
   * The items of this page.
   */
  data: Claim[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'claim.partially_approved';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'claim.resubmitted';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'claim.reversed';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'claim.settled';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'claim.submitted';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: ClaimEventData;
}
/**
 * A claim's state and amounts as they were known at a cutoff. The valuation for a cutoff never changes.
 */
export interface ClaimValuation {
  /**
   * The claim's identifier, a colon and the cutoff; if effective_through is another instant, also a colon and effective_through.
   */
  id: string;
  /**
   * Always `claim_valuation`.
   */
  object: 'claim_valuation';
  /**
   * The claim.
   */
  claim_id: ClaimId;
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
  status: ClaimStatus;
  /**
   * Amounts known at the cutoff.
   */
  amount: {
    /**
     * The claimed amount. In minor units.
     */
    billed: number;
    /**
     * The amount that the payer pays; null while there is no adjudication. In minor units.
     */
    payer_liability: number | null;
    /**
     * The amount that the patient pays; null while there is no adjudication. In minor units.
     */
    patient_responsibility: number | null;
    /**
     * The amount that neither pays; null while there is no adjudication. In minor units.
     */
    adjustment: number | null;
    /**
     * The total of remittances less recoveries; 0 before the first. In minor units.
     */
    remitted: number;
    /**
     * The total of observed settlements; 0 before the first. In minor units.
     */
    settled: number;
    /**
     * payer_liability minus settled; null while there is no adjudication. 0 if, by effective_through, more was settled than the adjudication in effect grants. In minor units.
     */
    outstanding: number | null;
  };
  /**
   * The applied rule of the adjudication at the cutoff; null if there was none.
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
   * The facts whose recorded_at is at or before the cutoff and whose effective_at is at or before effective_through, in sequence. They are not the events of webhooks.
   *
   * Items: One fact of a claim's history.
   */
  events: {
    /**
     * The fact's position in the claim's history, from 1.
     */
    sequence: number;
    /**
     * The type of the fact. `settled` records one settlement, which can be a part of the amount: `next_status` says whether the claim is settled. A recovery, which lowers what is remitted, is also `remittance_recorded`; the first of its `evidence_references` begins with `rcv_`. So is each line of an advice that was withdrawn: an undone allocation has the IDs of the remittance and of the advice, an undone recovery those of the recovery again.
     */
    type: ClaimFactType;
    /**
     * When the fact took effect (business time). UTC, in milliseconds.
     */
    effective_at: string;
    /**
     * When the service recorded the fact (knowledge time). UTC, in milliseconds.
     */
    recorded_at: string;
    /**
     * The status before; null for the first fact.
     */
    previous_status: ClaimStatus | null;
    /**
     * The status after.
     */
    next_status: ClaimStatus | null;
    /**
     * The reason of the fact; null if it has none.
     */
    reason_code: string | null;
    /**
     * The evidence for the fact.
     *
     * Items: A reference.
     */
    evidence_references: string[];
  }[];
}
/**
 * A member's consent to the sharing of data. There is one per member.
 */
export interface Consent {
  /**
   * The consent's identifier.
   */
  id: ConsentId;
  /**
   * Always `consent`.
   */
  object: 'consent';
  /**
   * The last recorded status.
   */
  status: ConsentStatus;
  /**
   * When it was last recorded. UTC, in milliseconds.
   */
  updated_at: string;
}
/**
 * A member's consent to the sharing of data.
 */
export interface ConsentInput {
  /**
   * The payer's reference of the member. No response contains it.
   */
  member_reference: string;
  /**
   * Granted or withdrawn.
   */
  status: ConsentStatus;
}
/**
 * Observations of many coverages. Either all are recorded or none.
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
   * The payer's contract. Amounts by payer are grouped by it.
   */
  source_contract_reference: string;
  /**
   * The payer's version of the batch.
   */
  batch_version: string;
  /**
   * When the payer created the batch; the `observed_at` of its observations. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  generated_at: string;
  /**
   * The observations.
   *
   * @minItems 1
   * @maxItems 500
   */
  records: CoverageBatchRecord[];
}
/**
 * The observation of one coverage in a batch.
 */
export interface CoverageBatchRecord {
  /**
   * The payer's reference of the coverage.
   */
  coverage_reference: string;
  /**
   * The payer's version of this observation.
   */
  record_version: string;
  /**
   * The payer's reference of the insured group.
   */
  tenant_reference: string;
  /**
   * The payer's reference of the member. No response contains it.
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
  status: CoverageStatus;
  /**
   * ISO 4217 code of the currency.
   */
  currency: Currency;
  /**
   * The maximum covered amount per session. In minor units.
   */
  amount_limit: number;
  /**
   * The number of remaining sessions at the payer.
   */
  remaining_sessions: number;
  /**
   * Whether a claim for a session requires a pre-authorization.
   */
  authorization_required: boolean;
  /**
   * Rank among the coverages of a member who is insured by more than one payer: 1 is primary; null is last.
   */
  coordination_priority: number | null;
  /**
   * Start of the cover. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  valid_from: string;
  /**
   * End of the cover, exclusive; after its start. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  valid_until: string;
}
/**
 * The result of a batch: the observation of every record, new or recorded before.
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
   * The number of records in the batch.
   */
  total: number;
  /**
   * The number of new observations.
   */
  recorded: number;
  /**
   * The number of observations recorded before with the same content.
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
 * One version of a coverage as the payer observed it. Observations never change. The one with the latest observed_at is the snapshot.
 */
export interface CoverageObservation {
  /**
   * The observation's identifier.
   */
  id: CoverageObservationId;
  /**
   * Always `coverage_observation`.
   */
  object: 'coverage_observation';
  /**
   * The observed coverage.
   */
  coverage_id: CoverageId;
  /**
   * How the service received the observation.
   */
  source: CoverageSource;
  /**
   * The payer's contract. Amounts by payer are grouped by it.
   */
  source_contract_reference: string;
  /**
   * The payer's reference of the coverage.
   */
  external_coverage_reference: string;
  /**
   * The payer's version of the observation.
   */
  source_version: string;
  /**
   * The snapshot's version. It increases when a later observation replaces the snapshot.
   */
  snapshot_version: number;
  /**
   * The coverage's status at the payer.
   */
  status: CoverageStatus;
  /**
   * The service that is covered.
   */
  service_code: string;
  /**
   * The maximum covered amount per session.
   */
  amount_limit: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The amount. In minor units.
     */
    value: number;
  };
  /**
   * The number of remaining sessions at the payer.
   */
  remaining_sessions: number;
  /**
   * Whether a claim for a session requires a pre-authorization.
   */
  authorization_required: boolean;
  /**
   * Rank among the coverages of a member who is insured by more than one payer: 1 is primary; null is last.
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
   * When the payer observed this state. UTC, in milliseconds.
   */
  observed_at: string;
}
/**
 * The state of a coverage as the payer observed it.
 */
export interface CoverageInput {
  /**
   * The payer's contract. Amounts by payer are grouped by it.
   */
  source_contract_reference: string;
  /**
   * The payer's reference of the coverage.
   */
  external_coverage_reference: string;
  /**
   * The payer's version of this observation.
   */
  source_version: string;
  /**
   * The payer's reference of the insured group.
   */
  tenant_reference: string;
  /**
   * The payer's reference of the member. No response contains it.
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
  status: CoverageStatus;
  /**
   * ISO 4217 code of the currency.
   */
  currency: Currency;
  /**
   * The maximum covered amount per session. In minor units.
   */
  amount_limit: number;
  /**
   * The number of remaining sessions at the payer.
   */
  remaining_sessions: number;
  /**
   * Whether a claim for a session requires a pre-authorization.
   */
  authorization_required: boolean;
  /**
   * Rank among the coverages of a member who is insured by more than one payer: 1 is primary; null is last.
   */
  coordination_priority: number | null;
  /**
   * Start of the cover. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  valid_from: string;
  /**
   * End of the cover, exclusive; after its start. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  valid_until: string;
  /**
   * When the payer observed this state; not in the future. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  observed_at: string;
  /**
   * The sources of the observation.
   *
   * @minItems 1
   * @maxItems 20
   *
   * Items: A reference.
   */
  evidence_references: string[];
}
/**
 * A created endpoint. Only the first response contains its signing secret.
 */
export interface CreatedWebhookEndpoint {
  /**
   * The endpoint's identifier.
   */
  id: WebhookEndpointId;
  /**
   * Always `webhook_endpoint`.
   */
  object: 'webhook_endpoint';
  /**
   * The URL that receives events.
   */
  url: string;
  /**
   * The event types that the endpoint receives.
   *
   * Items: An event type.
   */
  events: EventType[];
  /**
   * `active` endpoints receive events; `disabled` endpoints do not.
   */
  status: WebhookEndpointStatus;
  /**
   * When it was registered. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * When it was disabled; null while active. UTC, in milliseconds.
   */
  disabled_at: string | null;
  /**
   * The secret that signs deliveries (Standard Webhooks specification). Absent in the response to a repeated request: then create another secret.
   */
  signing_secret?: string;
}
/**
 * A decision whether a member's coverage covers one session at its time.
 */
export interface EligibilityCheck {
  /**
   * The check's identifier.
   */
  id: EligibilityCheckId;
  /**
   * Always `eligibility_check`.
   */
  object: 'eligibility_check';
  /**
   * The result.
   */
  status: EligibilityStatus;
  /**
   * The reasons of the result. An eligible check has exactly `eligible`.
   *
   * Items: A reason.
   */
  reason_codes: EligibilityReasonCode[];
  /**
   * The checked service.
   */
  service: {
    /**
     * The service.
     */
    code: string;
    /**
     * Start of the session. UTC, in milliseconds.
     */
    scheduled_at: string;
  };
  /**
   * Amounts, in one currency.
   */
  amount: {
    /**
     * The price of the session. In minor units.
     */
    requested: number;
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The maximum amount that the coverage pays per session; null without a coverage. In minor units.
     */
    maximum_per_session: number | null;
  };
  /**
   * Whether the coverage requires a pre-authorization; false without a coverage.
   */
  authorization_required: boolean;
  /**
   * The remaining sessions minus reservations, when checked; null without a coverage.
   */
  remaining_sessions: number | null;
  /**
   * End of the cover, exclusive; null without a coverage. UTC, in milliseconds.
   */
  coverage_valid_until: string | null;
  /**
   * When the check was made. UTC, in milliseconds.
   */
  checked_at: string;
}
/**
 * A session whose cover is checked: a future one, or with `retrospective` also one of the past.
 */
export interface EligibilityCheckInput {
  /**
   * The payer's reference of the member. No response contains it.
   */
  member_reference: string;
  /**
   * The service.
   */
  service_code: string;
  /**
   * Start of the session; in the future, unless the check is retrospective. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  scheduled_at: string;
  /**
   * The price of the session. In minor units.
   */
  amount: number;
  /**
   * ISO 4217 code of the currency.
   */
  currency: Currency;
  /**
   * Whether scheduled_at can be in the past. Such a check is decided on the coverage as it took effect at scheduled_at and as it is known now. The remaining sessions are those of now.
   */
  retrospective?: boolean;
}
/**
 * A test event, sent only by the test operation.
 */
export interface SandboxPingEvent {
  /**
   * The event's identifier; also the webhook-id header of every delivery.
   */
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'sandbox.ping';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: PingEventData;
}
/**
 * The data of a test event.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'preauthorization.requested';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: PreauthorizationEventData;
}
/**
 * A pre-authorization at the time of the event.
 */
export interface PreauthorizationEventData {
  /**
   * The pre-authorization.
   */
  id: PreauthorizationId;
  /**
   * Always `preauthorization`.
   */
  object: 'preauthorization';
  /**
   * The status at the time of the event.
   */
  status: PreauthorizationStatus;
  /**
   * The decision's version; null while there is no decision.
   */
  decision_version: number | null;
  /**
   * Amounts, in one currency.
   */
  amount: {
    /**
     * The requested amount. In minor units.
     */
    requested: number;
    /**
     * The approved amount; null if not approved. In minor units.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'preauthorization.approved';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'preauthorization.denied';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'preauthorization.expired';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'preauthorization.cancelled';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'remittance.reconciled';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * True in production.
   */
  livemode: boolean;
  data: RemittanceEventData;
}
/**
 * A remittance at the time of the event.
 */
export interface RemittanceEventData {
  /**
   * The remittance.
   */
  id: RemittanceId;
  /**
   * Always `remittance`.
   */
  object: 'remittance';
  /**
   * The status at the time of the event.
   */
  status: RemittanceStatus;
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
  id: EventId;
  /**
   * Always `event`.
   */
  object: 'event';
  /**
   * The type of the event.
   */
  type: 'remittance.exception';
  /**
   * The version of the event's format.
   */
  schema_version: 'v1';
  /**
   * Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
   */
  resource_version: number;
  /**
   * When the change happened. UTC, in milliseconds.
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
   * The items of this page.
   */
  data: Event[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * The response to an open information request.
 */
export interface EvidenceInput {
  /**
   * The open request.
   */
  information_request_id: ClaimInformationRequestId;
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
 * A payer's question about a claim.
 */
export interface InformationRequestInput {
  /**
   * The reason of the question.
   */
  reason_code: string;
  /**
   * The types of evidence that the payer requires.
   *
   * @minItems 1
   * @maxItems 16
   *
   * Items: A type of evidence.
   */
  requested_evidence_types: string[];
  /**
   * The deadline, in the future. Without a response, the request lapses then. Absent or null: none. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  due_at?: string | null;
}
/**
 * What payers will deduct from later payments, by payer and currency, at the time of the request.
 */
export interface PayerBalances {
  /**
   * Always `payer_balances`.
   */
  object: 'payer_balances';
  /**
   * The balances above zero, by payer and currency.
   *
   * Items: What one payer will deduct in one currency.
   */
  data: {
    /**
     * The name of the payer, as its latest such advice has it; null for the advices without one.
     */
    payer: string | null;
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The sum of the balances that later advices have not deducted. In minor units.
     */
    to_deduct: number;
    /**
     * The number of payment advices whose balance is not deducted, or a part of it.
     */
    advices: number;
  }[];
}
/**
 * A payer's advice: what it pays, denies, takes back and adjusts.
 */
export interface PaymentAdvice {
  /**
   * The advice's identifier.
   */
  id: PaymentAdviceId;
  /**
   * Always `payment_advice`.
   */
  object: 'payment_advice';
  /**
   * `received` until the settlements equal the net (`reconciled`). `exception` if they exceed it, have another currency or are late. `withdrawn` if it no longer counts; its remittance is then shown as `exception`.
   */
  status: PaymentAdviceStatus;
  /**
   * The remittance that the allocations are. Settlements refer to it.
   */
  remittance_id: RemittanceId;
  /**
   * The payer's reference, unique in the project.
   */
  payer_reference: string;
  /**
   * The name of the payer, as it was given; null if none was.
   */
  payer: string | null;
  /**
   * ISO 4217 code of the currency.
   */
  currency: string;
  /**
   * What the payer transfers; below zero, what it deducts later. In minor units.
   */
  net: number;
  /**
   * The allocations, in the order given.
   *
   * Items: The amount that the payer pays for one claim.
   */
  allocations: {
    /**
     * The claim.
     */
    claim_id: ClaimId;
    /**
     * The amount paid for the claim. In minor units.
     */
    paid_amount: number;
    /**
     * The payer's reasons.
     *
     * Items: A reason code.
     */
    reason_codes: string[];
  }[];
  /**
   * The denials, in the order given.
   *
   * Items: A claim for which the payer pays nothing.
   */
  denials: {
    /**
     * The claim.
     */
    claim_id: ClaimId;
    /**
     * The payer's reasons.
     *
     * Items: A reason code.
     */
    reason_codes: string[];
  }[];
  /**
   * The takebacks, in the order given.
   *
   * Items: An amount that the payer takes back for one claim.
   */
  recoveries: {
    /**
     * The recovery's identifier.
     */
    id: RecoveryId;
    /**
     * The claim.
     */
    claim_id: ClaimId;
    /**
     * The amount taken back. In minor units.
     */
    amount: number;
    /**
     * The payer's reasons.
     *
     * Items: A reason code.
     */
    reason_codes: string[];
  }[];
  /**
   * The amounts of no claim, in the order given.
   *
   * Items: An amount that belongs to no claim.
   */
  adjustments: {
    /**
     * What the amount is.
     */
    kind: PaymentAdjustmentKind;
    /**
     * The amount: above zero in favour of the provider, below zero of the payer. In minor units.
     */
    amount: number;
    /**
     * The payer's reasons.
     *
     * Items: A reason code.
     */
    reason_codes: string[];
  }[];
  /**
   * When the advice was received from the payer. UTC, in milliseconds.
   */
  received_at: string;
  /**
   * When it was reconciled; null if it is not. UTC, in milliseconds.
   */
  reconciled_at: string | null;
  /**
   * When it was withdrawn; null if it is not. UTC, in milliseconds.
   */
  withdrawn_at: string | null;
  /**
   * Why it was withdrawn: `replaced` if another one was recorded in its place; null if it is not.
   */
  withdrawal_reason_code: string | null;
  /**
   * The advice in whose place it was recorded; null without one.
   */
  replaces: PaymentAdviceId | null;
  /**
   * The advice that was recorded in its place; null without one.
   */
  replaced_by: PaymentAdviceId | null;
}
/**
 * A payer's advice with all that it says: what it pays, denies, takes back and adjusts. Either all lines are recorded or none. It has 1 to 1000 lines.
 */
export interface PaymentAdviceInput {
  /**
   * The payer's reference, unique among the advices and remittances of the project.
   */
  payer_reference: string;
  /**
   * Your name of the payer, always the same one, without data of persons. What payers will deduct is summed by it. Absent: the advice names no payer.
   */
  payer?: string;
  /**
   * ISO 4217 code of the currency.
   */
  currency: Currency;
  /**
   * When the advice was received from the payer; not in the future. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  received_at: string;
  /**
   * The allocations, at most one per claim. They are the remittance of the advice. Absent: none.
   *
   * @minItems 0
   * @maxItems 1000
   *
   * Items: The amount that the payer pays for one claim.
   */
  allocations?: {
    /**
     * The claim.
     */
    claim_id: ClaimId;
    /**
     * The amount paid for the claim. In minor units.
     */
    paid_amount: number;
    /**
     * The payer's reasons. Absent: none.
     *
     * @minItems 0
     * @maxItems 16
     *
     * Items: A reason code.
     */
    reason_codes?: string[];
  }[];
  /**
   * The claims that the payer denies, at most once per claim. They change no amount. Absent: none.
   *
   * @minItems 0
   * @maxItems 1000
   *
   * Items: A claim for which the payer pays nothing: a line of zero.
   */
  denials?: {
    /**
     * The claim.
     */
    claim_id: ClaimId;
    /**
     * The payer's reasons. Absent: none.
     *
     * @minItems 0
     * @maxItems 16
     *
     * Items: A reason code.
     */
    reason_codes?: string[];
  }[];
  /**
   * The takebacks, at most one per claim. A claim can be taken back and paid again in one advice. Absent: none.
   *
   * @minItems 0
   * @maxItems 1000
   *
   * Items: An amount that the payer takes back for one claim.
   */
  recoveries?: {
    /**
     * The claim.
     */
    claim_id: ClaimId;
    /**
     * The amount, at most what earlier advices remitted for the claim and none took back. In minor units.
     */
    amount: number;
    /**
     * The payer's reasons. Absent: none.
     *
     * @minItems 0
     * @maxItems 16
     *
     * Items: A reason code.
     */
    reason_codes?: string[];
  }[];
  /**
   * The amounts of no claim. Absent: none.
   *
   * @minItems 0
   * @maxItems 1000
   *
   * Items: An amount that belongs to no claim.
   */
  adjustments?: {
    /**
     * `forwarded_balance`: below zero, the payer deducts the balance of earlier advices; above zero, it forwards a balance to later ones.
     */
    kind: PaymentAdjustmentKind;
    /**
     * The amount: above zero in favour of the provider, below zero of the payer. In minor units.
     */
    amount: number;
    /**
     * The payer's reasons. Absent: none.
     *
     * @minItems 0
     * @maxItems 16
     *
     * Items: A reason code.
     */
    reason_codes?: string[];
  }[];
  /**
   * The sum of the allocations, less that of the recoveries, plus that of the adjustments: what the payer transfers. Below zero, the payer transfers nothing and deducts the balance later. In minor units.
   */
  net: number;
}
/**
 * One page of a list, newest first.
 */
export interface PaymentAdviceList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The items of this page.
   */
  data: PaymentAdvice[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * A practitioner's public profile. Synthetic in the sandbox.
 */
export interface Practitioner {
  /**
   * The practitioner's identifier.
   */
  id: PractitionerId;
  /**
   * Always `practitioner`.
   */
  object: 'practitioner';
  /**
   * Full name.
   */
  name: string;
  /**
   * Profession.
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
   * The items of this page.
   */
  data: Practitioner[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * A request that the payer approve one covered session in advance. Only the approval reserves the benefit.
 */
export interface Preauthorization {
  /**
   * The pre-authorization's identifier.
   */
  id: PreauthorizationId;
  /**
   * Always `preauthorization`.
   */
  object: 'preauthorization';
  /**
   * The eligibility check.
   */
  eligibility_check_id: EligibilityCheckId;
  /**
   * The booking.
   */
  booking_id: BookingId;
  /**
   * The status.
   */
  status: PreauthorizationStatus;
  /**
   * The reasons of the decision; empty without a decision.
   *
   * Items: A reason code.
   */
  reason_codes: string[];
  /**
   * Amounts, in one currency.
   */
  amount: {
    /**
     * The requested amount. In minor units.
     */
    requested: number;
    /**
     * The approved amount; null if not approved. In minor units.
     */
    approved: number | null;
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
  };
  /**
   * When the approval expires; null if not approved. UTC, in milliseconds.
   */
  valid_until: string | null;
  /**
   * When it was created. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * The decision; null without one.
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
  id: PreauthorizationDecisionId;
  /**
   * Always `preauthorization_decision`.
   */
  object: 'preauthorization_decision';
  /**
   * The number of the decision, from 1.
   */
  version: number;
  /**
   * The outcome of the decision.
   */
  outcome: PreauthorizationOutcome;
  /**
   * The reasons of the decision.
   *
   * Items: A reason code.
   */
  reason_codes: string[];
  /**
   * The applied rule.
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
   * The project and the key that made the decision.
   */
  authority_reference: string;
  /**
   * The client's references, then the eligibility check, the booking and the coverage observation of the decision.
   *
   * @minItems 0
   * @maxItems 32
   *
   * Items: A reference.
   */
  evidence_references: string[];
  /**
   * When the decision was made. UTC, in milliseconds.
   */
  decided_at: string;
}
/**
 * An approval. It reserves one session of the benefit at once.
 */
export interface PreauthorizationApproval {
  /**
   * The decision.
   */
  outcome: 'approved';
  /**
   * The approved amount, at most the requested amount. In minor units.
   */
  approved_amount: number;
  /**
   * When the approval expires; in the future. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  valid_until: string;
  /**
   * The reasons of the decision.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: A reason code.
   */
  reason_codes: string[];
  /**
   * The payer's reference of the applied rule.
   */
  policy_reference: string;
  /**
   * The version of the applied rule.
   */
  policy_version: string;
  /**
   * The evidence for the decision.
   *
   * @minItems 1
   * @maxItems 29
   *
   * Items: A reference to evidence.
   */
  evidence_references: string[];
}
/**
 * A denial. The benefit remains available.
 */
export interface PreauthorizationDenial {
  /**
   * The decision.
   */
  outcome: 'denied';
  /**
   * The reasons of the decision.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: A reason code.
   */
  reason_codes: string[];
  /**
   * The payer's reference of the applied rule.
   */
  policy_reference: string;
  /**
   * The version of the applied rule.
   */
  policy_version: string;
  /**
   * The evidence for the decision.
   *
   * @minItems 1
   * @maxItems 29
   *
   * Items: A reference to evidence.
   */
  evidence_references: string[];
}
/**
 * A covered booking with its eligibility check, whose status is `eligible`.
 */
export interface PreauthorizationInput {
  /**
   * The eligibility check.
   */
  eligibility_check_id: EligibilityCheckId;
  /**
   * The booking.
   */
  booking_id: BookingId;
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
   * The items of this page.
   */
  data: Preauthorization[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * The outstanding amounts of the project's claims as they were known at an instant: the sums of the claims' valuations.
 */
export interface Receivables {
  /**
   * Always `receivables`.
   */
  object: 'receivables';
  /**
   * The instant, inclusive. UTC, in milliseconds.
   */
  at: string;
  /**
   * One item per currency with an outstanding amount, in alphabetical order.
   *
   * Items: The outstanding amounts in one currency.
   */
  currencies: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The number of claims with an outstanding amount.
     */
    claim_count: number;
    /**
     * Outstanding amounts by age: the number of whole days from the claim's submitted_at to the instant.
     */
    outstanding: {
      /**
       * The sum of the four amounts. In minor units.
       */
      total: number;
      /**
       * Of claims submitted less than 31 days before. In minor units.
       */
      days_0_30: number;
      /**
       * Of claims submitted at least 31 and less than 61 days before. In minor units.
       */
      days_31_60: number;
      /**
       * Of claims submitted at least 61 and less than 91 days before. In minor units.
       */
      days_61_90: number;
      /**
       * Of claims submitted at least 91 days before. In minor units.
       */
      days_over_90: number;
    };
    /**
     * The same amounts by practitioner. Largest total first; at most 1000. If there are more, a last item contains the sum of the others.
     *
     * Items: The outstanding amounts of one practitioner.
     */
    practitioners: {
      /**
       * The practitioner; null for the others.
       */
      practitioner_id: PractitionerId | null;
      /**
       * The number of claims with an outstanding amount.
       */
      claim_count: number;
      /**
       * Outstanding amounts by age: the number of whole days from the claim's submitted_at to the instant.
       */
      outstanding: {
        /**
         * The sum of the four amounts. In minor units.
         */
        total: number;
        /**
         * Of claims submitted less than 31 days before. In minor units.
         */
        days_0_30: number;
        /**
         * Of claims submitted at least 31 and less than 61 days before. In minor units.
         */
        days_31_60: number;
        /**
         * Of claims submitted at least 61 and less than 91 days before. In minor units.
         */
        days_61_90: number;
        /**
         * Of claims submitted at least 91 days before. In minor units.
         */
        days_over_90: number;
      };
    }[];
    /**
     * The same amounts by payer. Largest total first; at most 1000. If there are more, a last item contains the sum of the others.
     *
     * Items: The outstanding amounts of one payer.
     */
    payers: {
      /**
       * The source_contract_reference that the coverage had when the claim was submitted; null for the others.
       */
      payer_reference: string | null;
      /**
       * The number of claims with an outstanding amount.
       */
      claim_count: number;
      /**
       * Outstanding amounts by age: the number of whole days from the claim's submitted_at to the instant.
       */
      outstanding: {
        /**
         * The sum of the four amounts. In minor units.
         */
        total: number;
        /**
         * Of claims submitted less than 31 days before. In minor units.
         */
        days_0_30: number;
        /**
         * Of claims submitted at least 31 and less than 61 days before. In minor units.
         */
        days_31_60: number;
        /**
         * Of claims submitted at least 61 and less than 91 days before. In minor units.
         */
        days_61_90: number;
        /**
         * Of claims submitted at least 91 days before. In minor units.
         */
        days_over_90: number;
      };
    }[];
  }[];
}
/**
 * A payer's advice of payment, allocated to claims.
 */
export interface Remittance {
  /**
   * The remittance's identifier.
   */
  id: RemittanceId;
  /**
   * Always `remittance`.
   */
  object: 'remittance';
  /**
   * `received` until the settlements equal the total (`reconciled`). `exception` if they exceed it, have another currency or are late, or if its payment advice was withdrawn.
   */
  status: RemittanceStatus;
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
   * Items: The part of the remittance for one claim.
   */
  allocations: {
    /**
     * The claim.
     */
    claim_id: ClaimId;
    /**
     * The amount paid for the claim. In minor units.
     */
    paid_amount: number;
    /**
     * The reasons for the amount.
     *
     * Items: A reason code.
     */
    reason_codes: string[];
  }[];
  /**
   * When the advice was received from the payer. UTC, in milliseconds.
   */
  received_at: string;
  /**
   * When it was reconciled; null if it is not. UTC, in milliseconds.
   */
  reconciled_at: string | null;
}
/**
 * A payer's advice of payment. Either all allocations are recorded or none.
 */
export interface RemittanceInput {
  /**
   * The payer's reference, unique in the project.
   */
  payer_reference: string;
  /**
   * ISO 4217 code of the currency.
   */
  currency: Currency;
  /**
   * When the advice was received from the payer; not in the future. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  received_at: string;
  /**
   * The allocations, at most one per claim.
   *
   * @minItems 1
   * @maxItems 100
   *
   * Items: The part of the remittance for one claim.
   */
  allocations: {
    /**
     * The claim.
     */
    claim_id: ClaimId;
    /**
     * The amount paid for the claim. In minor units.
     */
    paid_amount: number;
    /**
     * The reasons for the amount. Absent: none.
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
   * The items of this page.
   */
  data: Remittance[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * Why a remittance is reconciled or not, and which operations would reconcile it, evaluated at the time of the request.
 */
export interface RemittanceReconciliation {
  /**
   * Always `remittance_reconciliation`.
   */
  object: 'remittance_reconciliation';
  /**
   * The remittance.
   */
  remittance_id: RemittanceId;
  /**
   * The status at the time of the request. From the deadline on it can be `exception` shortly before the remittance itself is.
   */
  status: RemittanceStatus;
  /**
   * ISO 4217 code of the currency.
   */
  currency: string;
  /**
   * What the payer transfers: the total of the remittance, or the net of its payment advice, which is not above zero if nothing is transferred; 0 if the advice was withdrawn. In minor units.
   */
  expected: number;
  /**
   * The sum of the settlements in the remittance's currency that are not reversed; null if it exceeds every possible amount. In minor units.
   */
  observed: number | null;
  /**
   * observed minus expected; null if observed is null. In minor units.
   */
  difference: number | null;
  /**
   * From this instant on, a remittance below its total is in exception. UTC, in milliseconds.
   */
  deadline_at: string;
  /**
   * Null if reconciled, otherwise the first that applies: `amount_exceeds_advice` (the settlements exceed the total), `currency_mismatch` (one has another currency), `deadline_passed`, `allocation_unmatched` (one is below the total and names no allocations that fit, while the remittance has several), `partial_funds`, `awaiting_funds` (there is no settlement). `advice_withdrawn` if the payment advice was withdrawn: nothing is expected.
   */
  reason: ReconciliationReason | null;
  /**
   * All settlements, in the order in which they were recorded.
   *
   * Items: A settlement of the remittance.
   */
  settlements: {
    /**
     * The settlement's identifier.
     */
    id: SettlementId;
    /**
     * The settlement's status.
     */
    status: SettlementStatus;
    /**
     * The observed amount.
     */
    amount: {
      /**
       * ISO 4217 code of the currency.
       */
      currency: string;
      /**
       * The amount; 0 if the net needs no transfer. In minor units.
       */
      observed: number;
    };
    /**
     * The reference of the evidence.
     */
    source_reference: string;
    /**
     * Why it is unmatched; null otherwise.
     */
    reason: UnmatchedReason | null;
  }[];
  /**
   * Operations that lead to reconciliation; empty if reconciled or withdrawn. Execute the first, then read again.
   *
   * Items: An operation that leads to reconciliation.
   */
  next_steps: {
    /**
     * The ID of the operation.
     */
    operation: ReconciliationOperation;
    /**
     * The settlement to reverse; null for a creation.
     */
    settlement_id: SettlementId | null;
    /**
     * The amount to record in the remittance's currency; null for a reversal. In minor units.
     */
    amount: number | null;
    /**
     * The step as a sentence.
     */
    description: string;
  }[];
}
/**
 * The reason of a reversal.
 */
export interface ReversalInput {
  /**
   * The reason code.
   */
  reason_code: string;
}
/**
 * One session of care. It contains no identifier of a person or a payer, and no clinical data.
 */
export interface Session {
  /**
   * The session's identifier.
   */
  id: SessionId;
  /**
   * Always `session`.
   */
  object: 'session';
  /**
   * The practitioner who gives the session.
   */
  practitioner_id: PractitionerId;
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
  format: SessionFormat;
  /**
   * The booking's status until starts_at, then in_progress, and delivered from ends_at; or cancelled.
   */
  status: SessionStatus;
  /**
   * Who pays.
   */
  payment_source: PaymentSource;
}
/**
 * A session outside the booking calendar, in the past or in the future.
 */
export interface SessionInput {
  /**
   * The practitioner who gives the session.
   */
  practitioner_id: PractitionerId;
  /**
   * Start of the session. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  starts_at: string;
  /**
   * End of the session, after its start and at most 8 hours later. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  ends_at: string;
  /**
   * How the session takes place.
   */
  format: SessionFormat;
  /**
   * Who pays.
   */
  payment_source: PaymentSource;
  /**
   * The reference of the session in the system that sends it, unique in the project; never of a person, because an erasure does not remove it.
   */
  external_reference?: string;
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
   * The items of this page.
   */
  data: Session[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * Independent evidence that funds of a remittance moved.
 */
export interface Settlement {
  /**
   * The settlement's identifier.
   */
  id: SettlementId;
  /**
   * Always `settlement`.
   */
  object: 'settlement';
  /**
   * The remittance.
   */
  remittance_id: RemittanceId;
  /**
   * The reference of the evidence, such as a bank statement entry; unique in the project.
   */
  source_reference: string;
  /**
   * The observed amount.
   */
  amount: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The amount; 0 for the settlement of an advice whose net needs no transfer. In minor units.
     */
    observed: number;
  };
  /**
   * The allocations to claims; empty while the settlement is unmatched and its request had none.
   *
   * Items: The part of the settlement for one claim.
   */
  allocations: {
    /**
     * The claim.
     */
    claim_id: ClaimId;
    /**
     * The settled amount of the claim. In minor units.
     */
    amount: number;
  }[];
  /**
   * `matched` to claims, `unmatched` until the remittance is reconciled, or `reversed`.
   */
  status: SettlementStatus;
  /**
   * When the funds moved. UTC, in milliseconds.
   */
  observed_at: string;
  /**
   * When the service recorded the settlement. The fact of a claim is recorded afterwards: its `recorded_at` in the valuation is the first cutoff that includes it. UTC, in milliseconds.
   */
  recorded_at: string;
}
/**
 * Independent evidence that funds of a remittance moved.
 */
export interface SettlementInput {
  /**
   * The remittance. Absent if the deposit has shares of several advices.
   */
  remittance_id?: RemittanceId;
  /**
   * The reference of the evidence, such as a bank statement entry; unique in the project.
   */
  source_reference: string;
  /**
   * ISO 4217 code of the currency.
   */
  currency: Currency;
  /**
   * The observed amount. In minor units.
   */
  amount: number;
  /**
   * When the funds moved; not in the future. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  observed_at: string;
  /**
   * The allocations to claims. Their sum is the amount. Only with remittance_id.
   *
   * @minItems 1
   * @maxItems 100
   *
   * Items: The part of the settlement for one claim.
   */
  allocations?: {
    /**
     * The claim.
     */
    claim_id: ClaimId;
    /**
     * The settled amount of the claim. In minor units.
     */
    amount: number;
  }[];
  /**
   * The parts of one deposit for several advices, at most one per advice. Their sum is the amount. Each part becomes a settlement: the first has the source_reference, the others have it with the suffix `#2`, `#3` and so on. The response is the first; `GET /settlements` with the `remittance_id` of an advice lists its own. Only without remittance_id.
   *
   * @minItems 2
   * @maxItems 100
   *
   * Items: The part of the deposit for one advice.
   */
  shares?: {
    /**
     * The advice.
     */
    payment_advice_id: PaymentAdviceId;
    /**
     * The part. In minor units.
     */
    amount: number;
  }[];
}
/**
 * One page of a list, newest first.
 */
export interface SettlementList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The items of this page.
   */
  data: Settlement[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * A new sandbox project whose time is simulated, with a first key that has all scopes.
 */
export interface SimulatedProject {
  /**
   * Always `simulated_project`.
   */
  object: 'simulated_project';
  /**
   * The project's identifier.
   */
  project_id: string;
  /**
   * The key's identifier.
   */
  key_id: string;
  /**
   * The secret of the key. Only this response contains it.
   */
  secret_key: string;
  /**
   * The project's time. UTC, in milliseconds.
   */
  now: string;
}
/**
 * A time of a practitioner that can be booked. It is not reserved: another booking can take it.
 */
export interface Slot {
  /**
   * Always `slot`.
   */
  object: 'slot';
  /**
   * The practitioner who gives the session.
   */
  practitioner_id: PractitionerId;
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
  format: SessionFormat;
}
/**
 * Free slots of one practitioner, earliest first. They do not overlap.
 */
export interface SlotList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The slots.
   */
  data: Slot[];
  /**
   * Whether there are more slots. Get them with `from` set to the `ends_at` of the last slot of this response.
   */
  has_more: boolean;
}
/**
 * The time of a sandbox project whose time is simulated.
 */
export interface TestClock {
  /**
   * Always `test_clock`.
   */
  object: 'test_clock';
  /**
   * The project's time. Each write moves it by some milliseconds, so that facts are ordered. UTC, in milliseconds.
   */
  now: string;
  /**
   * advancing: due items are executed up to target. failed: the advance ended at now, for the reason in failure; the next advance continues.
   */
  status: TestClockStatus;
  /**
   * Where the advance ends. Null while the clock is ready. UTC, in milliseconds.
   */
  target: string | null;
  /**
   * The next due item after now. Null if nothing is due.
   */
  next_due: {
    /**
     * When it is due. UTC, in milliseconds.
     */
    at: string;
    /**
     * The identifier of the resource.
     */
    resource: string;
    /**
     * What is due.
     */
    what: DueItemKind;
  } | null;
  /**
   * The last completed instant of the advances: everything that was due until then was executed. Null before the first advance. UTC, in milliseconds.
   */
  advanced_to: string | null;
  /**
   * The number of due items that the latest advance has executed.
   */
  completed: number;
  /**
   * The number of due items until target that are known now; 0 while the clock is ready.
   */
  remaining: number;
  /**
   * Why the latest advance failed. Null unless it failed.
   */
  failure: string | null;
}
/**
 * Where a clock is moved.
 */
export interface TestClockAdvanceInput {
  /**
   * The instant at which the advance ends, not before now: RFC 3339 with an offset, floored to milliseconds, until the year 2999. Or `next`: the instant of the next due item.
   */
  to: string;
  /**
   * For how many seconds the response waits for the end of the advance. Absent: 0.
   */
  wait_seconds?: number;
}
/**
 * A sandbox project whose time is simulated.
 */
export interface TestClockInput {
  /**
   * The project's name.
   */
  name: string;
  /**
   * The project's time at its creation, in the years 2000 to 2999. It can be in the past. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  now: string;
  /**
   * Of which the identifiers follow that requests with an Idempotency-Key make: the same requests with the same keys, one after the other, have the same ones. Only one project of an installation can have it. Absent: the identifiers are random.
   */
  seed?: string;
}
/**
 * A token with scopes. Only this response contains it. It becomes invalid with the key that created it.
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
   * The scopes of the token.
   *
   * Items: A scope.
   */
  scopes: Scope[];
  /**
   * When the token expires, by the real time. UTC, in milliseconds.
   */
  expires_at: string;
}
/**
 * A request for a token for a public client.
 */
export interface TokenInput {
  /**
   * The token's scopes: a subset of the key's.
   *
   * @minItems 1
   * @maxItems 24
   *
   * Items: A scope.
   */
  scopes: Scope[];
  /**
   * Lifetime in seconds.
   */
  expires_in: number;
  /**
   * If present, the token can use only these resources and cannot create any.
   *
   * @minItems 0
   * @maxItems 100
   *
   * Items: A resource.
   */
  resource_ids?: string[];
}
/**
 * Sums over the valuations of all claims of the project at two instants. The result never changes.
 */
export interface ValuationRun {
  /**
   * The identifier.
   */
  id: ValuationRunId;
  /**
   * Always `valuation_run`.
   */
  object: 'valuation_run';
  /**
   * Whether the result is there: pending, ready or failed.
   */
  status: ValuationRunStatus;
  /**
   * How much of the work is done, in percent.
   */
  progress: number;
  /**
   * The instant by which facts were recorded, inclusive. UTC, in milliseconds.
   */
  valuation_at: string;
  /**
   * The instant by which facts took effect, inclusive. UTC, in milliseconds.
   */
  effective_through: string;
  /**
   * The kind of the result.
   */
  kind: ValuationRunKind;
  /**
   * The dimensions of the request.
   *
   * Items: A dimension.
   */
  group_by: ValuationDimension[];
  /**
   * The triangle of the request; null for totals.
   */
  development: {
    /**
     * The periods of the rows.
     */
    origin: DevelopmentOrigin;
    /**
     * The distance of valuation dates.
     */
    step: DevelopmentStep;
    /**
     * The measures.
     *
     * Items: A measure.
     */
    measures: DevelopmentMeasure[];
  } | null;
  /**
   * Why the run failed; null if it has not.
   */
  failure: string | null;
  /**
   * The number of claims at the cutoffs; null until the run is ready.
   */
  claims_counted: number | null;
  /**
   * Sums over all claims, one item per currency in alphabetical order; empty until the run is ready.
   *
   * Items: The claims in one currency.
   */
  totals: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The number of claims.
     */
    claim_count: number;
    /**
     * Sums of the amounts of the claims' valuations. A claim without an adjudication adds 0.
     */
    amount: {
      /**
       * The sum of the claimed amounts. In minor units.
       */
      billed: number;
      /**
       * The sum of the amounts that payers pay. In minor units.
       */
      payer_liability: number;
      /**
       * The sum of the amounts that patients pay. In minor units.
       */
      patient_responsibility: number;
      /**
       * The sum of the amounts that neither pays. In minor units.
       */
      adjustment: number;
      /**
       * The sum of remittances. In minor units.
       */
      remitted: number;
      /**
       * The sum of observed settlements. In minor units.
       */
      settled: number;
      /**
       * The sum of the outstanding amounts. In minor units.
       */
      outstanding: number;
    };
  }[];
  /**
   * SHA-256 of the canonical JSON (RFC 8785) of {groups, totals, triangle}, in which payers have internal identifiers, so that the erasure of a reference does not change it. Equal requests have equal values. Null until the run is ready.
   */
  result_sha256: string | null;
  /**
   * When the run was requested. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * When the run became ready or failed; null while it is pending. UTC, in milliseconds.
   */
  completed_at: string | null;
  /**
   * The groups with a claim, in the same order for equal requests; at most 5000, otherwise the run fails. Empty for a triangle and until the run is ready.
   *
   * Items: The claims with equal values of all dimensions of group_by.
   */
  groups: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The status of the claims at the cutoffs. Null if not grouped by it.
     */
    status: ClaimStatus | null;
    /**
     * The practitioner of the claims. Null if not grouped by it.
     */
    practitioner_id: PractitionerId | null;
    /**
     * The source_contract_reference that the coverage had when the claim was submitted. Null if not grouped by it.
     */
    payer_reference: string | null;
    /**
     * The name of the coverage's plan when the claim was submitted. Null if not grouped by it.
     */
    plan: string | null;
    /**
     * The month in which the service starts. In UTC. Null if not grouped by it.
     */
    service_month: string | null;
    /**
     * The month in which the claim was submitted. In UTC. Null if not grouped by it.
     */
    submission_month: string | null;
    /**
     * The number of whole days from the submission to effective_through. Null if not grouped by it.
     */
    age_band: AgeBand | null;
    /**
     * The number of claims.
     */
    claim_count: number;
    /**
     * Sums of the amounts of the claims' valuations. A claim without an adjudication adds 0.
     */
    amount: {
      /**
       * The sum of the claimed amounts. In minor units.
       */
      billed: number;
      /**
       * The sum of the amounts that payers pay. In minor units.
       */
      payer_liability: number;
      /**
       * The sum of the amounts that patients pay. In minor units.
       */
      patient_responsibility: number;
      /**
       * The sum of the amounts that neither pays. In minor units.
       */
      adjustment: number;
      /**
       * The sum of remittances. In minor units.
       */
      remitted: number;
      /**
       * The sum of observed settlements. In minor units.
       */
      settled: number;
      /**
       * The sum of the outstanding amounts. In minor units.
       */
      outstanding: number;
    };
  }[];
  /**
   * The triangle; null for totals and until the run is ready.
   */
  triangle: {
    /**
     * The periods in which services start, from the first to the last with a claim: the triangle's rows.
     *
     * Items: The first day of the period. In UTC.
     */
    origins: string[];
    /**
     * The days through whose end facts count, ascending: the triangle's columns. The last one is the day of valuation_at, through valuation_at.
     *
     * Items: The valuation date. In UTC.
     */
    valuation_dates: string[];
    /**
     * One item per currency with a claim, in alphabetical order.
     *
     * Items: The triangle of one currency.
     */
    currencies: {
      /**
       * ISO 4217 code of the currency.
       */
      currency: string;
      /**
       * One item per requested measure, in the order of the request.
       *
       * Items: The triangle of one measure.
       */
      measures: {
        /**
         * The measure.
         */
        measure: DevelopmentMeasure;
        /**
         * One row per origin.
         */
        rows: (number | null)[][];
      }[];
    }[];
  } | null;
}
/**
 * A claim that a valuation run counted, at the cutoffs of the run. If both cutoffs are equal, status and amounts are those of the claim's valuation.
 */
export interface ValuationRunClaim {
  /**
   * The claim.
   */
  id: ClaimId;
  /**
   * Always `valuation_run_claim`.
   */
  object: 'valuation_run_claim';
  /**
   * ISO 4217 code of the currency.
   */
  currency: string;
  /**
   * The status of the claims at the cutoffs.
   */
  status: ClaimStatus;
  /**
   * The practitioner of the claims.
   */
  practitioner_id: PractitionerId;
  /**
   * The source_contract_reference that the coverage had when the claim was submitted.
   */
  payer_reference: string;
  /**
   * The name of the coverage's plan when the claim was submitted.
   */
  plan: string;
  /**
   * The month in which the service starts. In UTC.
   */
  service_month: string;
  /**
   * The month in which the claim was submitted. In UTC.
   */
  submission_month: string;
  /**
   * The number of whole days from the submission to effective_through.
   */
  age_band: AgeBand;
  /**
   * Amounts at the cutoffs.
   */
  amount: {
    /**
     * The claimed amount. In minor units.
     */
    billed: number;
    /**
     * The amount that the payer pays; null while there is no adjudication. In minor units.
     */
    payer_liability: number | null;
    /**
     * The amount that the patient pays; null while there is no adjudication. In minor units.
     */
    patient_responsibility: number | null;
    /**
     * The amount that neither pays; null while there is no adjudication. In minor units.
     */
    adjustment: number | null;
    /**
     * The total of remittances. In minor units.
     */
    remitted: number;
    /**
     * The total of observed settlements. In minor units.
     */
    settled: number;
    /**
     * payer_liability minus settled; null while there is no adjudication. In minor units.
     */
    outstanding: number | null;
  };
}
/**
 * One page of a list, newest first.
 */
export interface ValuationRunClaimList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The items of this page.
   */
  data: ValuationRunClaim[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * The valuation of all claims of the project at two instants: when facts were recorded, and when they took effect.
 */
export interface ValuationRunInput {
  /**
   * Only facts that were recorded by this instant count (knowledge time). At most 5 seconds in the future. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  valuation_at: string;
  /**
   * Only facts that took effect by this instant count (business time); not after valuation_at. Absent: valuation_at. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  effective_through?: string;
  /**
   * totals: sums per group. development: a triangle of sums by service period and valuation date.
   */
  kind: ValuationRunKind;
  /**
   * The dimensions by which totals are grouped, in addition to the currency. Absent or empty: only the currency. Only for totals.
   *
   * @maxItems 7
   *
   * Items: A dimension.
   */
  group_by?: ValuationDimension[];
  /**
   * The triangle. Required for the kind development, otherwise absent.
   */
  development?: {
    /**
     * The periods of the triangle's rows: a claim belongs to the period in which its service starts, in UTC.
     */
    origin: DevelopmentOrigin;
    /**
     * The distance of valuation dates, not longer than the period of origin.
     */
    step: DevelopmentStep;
    /**
     * The sums in the triangle.
     *
     * @minItems 1
     * @maxItems 8
     *
     * Items: A measure.
     */
    measures: DevelopmentMeasure[];
  };
}
/**
 * A valuation run without its groups and its triangle.
 */
export interface ValuationRunSummary {
  /**
   * The identifier.
   */
  id: ValuationRunId;
  /**
   * Always `valuation_run`.
   */
  object: 'valuation_run';
  /**
   * Whether the result is there: pending, ready or failed.
   */
  status: ValuationRunStatus;
  /**
   * How much of the work is done, in percent.
   */
  progress: number;
  /**
   * The instant by which facts were recorded, inclusive. UTC, in milliseconds.
   */
  valuation_at: string;
  /**
   * The instant by which facts took effect, inclusive. UTC, in milliseconds.
   */
  effective_through: string;
  /**
   * The kind of the result.
   */
  kind: ValuationRunKind;
  /**
   * The dimensions of the request.
   *
   * Items: A dimension.
   */
  group_by: ValuationDimension[];
  /**
   * The triangle of the request; null for totals.
   */
  development: {
    /**
     * The periods of the rows.
     */
    origin: DevelopmentOrigin;
    /**
     * The distance of valuation dates.
     */
    step: DevelopmentStep;
    /**
     * The measures.
     *
     * Items: A measure.
     */
    measures: DevelopmentMeasure[];
  } | null;
  /**
   * Why the run failed; null if it has not.
   */
  failure: string | null;
  /**
   * The number of claims at the cutoffs; null until the run is ready.
   */
  claims_counted: number | null;
  /**
   * Sums over all claims, one item per currency in alphabetical order; empty until the run is ready.
   *
   * Items: The claims in one currency.
   */
  totals: {
    /**
     * ISO 4217 code of the currency.
     */
    currency: string;
    /**
     * The number of claims.
     */
    claim_count: number;
    /**
     * Sums of the amounts of the claims' valuations. A claim without an adjudication adds 0.
     */
    amount: {
      /**
       * The sum of the claimed amounts. In minor units.
       */
      billed: number;
      /**
       * The sum of the amounts that payers pay. In minor units.
       */
      payer_liability: number;
      /**
       * The sum of the amounts that patients pay. In minor units.
       */
      patient_responsibility: number;
      /**
       * The sum of the amounts that neither pays. In minor units.
       */
      adjustment: number;
      /**
       * The sum of remittances. In minor units.
       */
      remitted: number;
      /**
       * The sum of observed settlements. In minor units.
       */
      settled: number;
      /**
       * The sum of the outstanding amounts. In minor units.
       */
      outstanding: number;
    };
  }[];
  /**
   * SHA-256 of the canonical JSON (RFC 8785) of {groups, totals, triangle}, in which payers have internal identifiers, so that the erasure of a reference does not change it. Equal requests have equal values. Null until the run is ready.
   */
  result_sha256: string | null;
  /**
   * When the run was requested. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * When the run became ready or failed; null while it is pending. UTC, in milliseconds.
   */
  completed_at: string | null;
}
/**
 * One page of a list, newest first.
 */
export interface ValuationRunSummaryList {
  /**
   * Always `list`.
   */
  object: 'list';
  /**
   * The items of this page.
   */
  data: ValuationRunSummary[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * The delivery of one event to one endpoint.
 */
export interface WebhookDelivery {
  /**
   * The event's identifier.
   */
  id: EventId;
  /**
   * Always `webhook_delivery`.
   */
  object: 'webhook_delivery';
  /**
   * Whether the receiver accepted the event.
   */
  delivered: boolean;
  /**
   * The number of attempts.
   */
  attempts: number;
  /**
   * The HTTP status of the receiver's response; null without a response.
   */
  response_status: number | null;
}
/**
 * The delivery of one event to one endpoint, with its newest attempts.
 */
export interface WebhookDeliveryRecord {
  /**
   * The event's identifier.
   */
  id: EventId;
  /**
   * Always `webhook_delivery`.
   */
  object: 'webhook_delivery';
  /**
   * Whether the receiver accepted the event.
   */
  delivered: boolean;
  /**
   * The number of attempts.
   */
  attempts: number;
  /**
   * The HTTP status of the receiver's response; null without a response.
   */
  response_status: number | null;
  /**
   * The endpoint.
   */
  endpoint_id: WebhookEndpointId;
  /**
   * The event's type.
   */
  type: EventType;
  /**
   * `pending` while attempts remain, `delivered` after an accepted one, `failed` after the last, or when the endpoint is disabled or no longer subscribed.
   */
  status: WebhookDeliveryStatus;
  /**
   * When the next attempt is due; null if there is none. UTC, in milliseconds.
   */
  next_attempt_at: string | null;
  /**
   * The newest attempts, at most 100, oldest first.
   *
   * Items: One attempt.
   */
  history: {
    /**
     * When the attempt started. UTC, in milliseconds.
     */
    at: string;
    /**
     * The HTTP status of the receiver's response; null without a response.
     */
    response_status: number | null;
    /**
     * The real duration of the attempt, in milliseconds.
     */
    duration_ms: number;
    /**
     * The error of the attempt; null if there was none.
     */
    error: string | null;
    /**
     * The start of the response's body; null if there is none.
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
   * The items of this page.
   */
  data: WebhookDeliveryRecord[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * A URL that receives events.
 */
export interface WebhookEndpoint {
  /**
   * The endpoint's identifier.
   */
  id: WebhookEndpointId;
  /**
   * Always `webhook_endpoint`.
   */
  object: 'webhook_endpoint';
  /**
   * The URL that receives events.
   */
  url: string;
  /**
   * The event types that the endpoint receives.
   *
   * Items: An event type.
   */
  events: EventType[];
  /**
   * `active` endpoints receive events; `disabled` endpoints do not.
   */
  status: WebhookEndpointStatus;
  /**
   * When it was registered. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * When it was disabled; null while active. UTC, in milliseconds.
   */
  disabled_at: string | null;
}
/**
 * A webhook endpoint to register.
 */
export interface WebhookEndpointInput {
  /**
   * The URL that receives events: an https address on the internet.
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
  events: EventType[];
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
   * The items of this page.
   */
  data: WebhookEndpoint[];
  /**
   * Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.
   */
  has_more: boolean;
}
/**
 * Changes of an endpoint. Absent fields keep their values.
 */
export interface WebhookEndpointUpdate {
  /**
   * The URL that receives events: an https address on the internet.
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
  events?: EventType[];
  /**
   * `active` enables the endpoint; `disabled` disables it.
   */
  status?: WebhookEndpointStatus;
}
/**
 * An endpoint with its new signing secret. Only this response contains the secret.
 */
export interface WebhookEndpointWithSecret {
  /**
   * The endpoint's identifier.
   */
  id: WebhookEndpointId;
  /**
   * Always `webhook_endpoint`.
   */
  object: 'webhook_endpoint';
  /**
   * The URL that receives events.
   */
  url: string;
  /**
   * The event types that the endpoint receives.
   *
   * Items: An event type.
   */
  events: EventType[];
  /**
   * `active` endpoints receive events; `disabled` endpoints do not.
   */
  status: WebhookEndpointStatus;
  /**
   * When it was registered. UTC, in milliseconds.
   */
  created_at: string;
  /**
   * When it was disabled; null while active. UTC, in milliseconds.
   */
  disabled_at: string | null;
  /**
   * The secret that signs deliveries (Standard Webhooks specification).
   */
  signing_secret: string;
}
/**
 * The result of a recovery request.
 */
export interface WebhookRecovery {
  /**
   * Always `webhook_recovery`.
   */
  object: 'webhook_recovery';
  /**
   * The number of events that are sent again. For a period with more than 50000 events, the number among the first 50000.
   */
  count: number;
}
/**
 * A period whose undelivered events are sent again.
 */
export interface WebhookRecoveryInput {
  /**
   * Start of the period, inclusive. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  since: string;
  /**
   * End of the period, exclusive; after `since` and at most 30 days later. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
   */
  until: string;
}
