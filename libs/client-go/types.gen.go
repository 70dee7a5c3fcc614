// Code generated from the API description. DO NOT EDIT.

package carecover

import (
	"encoding/json"
	"time"
)

// PractitionerID: the identifier of a resource of the kind practitioner. It starts with prc_.
type PractitionerID string

// BookingID: the identifier of a resource of the kind booking. It starts with bkg_.
type BookingID string

// SessionID: the identifier of a resource of the kind session. It starts with ses_.
type SessionID string

// CoverageID: the identifier of a resource of the kind coverage. It starts with cov_.
type CoverageID string

// CoverageObservationID: the identifier of a resource of the kind coverage observation. It starts with cobs_.
type CoverageObservationID string

// EligibilityCheckID: the identifier of a resource of the kind eligibility check. It starts with elig_.
type EligibilityCheckID string

// PreauthorizationID: the identifier of a resource of the kind pre-authorization. It starts with preauth_.
type PreauthorizationID string

// PreauthorizationDecisionID: the identifier of a resource of the kind decision. It starts with pad_.
type PreauthorizationDecisionID string

// ClaimID: the identifier of a resource of the kind claim. It starts with clm_.
type ClaimID string

// ClaimInformationRequestID: the identifier of a resource of the kind information request. It starts with cir_.
type ClaimInformationRequestID string

// AdjudicationID: the identifier of a resource of the kind adjudication. It starts with adj_.
type AdjudicationID string

// RemittanceID: the identifier of a resource of the kind remittance. It starts with rem_.
type RemittanceID string

// PaymentAdviceID: the identifier of a resource of the kind payment advice. It starts with adv_.
type PaymentAdviceID string

// RecoveryID: the identifier of a resource of the kind recovery. It starts with rcv_.
type RecoveryID string

// SettlementID: the identifier of a resource of the kind settlement. It starts with stl_.
type SettlementID string

// ValuationRunID: the identifier of a resource of the kind valuation run. It starts with vrun_.
type ValuationRunID string

// BulkJobID: the identifier of a resource of the kind bulk job. It starts with job_.
type BulkJobID string

// ConsentID: the identifier of a resource of the kind consent. It starts with con_.
type ConsentID string

// WebhookEndpointID: the identifier of a resource of the kind webhook endpoint. It starts with whe_.
type WebhookEndpointID string

// EventID: the identifier of a resource of the kind event. It starts with evt_.
type EventID string

// Adjudication: the payer's decision on a claim. On every line, billed = allowed + adjustment and allowed =
// payer + patient_responsibility.
type Adjudication struct {
	// The adjudication's identifier.
	ID AdjudicationID `json:"id"`
	// Always `claim_adjudication`.
	Object string `json:"object"`
	// The number of the claim's adjudication, from 1.
	Version int64 `json:"version"`
	// Derived from the totals: the payer pays all, a part or none of the billed amount.
	Decision AdjudicationDecision `json:"decision"`
	// Exact sums over the lines, in one currency.
	Amount AdjudicationAmount `json:"amount"`
	// The reasons of the adjudication.
	ReasonCodes []string `json:"reason_codes"`
	// The applied rule.
	Policy AdjudicationPolicy `json:"policy"`
	// Every line of the claim.
	Lines []AdjudicationLine `json:"lines"`
	// When the payer decided. UTC, in milliseconds.
	DecidedAt time.Time `json:"decided_at"`
}

// AdjudicationDecision: the outcome of a claim's adjudication.
type AdjudicationDecision string

const (
	AdjudicationDecisionApproved          AdjudicationDecision = "approved"
	AdjudicationDecisionPartiallyApproved AdjudicationDecision = "partially_approved"
	AdjudicationDecisionDenied            AdjudicationDecision = "denied"
)

// AdjudicationInput: the payer's adjudication of every line of a claim.
type AdjudicationInput struct {
	// The payer's reference of the applied rule.
	PolicyReference string `json:"policy_reference"`
	// The version of the applied rule.
	PolicyVersion string `json:"policy_version"`
	// The reasons of the adjudication.
	ReasonCodes []string `json:"reason_codes"`
	// References to evidence.
	EvidenceRefs []string `json:"evidence_refs,omitzero"`
	// Every line of the claim exactly once.
	Lines []AdjudicationInputLine `json:"lines"`
	// The submission_version of the claim as it was read for the decision. If it has grown, the adjudication is
	// rejected with invalid_state.
	ExpectedSubmissionVersion *int64 `json:"expected_submission_version,omitzero"`
	// The version of the adjudication that this one replaces, 0 if there is none. If the claim has another one, the
	// adjudication is rejected with invalid_state.
	ExpectedAdjudicationVersion *int64 `json:"expected_adjudication_version,omitzero"`
}

// AgeBand: the age of a claim: whole days from its submission.
type AgeBand string

const (
	AgeBandDays0_30   AgeBand = "days_0_30"
	AgeBandDays31_60  AgeBand = "days_31_60"
	AgeBandDays61_90  AgeBand = "days_61_90"
	AgeBandDaysOver90 AgeBand = "days_over_90"
)

// API: the version of the API and the environment of the key.
type API struct {
	// Always `api`.
	Object string `json:"object"`
	// The version in the path.
	Version string `json:"version"`
	// The key's environment.
	Environment Environment `json:"environment"`
	// The resource areas.
	Resources []string `json:"resources"`
}

// Availability: a practitioner's recurring weekly hours, in the practitioner's own time zone.
type Availability struct {
	// Always `availability`.
	Object string `json:"object"`
	// The practitioner.
	PractitionerID PractitionerID `json:"practitioner_id"`
	// IANA time zone of the hours.
	Timezone string `json:"timezone"`
	// The periods.
	WeeklyHours []AvailabilityWeeklyHour `json:"weekly_hours"`
}

// Booking: a reserved slot of a practitioner's time.
type Booking struct {
	// The booking's identifier.
	ID BookingID `json:"id"`
	// Always `booking`.
	Object string `json:"object"`
	// The session of the booking.
	SessionID SessionID `json:"session_id"`
	// The practitioner who gives the session.
	PractitionerID PractitionerID `json:"practitioner_id"`
	// Start of the session. UTC, in milliseconds.
	StartsAt time.Time `json:"starts_at"`
	// End of the session. UTC, in milliseconds.
	EndsAt time.Time `json:"ends_at"`
	// The practitioner's IANA time zone.
	Timezone string `json:"timezone"`
	// How the session takes place.
	Format SessionFormat `json:"format"`
	// `self_pay` starts confirmed; `covered` starts reserved and is confirmed by the approval of its
	// pre-authorization.
	Status BookingStatus `json:"status"`
	// Who pays.
	PaymentSource PaymentSource `json:"payment_source"`
}

// BookingInput: a slot to book.
type BookingInput struct {
	// The practitioner who gives the session.
	PractitionerID PractitionerID `json:"practitioner_id"`
	// Start of the session. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
	StartsAt time.Time `json:"starts_at"`
	// End of the session, after its start and at most 8 hours later. RFC 3339 with an offset, without a leap second
	// (:60); floored to milliseconds.
	EndsAt time.Time `json:"ends_at"`
	// How the session takes place.
	Format SessionFormat `json:"format"`
	// Who pays.
	PaymentSource PaymentSource `json:"payment_source"`
}

// BookingList: one page of a list, newest first.
type BookingList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []Booking `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// BookingStatus: the status of a booking.
type BookingStatus string

const (
	BookingStatusReserved  BookingStatus = "reserved"
	BookingStatusConfirmed BookingStatus = "confirmed"
	BookingStatusCancelled BookingStatus = "cancelled"
)

// BulkJob: a file whose lines are executed, each as one operation.
type BulkJob struct {
	// The job's identifier.
	ID BulkJobID `json:"id"`
	// Always `bulk_job`.
	Object string `json:"object"`
	// What each line of the file is.
	Kind BulkJobKind `json:"kind"`
	// receiving: the file arrives. pending: no line is executed yet. stopped: a line was rejected, and on_error is
	// stop. completed, stopped and cancelled are final.
	Status BulkJobStatus `json:"status"`
	// What the job does after a rejected line.
	OnError BulkJobOnError `json:"on_error"`
	// Whether the job writes nothing.
	DryRun bool `json:"dry_run"`
	// Numbers of lines. The last four add up to the first.
	Counts BulkJobCounts `json:"counts"`
	// When the upload started. UTC, in milliseconds.
	CreatedAt time.Time `json:"created_at"`
	// When the job ended; null before. UTC, in milliseconds.
	CompletedAt *time.Time `json:"completed_at"`
	// When the results of the lines were deleted, after their retention; null before. UTC, in milliseconds.
	ResultsDeletedAt *time.Time `json:"results_deleted_at"`
}

// BulkJobDryRun: whether a bulk job writes nothing.
type BulkJobDryRun string

const (
	BulkJobDryRunTrue  BulkJobDryRun = "true"
	BulkJobDryRunFalse BulkJobDryRun = "false"
)

// BulkJobEventData: a bulk job at the time of the event.
type BulkJobEventData struct {
	// The job.
	ID BulkJobID `json:"id"`
	// Always `bulk_job`.
	Object string `json:"object"`
	// What each line of the file is.
	Kind BulkJobKind `json:"kind"`
	// The status at the time of the event.
	Status BulkJobStatus `json:"status"`
	// Numbers of lines. The last four add up to the first.
	Counts BulkJobEventDataCounts `json:"counts"`
}

// BulkJobKind: what each line of the file of a bulk job is.
type BulkJobKind string

const (
	BulkJobKindClaims            BulkJobKind = "claims"
	BulkJobKindAdjudications     BulkJobKind = "adjudications"
	BulkJobKindRemittances       BulkJobKind = "remittances"
	BulkJobKindSettlements       BulkJobKind = "settlements"
	BulkJobKindSessions          BulkJobKind = "sessions"
	BulkJobKindEligibilityChecks BulkJobKind = "eligibility_checks"
)

// BulkJobList: one page of a list, newest first.
type BulkJobList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []BulkJob `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// BulkJobOnError: what a bulk job does after a rejected line.
type BulkJobOnError string

const (
	BulkJobOnErrorContinue BulkJobOnError = "continue"
	BulkJobOnErrorStop     BulkJobOnError = "stop"
)

// BulkJobResult: the result of one line of the file of a bulk job.
type BulkJobResult struct {
	// Always `bulk_job_result`.
	Object string `json:"object"`
	// The line of the file at which the row starts, from 1.
	Line int `json:"line"`
	// What names the row for its sender, such as provider_claim_reference; null if it has none.
	Reference *string `json:"reference"`
	// The outcome. replayed: the row repeats an earlier row of the file, whose resource it has.
	Status BulkJobResultStatus `json:"status"`
	// The created or changed resource; null if there is none.
	ResourceID *string `json:"resource_id"`
	// Why the row was rejected; null otherwise.
	Error *BulkJobResultError `json:"error"`
}

// BulkJobResultList: one page of a list, newest first.
type BulkJobResultList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []BulkJobResult `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// BulkJobResultStatus: the outcome of a line of a bulk job.
type BulkJobResultStatus string

const (
	BulkJobResultStatusWaiting   BulkJobResultStatus = "waiting"
	BulkJobResultStatusSucceeded BulkJobResultStatus = "succeeded"
	BulkJobResultStatusReplayed  BulkJobResultStatus = "replayed"
	BulkJobResultStatusRejected  BulkJobResultStatus = "rejected"
)

// BulkJobStatus: the status of a bulk job.
type BulkJobStatus string

const (
	BulkJobStatusReceiving BulkJobStatus = "receiving"
	BulkJobStatusPending   BulkJobStatus = "pending"
	BulkJobStatusRunning   BulkJobStatus = "running"
	BulkJobStatusPaused    BulkJobStatus = "paused"
	BulkJobStatusCompleted BulkJobStatus = "completed"
	BulkJobStatusStopped   BulkJobStatus = "stopped"
	BulkJobStatusCancelled BulkJobStatus = "cancelled"
)

// CancellationInput: the reason of a cancellation.
type CancellationInput struct {
	// The reason code.
	ReasonCode string `json:"reason_code"`
}

// Claim: a claim for payment for a delivered session.
type Claim struct {
	// The claim's identifier.
	ID ClaimID `json:"id"`
	// Always `claim`.
	Object string `json:"object"`
	// The claim's status.
	Status ClaimStatus `json:"status"`
	// The provider's own reference.
	ProviderClaimReference *string `json:"provider_claim_reference"`
	// The number of submissions. Each evidence is a new submission.
	SubmissionVersion int64 `json:"submission_version"`
	// Amounts, in one currency.
	Amount ClaimAmount `json:"amount"`
	// The time of the session.
	ServicePeriod ClaimServicePeriod `json:"service_period"`
	// The lines, in order.
	Lines []ClaimLine `json:"lines"`
	// The payer's questions, oldest first.
	InformationRequests []ClaimInformationRequest `json:"information_requests"`
	// The current adjudication; null without one.
	Adjudication *Adjudication `json:"adjudication"`
	// When it was first submitted. UTC, in milliseconds.
	SubmittedAt *time.Time `json:"submitted_at"`
	// When it last changed. UTC, in milliseconds.
	UpdatedAt time.Time `json:"updated_at"`
}

// ClaimEventData: a claim at the time of the event.
type ClaimEventData struct {
	// The claim.
	ID ClaimID `json:"id"`
	// Always `claim`.
	Object string `json:"object"`
	// The status at the time of the event.
	Status ClaimStatus `json:"status"`
	// The number of submissions.
	SubmissionVersion int64 `json:"submission_version"`
	// The current adjudication's version; null while there is none.
	AdjudicationVersion *int64 `json:"adjudication_version"`
	// Amounts, in one currency.
	Amount ClaimEventDataAmount `json:"amount"`
}

// ClaimFactType: the type of a fact in a claim's history.
type ClaimFactType string

const (
	ClaimFactTypeCreated            ClaimFactType = "created"
	ClaimFactTypeValidated          ClaimFactType = "validated"
	ClaimFactTypeSubmitted          ClaimFactType = "submitted"
	ClaimFactTypeQueried            ClaimFactType = "queried"
	ClaimFactTypeEvidenceAdded      ClaimFactType = "evidence_added"
	ClaimFactTypeResubmitted        ClaimFactType = "resubmitted"
	ClaimFactTypeApproved           ClaimFactType = "approved"
	ClaimFactTypePartiallyApproved  ClaimFactType = "partially_approved"
	ClaimFactTypeDenied             ClaimFactType = "denied"
	ClaimFactTypeRemittanceRecorded ClaimFactType = "remittance_recorded"
	ClaimFactTypeSettled            ClaimFactType = "settled"
	ClaimFactTypeReconciled         ClaimFactType = "reconciled"
	ClaimFactTypeReversed           ClaimFactType = "reversed"
	ClaimFactTypeCancelled          ClaimFactType = "cancelled"
)

// ClaimInformationRequest: the payer's question about a claim.
type ClaimInformationRequest struct {
	// The request's identifier.
	ID ClaimInformationRequestID `json:"id"`
	// Always `claim_information_request`.
	Object string `json:"object"`
	// The reason of the question.
	ReasonCode string `json:"reason_code"`
	// The types of evidence that the payer requires.
	RequestedEvidenceTypes []string `json:"requested_evidence_types"`
	// `open` until a response (`fulfilled`), a lapse or a cancellation (`cancelled`).
	Status InformationRequestStatus `json:"status"`
	// The deadline. Without a response, the request lapses then. Null: none. UTC, in milliseconds.
	DueAt *time.Time `json:"due_at"`
	// When the payer sent the request. UTC, in milliseconds.
	CreatedAt time.Time `json:"created_at"`
	// When it was fulfilled or cancelled; null while open. UTC, in milliseconds.
	ResolvedAt *time.Time `json:"resolved_at"`
}

// ClaimInput: a claim for a delivered session.
type ClaimInput struct {
	// The eligibility check.
	EligibilityCheckID EligibilityCheckID `json:"eligibility_check_id"`
	// The session.
	SessionID SessionID `json:"session_id"`
	// The provider's own reference, unique in the project.
	ProviderClaimReference string `json:"provider_claim_reference"`
	// The provided services. Lines are numbered from 1 in this order.
	Lines []ClaimInputLine `json:"lines"`
	// The pre-authorization, if the claim uses one.
	PreauthorizationID PreauthorizationID `json:"preauthorization_id,omitzero"`
	// References to evidence.
	EvidenceRefs []string `json:"evidence_refs,omitzero"`
}

// ClaimLinks: the resources that a claim is connected with, with the amounts of its remittances and settlements.
type ClaimLinks struct {
	// Always `claim_links`.
	Object string `json:"object"`
	// The claim.
	ClaimID ClaimID `json:"claim_id"`
	// The session that it claims.
	SessionID SessionID `json:"session_id"`
	// The booking of the session.
	BookingID BookingID `json:"booking_id"`
	// Who recorded the session outside the booking calendar, and when; null if it was booked in a slot.
	SessionRecorded *ClaimLinksSessionRecorded `json:"session_recorded"`
	// The practitioner of the session.
	PractitionerID PractitionerID `json:"practitioner_id"`
	// The eligibility check that it relies on.
	EligibilityCheckID EligibilityCheckID `json:"eligibility_check_id"`
	// The pre-authorization that it uses; null if it uses none.
	PreauthorizationID *PreauthorizationID `json:"preauthorization_id"`
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The remittances that are not taken back in full, in the order in which they were recorded. Their sum is the
	// claim's remitted amount.
	Remittances []ClaimLinksRemittance `json:"remittances"`
	// The settlements that were matched to the claim, in the order in which they were recorded. Their sum is the
	// claim's settled amount.
	Settlements []ClaimLinksSettlement `json:"settlements"`
}

// ClaimList: one page of a list, newest first.
type ClaimList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []Claim `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// ClaimStatus: the status of a claim.
type ClaimStatus string

const (
	ClaimStatusDraft             ClaimStatus = "draft"
	ClaimStatusSubmitted         ClaimStatus = "submitted"
	ClaimStatusQueried           ClaimStatus = "queried"
	ClaimStatusApproved          ClaimStatus = "approved"
	ClaimStatusPartiallyApproved ClaimStatus = "partially_approved"
	ClaimStatusDenied            ClaimStatus = "denied"
	ClaimStatusSettled           ClaimStatus = "settled"
	ClaimStatusReversed          ClaimStatus = "reversed"
	ClaimStatusCancelled         ClaimStatus = "cancelled"
)

// ClaimValuation: a claim's state and amounts as they were known at a cutoff. The valuation for a cutoff never
// changes.
type ClaimValuation struct {
	// The claim's identifier, a colon and the cutoff; if effective_through is another instant, also a colon and
	// effective_through.
	ID string `json:"id"`
	// Always `claim_valuation`.
	Object string `json:"object"`
	// The claim.
	ClaimID ClaimID `json:"claim_id"`
	// The cutoff, inclusive. UTC, in milliseconds.
	ValuationAt time.Time `json:"valuation_at"`
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The claim's status at the cutoff.
	Status ClaimStatus `json:"status"`
	// Amounts known at the cutoff.
	Amount ClaimValuationAmount `json:"amount"`
	// The applied rule of the adjudication at the cutoff; null if there was none.
	Policy *ClaimValuationPolicy `json:"policy"`
	// The facts whose recorded_at is at or before the cutoff and whose effective_at is at or before
	// effective_through, in sequence. They are not the events of webhooks.
	Events []ClaimValuationEvent `json:"events"`
}

// Consent: a member's consent to the sharing of data. There is one per member.
type Consent struct {
	// The consent's identifier.
	ID ConsentID `json:"id"`
	// Always `consent`.
	Object string `json:"object"`
	// The last recorded status.
	Status ConsentStatus `json:"status"`
	// When it was last recorded. UTC, in milliseconds.
	UpdatedAt time.Time `json:"updated_at"`
}

// ConsentInput: a member's consent to the sharing of data.
type ConsentInput struct {
	// The payer's reference of the member. No response contains it.
	MemberReference string `json:"member_reference"`
	// Granted or withdrawn.
	Status ConsentStatus `json:"status"`
}

// ConsentStatus: the status of a member's consent.
type ConsentStatus string

const (
	ConsentStatusGranted   ConsentStatus = "granted"
	ConsentStatusWithdrawn ConsentStatus = "withdrawn"
)

// CoverageBatchInput: observations of many coverages. Either all are recorded or none.
type CoverageBatchInput struct {
	// The payer's reference of the batch.
	BatchReference string `json:"batch_reference"`
	// The payer's contract. Amounts by payer are grouped by it.
	SourceContractReference string `json:"source_contract_reference"`
	// The payer's version of the batch.
	BatchVersion string `json:"batch_version"`
	// When the payer created the batch; the `observed_at` of its observations. RFC 3339 with an offset, without a
	// leap second (:60); floored to milliseconds.
	GeneratedAt time.Time `json:"generated_at"`
	// The observations.
	Records []CoverageBatchRecord `json:"records"`
}

// MarshalJSON adds the fields that always have the same value.
func (body CoverageBatchInput) MarshalJSON() ([]byte, error) {
	type fields CoverageBatchInput
	return json.Marshal(struct {
		ContractVersion string `json:"contract_version"`
		fields
	}{"2026-08-01", fields(body)})
}

// CoverageBatchRecord: the observation of one coverage in a batch.
type CoverageBatchRecord struct {
	// The payer's reference of the coverage.
	CoverageReference string `json:"coverage_reference"`
	// The payer's version of this observation.
	RecordVersion string `json:"record_version"`
	// The payer's reference of the insured group.
	TenantReference string `json:"tenant_reference"`
	// The payer's reference of the member. No response contains it.
	MemberReference string `json:"member_reference"`
	// The service that is covered.
	ServiceCode string `json:"service_code"`
	// The plan's name.
	PlanName string `json:"plan_name"`
	// The coverage's status at the payer.
	Status CoverageStatus `json:"status"`
	// ISO 4217 code of the currency.
	Currency Currency `json:"currency"`
	// The maximum covered amount per session. In minor units.
	AmountLimit int64 `json:"amount_limit"`
	// The number of remaining sessions at the payer.
	RemainingSessions int `json:"remaining_sessions"`
	// Whether a claim for a session requires a pre-authorization.
	AuthorizationRequired bool `json:"authorization_required"`
	// Rank among the coverages of a member who is insured by more than one payer: 1 is primary; null is last.
	CoordinationPriority *int `json:"coordination_priority"`
	// Start of the cover. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
	ValidFrom time.Time `json:"valid_from"`
	// End of the cover, exclusive; after its start. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds.
	ValidUntil time.Time `json:"valid_until"`
}

// CoverageBatchResult: the result of a batch: the observation of every record, new or recorded before.
type CoverageBatchResult struct {
	// Always `coverage_batch_result`.
	Object string `json:"object"`
	// The payer's reference of the batch.
	BatchReference string `json:"batch_reference"`
	// SHA-256 of the exact body received, in lowercase hexadecimal.
	ArtifactSHA256 string `json:"artifact_sha256"`
	// The number of records in the batch.
	Total int64 `json:"total"`
	// The number of new observations.
	Recorded int64 `json:"recorded"`
	// The number of observations recorded before with the same content.
	Replayed int64 `json:"replayed"`
	// The observation of each record, in the order of the batch.
	Observations []CoverageObservation `json:"observations"`
}

// CoverageInput: the state of a coverage as the payer observed it.
type CoverageInput struct {
	// The payer's contract. Amounts by payer are grouped by it.
	SourceContractReference string `json:"source_contract_reference"`
	// The payer's reference of the coverage.
	ExternalCoverageReference string `json:"external_coverage_reference"`
	// The payer's version of this observation.
	SourceVersion string `json:"source_version"`
	// The payer's reference of the insured group.
	TenantReference string `json:"tenant_reference"`
	// The payer's reference of the member. No response contains it.
	MemberReference string `json:"member_reference"`
	// The service that is covered.
	ServiceCode string `json:"service_code"`
	// The plan's name.
	PlanName string `json:"plan_name"`
	// The coverage's status at the payer.
	Status CoverageStatus `json:"status"`
	// ISO 4217 code of the currency.
	Currency Currency `json:"currency"`
	// The maximum covered amount per session. In minor units.
	AmountLimit int64 `json:"amount_limit"`
	// The number of remaining sessions at the payer.
	RemainingSessions int `json:"remaining_sessions"`
	// Whether a claim for a session requires a pre-authorization.
	AuthorizationRequired bool `json:"authorization_required"`
	// Rank among the coverages of a member who is insured by more than one payer: 1 is primary; null is last.
	CoordinationPriority *int `json:"coordination_priority"`
	// Start of the cover. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
	ValidFrom time.Time `json:"valid_from"`
	// End of the cover, exclusive; after its start. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds.
	ValidUntil time.Time `json:"valid_until"`
	// When the payer observed this state; not in the future. RFC 3339 with an offset, without a leap second (:60);
	// floored to milliseconds.
	ObservedAt time.Time `json:"observed_at"`
	// The sources of the observation.
	EvidenceReferences []string `json:"evidence_references"`
}

// CoverageObservation: one version of a coverage as the payer observed it. Observations never change. The one
// with the latest observed_at is the snapshot.
type CoverageObservation struct {
	// The observation's identifier.
	ID CoverageObservationID `json:"id"`
	// Always `coverage_observation`.
	Object string `json:"object"`
	// The observed coverage.
	CoverageID CoverageID `json:"coverage_id"`
	// How the service received the observation.
	Source CoverageSource `json:"source"`
	// The payer's contract. Amounts by payer are grouped by it.
	SourceContractReference string `json:"source_contract_reference"`
	// The payer's reference of the coverage.
	ExternalCoverageReference string `json:"external_coverage_reference"`
	// The payer's version of the observation.
	SourceVersion string `json:"source_version"`
	// The snapshot's version. It increases when a later observation replaces the snapshot.
	SnapshotVersion int64 `json:"snapshot_version"`
	// The coverage's status at the payer.
	Status CoverageStatus `json:"status"`
	// The service that is covered.
	ServiceCode string `json:"service_code"`
	// The maximum covered amount per session.
	AmountLimit CoverageObservationAmountLimit `json:"amount_limit"`
	// The number of remaining sessions at the payer.
	RemainingSessions int64 `json:"remaining_sessions"`
	// Whether a claim for a session requires a pre-authorization.
	AuthorizationRequired bool `json:"authorization_required"`
	// Rank among the coverages of a member who is insured by more than one payer: 1 is primary; null is last.
	CoordinationPriority *int64 `json:"coordination_priority"`
	// Start of the cover. UTC, in milliseconds.
	ValidFrom time.Time `json:"valid_from"`
	// End of the cover, exclusive. UTC, in milliseconds.
	ValidUntil time.Time `json:"valid_until"`
	// When the payer observed this state. UTC, in milliseconds.
	ObservedAt time.Time `json:"observed_at"`
}

// CoverageSource: how the service received an observation of a coverage.
type CoverageSource string

const (
	CoverageSourcePayerAPI  CoverageSource = "payer_api"
	CoverageSourceBatchFile CoverageSource = "batch_file"
)

// CoverageStatus: the status of a coverage at the payer.
type CoverageStatus string

const (
	CoverageStatusActive    CoverageStatus = "active"
	CoverageStatusPaused    CoverageStatus = "paused"
	CoverageStatusExhausted CoverageStatus = "exhausted"
	CoverageStatusExpired   CoverageStatus = "expired"
)

// CreatedWebhookEndpoint: a created endpoint. Only the first response contains its signing secret.
type CreatedWebhookEndpoint struct {
	// The endpoint's identifier.
	ID WebhookEndpointID `json:"id"`
	// Always `webhook_endpoint`.
	Object string `json:"object"`
	// The URL that receives events.
	URL string `json:"url"`
	// The event types that the endpoint receives.
	Events []EventType `json:"events"`
	// `active` endpoints receive events; `disabled` endpoints do not.
	Status WebhookEndpointStatus `json:"status"`
	// When it was registered. UTC, in milliseconds.
	CreatedAt time.Time `json:"created_at"`
	// When it was disabled; null while active. UTC, in milliseconds.
	DisabledAt *time.Time `json:"disabled_at"`
	// The secret that signs deliveries (Standard Webhooks specification). Absent in the response to a repeated
	// request: then create another secret.
	SigningSecret string `json:"signing_secret,omitzero"`
}

// Currency: a currency: its ISO 4217 code.
type Currency string

const (
	CurrencyKES Currency = "KES"
	CurrencyUSD Currency = "USD"
	CurrencyEUR Currency = "EUR"
	CurrencyGBP Currency = "GBP"
)

// DevelopmentMeasure: a sum in a development triangle.
type DevelopmentMeasure string

const (
	DevelopmentMeasureClaimCount            DevelopmentMeasure = "claim_count"
	DevelopmentMeasureBilled                DevelopmentMeasure = "billed"
	DevelopmentMeasurePayerLiability        DevelopmentMeasure = "payer_liability"
	DevelopmentMeasurePatientResponsibility DevelopmentMeasure = "patient_responsibility"
	DevelopmentMeasureAdjustment            DevelopmentMeasure = "adjustment"
	DevelopmentMeasureRemitted              DevelopmentMeasure = "remitted"
	DevelopmentMeasureSettled               DevelopmentMeasure = "settled"
	DevelopmentMeasureOutstanding           DevelopmentMeasure = "outstanding"
)

// DevelopmentOrigin: the periods of the rows of a development triangle.
type DevelopmentOrigin string

const (
	DevelopmentOriginServiceMonth   DevelopmentOrigin = "service_month"
	DevelopmentOriginServiceQuarter DevelopmentOrigin = "service_quarter"
	DevelopmentOriginServiceYear    DevelopmentOrigin = "service_year"
)

// DevelopmentStep: the distance of the valuation dates of a development triangle.
type DevelopmentStep string

const (
	DevelopmentStepMonth   DevelopmentStep = "month"
	DevelopmentStepQuarter DevelopmentStep = "quarter"
	DevelopmentStepYear    DevelopmentStep = "year"
)

// DueItemKind: what is due in a project with simulated time.
type DueItemKind string

const (
	DueItemKindPreauthorizationDecideBy   DueItemKind = "preauthorization.decide_by"
	DueItemKindPreauthorizationValidUntil DueItemKind = "preauthorization.valid_until"
	DueItemKindClaimInformationDue        DueItemKind = "claim.information_due"
	DueItemKindRemittanceDeadline         DueItemKind = "remittance.deadline"
	DueItemKindWebhookRetry               DueItemKind = "webhook.retry"
	DueItemKindSessionStart               DueItemKind = "session.start"
	DueItemKindSessionEnd                 DueItemKind = "session.end"
)

// EligibilityCheck: a decision whether a member's coverage covers one session at its time.
type EligibilityCheck struct {
	// The check's identifier.
	ID EligibilityCheckID `json:"id"`
	// Always `eligibility_check`.
	Object string `json:"object"`
	// The result.
	Status EligibilityStatus `json:"status"`
	// The reasons of the result. An eligible check has exactly `eligible`.
	ReasonCodes []EligibilityReasonCode `json:"reason_codes"`
	// The checked service.
	Service EligibilityCheckService `json:"service"`
	// Amounts, in one currency.
	Amount EligibilityCheckAmount `json:"amount"`
	// Whether the coverage requires a pre-authorization; false without a coverage.
	AuthorizationRequired bool `json:"authorization_required"`
	// The remaining sessions minus reservations, when checked; null without a coverage.
	RemainingSessions *int64 `json:"remaining_sessions"`
	// End of the cover, exclusive; null without a coverage. UTC, in milliseconds.
	CoverageValidUntil *time.Time `json:"coverage_valid_until"`
	// When the check was made. UTC, in milliseconds.
	CheckedAt time.Time `json:"checked_at"`
}

// EligibilityCheckInput: a session whose cover is checked: a future one, or with `retrospective` also one of the
// past.
type EligibilityCheckInput struct {
	// The payer's reference of the member. No response contains it.
	MemberReference string `json:"member_reference"`
	// The service.
	ServiceCode string `json:"service_code"`
	// Start of the session; in the future, unless the check is retrospective. RFC 3339 with an offset, without a
	// leap second (:60); floored to milliseconds.
	ScheduledAt time.Time `json:"scheduled_at"`
	// The price of the session. In minor units.
	Amount int64 `json:"amount"`
	// ISO 4217 code of the currency.
	Currency Currency `json:"currency"`
	// Whether scheduled_at can be in the past. Such a check is decided on the coverage as it took effect at
	// scheduled_at and as it is known now. The remaining sessions are those of now.
	Retrospective bool `json:"retrospective,omitzero"`
}

// EligibilityReasonCode: a reason for the result of an eligibility check.
type EligibilityReasonCode string

const (
	EligibilityReasonCodeEligible              EligibilityReasonCode = "eligible"
	EligibilityReasonCodeCoverageNotFound      EligibilityReasonCode = "coverage_not_found"
	EligibilityReasonCodeCoverageInactive      EligibilityReasonCode = "coverage_inactive"
	EligibilityReasonCodeCoordinationRequired  EligibilityReasonCode = "coordination_required"
	EligibilityReasonCodeOutsideCoveragePeriod EligibilityReasonCode = "outside_coverage_period"
	EligibilityReasonCodeBenefitExhausted      EligibilityReasonCode = "benefit_exhausted"
	EligibilityReasonCodeAmountExceedsBenefit  EligibilityReasonCode = "amount_exceeds_benefit"
)

// EligibilityStatus: the result of an eligibility check.
type EligibilityStatus string

const (
	EligibilityStatusEligible   EligibilityStatus = "eligible"
	EligibilityStatusIneligible EligibilityStatus = "ineligible"
)

// Environment: the environment of a key.
type Environment string

const (
	EnvironmentSandbox    Environment = "sandbox"
	EnvironmentProduction Environment = "production"
)

// ErrorCode: the stable code of an API error.
type ErrorCode string

const (
	ErrorCodeValidationFailed             ErrorCode = "validation_failed"
	ErrorCodeAPIKeyMissing                ErrorCode = "api_key_missing"
	ErrorCodeAPIKeyInvalid                ErrorCode = "api_key_invalid"
	ErrorCodePermissionDenied             ErrorCode = "permission_denied"
	ErrorCodeConsentRequired              ErrorCode = "consent_required"
	ErrorCodeHttpsRequired                ErrorCode = "https_required"
	ErrorCodeResourceNotFound             ErrorCode = "resource_not_found"
	ErrorCodeMethodNotAllowed             ErrorCode = "method_not_allowed"
	ErrorCodeNotAcceptable                ErrorCode = "not_acceptable"
	ErrorCodeIdempotencyConflict          ErrorCode = "idempotency_conflict"
	ErrorCodeInvalidState                 ErrorCode = "invalid_state"
	ErrorCodeSlotUnavailable              ErrorCode = "slot_unavailable"
	ErrorCodePreauthorizationExists       ErrorCode = "preauthorization_exists"
	ErrorCodeBenefitExhausted             ErrorCode = "benefit_exhausted"
	ErrorCodeSourceVersionConflict        ErrorCode = "source_version_conflict"
	ErrorCodeDuplicateClaimReference      ErrorCode = "duplicate_claim_reference"
	ErrorCodeSessionAlreadyClaimed        ErrorCode = "session_already_claimed"
	ErrorCodeDuplicateSessionReference    ErrorCode = "duplicate_session_reference"
	ErrorCodeDuplicateRemittanceReference ErrorCode = "duplicate_remittance_reference"
	ErrorCodeAdviceSettled                ErrorCode = "advice_settled"
	ErrorCodeDuplicateSettlementReference ErrorCode = "duplicate_settlement_reference"
	ErrorCodeEndpointDisabled             ErrorCode = "endpoint_disabled"
	ErrorCodeEndpointLimitReached         ErrorCode = "endpoint_limit_reached"
	ErrorCodeValuationNotReady            ErrorCode = "valuation_not_ready"
	ErrorCodePayloadTooLarge              ErrorCode = "payload_too_large"
	ErrorCodeUnsupportedMediaType         ErrorCode = "unsupported_media_type"
	ErrorCodeSessionInPast                ErrorCode = "session_in_past"
	ErrorCodeSessionTooOld                ErrorCode = "session_too_old"
	ErrorCodeOutsideAvailability          ErrorCode = "outside_availability"
	ErrorCodeNotEligible                  ErrorCode = "not_eligible"
	ErrorCodeBookingNotCovered            ErrorCode = "booking_not_covered"
	ErrorCodeServiceMismatch              ErrorCode = "service_mismatch"
	ErrorCodeAmountExceedsRequest         ErrorCode = "amount_exceeds_request"
	ErrorCodeValidUntilInPast             ErrorCode = "valid_until_in_past"
	ErrorCodeAuthorizationRequired        ErrorCode = "authorization_required"
	ErrorCodeSessionNotDelivered          ErrorCode = "session_not_delivered"
	ErrorCodeCurrencyMismatch             ErrorCode = "currency_mismatch"
	ErrorCodeAdjudicationLinesMismatch    ErrorCode = "adjudication_lines_mismatch"
	ErrorCodeAdjudicationUnbalanced       ErrorCode = "adjudication_unbalanced"
	ErrorCodeClaimNotAdjudicated          ErrorCode = "claim_not_adjudicated"
	ErrorCodeAllocationDuplicate          ErrorCode = "allocation_duplicate"
	ErrorCodeOverAllocation               ErrorCode = "over_allocation"
	ErrorCodeOverRecovery                 ErrorCode = "over_recovery"
	ErrorCodeAdviceUnbalanced             ErrorCode = "advice_unbalanced"
	ErrorCodeFutureTimestamp              ErrorCode = "future_timestamp"
	ErrorCodeWebhookURLNotAllowed         ErrorCode = "webhook_url_not_allowed"
	ErrorCodeRateLimited                  ErrorCode = "rate_limited"
	ErrorCodeInternalError                ErrorCode = "internal_error"
	ErrorCodeServiceUnavailable           ErrorCode = "service_unavailable"
)

// EventList: one page of a list, newest first.
type EventList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []Event `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// EventType: the type of an event.
type EventType string

const (
	EventTypeSandboxPing               EventType = "sandbox.ping"
	EventTypePreauthorizationRequested EventType = "preauthorization.requested"
	EventTypePreauthorizationApproved  EventType = "preauthorization.approved"
	EventTypePreauthorizationDenied    EventType = "preauthorization.denied"
	EventTypePreauthorizationExpired   EventType = "preauthorization.expired"
	EventTypePreauthorizationCancelled EventType = "preauthorization.cancelled"
	EventTypeClaimSubmitted            EventType = "claim.submitted"
	EventTypeClaimInformationRequested EventType = "claim.information_requested"
	EventTypeClaimResubmitted          EventType = "claim.resubmitted"
	EventTypeClaimApproved             EventType = "claim.approved"
	EventTypeClaimPartiallyApproved    EventType = "claim.partially_approved"
	EventTypeClaimDenied               EventType = "claim.denied"
	EventTypeClaimSettled              EventType = "claim.settled"
	EventTypeClaimReversed             EventType = "claim.reversed"
	EventTypeClaimCancelled            EventType = "claim.cancelled"
	EventTypeRemittanceReconciled      EventType = "remittance.reconciled"
	EventTypeRemittanceException       EventType = "remittance.exception"
	EventTypeBulkJobCompleted          EventType = "bulk_job.completed"
)

// EvidenceInput: the response to an open information request.
type EvidenceInput struct {
	// The open request.
	InformationRequestID ClaimInformationRequestID `json:"information_request_id"`
	// References to evidence.
	EvidenceRefs []string `json:"evidence_refs"`
}

// InformationRequestInput: a payer's question about a claim.
type InformationRequestInput struct {
	// The reason of the question.
	ReasonCode string `json:"reason_code"`
	// The types of evidence that the payer requires.
	RequestedEvidenceTypes []string `json:"requested_evidence_types"`
	// The deadline, in the future. Without a response, the request lapses then. Absent or null: none. RFC 3339 with
	// an offset, without a leap second (:60); floored to milliseconds.
	DueAt time.Time `json:"due_at,omitzero"`
}

// InformationRequestStatus: the status of an information request.
type InformationRequestStatus string

const (
	InformationRequestStatusOpen      InformationRequestStatus = "open"
	InformationRequestStatusFulfilled InformationRequestStatus = "fulfilled"
	InformationRequestStatusCancelled InformationRequestStatus = "cancelled"
)

// ListOrder: the order of a list by creation.
type ListOrder string

const (
	ListOrderAsc  ListOrder = "asc"
	ListOrderDesc ListOrder = "desc"
)

// PayerBalances: what payers will deduct from later payments, by payer and currency, at the time of the request.
type PayerBalances struct {
	// Always `payer_balances`.
	Object string `json:"object"`
	// The balances above zero, by payer and currency.
	Data []PayerBalancesDataItem `json:"data"`
}

// PaymentAdjustmentKind: what an amount of a payment advice that belongs to no claim is.
type PaymentAdjustmentKind string

const (
	PaymentAdjustmentKindFee              PaymentAdjustmentKind = "fee"
	PaymentAdjustmentKindInterest         PaymentAdjustmentKind = "interest"
	PaymentAdjustmentKindForwardedBalance PaymentAdjustmentKind = "forwarded_balance"
	PaymentAdjustmentKindOther            PaymentAdjustmentKind = "other"
)

// PaymentAdvice: a payer's advice: what it pays, denies, takes back and adjusts.
type PaymentAdvice struct {
	// The advice's identifier.
	ID PaymentAdviceID `json:"id"`
	// Always `payment_advice`.
	Object string `json:"object"`
	// `received` until the settlements equal the net (`reconciled`). `exception` if they exceed it, have another
	// currency or are late. `withdrawn` if it no longer counts; its remittance is then shown as `exception`.
	Status PaymentAdviceStatus `json:"status"`
	// The remittance that the allocations are. Settlements refer to it.
	RemittanceID RemittanceID `json:"remittance_id"`
	// The payer's reference, unique in the project.
	PayerReference string `json:"payer_reference"`
	// The name of the payer, as it was given; null if none was.
	Payer *string `json:"payer"`
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// What the payer transfers; below zero, what it deducts later. In minor units.
	Net int64 `json:"net"`
	// The allocations, in the order given.
	Allocations []PaymentAdviceAllocation `json:"allocations"`
	// The denials, in the order given.
	Denials []PaymentAdviceDenial `json:"denials"`
	// The takebacks, in the order given.
	Recoveries []PaymentAdviceRecovery `json:"recoveries"`
	// The amounts of no claim, in the order given.
	Adjustments []PaymentAdviceAdjustment `json:"adjustments"`
	// When the advice was received from the payer. UTC, in milliseconds.
	ReceivedAt time.Time `json:"received_at"`
	// When it was reconciled; null if it is not. UTC, in milliseconds.
	ReconciledAt *time.Time `json:"reconciled_at"`
	// When it was withdrawn; null if it is not. UTC, in milliseconds.
	WithdrawnAt *time.Time `json:"withdrawn_at"`
	// Why it was withdrawn: `replaced` if another one was recorded in its place; null if it is not.
	WithdrawalReasonCode *string `json:"withdrawal_reason_code"`
	// The advice in whose place it was recorded; null without one.
	Replaces *PaymentAdviceID `json:"replaces"`
	// The advice that was recorded in its place; null without one.
	ReplacedBy *PaymentAdviceID `json:"replaced_by"`
}

// PaymentAdviceInput: a payer's advice with all that it says: what it pays, denies, takes back and adjusts.
// Either all lines are recorded or none. It has 1 to 1000 lines.
type PaymentAdviceInput struct {
	// The payer's reference, unique among the advices and remittances of the project.
	PayerReference string `json:"payer_reference"`
	// Your name of the payer, always the same one, without data of persons. What payers will deduct is summed by it.
	// Absent: the advice names no payer.
	Payer string `json:"payer,omitzero"`
	// ISO 4217 code of the currency.
	Currency Currency `json:"currency"`
	// When the advice was received from the payer; not in the future. RFC 3339 with an offset, without a leap second
	// (:60); floored to milliseconds.
	ReceivedAt time.Time `json:"received_at"`
	// The allocations, at most one per claim. They are the remittance of the advice. Absent: none.
	Allocations []PaymentAdviceInputAllocation `json:"allocations,omitzero"`
	// The claims that the payer denies, at most once per claim. They change no amount. Absent: none.
	Denials []PaymentAdviceInputDenial `json:"denials,omitzero"`
	// The takebacks, at most one per claim. A claim can be taken back and paid again in one advice. Absent: none.
	Recoveries []PaymentAdviceInputRecovery `json:"recoveries,omitzero"`
	// The amounts of no claim. Absent: none.
	Adjustments []PaymentAdviceInputAdjustment `json:"adjustments,omitzero"`
	// The sum of the allocations, less that of the recoveries, plus that of the adjustments: what the payer
	// transfers. Below zero, the payer transfers nothing and deducts the balance later. In minor units.
	Net int64 `json:"net"`
}

// PaymentAdviceList: one page of a list, newest first.
type PaymentAdviceList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []PaymentAdvice `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// PaymentAdviceStatus: the status of a payment advice.
type PaymentAdviceStatus string

const (
	PaymentAdviceStatusReceived   PaymentAdviceStatus = "received"
	PaymentAdviceStatusReconciled PaymentAdviceStatus = "reconciled"
	PaymentAdviceStatusException  PaymentAdviceStatus = "exception"
	PaymentAdviceStatusWithdrawn  PaymentAdviceStatus = "withdrawn"
)

// PaymentSource: who pays for a session.
type PaymentSource string

const (
	PaymentSourceSelfPay PaymentSource = "self_pay"
	PaymentSourceCovered PaymentSource = "covered"
)

// PingEventData: the data of a test event.
type PingEventData struct {
	// Always `pong`.
	Message string `json:"message"`
}

// Practitioner: a practitioner's public profile. Synthetic in the sandbox.
type Practitioner struct {
	// The practitioner's identifier.
	ID PractitionerID `json:"id"`
	// Always `practitioner`.
	Object string `json:"object"`
	// Full name.
	Name string `json:"name"`
	// Profession.
	Profession string `json:"profession"`
	// Where the practitioner works.
	Location PractitionerLocation `json:"location"`
	// The fee of one session.
	SessionFee PractitionerSessionFee `json:"session_fee"`
}

// PractitionerList: one page of a list, newest first.
type PractitionerList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []Practitioner `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// Preauthorization: a request that the payer approve one covered session in advance. Only the approval reserves
// the benefit.
type Preauthorization struct {
	// The pre-authorization's identifier.
	ID PreauthorizationID `json:"id"`
	// Always `preauthorization`.
	Object string `json:"object"`
	// The eligibility check.
	EligibilityCheckID EligibilityCheckID `json:"eligibility_check_id"`
	// The booking.
	BookingID BookingID `json:"booking_id"`
	// The status.
	Status PreauthorizationStatus `json:"status"`
	// The reasons of the decision; empty without a decision.
	ReasonCodes []string `json:"reason_codes"`
	// Amounts, in one currency.
	Amount PreauthorizationAmount `json:"amount"`
	// When the approval expires; null if not approved. UTC, in milliseconds.
	ValidUntil *time.Time `json:"valid_until"`
	// When it was created. UTC, in milliseconds.
	CreatedAt time.Time `json:"created_at"`
	// The decision; null without one.
	Decision *PreauthorizationDecision `json:"decision"`
}

// PreauthorizationApproval: an approval. It reserves one session of the benefit at once.
type PreauthorizationApproval struct {
	// The approved amount, at most the requested amount. In minor units.
	ApprovedAmount int64 `json:"approved_amount"`
	// When the approval expires; in the future. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds.
	ValidUntil time.Time `json:"valid_until"`
	// The reasons of the decision.
	ReasonCodes []string `json:"reason_codes"`
	// The payer's reference of the applied rule.
	PolicyReference string `json:"policy_reference"`
	// The version of the applied rule.
	PolicyVersion string `json:"policy_version"`
	// The evidence for the decision.
	EvidenceReferences []string `json:"evidence_references"`
}

// MarshalJSON adds the fields that always have the same value.
func (body PreauthorizationApproval) MarshalJSON() ([]byte, error) {
	type fields PreauthorizationApproval
	return json.Marshal(struct {
		Outcome string `json:"outcome"`
		fields
	}{"approved", fields(body)})
}

// PreauthorizationDecision: the payer's decision on a pre-authorization.
type PreauthorizationDecision struct {
	// The decision's identifier.
	ID PreauthorizationDecisionID `json:"id"`
	// Always `preauthorization_decision`.
	Object string `json:"object"`
	// The number of the decision, from 1.
	Version int64 `json:"version"`
	// The outcome of the decision.
	Outcome PreauthorizationOutcome `json:"outcome"`
	// The reasons of the decision.
	ReasonCodes []string `json:"reason_codes"`
	// The applied rule.
	Policy PreauthorizationDecisionPolicy `json:"policy"`
	// The project and the key that made the decision.
	AuthorityReference string `json:"authority_reference"`
	// The client's references, then the eligibility check, the booking and the coverage observation of the decision.
	EvidenceReferences []string `json:"evidence_references"`
	// When the decision was made. UTC, in milliseconds.
	DecidedAt time.Time `json:"decided_at"`
}

// PreauthorizationDecisionInput: an approval or a denial, determined by `outcome`. All fields are required. One
// of PreauthorizationApproval, PreauthorizationDenial.
type PreauthorizationDecisionInput interface{ isPreauthorizationDecisionInput() }

func (PreauthorizationApproval) isPreauthorizationDecisionInput() {}

func (PreauthorizationDenial) isPreauthorizationDecisionInput() {}

// PreauthorizationDenial: a denial. The benefit remains available.
type PreauthorizationDenial struct {
	// The reasons of the decision.
	ReasonCodes []string `json:"reason_codes"`
	// The payer's reference of the applied rule.
	PolicyReference string `json:"policy_reference"`
	// The version of the applied rule.
	PolicyVersion string `json:"policy_version"`
	// The evidence for the decision.
	EvidenceReferences []string `json:"evidence_references"`
}

// MarshalJSON adds the fields that always have the same value.
func (body PreauthorizationDenial) MarshalJSON() ([]byte, error) {
	type fields PreauthorizationDenial
	return json.Marshal(struct {
		Outcome string `json:"outcome"`
		fields
	}{"denied", fields(body)})
}

// PreauthorizationEventData: a pre-authorization at the time of the event.
type PreauthorizationEventData struct {
	// The pre-authorization.
	ID PreauthorizationID `json:"id"`
	// Always `preauthorization`.
	Object string `json:"object"`
	// The status at the time of the event.
	Status PreauthorizationStatus `json:"status"`
	// The decision's version; null while there is no decision.
	DecisionVersion *int64 `json:"decision_version"`
	// Amounts, in one currency.
	Amount PreauthorizationEventDataAmount `json:"amount"`
}

// PreauthorizationInput: a covered booking with its eligibility check, whose status is `eligible`.
type PreauthorizationInput struct {
	// The eligibility check.
	EligibilityCheckID EligibilityCheckID `json:"eligibility_check_id"`
	// The booking.
	BookingID BookingID `json:"booking_id"`
}

// PreauthorizationList: one page of a list, newest first.
type PreauthorizationList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []Preauthorization `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// PreauthorizationOutcome: the outcome of the payer's decision on a pre-authorization.
type PreauthorizationOutcome string

const (
	PreauthorizationOutcomeApproved PreauthorizationOutcome = "approved"
	PreauthorizationOutcomeDenied   PreauthorizationOutcome = "denied"
)

// PreauthorizationStatus: the status of a pre-authorization.
type PreauthorizationStatus string

const (
	PreauthorizationStatusPending   PreauthorizationStatus = "pending"
	PreauthorizationStatusApproved  PreauthorizationStatus = "approved"
	PreauthorizationStatusDenied    PreauthorizationStatus = "denied"
	PreauthorizationStatusExpired   PreauthorizationStatus = "expired"
	PreauthorizationStatusCancelled PreauthorizationStatus = "cancelled"
)

// Receivables: the outstanding amounts of the project's claims as they were known at an instant: the sums of the
// claims' valuations.
type Receivables struct {
	// Always `receivables`.
	Object string `json:"object"`
	// The instant, inclusive. UTC, in milliseconds.
	At time.Time `json:"at"`
	// One item per currency with an outstanding amount, in alphabetical order.
	Currencies []ReceivablesCurrency `json:"currencies"`
}

// ReconciliationOperation: the ID of an operation that leads to the reconciliation of a remittance.
type ReconciliationOperation string

const (
	ReconciliationOperationCreateSettlement  ReconciliationOperation = "createSettlement"
	ReconciliationOperationReverseSettlement ReconciliationOperation = "reverseSettlement"
)

// ReconciliationReason: why a remittance is not reconciled.
type ReconciliationReason string

const (
	ReconciliationReasonAwaitingFunds       ReconciliationReason = "awaiting_funds"
	ReconciliationReasonPartialFunds        ReconciliationReason = "partial_funds"
	ReconciliationReasonAllocationUnmatched ReconciliationReason = "allocation_unmatched"
	ReconciliationReasonAmountExceedsAdvice ReconciliationReason = "amount_exceeds_advice"
	ReconciliationReasonCurrencyMismatch    ReconciliationReason = "currency_mismatch"
	ReconciliationReasonDeadlinePassed      ReconciliationReason = "deadline_passed"
	ReconciliationReasonAdviceWithdrawn     ReconciliationReason = "advice_withdrawn"
)

// Remittance: a payer's advice of payment, allocated to claims.
type Remittance struct {
	// The remittance's identifier.
	ID RemittanceID `json:"id"`
	// Always `remittance`.
	Object string `json:"object"`
	// `received` until the settlements equal the total (`reconciled`). `exception` if they exceed it, have another
	// currency or are late, or if its payment advice was withdrawn.
	Status RemittanceStatus `json:"status"`
	// The payer's reference, unique in the project.
	PayerReference string `json:"payer_reference"`
	// The total.
	Amount RemittanceAmount `json:"amount"`
	// The allocations, in the order given.
	Allocations []RemittanceAllocation `json:"allocations"`
	// When the advice was received from the payer. UTC, in milliseconds.
	ReceivedAt time.Time `json:"received_at"`
	// When it was reconciled; null if it is not. UTC, in milliseconds.
	ReconciledAt *time.Time `json:"reconciled_at"`
}

// RemittanceEventData: a remittance at the time of the event.
type RemittanceEventData struct {
	// The remittance.
	ID RemittanceID `json:"id"`
	// Always `remittance`.
	Object string `json:"object"`
	// The status at the time of the event.
	Status RemittanceStatus `json:"status"`
	// The total.
	Amount RemittanceEventDataAmount `json:"amount"`
}

// RemittanceInput: a payer's advice of payment. Either all allocations are recorded or none.
type RemittanceInput struct {
	// The payer's reference, unique in the project.
	PayerReference string `json:"payer_reference"`
	// ISO 4217 code of the currency.
	Currency Currency `json:"currency"`
	// When the advice was received from the payer; not in the future. RFC 3339 with an offset, without a leap second
	// (:60); floored to milliseconds.
	ReceivedAt time.Time `json:"received_at"`
	// The allocations, at most one per claim.
	Allocations []RemittanceInputAllocation `json:"allocations"`
}

// RemittanceList: one page of a list, newest first.
type RemittanceList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []Remittance `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// RemittanceReconciliation: why a remittance is reconciled or not, and which operations would reconcile it,
// evaluated at the time of the request.
type RemittanceReconciliation struct {
	// Always `remittance_reconciliation`.
	Object string `json:"object"`
	// The remittance.
	RemittanceID RemittanceID `json:"remittance_id"`
	// The status at the time of the request. From the deadline on it can be `exception` shortly before the
	// remittance itself is.
	Status RemittanceStatus `json:"status"`
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// What the payer transfers: the total of the remittance, or the net of its payment advice, which is not above
	// zero if nothing is transferred; 0 if the advice was withdrawn. In minor units.
	Expected int64 `json:"expected"`
	// The sum of the settlements in the remittance's currency that are not reversed; null if it exceeds every
	// possible amount. In minor units.
	Observed *int64 `json:"observed"`
	// observed minus expected; null if observed is null. In minor units.
	Difference *int64 `json:"difference"`
	// From this instant on, a remittance below its total is in exception. UTC, in milliseconds.
	DeadlineAt time.Time `json:"deadline_at"`
	// Null if reconciled, otherwise the first that applies: `amount_exceeds_advice` (the settlements exceed the
	// total), `currency_mismatch` (one has another currency), `deadline_passed`, `allocation_unmatched` (one is
	// below the total and names no allocations that fit, while the remittance has several), `partial_funds`,
	// `awaiting_funds` (there is no settlement). `advice_withdrawn` if the payment advice was withdrawn: nothing is
	// expected.
	Reason *ReconciliationReason `json:"reason"`
	// All settlements, in the order in which they were recorded.
	Settlements []RemittanceReconciliationSettlement `json:"settlements"`
	// Operations that lead to reconciliation; empty if reconciled or withdrawn. Execute the first, then read again.
	NextSteps []RemittanceReconciliationNextStep `json:"next_steps"`
}

// RemittanceStatus: the status of a remittance.
type RemittanceStatus string

const (
	RemittanceStatusReceived   RemittanceStatus = "received"
	RemittanceStatusReconciled RemittanceStatus = "reconciled"
	RemittanceStatusException  RemittanceStatus = "exception"
)

// ReversalInput: the reason of a reversal.
type ReversalInput struct {
	// The reason code.
	ReasonCode string `json:"reason_code"`
}

// Scope: what a key or a token permits. `*` permits everything.
type Scope string

const (
	ScopePractitionersRead Scope = "practitioners:read"
	ScopeAvailabilityRead  Scope = "availability:read"
	ScopeBookingsRead      Scope = "bookings:read"
	ScopeBookingsWrite     Scope = "bookings:write"
	ScopeSessionsRead      Scope = "sessions:read"
	ScopeSessionsWrite     Scope = "sessions:write"
	ScopeCoveragesRead     Scope = "coverages:read"
	ScopeCoveragesWrite    Scope = "coverages:write"
	ScopeBenefitsRead      Scope = "benefits:read"
	ScopeBenefitsWrite     Scope = "benefits:write"
	ScopeBenefitsDecide    Scope = "benefits:decide"
	ScopeClaimsRead        Scope = "claims:read"
	ScopeClaimsWrite       Scope = "claims:write"
	ScopeClaimsAdjudicate  Scope = "claims:adjudicate"
	ScopeRemittancesRead   Scope = "remittances:read"
	ScopeRemittancesWrite  Scope = "remittances:write"
	ScopeSettlementsWrite  Scope = "settlements:write"
	ScopeWebhooksRead      Scope = "webhooks:read"
	ScopeWebhooksWrite     Scope = "webhooks:write"
	ScopeConsentsRead      Scope = "consents:read"
	ScopeConsentsWrite     Scope = "consents:write"
	ScopeClockRead         Scope = "clock:read"
	ScopeClockWrite        Scope = "clock:write"
	ScopeAll               Scope = "*"
)

// Session: one session of care. It contains no identifier of a person or a payer, and no clinical data.
type Session struct {
	// The session's identifier.
	ID SessionID `json:"id"`
	// Always `session`.
	Object string `json:"object"`
	// The practitioner who gives the session.
	PractitionerID PractitionerID `json:"practitioner_id"`
	// Start of the session. UTC, in milliseconds.
	StartsAt time.Time `json:"starts_at"`
	// End of the session. UTC, in milliseconds.
	EndsAt time.Time `json:"ends_at"`
	// The practitioner's IANA time zone.
	Timezone string `json:"timezone"`
	// How the session takes place.
	Format SessionFormat `json:"format"`
	// The booking's status until starts_at, then in_progress, and delivered from ends_at; or cancelled.
	Status SessionStatus `json:"status"`
	// Who pays.
	PaymentSource PaymentSource `json:"payment_source"`
}

// SessionFormat: how a session takes place.
type SessionFormat string

const (
	SessionFormatOnline   SessionFormat = "online"
	SessionFormatInPerson SessionFormat = "in_person"
	SessionFormatPhone    SessionFormat = "phone"
)

// SessionInput: a session outside the booking calendar, in the past or in the future.
type SessionInput struct {
	// The practitioner who gives the session.
	PractitionerID PractitionerID `json:"practitioner_id"`
	// Start of the session. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
	StartsAt time.Time `json:"starts_at"`
	// End of the session, after its start and at most 8 hours later. RFC 3339 with an offset, without a leap second
	// (:60); floored to milliseconds.
	EndsAt time.Time `json:"ends_at"`
	// How the session takes place.
	Format SessionFormat `json:"format"`
	// Who pays.
	PaymentSource PaymentSource `json:"payment_source"`
	// The reference of the session in the system that sends it, unique in the project; never of a person, because an
	// erasure does not remove it.
	ExternalReference string `json:"external_reference,omitzero"`
}

// SessionList: one page of a list, newest first.
type SessionList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []Session `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// SessionStatus: the status of a session.
type SessionStatus string

const (
	SessionStatusReserved   SessionStatus = "reserved"
	SessionStatusConfirmed  SessionStatus = "confirmed"
	SessionStatusInProgress SessionStatus = "in_progress"
	SessionStatusDelivered  SessionStatus = "delivered"
	SessionStatusCancelled  SessionStatus = "cancelled"
)

// Settlement: independent evidence that funds of a remittance moved.
type Settlement struct {
	// The settlement's identifier.
	ID SettlementID `json:"id"`
	// Always `settlement`.
	Object string `json:"object"`
	// The remittance.
	RemittanceID RemittanceID `json:"remittance_id"`
	// The reference of the evidence, such as a bank statement entry; unique in the project.
	SourceReference string `json:"source_reference"`
	// The observed amount.
	Amount SettlementAmount `json:"amount"`
	// The allocations to claims; empty while the settlement is unmatched and its request had none.
	Allocations []SettlementAllocation `json:"allocations"`
	// `matched` to claims, `unmatched` until the remittance is reconciled, or `reversed`.
	Status SettlementStatus `json:"status"`
	// When the funds moved. UTC, in milliseconds.
	ObservedAt time.Time `json:"observed_at"`
	// When the service recorded the settlement. The fact of a claim is recorded afterwards: its `recorded_at` in the
	// valuation is the first cutoff that includes it. UTC, in milliseconds.
	RecordedAt time.Time `json:"recorded_at"`
}

// SettlementInput: independent evidence that funds of a remittance moved.
type SettlementInput struct {
	// The remittance. Absent if the deposit has shares of several advices.
	RemittanceID RemittanceID `json:"remittance_id,omitzero"`
	// The reference of the evidence, such as a bank statement entry; unique in the project.
	SourceReference string `json:"source_reference"`
	// ISO 4217 code of the currency.
	Currency Currency `json:"currency"`
	// The observed amount. In minor units.
	Amount int64 `json:"amount"`
	// When the funds moved; not in the future. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds.
	ObservedAt time.Time `json:"observed_at"`
	// The allocations to claims. Their sum is the amount. Only with remittance_id.
	Allocations []SettlementInputAllocation `json:"allocations,omitzero"`
	// The parts of one deposit for several advices, at most one per advice. Their sum is the amount. Each part
	// becomes a settlement: the first has the source_reference, the others have it with the suffix `#2`, `#3` and so
	// on. The response is the first; `GET /settlements` with the `remittance_id` of an advice lists its own. Only
	// without remittance_id.
	Shares []SettlementInputShare `json:"shares,omitzero"`
}

// SettlementList: one page of a list, newest first.
type SettlementList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []Settlement `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// SettlementStatus: the status of a settlement.
type SettlementStatus string

const (
	SettlementStatusMatched   SettlementStatus = "matched"
	SettlementStatusUnmatched SettlementStatus = "unmatched"
	SettlementStatusReversed  SettlementStatus = "reversed"
)

// SimulatedProject: a new sandbox project whose time is simulated, with a first key that has all scopes.
type SimulatedProject struct {
	// Always `simulated_project`.
	Object string `json:"object"`
	// The project's identifier.
	ProjectID string `json:"project_id"`
	// The key's identifier.
	KeyID string `json:"key_id"`
	// The secret of the key. Only this response contains it.
	SecretKey string `json:"secret_key"`
	// The project's time. UTC, in milliseconds.
	Now time.Time `json:"now"`
}

// Slot: a time of a practitioner that can be booked. It is not reserved: another booking can take it.
type Slot struct {
	// Always `slot`.
	Object string `json:"object"`
	// The practitioner who gives the session.
	PractitionerID PractitionerID `json:"practitioner_id"`
	// Start of the session. UTC, in milliseconds.
	StartsAt time.Time `json:"starts_at"`
	// End of the session. UTC, in milliseconds.
	EndsAt time.Time `json:"ends_at"`
	// The practitioner's IANA time zone.
	Timezone string `json:"timezone"`
	// How the session takes place.
	Format SessionFormat `json:"format"`
}

// SlotList: free slots of one practitioner, earliest first. They do not overlap.
type SlotList struct {
	// Always `list`.
	Object string `json:"object"`
	// The slots.
	Data []Slot `json:"data"`
	// Whether there are more slots. Get them with `from` set to the `ends_at` of the last slot of this response.
	HasMore bool `json:"has_more"`
}

// TestClock: the time of a sandbox project whose time is simulated.
type TestClock struct {
	// Always `test_clock`.
	Object string `json:"object"`
	// The project's time. Each write moves it by some milliseconds, so that facts are ordered. UTC, in milliseconds.
	Now time.Time `json:"now"`
	// advancing: due items are executed up to target. failed: the advance ended at now, for the reason in failure;
	// the next advance continues.
	Status TestClockStatus `json:"status"`
	// Where the advance ends. Null while the clock is ready. UTC, in milliseconds.
	Target *time.Time `json:"target"`
	// The next due item after now. Null if nothing is due.
	NextDue *TestClockNextDue `json:"next_due"`
	// The last completed instant of the advances: everything that was due until then was executed. Null before the
	// first advance. UTC, in milliseconds.
	AdvancedTo *time.Time `json:"advanced_to"`
	// The number of due items that the latest advance has executed.
	Completed int64 `json:"completed"`
	// The number of due items until target that are known now; 0 while the clock is ready.
	Remaining int64 `json:"remaining"`
	// Why the latest advance failed. Null unless it failed.
	Failure *string `json:"failure"`
}

// TestClockAdvanceInput: where a clock is moved.
type TestClockAdvanceInput struct {
	// The instant at which the advance ends, not before now: RFC 3339 with an offset, floored to milliseconds, until
	// the year 2999. Or `next`: the instant of the next due item.
	To string `json:"to"`
	// For how many seconds the response waits for the end of the advance. Absent: 0.
	WaitSeconds *int `json:"wait_seconds,omitzero"`
}

// TestClockInput: a sandbox project whose time is simulated.
type TestClockInput struct {
	// The project's name.
	Name string `json:"name"`
	// The project's time at its creation, in the years 2000 to 2999. It can be in the past. RFC 3339 with an offset,
	// without a leap second (:60); floored to milliseconds.
	Now time.Time `json:"now"`
	// Of which the identifiers follow that requests with an Idempotency-Key make: the same requests with the same
	// keys, one after the other, have the same ones. Only one project of an installation can have it. Absent: the
	// identifiers are random.
	Seed string `json:"seed,omitzero"`
}

// TestClockStatus: whether a test clock is advancing.
type TestClockStatus string

const (
	TestClockStatusReady     TestClockStatus = "ready"
	TestClockStatusAdvancing TestClockStatus = "advancing"
	TestClockStatusFailed    TestClockStatus = "failed"
)

// Token: a token with scopes. Only this response contains it. It becomes invalid with the key that created it.
type Token struct {
	// Always `token`.
	Object string `json:"object"`
	// The token itself.
	Token string `json:"token"`
	// The scopes of the token.
	Scopes []Scope `json:"scopes"`
	// When the token expires, by the real time. UTC, in milliseconds.
	ExpiresAt time.Time `json:"expires_at"`
}

// TokenInput: a request for a token for a public client.
type TokenInput struct {
	// The token's scopes: a subset of the key's.
	Scopes []Scope `json:"scopes"`
	// Lifetime in seconds.
	ExpiresIn int `json:"expires_in"`
	// If present, the token can use only these resources and cannot create any.
	ResourceIDs []string `json:"resource_ids,omitzero"`
}

// UnmatchedReason: why a settlement is unmatched.
type UnmatchedReason string

const (
	UnmatchedReasonAllocationUnmatched UnmatchedReason = "allocation_unmatched"
	UnmatchedReasonAmountExceedsAdvice UnmatchedReason = "amount_exceeds_advice"
	UnmatchedReasonCurrencyMismatch    UnmatchedReason = "currency_mismatch"
)

// ValuationDimension: a dimension by which a valuation run groups claims.
type ValuationDimension string

const (
	ValuationDimensionStatus          ValuationDimension = "status"
	ValuationDimensionPractitionerID  ValuationDimension = "practitioner_id"
	ValuationDimensionPayerReference  ValuationDimension = "payer_reference"
	ValuationDimensionPlan            ValuationDimension = "plan"
	ValuationDimensionServiceMonth    ValuationDimension = "service_month"
	ValuationDimensionSubmissionMonth ValuationDimension = "submission_month"
	ValuationDimensionAgeBand         ValuationDimension = "age_band"
)

// ValuationRun: sums over the valuations of all claims of the project at two instants. The result never changes.
type ValuationRun struct {
	// The identifier.
	ID ValuationRunID `json:"id"`
	// Always `valuation_run`.
	Object string `json:"object"`
	// Whether the result is there: pending, ready or failed.
	Status ValuationRunStatus `json:"status"`
	// How much of the work is done, in percent.
	Progress int `json:"progress"`
	// The instant by which facts were recorded, inclusive. UTC, in milliseconds.
	ValuationAt time.Time `json:"valuation_at"`
	// The instant by which facts took effect, inclusive. UTC, in milliseconds.
	EffectiveThrough time.Time `json:"effective_through"`
	// The kind of the result.
	Kind ValuationRunKind `json:"kind"`
	// The dimensions of the request.
	GroupBy []ValuationDimension `json:"group_by"`
	// The triangle of the request; null for totals.
	Development *ValuationRunDevelopment `json:"development"`
	// Why the run failed; null if it has not.
	Failure *string `json:"failure"`
	// The number of claims at the cutoffs; null until the run is ready.
	ClaimsCounted *int64 `json:"claims_counted"`
	// Sums over all claims, one item per currency in alphabetical order; empty until the run is ready.
	Totals []ValuationRunTotal `json:"totals"`
	// SHA-256 of the canonical JSON (RFC 8785) of {groups, totals, triangle}, in which payers have internal
	// identifiers, so that the erasure of a reference does not change it. Equal requests have equal values. Null
	// until the run is ready.
	ResultSHA256 *string `json:"result_sha256"`
	// When the run was requested. UTC, in milliseconds.
	CreatedAt time.Time `json:"created_at"`
	// When the run became ready or failed; null while it is pending. UTC, in milliseconds.
	CompletedAt *time.Time `json:"completed_at"`
	// The groups with a claim, in the same order for equal requests; at most 5000, otherwise the run fails. Empty
	// for a triangle and until the run is ready.
	Groups []ValuationRunGroup `json:"groups"`
	// The triangle; null for totals and until the run is ready.
	Triangle *ValuationRunTriangle `json:"triangle"`
}

// ValuationRunClaim: a claim that a valuation run counted, at the cutoffs of the run. If both cutoffs are equal,
// status and amounts are those of the claim's valuation.
type ValuationRunClaim struct {
	// The claim.
	ID ClaimID `json:"id"`
	// Always `valuation_run_claim`.
	Object string `json:"object"`
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The status of the claims at the cutoffs.
	Status ClaimStatus `json:"status"`
	// The practitioner of the claims.
	PractitionerID PractitionerID `json:"practitioner_id"`
	// The source_contract_reference that the coverage had when the claim was submitted.
	PayerReference string `json:"payer_reference"`
	// The name of the coverage's plan when the claim was submitted.
	Plan string `json:"plan"`
	// The month in which the service starts. In UTC.
	ServiceMonth string `json:"service_month"`
	// The month in which the claim was submitted. In UTC.
	SubmissionMonth string `json:"submission_month"`
	// The number of whole days from the submission to effective_through.
	AgeBand AgeBand `json:"age_band"`
	// Amounts at the cutoffs.
	Amount ValuationRunClaimAmount `json:"amount"`
}

// ValuationRunClaimList: one page of a list, newest first.
type ValuationRunClaimList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []ValuationRunClaim `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// ValuationRunInput: the valuation of all claims of the project at two instants: when facts were recorded, and
// when they took effect.
type ValuationRunInput struct {
	// Only facts that were recorded by this instant count (knowledge time). At most 5 seconds in the future. RFC
	// 3339 with an offset, without a leap second (:60); floored to milliseconds.
	ValuationAt time.Time `json:"valuation_at"`
	// Only facts that took effect by this instant count (business time); not after valuation_at. Absent:
	// valuation_at. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
	EffectiveThrough time.Time `json:"effective_through,omitzero"`
	// totals: sums per group. development: a triangle of sums by service period and valuation date.
	Kind ValuationRunKind `json:"kind"`
	// The dimensions by which totals are grouped, in addition to the currency. Absent or empty: only the currency.
	// Only for totals.
	GroupBy []ValuationDimension `json:"group_by,omitzero"`
	// The triangle. Required for the kind development, otherwise absent.
	Development *ValuationRunInputDevelopment `json:"development,omitzero"`
}

// ValuationRunKind: the kind of the result of a valuation run.
type ValuationRunKind string

const (
	ValuationRunKindTotals      ValuationRunKind = "totals"
	ValuationRunKindDevelopment ValuationRunKind = "development"
)

// ValuationRunStatus: the status of a valuation run.
type ValuationRunStatus string

const (
	ValuationRunStatusPending ValuationRunStatus = "pending"
	ValuationRunStatusReady   ValuationRunStatus = "ready"
	ValuationRunStatusFailed  ValuationRunStatus = "failed"
)

// ValuationRunSummary: a valuation run without its groups and its triangle.
type ValuationRunSummary struct {
	// The identifier.
	ID ValuationRunID `json:"id"`
	// Always `valuation_run`.
	Object string `json:"object"`
	// Whether the result is there: pending, ready or failed.
	Status ValuationRunStatus `json:"status"`
	// How much of the work is done, in percent.
	Progress int `json:"progress"`
	// The instant by which facts were recorded, inclusive. UTC, in milliseconds.
	ValuationAt time.Time `json:"valuation_at"`
	// The instant by which facts took effect, inclusive. UTC, in milliseconds.
	EffectiveThrough time.Time `json:"effective_through"`
	// The kind of the result.
	Kind ValuationRunKind `json:"kind"`
	// The dimensions of the request.
	GroupBy []ValuationDimension `json:"group_by"`
	// The triangle of the request; null for totals.
	Development *ValuationRunSummaryDevelopment `json:"development"`
	// Why the run failed; null if it has not.
	Failure *string `json:"failure"`
	// The number of claims at the cutoffs; null until the run is ready.
	ClaimsCounted *int64 `json:"claims_counted"`
	// Sums over all claims, one item per currency in alphabetical order; empty until the run is ready.
	Totals []ValuationRunSummaryTotal `json:"totals"`
	// SHA-256 of the canonical JSON (RFC 8785) of {groups, totals, triangle}, in which payers have internal
	// identifiers, so that the erasure of a reference does not change it. Equal requests have equal values. Null
	// until the run is ready.
	ResultSHA256 *string `json:"result_sha256"`
	// When the run was requested. UTC, in milliseconds.
	CreatedAt time.Time `json:"created_at"`
	// When the run became ready or failed; null while it is pending. UTC, in milliseconds.
	CompletedAt *time.Time `json:"completed_at"`
}

// ValuationRunSummaryList: one page of a list, newest first.
type ValuationRunSummaryList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []ValuationRunSummary `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// WebhookDelivery: the delivery of one event to one endpoint.
type WebhookDelivery struct {
	// The event's identifier.
	ID EventID `json:"id"`
	// Always `webhook_delivery`.
	Object string `json:"object"`
	// Whether the receiver accepted the event.
	Delivered bool `json:"delivered"`
	// The number of attempts.
	Attempts int64 `json:"attempts"`
	// The HTTP status of the receiver's response; null without a response.
	ResponseStatus *int `json:"response_status"`
}

// WebhookDeliveryRecord: the delivery of one event to one endpoint, with its newest attempts.
type WebhookDeliveryRecord struct {
	// The event's identifier.
	ID EventID `json:"id"`
	// Always `webhook_delivery`.
	Object string `json:"object"`
	// Whether the receiver accepted the event.
	Delivered bool `json:"delivered"`
	// The number of attempts.
	Attempts int64 `json:"attempts"`
	// The HTTP status of the receiver's response; null without a response.
	ResponseStatus *int `json:"response_status"`
	// The endpoint.
	EndpointID WebhookEndpointID `json:"endpoint_id"`
	// The event's type.
	Type EventType `json:"type"`
	// `pending` while attempts remain, `delivered` after an accepted one, `failed` after the last, or when the
	// endpoint is disabled or no longer subscribed.
	Status WebhookDeliveryStatus `json:"status"`
	// When the next attempt is due; null if there is none. UTC, in milliseconds.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	// The newest attempts, at most 100, oldest first.
	History []WebhookDeliveryRecordHistoryItem `json:"history"`
}

// WebhookDeliveryRecordList: one page of a list, newest first.
type WebhookDeliveryRecordList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []WebhookDeliveryRecord `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// WebhookDeliveryStatus: the status of the delivery of an event to an endpoint.
type WebhookDeliveryStatus string

const (
	WebhookDeliveryStatusPending   WebhookDeliveryStatus = "pending"
	WebhookDeliveryStatusDelivered WebhookDeliveryStatus = "delivered"
	WebhookDeliveryStatusFailed    WebhookDeliveryStatus = "failed"
)

// WebhookEndpoint: a URL that receives events.
type WebhookEndpoint struct {
	// The endpoint's identifier.
	ID WebhookEndpointID `json:"id"`
	// Always `webhook_endpoint`.
	Object string `json:"object"`
	// The URL that receives events.
	URL string `json:"url"`
	// The event types that the endpoint receives.
	Events []EventType `json:"events"`
	// `active` endpoints receive events; `disabled` endpoints do not.
	Status WebhookEndpointStatus `json:"status"`
	// When it was registered. UTC, in milliseconds.
	CreatedAt time.Time `json:"created_at"`
	// When it was disabled; null while active. UTC, in milliseconds.
	DisabledAt *time.Time `json:"disabled_at"`
}

// WebhookEndpointInput: a webhook endpoint to register.
type WebhookEndpointInput struct {
	// The URL that receives events: an https address on the internet.
	URL string `json:"url"`
	// The event types to send.
	Events []EventType `json:"events"`
}

// WebhookEndpointList: one page of a list, newest first.
type WebhookEndpointList struct {
	// Always `list`.
	Object string `json:"object"`
	// The items of this page.
	Data []WebhookEndpoint `json:"data"`
	// Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large
	// items can have fewer of them than `limit`.
	HasMore bool `json:"has_more"`
}

// WebhookEndpointStatus: whether an endpoint receives events.
type WebhookEndpointStatus string

const (
	WebhookEndpointStatusActive   WebhookEndpointStatus = "active"
	WebhookEndpointStatusDisabled WebhookEndpointStatus = "disabled"
)

// WebhookEndpointUpdate: changes of an endpoint. Absent fields keep their values.
type WebhookEndpointUpdate struct {
	// The URL that receives events: an https address on the internet.
	URL string `json:"url,omitzero"`
	// The event types to send.
	Events []EventType `json:"events,omitzero"`
	// `active` enables the endpoint; `disabled` disables it.
	Status WebhookEndpointStatus `json:"status,omitzero"`
}

// WebhookEndpointWithSecret: an endpoint with its new signing secret. Only this response contains the secret.
type WebhookEndpointWithSecret struct {
	// The endpoint's identifier.
	ID WebhookEndpointID `json:"id"`
	// Always `webhook_endpoint`.
	Object string `json:"object"`
	// The URL that receives events.
	URL string `json:"url"`
	// The event types that the endpoint receives.
	Events []EventType `json:"events"`
	// `active` endpoints receive events; `disabled` endpoints do not.
	Status WebhookEndpointStatus `json:"status"`
	// When it was registered. UTC, in milliseconds.
	CreatedAt time.Time `json:"created_at"`
	// When it was disabled; null while active. UTC, in milliseconds.
	DisabledAt *time.Time `json:"disabled_at"`
	// The secret that signs deliveries (Standard Webhooks specification).
	SigningSecret string `json:"signing_secret"`
}

// WebhookRecovery: the result of a recovery request.
type WebhookRecovery struct {
	// Always `webhook_recovery`.
	Object string `json:"object"`
	// The number of events that are sent again. For a period with more than 50000 events, the number among the first
	// 50000.
	Count int64 `json:"count"`
}

// WebhookRecoveryInput: a period whose undelivered events are sent again.
type WebhookRecoveryInput struct {
	// Start of the period, inclusive. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
	Since time.Time `json:"since"`
	// End of the period, exclusive; after `since` and at most 30 days later. RFC 3339 with an offset, without a leap
	// second (:60); floored to milliseconds.
	Until time.Time `json:"until"`
}

// AdjudicationAmount: exact sums over the lines, in one currency.
type AdjudicationAmount struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The claimed amount. In minor units.
	Billed int64 `json:"billed"`
	// The amount that the payer pays. In minor units.
	Payer int64 `json:"payer"`
	// The amount that the patient pays. In minor units.
	PatientResponsibility int64 `json:"patient_responsibility"`
	// The amount that neither the payer nor the patient pays. In minor units.
	Adjustment int64 `json:"adjustment"`
}

// AdjudicationPolicy: the applied rule.
type AdjudicationPolicy struct {
	// The payer's reference of the rule.
	Reference string `json:"reference"`
	// The rule's version.
	Version string `json:"version"`
}

// AdjudicationLineAmount: the line's amounts.
type AdjudicationLineAmount struct {
	// The claimed amount. In minor units.
	Billed int64 `json:"billed"`
	// The part of the billed amount that the payer accepts. In minor units.
	Allowed int64 `json:"allowed"`
	// The part of the allowed amount that the payer pays. In minor units.
	Payer int64 `json:"payer"`
	// The part of the allowed amount that the patient pays. In minor units.
	PatientResponsibility int64 `json:"patient_responsibility"`
	// The part of the billed amount that neither the payer nor the patient pays. In minor units.
	Adjustment int64 `json:"adjustment"`
}

// AdjudicationLine: the adjudication of one line.
type AdjudicationLine struct {
	// The number of the line in the claim.
	LineNumber int64 `json:"line_number"`
	// The line's amounts.
	Amount AdjudicationLineAmount `json:"amount"`
	// The reasons for this line.
	ReasonCodes []string `json:"reason_codes"`
}

// AdjudicationInputLineAmount: billed = allowed + adjustment, and allowed = payer + patient_responsibility.
type AdjudicationInputLineAmount struct {
	// The claimed amount. In minor units.
	Billed int64 `json:"billed"`
	// The part of the billed amount that the payer accepts. In minor units.
	Allowed int64 `json:"allowed"`
	// The part of the allowed amount that the payer pays. In minor units.
	Payer int64 `json:"payer"`
	// The part of the allowed amount that the patient pays. In minor units.
	PatientResponsibility int64 `json:"patient_responsibility"`
	// The part of the billed amount that neither the payer nor the patient pays. In minor units.
	Adjustment int64 `json:"adjustment"`
}

// AdjudicationInputLine: the adjudication of one line.
type AdjudicationInputLine struct {
	// The number of the line in the claim.
	LineNumber int64 `json:"line_number"`
	// billed = allowed + adjustment, and allowed = payer + patient_responsibility.
	Amount AdjudicationInputLineAmount `json:"amount"`
	// The reasons for this line.
	ReasonCodes []string `json:"reason_codes"`
}

// AvailabilityWeeklyHour: one period of one weekday.
type AvailabilityWeeklyHour struct {
	// Day of the week, 0 is Sunday.
	Weekday int `json:"weekday"`
	// First bookable minute, HH:MM.
	Start string `json:"start"`
	// End of the period, HH:MM.
	End string `json:"end"`
	// Formats offered in this period.
	Formats []SessionFormat `json:"formats"`
}

// BulkJobCounts: numbers of lines. The last four add up to the first.
type BulkJobCounts struct {
	// The lines of the file.
	Total int64 `json:"total"`
	// The lines that were executed; in a dry run, that would be.
	Succeeded int64 `json:"succeeded"`
	// The lines that repeat an earlier line of the file, and so had no second effect.
	Replayed int64 `json:"replayed"`
	// The lines that were rejected.
	Rejected int64 `json:"rejected"`
	// The lines that are not executed. Those of a job that has ended never will be.
	Waiting int64 `json:"waiting"`
}

// BulkJobEventDataCounts: numbers of lines. The last four add up to the first.
type BulkJobEventDataCounts struct {
	// The lines of the file.
	Total int64 `json:"total"`
	// The lines that were executed; in a dry run, that would be.
	Succeeded int64 `json:"succeeded"`
	// The lines that repeat an earlier line of the file, and so had no second effect.
	Replayed int64 `json:"replayed"`
	// The lines that were rejected.
	Rejected int64 `json:"rejected"`
	// The lines that are not executed. Those of a job that has ended never will be.
	Waiting int64 `json:"waiting"`
}

// BulkJobResultError: why the row was rejected.
type BulkJobResultError struct {
	// The code of the API error.
	Code ErrorCode `json:"code"`
	// The message, which names invalid fields by JSON pointers.
	Message string `json:"message"`
}

// ClaimAmount: amounts, in one currency.
type ClaimAmount struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The sum of the lines. In minor units.
	Billed int64 `json:"billed"`
	// The payer's total, 0 if denied; null while there is no adjudication. In minor units.
	Approved *int64 `json:"approved"`
	// The total of remittances less recoveries; null until the first. A valuation has 0 until then. In minor units.
	Remitted *int64 `json:"remitted"`
	// The total of observed settlements; null until the first. A valuation has 0 until then. In minor units.
	Settled *int64 `json:"settled"`
}

// ClaimServicePeriod: the time of the session.
type ClaimServicePeriod struct {
	// Start of the session. UTC, in milliseconds.
	StartsAt time.Time `json:"starts_at"`
	// End of the session. UTC, in milliseconds.
	EndsAt time.Time `json:"ends_at"`
}

// ClaimLine: one line of a claim.
type ClaimLine struct {
	// The number of the line, from 1 in the order of submission.
	LineNumber int64 `json:"line_number"`
	// The list of codes to which service_code belongs.
	CodeSystem string `json:"code_system"`
	// The code system's version.
	CodeSystemVersion *string `json:"code_system_version"`
	// The service.
	ServiceCode string `json:"service_code"`
	// The number of units of the service, with all digits of the submission.
	Units float64 `json:"units"`
	// The total of the line. In minor units.
	Amount int64 `json:"amount"`
}

// ClaimEventDataAmount: amounts, in one currency.
type ClaimEventDataAmount struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The claimed amount. In minor units.
	Billed int64 `json:"billed"`
	// The payer's total; null while there is no adjudication. In minor units.
	Approved *int64 `json:"approved"`
	// The total of remittances; null until the first. In minor units.
	Remitted *int64 `json:"remitted"`
	// The total of observed settlements; null until the first. In minor units.
	Settled *int64 `json:"settled"`
}

// ClaimInputLine: one line of a claim.
type ClaimInputLine struct {
	// The list of codes to which service_code belongs, such as CPT. The payer and the provider agree on codes.
	CodeSystem string `json:"code_system"`
	// The code system's version.
	CodeSystemVersion string `json:"code_system_version,omitzero"`
	// The service.
	ServiceCode string `json:"service_code"`
	// The number of units of the service, greater than 0. All digits are kept: of a decimal of at most 15 digits,
	// and of the shortest decimal of a double (at most 17 digits), as JSON.stringify writes it. A decimal that a
	// double changes is rejected.
	Units float64 `json:"units"`
	// The total of the line. In minor units.
	Amount int64 `json:"amount"`
}

// ClaimLinksSessionRecorded: the recording of a session outside the booking calendar.
type ClaimLinksSessionRecorded struct {
	// The API key that recorded the session.
	By string `json:"by"`
	// When the session was recorded. UTC, in milliseconds.
	At time.Time `json:"at"`
}

// ClaimLinksRemittance: a remittance that pays for the claim.
type ClaimLinksRemittance struct {
	// The remittance.
	ID RemittanceID `json:"id"`
	// The amount that it allocates to the claim, less what was taken back. In minor units.
	Amount int64 `json:"amount"`
}

// ClaimLinksSettlement: a settlement of the claim.
type ClaimLinksSettlement struct {
	// The settlement.
	ID SettlementID `json:"id"`
	// The amount of the claim that it settles, less what was taken back; 0 once it is reversed, and if it settles a
	// recovery. In minor units.
	Amount int64 `json:"amount"`
}

// ClaimValuationAmount: amounts known at the cutoff.
type ClaimValuationAmount struct {
	// The claimed amount. In minor units.
	Billed int64 `json:"billed"`
	// The amount that the payer pays; null while there is no adjudication. In minor units.
	PayerLiability *int64 `json:"payer_liability"`
	// The amount that the patient pays; null while there is no adjudication. In minor units.
	PatientResponsibility *int64 `json:"patient_responsibility"`
	// The amount that neither pays; null while there is no adjudication. In minor units.
	Adjustment *int64 `json:"adjustment"`
	// The total of remittances less recoveries; 0 before the first. In minor units.
	Remitted int64 `json:"remitted"`
	// The total of observed settlements; 0 before the first. In minor units.
	Settled int64 `json:"settled"`
	// payer_liability minus settled; null while there is no adjudication. 0 if, by effective_through, more was
	// settled than the adjudication in effect grants. In minor units.
	Outstanding *int64 `json:"outstanding"`
}

// ClaimValuationPolicy: the applied rule.
type ClaimValuationPolicy struct {
	// The payer's reference of the rule.
	Reference string `json:"reference"`
	// The rule's version.
	Version string `json:"version"`
}

// ClaimValuationEvent: one fact of a claim's history.
type ClaimValuationEvent struct {
	// The fact's position in the claim's history, from 1.
	Sequence int64 `json:"sequence"`
	// The type of the fact. `settled` records one settlement, which can be a part of the amount: `next_status` says
	// whether the claim is settled. A recovery, which lowers what is remitted, is also `remittance_recorded`; the
	// first of its `evidence_references` begins with `rcv_`. So is each line of an advice that was withdrawn: an
	// undone allocation has the IDs of the remittance and of the advice, an undone recovery those of the recovery
	// again.
	Type ClaimFactType `json:"type"`
	// When the fact took effect (business time). UTC, in milliseconds.
	EffectiveAt time.Time `json:"effective_at"`
	// When the service recorded the fact (knowledge time). UTC, in milliseconds.
	RecordedAt time.Time `json:"recorded_at"`
	// The status before; null for the first fact.
	PreviousStatus *ClaimStatus `json:"previous_status"`
	// The status after.
	NextStatus *ClaimStatus `json:"next_status"`
	// The reason of the fact; null if it has none.
	ReasonCode *string `json:"reason_code"`
	// The evidence for the fact.
	EvidenceReferences []string `json:"evidence_references"`
}

// CoverageObservationAmountLimit: the maximum covered amount per session.
type CoverageObservationAmountLimit struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The amount. In minor units.
	Value int64 `json:"value"`
}

// EligibilityCheckService: the checked service.
type EligibilityCheckService struct {
	// The service.
	Code string `json:"code"`
	// Start of the session. UTC, in milliseconds.
	ScheduledAt time.Time `json:"scheduled_at"`
}

// EligibilityCheckAmount: amounts, in one currency.
type EligibilityCheckAmount struct {
	// The price of the session. In minor units.
	Requested int64 `json:"requested"`
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The maximum amount that the coverage pays per session; null without a coverage. In minor units.
	MaximumPerSession *int64 `json:"maximum_per_session"`
}

// PayerBalancesDataItem: what one payer will deduct in one currency.
type PayerBalancesDataItem struct {
	// The name of the payer, as its latest such advice has it; null for the advices without one.
	Payer *string `json:"payer"`
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The sum of the balances that later advices have not deducted. In minor units.
	ToDeduct int64 `json:"to_deduct"`
	// The number of payment advices whose balance is not deducted, or a part of it.
	Advices int `json:"advices"`
}

// PaymentAdviceAllocation: the amount that the payer pays for one claim.
type PaymentAdviceAllocation struct {
	// The claim.
	ClaimID ClaimID `json:"claim_id"`
	// The amount paid for the claim. In minor units.
	PaidAmount int64 `json:"paid_amount"`
	// The payer's reasons.
	ReasonCodes []string `json:"reason_codes"`
}

// PaymentAdviceDenial: a claim for which the payer pays nothing.
type PaymentAdviceDenial struct {
	// The claim.
	ClaimID ClaimID `json:"claim_id"`
	// The payer's reasons.
	ReasonCodes []string `json:"reason_codes"`
}

// PaymentAdviceRecovery: an amount that the payer takes back for one claim.
type PaymentAdviceRecovery struct {
	// The recovery's identifier.
	ID RecoveryID `json:"id"`
	// The claim.
	ClaimID ClaimID `json:"claim_id"`
	// The amount taken back. In minor units.
	Amount int64 `json:"amount"`
	// The payer's reasons.
	ReasonCodes []string `json:"reason_codes"`
}

// PaymentAdviceAdjustment: an amount that belongs to no claim.
type PaymentAdviceAdjustment struct {
	// What the amount is.
	Kind PaymentAdjustmentKind `json:"kind"`
	// The amount: above zero in favour of the provider, below zero of the payer. In minor units.
	Amount int64 `json:"amount"`
	// The payer's reasons.
	ReasonCodes []string `json:"reason_codes"`
}

// PaymentAdviceInputAllocation: the amount that the payer pays for one claim.
type PaymentAdviceInputAllocation struct {
	// The claim.
	ClaimID ClaimID `json:"claim_id"`
	// The amount paid for the claim. In minor units.
	PaidAmount int64 `json:"paid_amount"`
	// The payer's reasons. Absent: none.
	ReasonCodes []string `json:"reason_codes,omitzero"`
}

// PaymentAdviceInputDenial: a claim for which the payer pays nothing: a line of zero.
type PaymentAdviceInputDenial struct {
	// The claim.
	ClaimID ClaimID `json:"claim_id"`
	// The payer's reasons. Absent: none.
	ReasonCodes []string `json:"reason_codes,omitzero"`
}

// PaymentAdviceInputRecovery: an amount that the payer takes back for one claim.
type PaymentAdviceInputRecovery struct {
	// The claim.
	ClaimID ClaimID `json:"claim_id"`
	// The amount, at most what earlier advices remitted for the claim and none took back. In minor units.
	Amount int64 `json:"amount"`
	// The payer's reasons. Absent: none.
	ReasonCodes []string `json:"reason_codes,omitzero"`
}

// PaymentAdviceInputAdjustment: an amount that belongs to no claim.
type PaymentAdviceInputAdjustment struct {
	// `forwarded_balance`: below zero, the payer deducts the balance of earlier advices; above zero, it forwards a
	// balance to later ones.
	Kind PaymentAdjustmentKind `json:"kind"`
	// The amount: above zero in favour of the provider, below zero of the payer. In minor units.
	Amount int64 `json:"amount"`
	// The payer's reasons. Absent: none.
	ReasonCodes []string `json:"reason_codes,omitzero"`
}

// PractitionerLocation: where the practitioner works.
type PractitionerLocation struct {
	// City.
	City string `json:"city"`
	// Country, ISO 3166-1 alpha-2.
	Country string `json:"country"`
}

// PractitionerSessionFee: the fee of one session.
type PractitionerSessionFee struct {
	// The fee. In minor units.
	Amount int64 `json:"amount"`
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
}

// PreauthorizationAmount: amounts, in one currency.
type PreauthorizationAmount struct {
	// The requested amount. In minor units.
	Requested int64 `json:"requested"`
	// The approved amount; null if not approved. In minor units.
	Approved *int64 `json:"approved"`
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
}

// PreauthorizationDecisionPolicy: the applied rule.
type PreauthorizationDecisionPolicy struct {
	// The payer's reference of the rule.
	Reference string `json:"reference"`
	// The rule's version.
	Version string `json:"version"`
}

// PreauthorizationEventDataAmount: amounts, in one currency.
type PreauthorizationEventDataAmount struct {
	// The requested amount. In minor units.
	Requested int64 `json:"requested"`
	// The approved amount; null if not approved. In minor units.
	Approved *int64 `json:"approved"`
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
}

// ReceivablesCurrencyOutstanding: outstanding amounts by age: the number of whole days from the claim's
// submitted_at to the instant.
type ReceivablesCurrencyOutstanding struct {
	// The sum of the four amounts. In minor units.
	Total int64 `json:"total"`
	// Of claims submitted less than 31 days before. In minor units.
	Days0_30 int64 `json:"days_0_30"`
	// Of claims submitted at least 31 and less than 61 days before. In minor units.
	Days31_60 int64 `json:"days_31_60"`
	// Of claims submitted at least 61 and less than 91 days before. In minor units.
	Days61_90 int64 `json:"days_61_90"`
	// Of claims submitted at least 91 days before. In minor units.
	DaysOver90 int64 `json:"days_over_90"`
}

// ReceivablesCurrencyPractitionerOutstanding: outstanding amounts by age: the number of whole days from the
// claim's submitted_at to the instant.
type ReceivablesCurrencyPractitionerOutstanding struct {
	// The sum of the four amounts. In minor units.
	Total int64 `json:"total"`
	// Of claims submitted less than 31 days before. In minor units.
	Days0_30 int64 `json:"days_0_30"`
	// Of claims submitted at least 31 and less than 61 days before. In minor units.
	Days31_60 int64 `json:"days_31_60"`
	// Of claims submitted at least 61 and less than 91 days before. In minor units.
	Days61_90 int64 `json:"days_61_90"`
	// Of claims submitted at least 91 days before. In minor units.
	DaysOver90 int64 `json:"days_over_90"`
}

// ReceivablesCurrencyPractitioner: the outstanding amounts of one practitioner.
type ReceivablesCurrencyPractitioner struct {
	// The practitioner; null for the others.
	PractitionerID *PractitionerID `json:"practitioner_id"`
	// The number of claims with an outstanding amount.
	ClaimCount int64 `json:"claim_count"`
	// Outstanding amounts by age: the number of whole days from the claim's submitted_at to the instant.
	Outstanding ReceivablesCurrencyPractitionerOutstanding `json:"outstanding"`
}

// ReceivablesCurrencyPayerOutstanding: outstanding amounts by age: the number of whole days from the claim's
// submitted_at to the instant.
type ReceivablesCurrencyPayerOutstanding struct {
	// The sum of the four amounts. In minor units.
	Total int64 `json:"total"`
	// Of claims submitted less than 31 days before. In minor units.
	Days0_30 int64 `json:"days_0_30"`
	// Of claims submitted at least 31 and less than 61 days before. In minor units.
	Days31_60 int64 `json:"days_31_60"`
	// Of claims submitted at least 61 and less than 91 days before. In minor units.
	Days61_90 int64 `json:"days_61_90"`
	// Of claims submitted at least 91 days before. In minor units.
	DaysOver90 int64 `json:"days_over_90"`
}

// ReceivablesCurrencyPayer: the outstanding amounts of one payer.
type ReceivablesCurrencyPayer struct {
	// The source_contract_reference that the coverage had when the claim was submitted; null for the others.
	PayerReference *string `json:"payer_reference"`
	// The number of claims with an outstanding amount.
	ClaimCount int64 `json:"claim_count"`
	// Outstanding amounts by age: the number of whole days from the claim's submitted_at to the instant.
	Outstanding ReceivablesCurrencyPayerOutstanding `json:"outstanding"`
}

// ReceivablesCurrency: the outstanding amounts in one currency.
type ReceivablesCurrency struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The number of claims with an outstanding amount.
	ClaimCount int64 `json:"claim_count"`
	// Outstanding amounts by age: the number of whole days from the claim's submitted_at to the instant.
	Outstanding ReceivablesCurrencyOutstanding `json:"outstanding"`
	// The same amounts by practitioner. Largest total first; at most 1000. If there are more, a last item contains
	// the sum of the others.
	Practitioners []ReceivablesCurrencyPractitioner `json:"practitioners"`
	// The same amounts by payer. Largest total first; at most 1000. If there are more, a last item contains the sum
	// of the others.
	Payers []ReceivablesCurrencyPayer `json:"payers"`
}

// RemittanceAmount: the total.
type RemittanceAmount struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The sum of the allocations. In minor units.
	Paid int64 `json:"paid"`
}

// RemittanceAllocation: the part of the remittance for one claim.
type RemittanceAllocation struct {
	// The claim.
	ClaimID ClaimID `json:"claim_id"`
	// The amount paid for the claim. In minor units.
	PaidAmount int64 `json:"paid_amount"`
	// The reasons for the amount.
	ReasonCodes []string `json:"reason_codes"`
}

// RemittanceEventDataAmount: the total.
type RemittanceEventDataAmount struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The sum of the allocations. In minor units.
	Paid int64 `json:"paid"`
}

// RemittanceInputAllocation: the part of the remittance for one claim.
type RemittanceInputAllocation struct {
	// The claim.
	ClaimID ClaimID `json:"claim_id"`
	// The amount paid for the claim. In minor units.
	PaidAmount int64 `json:"paid_amount"`
	// The reasons for the amount. Absent: none.
	ReasonCodes []string `json:"reason_codes,omitzero"`
}

// RemittanceReconciliationSettlementAmount: the observed amount.
type RemittanceReconciliationSettlementAmount struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The amount; 0 if the net needs no transfer. In minor units.
	Observed int64 `json:"observed"`
}

// RemittanceReconciliationSettlement: a settlement of the remittance.
type RemittanceReconciliationSettlement struct {
	// The settlement's identifier.
	ID SettlementID `json:"id"`
	// The settlement's status.
	Status SettlementStatus `json:"status"`
	// The observed amount.
	Amount RemittanceReconciliationSettlementAmount `json:"amount"`
	// The reference of the evidence.
	SourceReference string `json:"source_reference"`
	// Why it is unmatched; null otherwise.
	Reason *UnmatchedReason `json:"reason"`
}

// RemittanceReconciliationNextStep: an operation that leads to reconciliation.
type RemittanceReconciliationNextStep struct {
	// The ID of the operation.
	Operation ReconciliationOperation `json:"operation"`
	// The settlement to reverse; null for a creation.
	SettlementID *SettlementID `json:"settlement_id"`
	// The amount to record in the remittance's currency; null for a reversal. In minor units.
	Amount *int64 `json:"amount"`
	// The step as a sentence.
	Description string `json:"description"`
}

// SettlementAmount: the observed amount.
type SettlementAmount struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The amount; 0 for the settlement of an advice whose net needs no transfer. In minor units.
	Observed int64 `json:"observed"`
}

// SettlementAllocation: the part of the settlement for one claim.
type SettlementAllocation struct {
	// The claim.
	ClaimID ClaimID `json:"claim_id"`
	// The settled amount of the claim. In minor units.
	Amount int64 `json:"amount"`
}

// SettlementInputAllocation: the part of the settlement for one claim.
type SettlementInputAllocation struct {
	// The claim.
	ClaimID ClaimID `json:"claim_id"`
	// The settled amount of the claim. In minor units.
	Amount int64 `json:"amount"`
}

// SettlementInputShare: the part of the deposit for one advice.
type SettlementInputShare struct {
	// The advice.
	PaymentAdviceID PaymentAdviceID `json:"payment_advice_id"`
	// The part. In minor units.
	Amount int64 `json:"amount"`
}

// TestClockNextDue: the next due item of the project.
type TestClockNextDue struct {
	// When it is due. UTC, in milliseconds.
	At time.Time `json:"at"`
	// The identifier of the resource.
	Resource string `json:"resource"`
	// What is due.
	What DueItemKind `json:"what"`
}

// ValuationRunDevelopment: the triangle of the request.
type ValuationRunDevelopment struct {
	// The periods of the rows.
	Origin DevelopmentOrigin `json:"origin"`
	// The distance of valuation dates.
	Step DevelopmentStep `json:"step"`
	// The measures.
	Measures []DevelopmentMeasure `json:"measures"`
}

// ValuationRunTotalAmount: sums of the amounts of the claims' valuations. A claim without an adjudication adds
// 0.
type ValuationRunTotalAmount struct {
	// The sum of the claimed amounts. In minor units.
	Billed int64 `json:"billed"`
	// The sum of the amounts that payers pay. In minor units.
	PayerLiability int64 `json:"payer_liability"`
	// The sum of the amounts that patients pay. In minor units.
	PatientResponsibility int64 `json:"patient_responsibility"`
	// The sum of the amounts that neither pays. In minor units.
	Adjustment int64 `json:"adjustment"`
	// The sum of remittances. In minor units.
	Remitted int64 `json:"remitted"`
	// The sum of observed settlements. In minor units.
	Settled int64 `json:"settled"`
	// The sum of the outstanding amounts. In minor units.
	Outstanding int64 `json:"outstanding"`
}

// ValuationRunTotal: the claims in one currency.
type ValuationRunTotal struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The number of claims.
	ClaimCount int64 `json:"claim_count"`
	// Sums of the amounts of the claims' valuations. A claim without an adjudication adds 0.
	Amount ValuationRunTotalAmount `json:"amount"`
}

// ValuationRunGroupAmount: sums of the amounts of the claims' valuations. A claim without an adjudication adds
// 0.
type ValuationRunGroupAmount struct {
	// The sum of the claimed amounts. In minor units.
	Billed int64 `json:"billed"`
	// The sum of the amounts that payers pay. In minor units.
	PayerLiability int64 `json:"payer_liability"`
	// The sum of the amounts that patients pay. In minor units.
	PatientResponsibility int64 `json:"patient_responsibility"`
	// The sum of the amounts that neither pays. In minor units.
	Adjustment int64 `json:"adjustment"`
	// The sum of remittances. In minor units.
	Remitted int64 `json:"remitted"`
	// The sum of observed settlements. In minor units.
	Settled int64 `json:"settled"`
	// The sum of the outstanding amounts. In minor units.
	Outstanding int64 `json:"outstanding"`
}

// ValuationRunGroup: the claims with equal values of all dimensions of group_by.
type ValuationRunGroup struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The status of the claims at the cutoffs. Null if not grouped by it.
	Status *ClaimStatus `json:"status"`
	// The practitioner of the claims. Null if not grouped by it.
	PractitionerID *PractitionerID `json:"practitioner_id"`
	// The source_contract_reference that the coverage had when the claim was submitted. Null if not grouped by it.
	PayerReference *string `json:"payer_reference"`
	// The name of the coverage's plan when the claim was submitted. Null if not grouped by it.
	Plan *string `json:"plan"`
	// The month in which the service starts. In UTC. Null if not grouped by it.
	ServiceMonth *string `json:"service_month"`
	// The month in which the claim was submitted. In UTC. Null if not grouped by it.
	SubmissionMonth *string `json:"submission_month"`
	// The number of whole days from the submission to effective_through. Null if not grouped by it.
	AgeBand *AgeBand `json:"age_band"`
	// The number of claims.
	ClaimCount int64 `json:"claim_count"`
	// Sums of the amounts of the claims' valuations. A claim without an adjudication adds 0.
	Amount ValuationRunGroupAmount `json:"amount"`
}

// ValuationRunTriangleCurrencyMeasure: the triangle of one measure.
type ValuationRunTriangleCurrencyMeasure struct {
	// The measure.
	Measure DevelopmentMeasure `json:"measure"`
	// One row per origin.
	Rows [][]*int64 `json:"rows"`
}

// ValuationRunTriangleCurrency: the triangle of one currency.
type ValuationRunTriangleCurrency struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// One item per requested measure, in the order of the request.
	Measures []ValuationRunTriangleCurrencyMeasure `json:"measures"`
}

// ValuationRunTriangle: a development triangle. All numbers are cumulative.
type ValuationRunTriangle struct {
	// The periods in which services start, from the first to the last with a claim: the triangle's rows.
	Origins []string `json:"origins"`
	// The days through whose end facts count, ascending: the triangle's columns. The last one is the day of
	// valuation_at, through valuation_at.
	ValuationDates []string `json:"valuation_dates"`
	// One item per currency with a claim, in alphabetical order.
	Currencies []ValuationRunTriangleCurrency `json:"currencies"`
}

// ValuationRunClaimAmount: amounts at the cutoffs.
type ValuationRunClaimAmount struct {
	// The claimed amount. In minor units.
	Billed int64 `json:"billed"`
	// The amount that the payer pays; null while there is no adjudication. In minor units.
	PayerLiability *int64 `json:"payer_liability"`
	// The amount that the patient pays; null while there is no adjudication. In minor units.
	PatientResponsibility *int64 `json:"patient_responsibility"`
	// The amount that neither pays; null while there is no adjudication. In minor units.
	Adjustment *int64 `json:"adjustment"`
	// The total of remittances. In minor units.
	Remitted int64 `json:"remitted"`
	// The total of observed settlements. In minor units.
	Settled int64 `json:"settled"`
	// payer_liability minus settled; null while there is no adjudication. In minor units.
	Outstanding *int64 `json:"outstanding"`
}

// ValuationRunInputDevelopment: the triangle. Required for the kind development, otherwise absent.
type ValuationRunInputDevelopment struct {
	// The periods of the triangle's rows: a claim belongs to the period in which its service starts, in UTC.
	Origin DevelopmentOrigin `json:"origin"`
	// The distance of valuation dates, not longer than the period of origin.
	Step DevelopmentStep `json:"step"`
	// The sums in the triangle.
	Measures []DevelopmentMeasure `json:"measures"`
}

// ValuationRunSummaryDevelopment: the triangle of the request.
type ValuationRunSummaryDevelopment struct {
	// The periods of the rows.
	Origin DevelopmentOrigin `json:"origin"`
	// The distance of valuation dates.
	Step DevelopmentStep `json:"step"`
	// The measures.
	Measures []DevelopmentMeasure `json:"measures"`
}

// ValuationRunSummaryTotalAmount: sums of the amounts of the claims' valuations. A claim without an adjudication
// adds 0.
type ValuationRunSummaryTotalAmount struct {
	// The sum of the claimed amounts. In minor units.
	Billed int64 `json:"billed"`
	// The sum of the amounts that payers pay. In minor units.
	PayerLiability int64 `json:"payer_liability"`
	// The sum of the amounts that patients pay. In minor units.
	PatientResponsibility int64 `json:"patient_responsibility"`
	// The sum of the amounts that neither pays. In minor units.
	Adjustment int64 `json:"adjustment"`
	// The sum of remittances. In minor units.
	Remitted int64 `json:"remitted"`
	// The sum of observed settlements. In minor units.
	Settled int64 `json:"settled"`
	// The sum of the outstanding amounts. In minor units.
	Outstanding int64 `json:"outstanding"`
}

// ValuationRunSummaryTotal: the claims in one currency.
type ValuationRunSummaryTotal struct {
	// ISO 4217 code of the currency.
	Currency string `json:"currency"`
	// The number of claims.
	ClaimCount int64 `json:"claim_count"`
	// Sums of the amounts of the claims' valuations. A claim without an adjudication adds 0.
	Amount ValuationRunSummaryTotalAmount `json:"amount"`
}

// WebhookDeliveryRecordHistoryItem: one attempt.
type WebhookDeliveryRecordHistoryItem struct {
	// When the attempt started. UTC, in milliseconds.
	At time.Time `json:"at"`
	// The HTTP status of the receiver's response; null without a response.
	ResponseStatus *int `json:"response_status"`
	// The real duration of the attempt, in milliseconds.
	DurationMs int64 `json:"duration_ms"`
	// The error of the attempt; null if there was none.
	Error *string `json:"error"`
	// The start of the response's body; null if there is none.
	ResponseExcerpt *string `json:"response_excerpt"`
}

// Event: an event as it is listed and delivered. Type determines the type of Data.
type Event struct {
	// The event's identifier; also the webhook-id header of every delivery.
	ID EventID `json:"id"`
	// Always `event`.
	Object string `json:"object"`
	// The type of the event.
	Type EventType `json:"type"`
	// The version of the event's format.
	SchemaVersion string `json:"schema_version"`
	// Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.
	ResourceVersion int64 `json:"resource_version"`
	// When the change happened. UTC, in milliseconds.
	CreatedAt time.Time `json:"created_at"`
	// True in production.
	Livemode bool `json:"livemode"`
	// The data of the event.
	Data EventData `json:"data"`
}

// EventData: the data of an event: one of *PingEventData, *PreauthorizationEventData, *ClaimEventData,
// *RemittanceEventData, *BulkJobEventData, and *UnknownEventData for a type that this release does not know.
type EventData interface{ isEventData() }

func (*PingEventData) isEventData() {}

func (*PreauthorizationEventData) isEventData() {}

func (*ClaimEventData) isEventData() {}

func (*RemittanceEventData) isEventData() {}

func (*BulkJobEventData) isEventData() {}

// newEventData returns the empty data of an event of a type.
func newEventData(eventType EventType) EventData {
	switch eventType {
	case EventTypeSandboxPing:
		return new(PingEventData)
	case EventTypePreauthorizationRequested, EventTypePreauthorizationApproved, EventTypePreauthorizationDenied, EventTypePreauthorizationExpired, EventTypePreauthorizationCancelled:
		return new(PreauthorizationEventData)
	case EventTypeClaimSubmitted, EventTypeClaimInformationRequested, EventTypeClaimResubmitted, EventTypeClaimApproved, EventTypeClaimPartiallyApproved, EventTypeClaimDenied, EventTypeClaimSettled, EventTypeClaimReversed, EventTypeClaimCancelled:
		return new(ClaimEventData)
	case EventTypeRemittanceReconciled, EventTypeRemittanceException:
		return new(RemittanceEventData)
	case EventTypeBulkJobCompleted:
		return new(BulkJobEventData)
	}
	return new(UnknownEventData)
}
