// Code generated from the API description. DO NOT EDIT.

package carecover

import (
	"context"
	"iter"
	"net/url"
	"time"
)

// Client: a client of the Carecover API, with one field per group of operations. It is safe for concurrent use.
type Client struct {
	API               *APIService
	Bookings          *BookingsService
	BulkJobs          *BulkJobsService
	Claims            *ClaimsService
	Consents          *ConsentsService
	Coverages         *CoveragesService
	EligibilityChecks *EligibilityChecksService
	Events            *EventsService
	PaymentAdvices    *PaymentAdvicesService
	Practitioners     *PractitionersService
	Preauthorizations *PreauthorizationsService
	Receivables       *ReceivablesService
	Remittances       *RemittancesService
	Sessions          *SessionsService
	Settlements       *SettlementsService
	TestClock         *TestClockService
	TestClocks        *TestClocksService
	TestHelpers       *TestHelpersService
	Tokens            *TokensService
	ValuationRuns     *ValuationRunsService
	WebhookEndpoints  *WebhookEndpointsService
}

func newClient(transport *transport) *Client {
	return &Client{
		API:               &APIService{transport},
		Bookings:          &BookingsService{transport},
		BulkJobs:          &BulkJobsService{transport},
		Claims:            &ClaimsService{transport},
		Consents:          &ConsentsService{transport},
		Coverages:         &CoveragesService{transport},
		EligibilityChecks: &EligibilityChecksService{transport},
		Events:            &EventsService{transport},
		PaymentAdvices:    &PaymentAdvicesService{transport},
		Practitioners:     &PractitionersService{transport},
		Preauthorizations: &PreauthorizationsService{transport},
		Receivables:       &ReceivablesService{transport},
		Remittances:       &RemittancesService{transport},
		Sessions:          &SessionsService{transport},
		Settlements:       &SettlementsService{transport},
		TestClock:         &TestClockService{transport},
		TestClocks:        &TestClocksService{transport},
		TestHelpers:       &TestHelpersService{transport},
		Tokens:            &TokensService{transport},
		ValuationRuns:     &ValuationRunsService{transport},
		WebhookEndpoints:  &WebhookEndpointsService{transport},
	}
}

// APIService: the operations of the group API.
type APIService struct{ transport *transport }

// BookingsService: the operations of the group Bookings.
type BookingsService struct{ transport *transport }

// BulkJobsService: the operations of the group BulkJobs.
type BulkJobsService struct{ transport *transport }

// ClaimsService: the operations of the group Claims.
type ClaimsService struct{ transport *transport }

// ConsentsService: the operations of the group Consents.
type ConsentsService struct{ transport *transport }

// CoveragesService: the operations of the group Coverages.
type CoveragesService struct{ transport *transport }

// EligibilityChecksService: the operations of the group EligibilityChecks.
type EligibilityChecksService struct{ transport *transport }

// EventsService: the operations of the group Events.
type EventsService struct{ transport *transport }

// PaymentAdvicesService: the operations of the group PaymentAdvices.
type PaymentAdvicesService struct{ transport *transport }

// PractitionersService: the operations of the group Practitioners.
type PractitionersService struct{ transport *transport }

// PreauthorizationsService: the operations of the group Preauthorizations.
type PreauthorizationsService struct{ transport *transport }

// ReceivablesService: the operations of the group Receivables.
type ReceivablesService struct{ transport *transport }

// RemittancesService: the operations of the group Remittances.
type RemittancesService struct{ transport *transport }

// SessionsService: the operations of the group Sessions.
type SessionsService struct{ transport *transport }

// SettlementsService: the operations of the group Settlements.
type SettlementsService struct{ transport *transport }

// TestClockService: the operations of the group TestClock.
type TestClockService struct{ transport *transport }

// TestClocksService: the operations of the group TestClocks.
type TestClocksService struct{ transport *transport }

// TestHelpersService: the operations of the group TestHelpers.
type TestHelpersService struct{ transport *transport }

// TokensService: the operations of the group Tokens.
type TokensService struct{ transport *transport }

// ValuationRunsService: the operations of the group ValuationRuns.
type ValuationRunsService struct{ transport *transport }

// WebhookEndpointsService: the operations of the group WebhookEndpoints.
type WebhookEndpointsService struct{ transport *transport }

// ListPractitionersQuery: the query parameters of GET /practitioners. A field with the zero value is not sent.
type ListPractitionersQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter PractitionerID
}

func (query ListPractitionersQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	return values
}

// ListPractitionerSlotsQuery: the query parameters of GET /practitioners/{practitioner_id}/slots. A field with
// the zero value is not sent.
type ListPractitionerSlotsQuery struct {
	// Return only slots that start at or after this instant. RFC 3339 with an offset, without a leap second (:60);
	// floored to milliseconds.
	From time.Time
	// Return only slots that end at or before this instant; at most 31 days after `from`. RFC 3339 with an offset,
	// without a leap second (:60); floored to milliseconds.
	To time.Time
	// The length of each slot in minutes.
	DurationMinutes int
	// How the session takes place.
	Format SessionFormat
	// The maximum number of items. Optional.
	Limit int
}

func (query ListPractitionerSlotsQuery) values() url.Values {
	values := url.Values{}
	setTime(values, "from", query.From)
	setTime(values, "to", query.To)
	setInt(values, "duration_minutes", query.DurationMinutes)
	setText(values, "format", query.Format)
	setInt(values, "limit", query.Limit)
	return values
}

// ListBookingsQuery: the query parameters of GET /bookings. A field with the zero value is not sent.
type ListBookingsQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter BookingID
	// Return only items with this status. Optional.
	Status BookingStatus
	// Return only items of this session. Optional.
	SessionID SessionID
	// Return only items of this practitioner. Optional.
	PractitionerID PractitionerID
	// Return only items that start after this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	StartsAfter time.Time
	// Return only items that start before this instant. RFC 3339 with an offset, without a leap second (:60);
	// floored to milliseconds. Optional.
	StartsBefore time.Time
	// Return only items created after this instant. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds. Optional.
	CreatedAfter time.Time
	// Return only items created before this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	CreatedBefore time.Time
	// The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with
	// starting_after. Optional.
	Order ListOrder
}

func (query ListBookingsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	setText(values, "status", query.Status)
	setText(values, "session_id", query.SessionID)
	setText(values, "practitioner_id", query.PractitionerID)
	setTime(values, "starts_after", query.StartsAfter)
	setTime(values, "starts_before", query.StartsBefore)
	setTime(values, "created_after", query.CreatedAfter)
	setTime(values, "created_before", query.CreatedBefore)
	setText(values, "order", query.Order)
	return values
}

// ListSessionsQuery: the query parameters of GET /sessions. A field with the zero value is not sent.
type ListSessionsQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter SessionID
	// Return only items with this status. Optional.
	Status SessionStatus
	// Return only the recorded session with this reference. Optional.
	ExternalReference string
	// Return only items of this practitioner. Optional.
	PractitionerID PractitionerID
	// Return only items that start after this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	StartsAfter time.Time
	// Return only items that start before this instant. RFC 3339 with an offset, without a leap second (:60);
	// floored to milliseconds. Optional.
	StartsBefore time.Time
	// Return only items created after this instant. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds. Optional.
	CreatedAfter time.Time
	// Return only items created before this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	CreatedBefore time.Time
	// The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with
	// starting_after. Optional.
	Order ListOrder
}

func (query ListSessionsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	setText(values, "status", query.Status)
	setText(values, "external_reference", query.ExternalReference)
	setText(values, "practitioner_id", query.PractitionerID)
	setTime(values, "starts_after", query.StartsAfter)
	setTime(values, "starts_before", query.StartsBefore)
	setTime(values, "created_after", query.CreatedAfter)
	setTime(values, "created_before", query.CreatedBefore)
	setText(values, "order", query.Order)
	return values
}

// ListPreauthorizationsQuery: the query parameters of GET /preauthorizations. A field with the zero value is not
// sent.
type ListPreauthorizationsQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter PreauthorizationID
	// Return only items with this status. Optional.
	Status PreauthorizationStatus
	// Return only items of this booking. Optional.
	BookingID BookingID
	// Return only items created after this instant. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds. Optional.
	CreatedAfter time.Time
	// Return only items created before this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	CreatedBefore time.Time
	// The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with
	// starting_after. Optional.
	Order ListOrder
}

func (query ListPreauthorizationsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	setText(values, "status", query.Status)
	setText(values, "booking_id", query.BookingID)
	setTime(values, "created_after", query.CreatedAfter)
	setTime(values, "created_before", query.CreatedBefore)
	setText(values, "order", query.Order)
	return values
}

// ListClaimsQuery: the query parameters of GET /claims. A field with the zero value is not sent.
type ListClaimsQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter ClaimID
	// Return only items with this status. Optional.
	Status ClaimStatus
	// Return only the claim with this reference. Optional.
	ProviderClaimReference string
	// Return only items of this session. Optional.
	SessionID SessionID
	// Return only items of this pre-authorization. Optional.
	PreauthorizationID PreauthorizationID
	// Return only items of this practitioner. Optional.
	PractitionerID PractitionerID
	// Return only claims with an open information request that is due before this instant. RFC 3339 with an offset,
	// without a leap second (:60); floored to milliseconds. Optional.
	DueBefore time.Time
	// Return only items created after this instant. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds. Optional.
	CreatedAfter time.Time
	// Return only items created before this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	CreatedBefore time.Time
	// The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with
	// starting_after. Optional.
	Order ListOrder
}

func (query ListClaimsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	setText(values, "status", query.Status)
	setText(values, "provider_claim_reference", query.ProviderClaimReference)
	setText(values, "session_id", query.SessionID)
	setText(values, "preauthorization_id", query.PreauthorizationID)
	setText(values, "practitioner_id", query.PractitionerID)
	setTime(values, "due_before", query.DueBefore)
	setTime(values, "created_after", query.CreatedAfter)
	setTime(values, "created_before", query.CreatedBefore)
	setText(values, "order", query.Order)
	return values
}

// GetClaimValuationQuery: the query parameters of GET /claims/{claim_id}/valuation. A field with the zero value
// is not sent.
type GetClaimValuationQuery struct {
	// The cutoff, inclusive; at most 5 seconds in the future. Only facts that were recorded by this instant count
	// (knowledge time). RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
	ValuationAt time.Time
	// Only facts that took effect by this instant count (business time); not after valuation_at. Absent:
	// valuation_at. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds. Optional.
	EffectiveThrough time.Time
}

func (query GetClaimValuationQuery) values() url.Values {
	values := url.Values{}
	setTime(values, "valuation_at", query.ValuationAt)
	setTime(values, "effective_through", query.EffectiveThrough)
	return values
}

// GetReceivablesQuery: the query parameters of GET /receivables. A field with the zero value is not sent.
type GetReceivablesQuery struct {
	// The instant, inclusive; at most 5 seconds in the future. RFC 3339 with an offset, without a leap second (:60);
	// floored to milliseconds.
	At time.Time
	// Return only amounts in this currency. Optional.
	Currency Currency
}

func (query GetReceivablesQuery) values() url.Values {
	values := url.Values{}
	setTime(values, "at", query.At)
	setText(values, "currency", query.Currency)
	return values
}

// ListValuationRunsQuery: the query parameters of GET /valuation_runs. A field with the zero value is not sent.
type ListValuationRunsQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter ValuationRunID
	// Return only items with this status. Optional.
	Status ValuationRunStatus
	// Return only runs of this kind. Optional.
	Kind ValuationRunKind
	// Return only items created after this instant. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds. Optional.
	CreatedAfter time.Time
	// Return only items created before this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	CreatedBefore time.Time
	// The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with
	// starting_after. Optional.
	Order ListOrder
}

func (query ListValuationRunsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	setText(values, "status", query.Status)
	setText(values, "kind", query.Kind)
	setTime(values, "created_after", query.CreatedAfter)
	setTime(values, "created_before", query.CreatedBefore)
	setText(values, "order", query.Order)
	return values
}

// ListValuationRunClaimsQuery: the query parameters of GET /valuation_runs/{valuation_run_id}/claims. A field
// with the zero value is not sent.
type ListValuationRunClaimsQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter ClaimID
}

func (query ListValuationRunClaimsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	return values
}

// ListBulkJobsQuery: the query parameters of GET /bulk_jobs. A field with the zero value is not sent.
type ListBulkJobsQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter BulkJobID
	// Return only items with this status. Optional.
	Status BulkJobStatus
	// Return only jobs of this kind. Optional.
	Kind BulkJobKind
	// Return only items created after this instant. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds. Optional.
	CreatedAfter time.Time
	// Return only items created before this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	CreatedBefore time.Time
	// The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with
	// starting_after. Optional.
	Order ListOrder
}

func (query ListBulkJobsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	setText(values, "status", query.Status)
	setText(values, "kind", query.Kind)
	setTime(values, "created_after", query.CreatedAfter)
	setTime(values, "created_before", query.CreatedBefore)
	setText(values, "order", query.Order)
	return values
}

// CreateBulkJobQuery: the query parameters of POST /bulk_jobs. A field with the zero value is not sent.
type CreateBulkJobQuery struct {
	// What each line of the file is.
	Kind BulkJobKind
	// Whether the job continues or stops after a rejected line. Absent: continue. Optional.
	OnError BulkJobOnError
	// Whether the job only decides each line on the facts of now, and writes nothing. Absent: false. Optional.
	DryRun BulkJobDryRun
}

func (query CreateBulkJobQuery) values() url.Values {
	values := url.Values{}
	setText(values, "kind", query.Kind)
	setText(values, "on_error", query.OnError)
	setText(values, "dry_run", query.DryRun)
	return values
}

// ListBulkJobResultsQuery: the query parameters of GET /bulk_jobs/{bulk_job_id}/results. A field with the zero
// value is not sent.
type ListBulkJobResultsQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// Return only results of lines after this line of the file. Optional.
	AfterLine int
	// Return only results with this status. Optional.
	Status BulkJobResultStatus
}

func (query ListBulkJobResultsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setInt(values, "after_line", query.AfterLine)
	setText(values, "status", query.Status)
	return values
}

// ListRemittancesQuery: the query parameters of GET /remittances. A field with the zero value is not sent.
type ListRemittancesQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter RemittanceID
	// Return only items with this status. Optional.
	Status RemittanceStatus
	// Return only the remittance with this reference. Optional.
	PayerReference string
	// Return only remittances with an allocation to this claim. Optional.
	ClaimID ClaimID
	// Return only items created after this instant. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds. Optional.
	CreatedAfter time.Time
	// Return only items created before this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	CreatedBefore time.Time
	// The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with
	// starting_after. Optional.
	Order ListOrder
}

func (query ListRemittancesQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	setText(values, "status", query.Status)
	setText(values, "payer_reference", query.PayerReference)
	setText(values, "claim_id", query.ClaimID)
	setTime(values, "created_after", query.CreatedAfter)
	setTime(values, "created_before", query.CreatedBefore)
	setText(values, "order", query.Order)
	return values
}

// ListPaymentAdvicesQuery: the query parameters of GET /payment_advices. A field with the zero value is not
// sent.
type ListPaymentAdvicesQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter PaymentAdviceID
	// Return only items with this status. Optional.
	Status PaymentAdviceStatus
	// Return only the advice with this reference. Optional.
	PayerReference string
	// Return only advices that pay, deny or take back an amount of this claim. Optional.
	ClaimID ClaimID
	// Return only items created after this instant. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds. Optional.
	CreatedAfter time.Time
	// Return only items created before this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	CreatedBefore time.Time
	// The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with
	// starting_after. Optional.
	Order ListOrder
}

func (query ListPaymentAdvicesQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	setText(values, "status", query.Status)
	setText(values, "payer_reference", query.PayerReference)
	setText(values, "claim_id", query.ClaimID)
	setTime(values, "created_after", query.CreatedAfter)
	setTime(values, "created_before", query.CreatedBefore)
	setText(values, "order", query.Order)
	return values
}

// ListSettlementsQuery: the query parameters of GET /settlements. A field with the zero value is not sent.
type ListSettlementsQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter SettlementID
	// Return only items with this status. Optional.
	Status SettlementStatus
	// Return only items of this remittance. Optional.
	RemittanceID RemittanceID
	// Return only the settlement with this reference. Optional.
	SourceReference string
	// Return only items created after this instant. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds. Optional.
	CreatedAfter time.Time
	// Return only items created before this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	CreatedBefore time.Time
	// The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with
	// starting_after. Optional.
	Order ListOrder
}

func (query ListSettlementsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	setText(values, "status", query.Status)
	setText(values, "remittance_id", query.RemittanceID)
	setText(values, "source_reference", query.SourceReference)
	setTime(values, "created_after", query.CreatedAfter)
	setTime(values, "created_before", query.CreatedBefore)
	setText(values, "order", query.Order)
	return values
}

// ListWebhookEndpointsQuery: the query parameters of GET /webhook_endpoints. A field with the zero value is not
// sent.
type ListWebhookEndpointsQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter WebhookEndpointID
	// Return only items with this status. Optional.
	Status WebhookEndpointStatus
	// Return only items created after this instant. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds. Optional.
	CreatedAfter time.Time
	// Return only items created before this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	CreatedBefore time.Time
	// The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with
	// starting_after. Optional.
	Order ListOrder
}

func (query ListWebhookEndpointsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	setText(values, "status", query.Status)
	setTime(values, "created_after", query.CreatedAfter)
	setTime(values, "created_before", query.CreatedBefore)
	setText(values, "order", query.Order)
	return values
}

// ListWebhookDeliveriesQuery: the query parameters of GET /webhook_endpoints/{webhook_endpoint_id}/deliveries. A
// field with the zero value is not sent.
type ListWebhookDeliveriesQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter EventID
	// Return only items with this status. Optional.
	Status WebhookDeliveryStatus
	// Return only items created after this instant. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds. Optional.
	CreatedAfter time.Time
	// Return only items created before this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	CreatedBefore time.Time
	// The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with
	// starting_after. Optional.
	Order ListOrder
}

func (query ListWebhookDeliveriesQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	setText(values, "status", query.Status)
	setTime(values, "created_after", query.CreatedAfter)
	setTime(values, "created_before", query.CreatedBefore)
	setText(values, "order", query.Order)
	return values
}

// ListEventsQuery: the query parameters of GET /events. A field with the zero value is not sent.
type ListEventsQuery struct {
	// The maximum number of items. Optional.
	Limit int
	// The identifier of the last item of the previous page. Optional.
	StartingAfter EventID
	// Return only events of this type. Optional.
	Type EventType
	// Return only items created after this instant. RFC 3339 with an offset, without a leap second (:60); floored to
	// milliseconds. Optional.
	CreatedAfter time.Time
	// Return only items created before this instant. RFC 3339 with an offset, without a leap second (:60); floored
	// to milliseconds. Optional.
	CreatedBefore time.Time
	// The order of the items by their creation: asc is oldest first. Absent: desc. Use the same one with
	// starting_after. Optional.
	Order ListOrder
}

func (query ListEventsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "starting_after", query.StartingAfter)
	setText(values, "type", query.Type)
	setTime(values, "created_after", query.CreatedAfter)
	setTime(values, "created_before", query.CreatedBefore)
	setText(values, "order", query.Order)
	return values
}

// Retrieve: describe the API.
//
// The version, the key's environment and the resource areas.
//
// Any valid key or token can call this operation.
func (service *APIService) Retrieve(ctx context.Context, options ...CallOption) (*API, error) {
	return call[API](ctx, service.transport, request{
		method: "GET",
		path:   "/",
	}, options)
}

// Create: create a token for a public client.
//
// Only this response contains the token. It is valid until it expires or its key becomes invalid. A repeated
// request creates another token.
//
// Any secret key can call this operation; a token cannot.
func (service *TokensService) Create(ctx context.Context, body TokenInput, options ...CallOption) (*Token, error) {
	return call[Token](ctx, service.transport, request{
		method: "POST",
		path:   "/tokens",
		body:   body,
	}, options)
}

// List: list practitioners.
//
// Scope: `practitioners:read`.
func (service *PractitionersService) List(ctx context.Context, query ListPractitionersQuery, options ...CallOption) (*PractitionerList, error) {
	return call[PractitionerList](ctx, service.transport, request{
		method: "GET",
		path:   "/practitioners",
		query:  query.values(),
	}, options)
}

// All returns an iterator over every item of every page of List, newest first. After an error it yields the
// error and ends.
func (service *PractitionersService) All(ctx context.Context, query ListPractitionersQuery, options ...CallOption) iter.Seq2[Practitioner, error] {
	return items(query, func(page ListPractitionersQuery) ([]Practitioner, bool, error) {
		list, err := service.List(ctx, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListPractitionersQuery, last Practitioner) { page.StartingAfter = last.ID })
}

// Retrieve: read a practitioner.
//
// Scope: `practitioners:read`.
func (service *PractitionersService) Retrieve(ctx context.Context, practitionerID PractitionerID, options ...CallOption) (*Practitioner, error) {
	return call[Practitioner](ctx, service.transport, request{
		method: "GET",
		path:   "/practitioners/{practitioner_id}",
		ids:    []string{string(practitionerID)},
	}, options)
}

// Availability: read a practitioner's weekly hours.
//
// Scope: `availability:read`.
func (service *PractitionersService) Availability(ctx context.Context, practitionerID PractitionerID, options ...CallOption) (*Availability, error) {
	return call[Availability](ctx, service.transport, request{
		method: "GET",
		path:   "/practitioners/{practitioner_id}/availability",
		ids:    []string{string(practitionerID)},
	}, options)
}

// Slots: list a practitioner's free slots.
//
// The weekly hours without the booked times, earliest first. A slot can be booked as it is, unless another
// booking took it in the meantime. The first slot starts where a free time starts, and each other one where the
// one before ends. From the current time on, slots start at a full quarter hour, at least five minutes ahead.
//
// Scope: `availability:read`.
func (service *PractitionersService) Slots(ctx context.Context, practitionerID PractitionerID, query ListPractitionerSlotsQuery, options ...CallOption) (*SlotList, error) {
	return call[SlotList](ctx, service.transport, request{
		method: "GET",
		path:   "/practitioners/{practitioner_id}/slots",
		ids:    []string{string(practitionerID)},
		query:  query.values(),
	}, options)
}

// List: list bookings.
//
// Scope: `bookings:read`.
func (service *BookingsService) List(ctx context.Context, query ListBookingsQuery, options ...CallOption) (*BookingList, error) {
	return call[BookingList](ctx, service.transport, request{
		method: "GET",
		path:   "/bookings",
		query:  query.values(),
	}, options)
}

// All returns an iterator over every item of every page of List, newest first. After an error it yields the
// error and ends.
func (service *BookingsService) All(ctx context.Context, query ListBookingsQuery, options ...CallOption) iter.Seq2[Booking, error] {
	return items(query, func(page ListBookingsQuery) ([]Booking, bool, error) {
		list, err := service.List(ctx, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListBookingsQuery, last Booking) { page.StartingAfter = last.ID })
}

// Create: book a session.
//
// Reserves the slot and creates the session.
//
// Scope: `bookings:write`.
func (service *BookingsService) Create(ctx context.Context, body BookingInput, options ...CallOption) (*Booking, error) {
	return call[Booking](ctx, service.transport, request{
		method:       "POST",
		path:         "/bookings",
		body:         body,
		isIdempotent: true,
	}, options)
}

// Retrieve: read a booking.
//
// Scope: `bookings:read`.
func (service *BookingsService) Retrieve(ctx context.Context, bookingID BookingID, options ...CallOption) (*Booking, error) {
	return call[Booking](ctx, service.transport, request{
		method: "GET",
		path:   "/bookings/{booking_id}",
		ids:    []string{string(bookingID)},
	}, options)
}

// Cancel: cancel a booking.
//
// Also cancels the session and a pending or approved pre-authorization. Allowed only before the session starts.
//
// Scope: `bookings:write`.
func (service *BookingsService) Cancel(ctx context.Context, bookingID BookingID, body CancellationInput, options ...CallOption) (*Booking, error) {
	return call[Booking](ctx, service.transport, request{
		method:       "POST",
		path:         "/bookings/{booking_id}/cancellations",
		ids:          []string{string(bookingID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// List: list sessions.
//
// Scope: `sessions:read`.
func (service *SessionsService) List(ctx context.Context, query ListSessionsQuery, options ...CallOption) (*SessionList, error) {
	return call[SessionList](ctx, service.transport, request{
		method: "GET",
		path:   "/sessions",
		query:  query.values(),
	}, options)
}

// All returns an iterator over every item of every page of List, newest first. After an error it yields the
// error and ends.
func (service *SessionsService) All(ctx context.Context, query ListSessionsQuery, options ...CallOption) iter.Seq2[Session, error] {
	return items(query, func(page ListSessionsQuery) ([]Session, bool, error) {
		list, err := service.List(ctx, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListSessionsQuery, last Session) { page.StartingAfter = last.ID })
}

// Record: record a session outside the calendar.
//
// Records a session that took place, or will take place, without a booking in this API. Neither the
// practitioner's hours nor other bookings are checked, and no slot is taken. The session gets a booking of its
// own. It is delivered once ends_at has passed, so a session that ended in the past is delivered at once.
//
// Scope: `sessions:write`.
func (service *SessionsService) Record(ctx context.Context, body SessionInput, options ...CallOption) (*Session, error) {
	return call[Session](ctx, service.transport, request{
		method:       "POST",
		path:         "/sessions",
		body:         body,
		isIdempotent: true,
	}, options)
}

// Retrieve: read a session.
//
// Scope: `sessions:read`.
func (service *SessionsService) Retrieve(ctx context.Context, sessionID SessionID, options ...CallOption) (*Session, error) {
	return call[Session](ctx, service.transport, request{
		method: "GET",
		path:   "/sessions/{session_id}",
		ids:    []string{string(sessionID)},
	}, options)
}

// DeliverSession: deliver a session now.
//
// Sets the status to delivered before the end of the session. starts_at and ends_at do not change. Sandbox only.
//
// Scope: `sessions:write`.
func (service *TestHelpersService) DeliverSession(ctx context.Context, sessionID SessionID, options ...CallOption) (*Session, error) {
	return call[Session](ctx, service.transport, request{
		method:       "POST",
		path:         "/test_helpers/sessions/{session_id}/deliver",
		ids:          []string{string(sessionID)},
		isIdempotent: true,
	}, options)
}

// Record: record a coverage observation.
//
// For a version that is already recorded with the same content, the response is 200 with the first observation,
// also under another Idempotency-Key.
//
// Scope: `coverages:write`.
func (service *CoveragesService) Record(ctx context.Context, body CoverageInput, options ...CallOption) (*CoverageObservation, error) {
	return call[CoverageObservation](ctx, service.transport, request{
		method:       "POST",
		path:         "/coverages",
		body:         body,
		isIdempotent: true,
	}, options)
}

// RecordBatch: record a batch of coverage observations.
//
// Records either all observations or none. If all were recorded before, the response is 200.
//
// Scope: `coverages:write`.
func (service *CoveragesService) RecordBatch(ctx context.Context, artifactReference string, body CoverageBatchInput, options ...CallOption) (*CoverageBatchResult, error) {
	return call[CoverageBatchResult](ctx, service.transport, request{
		method:       "POST",
		path:         "/coverage_batches",
		headers:      map[string]string{"X-Artifact-Reference": artifactReference},
		body:         body,
		isIdempotent: true,
	}, options)
}

// Retrieve: read the latest observation of a coverage.
//
// Scope: `coverages:read`.
func (service *CoveragesService) Retrieve(ctx context.Context, coverageID CoverageID, options ...CallOption) (*CoverageObservation, error) {
	return call[CoverageObservation](ctx, service.transport, request{
		method: "GET",
		path:   "/coverages/{coverage_id}",
		ids:    []string{string(coverageID)},
	}, options)
}

// Create: check eligibility.
//
// An ineligible result is not an error: the response is 201 with the reason codes.
//
// Scope: `benefits:write`.
func (service *EligibilityChecksService) Create(ctx context.Context, body EligibilityCheckInput, options ...CallOption) (*EligibilityCheck, error) {
	return call[EligibilityCheck](ctx, service.transport, request{
		method:       "POST",
		path:         "/eligibility_checks",
		body:         body,
		isIdempotent: true,
	}, options)
}

// Retrieve: read an eligibility check.
//
// Scope: `benefits:read`.
func (service *EligibilityChecksService) Retrieve(ctx context.Context, eligibilityCheckID EligibilityCheckID, options ...CallOption) (*EligibilityCheck, error) {
	return call[EligibilityCheck](ctx, service.transport, request{
		method: "GET",
		path:   "/eligibility_checks/{eligibility_check_id}",
		ids:    []string{string(eligibilityCheckID)},
	}, options)
}

// List: list pre-authorizations.
//
// Scope: `benefits:read`.
func (service *PreauthorizationsService) List(ctx context.Context, query ListPreauthorizationsQuery, options ...CallOption) (*PreauthorizationList, error) {
	return call[PreauthorizationList](ctx, service.transport, request{
		method: "GET",
		path:   "/preauthorizations",
		query:  query.values(),
	}, options)
}

// All returns an iterator over every item of every page of List, newest first. After an error it yields the
// error and ends.
func (service *PreauthorizationsService) All(ctx context.Context, query ListPreauthorizationsQuery, options ...CallOption) iter.Seq2[Preauthorization, error] {
	return items(query, func(page ListPreauthorizationsQuery) ([]Preauthorization, bool, error) {
		list, err := service.List(ctx, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListPreauthorizationsQuery, last Preauthorization) { page.StartingAfter = last.ID })
}

// Create: open a pre-authorization.
//
// The booking must be covered and its check eligible. Only the approval reserves the benefit.
//
// Scope: `benefits:write`.
func (service *PreauthorizationsService) Create(ctx context.Context, body PreauthorizationInput, options ...CallOption) (*Preauthorization, error) {
	return call[Preauthorization](ctx, service.transport, request{
		method:       "POST",
		path:         "/preauthorizations",
		body:         body,
		isIdempotent: true,
	}, options)
}

// Retrieve: read a pre-authorization.
//
// Scope: `benefits:read`.
func (service *PreauthorizationsService) Retrieve(ctx context.Context, preauthorizationID PreauthorizationID, options ...CallOption) (*Preauthorization, error) {
	return call[Preauthorization](ctx, service.transport, request{
		method: "GET",
		path:   "/preauthorizations/{preauthorization_id}",
		ids:    []string{string(preauthorizationID)},
	}, options)
}

// Decide: decide a pre-authorization.
//
// An approval reserves one session of the benefit and confirms the booking; a denial does neither.
//
// Scope: `benefits:decide`.
func (service *PreauthorizationsService) Decide(ctx context.Context, preauthorizationID PreauthorizationID, body PreauthorizationDecisionInput, options ...CallOption) (*Preauthorization, error) {
	return call[Preauthorization](ctx, service.transport, request{
		method:       "POST",
		path:         "/preauthorizations/{preauthorization_id}/decisions",
		ids:          []string{string(preauthorizationID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// Cancel: cancel a pre-authorization.
//
// Allowed in pending and approved, unless a claim uses it. Releases the reservation.
//
// Scope: `benefits:write`.
func (service *PreauthorizationsService) Cancel(ctx context.Context, preauthorizationID PreauthorizationID, body CancellationInput, options ...CallOption) (*Preauthorization, error) {
	return call[Preauthorization](ctx, service.transport, request{
		method:       "POST",
		path:         "/preauthorizations/{preauthorization_id}/cancellations",
		ids:          []string{string(preauthorizationID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// ExpirePreauthorization: expire a pre-authorization now.
//
// Has the same effect as its deadline. Sandbox only.
//
// Scope: `benefits:write`.
func (service *TestHelpersService) ExpirePreauthorization(ctx context.Context, preauthorizationID PreauthorizationID, options ...CallOption) (*Preauthorization, error) {
	return call[Preauthorization](ctx, service.transport, request{
		method:       "POST",
		path:         "/test_helpers/preauthorizations/{preauthorization_id}/expire",
		ids:          []string{string(preauthorizationID)},
		isIdempotent: true,
	}, options)
}

// Record: record a member's consent.
//
// There is one consent per member. A later request changes it.
//
// Scope: `consents:write`.
func (service *ConsentsService) Record(ctx context.Context, body ConsentInput, options ...CallOption) (*Consent, error) {
	return call[Consent](ctx, service.transport, request{
		method:       "POST",
		path:         "/consents",
		body:         body,
		isIdempotent: true,
	}, options)
}

// Retrieve: read a consent.
//
// Scope: `consents:read`.
func (service *ConsentsService) Retrieve(ctx context.Context, consentID ConsentID, options ...CallOption) (*Consent, error) {
	return call[Consent](ctx, service.transport, request{
		method: "GET",
		path:   "/consents/{consent_id}",
		ids:    []string{string(consentID)},
	}, options)
}

// List: list claims.
//
// Scope: `claims:read`.
func (service *ClaimsService) List(ctx context.Context, query ListClaimsQuery, options ...CallOption) (*ClaimList, error) {
	return call[ClaimList](ctx, service.transport, request{
		method: "GET",
		path:   "/claims",
		query:  query.values(),
	}, options)
}

// All returns an iterator over every item of every page of List, newest first. After an error it yields the
// error and ends.
func (service *ClaimsService) All(ctx context.Context, query ListClaimsQuery, options ...CallOption) iter.Seq2[Claim, error] {
	return items(query, func(page ListClaimsQuery) ([]Claim, bool, error) {
		list, err := service.List(ctx, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListClaimsQuery, last Claim) { page.StartingAfter = last.ID })
}

// Submit: submit a claim.
//
// Scope: `claims:write`.
func (service *ClaimsService) Submit(ctx context.Context, body ClaimInput, options ...CallOption) (*Claim, error) {
	return call[Claim](ctx, service.transport, request{
		method:       "POST",
		path:         "/claims",
		body:         body,
		isIdempotent: true,
	}, options)
}

// Retrieve: read a claim.
//
// Scope: `claims:read`.
func (service *ClaimsService) Retrieve(ctx context.Context, claimID ClaimID, options ...CallOption) (*Claim, error) {
	return call[Claim](ctx, service.transport, request{
		method: "GET",
		path:   "/claims/{claim_id}",
		ids:    []string{string(claimID)},
	}, options)
}

// Links: read the resources that a claim is connected with.
//
// Scope: `claims:read`.
func (service *ClaimsService) Links(ctx context.Context, claimID ClaimID, options ...CallOption) (*ClaimLinks, error) {
	return call[ClaimLinks](ctx, service.transport, request{
		method: "GET",
		path:   "/claims/{claim_id}/links",
		ids:    []string{string(claimID)},
	}, options)
}

// Valuation: value a claim at a cutoff.
//
// The state and amounts of the claim as they were known at the cutoff. With `effective_through`, an earlier
// instant as it was known at the cutoff: what took effect later does not count. The response for the same
// instants never changes, whatever is recorded later.
//
// Scope: `claims:read`.
func (service *ClaimsService) Valuation(ctx context.Context, claimID ClaimID, query GetClaimValuationQuery, options ...CallOption) (*ClaimValuation, error) {
	return call[ClaimValuation](ctx, service.transport, request{
		method: "GET",
		path:   "/claims/{claim_id}/valuation",
		ids:    []string{string(claimID)},
		query:  query.values(),
	}, options)
}

// Retrieve: read the outstanding amounts at an instant.
//
// What payers owe for the project's claims as it was known at the instant, by age, practitioner and payer: the
// sums of `outstanding` of the claims' valuations. Claims without an adjudication and settled claims owe
// nothing.
//
// Scope: `claims:read`.
func (service *ReceivablesService) Retrieve(ctx context.Context, query GetReceivablesQuery, options ...CallOption) (*Receivables, error) {
	return call[Receivables](ctx, service.transport, request{
		method: "GET",
		path:   "/receivables",
		query:  query.values(),
	}, options)
}

// List: list valuation runs.
//
// The runs without their groups and triangles, which a read of one run returns.
//
// Scope: `claims:read`.
func (service *ValuationRunsService) List(ctx context.Context, query ListValuationRunsQuery, options ...CallOption) (*ValuationRunSummaryList, error) {
	return call[ValuationRunSummaryList](ctx, service.transport, request{
		method: "GET",
		path:   "/valuation_runs",
		query:  query.values(),
	}, options)
}

// All returns an iterator over every item of every page of List, newest first. After an error it yields the
// error and ends.
func (service *ValuationRunsService) All(ctx context.Context, query ListValuationRunsQuery, options ...CallOption) iter.Seq2[ValuationRunSummary, error] {
	return items(query, func(page ListValuationRunsQuery) ([]ValuationRunSummary, bool, error) {
		list, err := service.List(ctx, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListValuationRunsQuery, last ValuationRunSummary) { page.StartingAfter = last.ID })
}

// Create: value all claims at a cutoff.
//
// Starts a run that adds up the valuations of the project's claims, in groups or as a development triangle. The
// same request has the same result permanently, whatever is recorded later. Read the run until its status is
// ready. A project can have at most 100 pending runs.
//
// Scope: `claims:read`.
func (service *ValuationRunsService) Create(ctx context.Context, body ValuationRunInput, options ...CallOption) (*ValuationRun, error) {
	return call[ValuationRun](ctx, service.transport, request{
		method:       "POST",
		path:         "/valuation_runs",
		body:         body,
		isIdempotent: true,
	}, options)
}

// Retrieve: read a valuation run.
//
// Scope: `claims:read`.
func (service *ValuationRunsService) Retrieve(ctx context.Context, valuationRunID ValuationRunID, options ...CallOption) (*ValuationRun, error) {
	return call[ValuationRun](ctx, service.transport, request{
		method: "GET",
		path:   "/valuation_runs/{valuation_run_id}",
		ids:    []string{string(valuationRunID)},
	}, options)
}

// Claims: list the claims of a valuation run.
//
// Every claim that the run counted, newest first, with its status and amounts at the cutoffs of the run. With
// another format in the Accept header, the response is a file of all these claims, without pages.
//
// Scope: `claims:read`.
func (service *ValuationRunsService) Claims(ctx context.Context, valuationRunID ValuationRunID, query ListValuationRunClaimsQuery, options ...CallOption) (*ValuationRunClaimList, error) {
	return call[ValuationRunClaimList](ctx, service.transport, request{
		method: "GET",
		path:   "/valuation_runs/{valuation_run_id}/claims",
		ids:    []string{string(valuationRunID)},
		query:  query.values(),
	}, options)
}

// AllClaims returns an iterator over every item of every page of Claims, newest first. After an error it yields
// the error and ends.
func (service *ValuationRunsService) AllClaims(ctx context.Context, valuationRunID ValuationRunID, query ListValuationRunClaimsQuery, options ...CallOption) iter.Seq2[ValuationRunClaim, error] {
	return items(query, func(page ListValuationRunClaimsQuery) ([]ValuationRunClaim, bool, error) {
		list, err := service.Claims(ctx, valuationRunID, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListValuationRunClaimsQuery, last ValuationRunClaim) { page.StartingAfter = last.ID })
}

// RequestInformation: request information about a claim.
//
// Allowed in submitted. A claim can have at most 100 information requests.
//
// Scope: `claims:adjudicate`.
func (service *ClaimsService) RequestInformation(ctx context.Context, claimID ClaimID, body InformationRequestInput, options ...CallOption) (*Claim, error) {
	return call[Claim](ctx, service.transport, request{
		method:       "POST",
		path:         "/claims/{claim_id}/information_requests",
		ids:          []string{string(claimID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// SubmitEvidence: respond to an information request and resubmit the claim.
//
// Scope: `claims:write`.
func (service *ClaimsService) SubmitEvidence(ctx context.Context, claimID ClaimID, body EvidenceInput, options ...CallOption) (*Claim, error) {
	return call[Claim](ctx, service.transport, request{
		method:       "POST",
		path:         "/claims/{claim_id}/evidence",
		ids:          []string{string(claimID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// Adjudicate: adjudicate a claim line by line.
//
// The decision is derived from the lines. Can be repeated until the first remittance. With expected versions, no
// decision or evidence that came meanwhile is overlooked. A claim can have at most 1000 adjudications.
//
// Scope: `claims:adjudicate`.
func (service *ClaimsService) Adjudicate(ctx context.Context, claimID ClaimID, body AdjudicationInput, options ...CallOption) (*Claim, error) {
	return call[Claim](ctx, service.transport, request{
		method:       "POST",
		path:         "/claims/{claim_id}/adjudications",
		ids:          []string{string(claimID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// Cancel: cancel a claim.
//
// Allowed in submitted and queried. Releases the session and the pre-authorization.
//
// Scope: `claims:write`.
func (service *ClaimsService) Cancel(ctx context.Context, claimID ClaimID, body CancellationInput, options ...CallOption) (*Claim, error) {
	return call[Claim](ctx, service.transport, request{
		method:       "POST",
		path:         "/claims/{claim_id}/cancellations",
		ids:          []string{string(claimID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// Reverse: reverse a claim.
//
// Allowed in approved, partially_approved and settled. Settled amounts remain recorded and become recoverable
// from the provider.
//
// Scope: `claims:adjudicate`.
func (service *ClaimsService) Reverse(ctx context.Context, claimID ClaimID, body ReversalInput, options ...CallOption) (*Claim, error) {
	return call[Claim](ctx, service.transport, request{
		method:       "POST",
		path:         "/claims/{claim_id}/reversals",
		ids:          []string{string(claimID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// List: list bulk jobs.
//
// Lists the jobs of the kinds whose scopes the credential has.
//
// Scope: that of the operation which the lines of the job execute: `claims:write` (claims), `claims:adjudicate`
// (adjudications), `remittances:write` (remittances), `settlements:write` (settlements), `sessions:write`
// (sessions), `benefits:write` (eligibility_checks).
func (service *BulkJobsService) List(ctx context.Context, query ListBulkJobsQuery, options ...CallOption) (*BulkJobList, error) {
	return call[BulkJobList](ctx, service.transport, request{
		method: "GET",
		path:   "/bulk_jobs",
		query:  query.values(),
	}, options)
}

// All returns an iterator over every item of every page of List, newest first. After an error it yields the
// error and ends.
func (service *BulkJobsService) All(ctx context.Context, query ListBulkJobsQuery, options ...CallOption) iter.Seq2[BulkJob, error] {
	return items(query, func(page ListBulkJobsQuery) ([]BulkJob, bool, error) {
		list, err := service.List(ctx, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListBulkJobsQuery, last BulkJob) { page.StartingAfter = last.ID })
}

// Create: execute the lines of a file.
//
// Receives a file of at most 50000 lines and 104857600 bytes, and executes each line as one operation: a
// ClaimInput or RecordedClaimInput for the kind claims, a ClaimAdjudicationInput for the kind adjudications, a
// RemittanceInput with at most 1000 allocations for the kind remittances, a SettlementInput for the kind
// settlements, a SessionInput for the kind sessions, an EligibilityCheckInput for the kind eligibility_checks.
// The file can be compressed (`Content-Encoding: gzip`); the limits hold for the unpacked file. Lines of the
// same claim, remittance or reference are executed in their order. The same file under the same Idempotency-Key
// is a replay. A line that equals an earlier line of the file has no second effect. A project can have at most
// 20 jobs that have not ended.
//
// Scope: that of the operation which the lines of the job execute: `claims:write` (claims), `claims:adjudicate`
// (adjudications), `remittances:write` (remittances), `settlements:write` (settlements), `sessions:write`
// (sessions), `benefits:write` (eligibility_checks).
func (service *BulkJobsService) Create(ctx context.Context, query CreateBulkJobQuery, file File, options ...CallOption) (*BulkJob, error) {
	return call[BulkJob](ctx, service.transport, request{
		method:       "POST",
		path:         "/bulk_jobs",
		query:        query.values(),
		file:         &file,
		isIdempotent: true,
	}, options)
}

// Retrieve: read a bulk job.
//
// Scope: that of the operation which the lines of the job execute: `claims:write` (claims), `claims:adjudicate`
// (adjudications), `remittances:write` (remittances), `settlements:write` (settlements), `sessions:write`
// (sessions), `benefits:write` (eligibility_checks).
func (service *BulkJobsService) Retrieve(ctx context.Context, bulkJobID BulkJobID, options ...CallOption) (*BulkJob, error) {
	return call[BulkJob](ctx, service.transport, request{
		method: "GET",
		path:   "/bulk_jobs/{bulk_job_id}",
		ids:    []string{string(bulkJobID)},
	}, options)
}

// Results: list the results of the lines of a bulk job.
//
// One result per line of the file, in the order of the file. With another format in the Accept header, the
// response is a file of all these results, without pages. The results of an ended job are deleted after their
// retention, 30 days by default: the response is then 404, and the job has `results_deleted_at` and the counts.
//
// Scope: that of the operation which the lines of the job execute: `claims:write` (claims), `claims:adjudicate`
// (adjudications), `remittances:write` (remittances), `settlements:write` (settlements), `sessions:write`
// (sessions), `benefits:write` (eligibility_checks).
func (service *BulkJobsService) Results(ctx context.Context, bulkJobID BulkJobID, query ListBulkJobResultsQuery, options ...CallOption) (*BulkJobResultList, error) {
	return call[BulkJobResultList](ctx, service.transport, request{
		method: "GET",
		path:   "/bulk_jobs/{bulk_job_id}/results",
		ids:    []string{string(bulkJobID)},
		query:  query.values(),
	}, options)
}

// Pause: pause a bulk job.
//
// Allowed in pending, running and paused. The lines that are being executed are executed to their end.
//
// Scope: that of the operation which the lines of the job execute: `claims:write` (claims), `claims:adjudicate`
// (adjudications), `remittances:write` (remittances), `settlements:write` (settlements), `sessions:write`
// (sessions), `benefits:write` (eligibility_checks).
func (service *BulkJobsService) Pause(ctx context.Context, bulkJobID BulkJobID, options ...CallOption) (*BulkJob, error) {
	return call[BulkJob](ctx, service.transport, request{
		method:       "POST",
		path:         "/bulk_jobs/{bulk_job_id}/pauses",
		ids:          []string{string(bulkJobID)},
		isIdempotent: true,
	}, options)
}

// Resume: continue a paused bulk job.
//
// Allowed in pending, running and paused.
//
// Scope: that of the operation which the lines of the job execute: `claims:write` (claims), `claims:adjudicate`
// (adjudications), `remittances:write` (remittances), `settlements:write` (settlements), `sessions:write`
// (sessions), `benefits:write` (eligibility_checks).
func (service *BulkJobsService) Resume(ctx context.Context, bulkJobID BulkJobID, options ...CallOption) (*BulkJob, error) {
	return call[BulkJob](ctx, service.transport, request{
		method:       "POST",
		path:         "/bulk_jobs/{bulk_job_id}/continuations",
		ids:          []string{string(bulkJobID)},
		isIdempotent: true,
	}, options)
}

// Cancel: cancel a bulk job.
//
// Allowed in pending, running and paused. Lines that are not executed yet are not executed; what was executed
// remains.
//
// Scope: that of the operation which the lines of the job execute: `claims:write` (claims), `claims:adjudicate`
// (adjudications), `remittances:write` (remittances), `settlements:write` (settlements), `sessions:write`
// (sessions), `benefits:write` (eligibility_checks).
func (service *BulkJobsService) Cancel(ctx context.Context, bulkJobID BulkJobID, options ...CallOption) (*BulkJob, error) {
	return call[BulkJob](ctx, service.transport, request{
		method:       "POST",
		path:         "/bulk_jobs/{bulk_job_id}/cancellations",
		ids:          []string{string(bulkJobID)},
		isIdempotent: true,
	}, options)
}

// List: list remittances.
//
// With a status, remittances whose payment advice was withdrawn are left out, because they wait for nothing:
// `GET /payment_advices?status=withdrawn` lists them.
//
// Scope: `remittances:read`.
func (service *RemittancesService) List(ctx context.Context, query ListRemittancesQuery, options ...CallOption) (*RemittanceList, error) {
	return call[RemittanceList](ctx, service.transport, request{
		method: "GET",
		path:   "/remittances",
		query:  query.values(),
	}, options)
}

// All returns an iterator over every item of every page of List, newest first. After an error it yields the
// error and ends.
func (service *RemittancesService) All(ctx context.Context, query ListRemittancesQuery, options ...CallOption) iter.Seq2[Remittance, error] {
	return items(query, func(page ListRemittancesQuery) ([]Remittance, bool, error) {
		list, err := service.List(ctx, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListRemittancesQuery, last Remittance) { page.StartingAfter = last.ID })
}

// Create: record a remittance and allocate it to claims.
//
// Records the payer's advice of payment with either all allocations or none. A claim can have at most 1000
// remittances.
//
// Scope: `remittances:write`.
func (service *RemittancesService) Create(ctx context.Context, body RemittanceInput, options ...CallOption) (*Remittance, error) {
	return call[Remittance](ctx, service.transport, request{
		method:       "POST",
		path:         "/remittances",
		body:         body,
		isIdempotent: true,
	}, options)
}

// Retrieve: read a remittance.
//
// Scope: `remittances:read`.
func (service *RemittancesService) Retrieve(ctx context.Context, remittanceID RemittanceID, options ...CallOption) (*Remittance, error) {
	return call[Remittance](ctx, service.transport, request{
		method: "GET",
		path:   "/remittances/{remittance_id}",
		ids:    []string{string(remittanceID)},
	}, options)
}

// Reconciliation: read why a remittance is reconciled or not.
//
// Compares the remittance with its settlements at the time of the request, and names the operations that would
// reconcile it.
//
// Scope: `remittances:read`.
func (service *RemittancesService) Reconciliation(ctx context.Context, remittanceID RemittanceID, options ...CallOption) (*RemittanceReconciliation, error) {
	return call[RemittanceReconciliation](ctx, service.transport, request{
		method: "GET",
		path:   "/remittances/{remittance_id}/reconciliation",
		ids:    []string{string(remittanceID)},
	}, options)
}

// List: list payment advices.
//
// Scope: `remittances:read`.
func (service *PaymentAdvicesService) List(ctx context.Context, query ListPaymentAdvicesQuery, options ...CallOption) (*PaymentAdviceList, error) {
	return call[PaymentAdviceList](ctx, service.transport, request{
		method: "GET",
		path:   "/payment_advices",
		query:  query.values(),
	}, options)
}

// All returns an iterator over every item of every page of List, newest first. After an error it yields the
// error and ends.
func (service *PaymentAdvicesService) All(ctx context.Context, query ListPaymentAdvicesQuery, options ...CallOption) iter.Seq2[PaymentAdvice, error] {
	return items(query, func(page ListPaymentAdvicesQuery) ([]PaymentAdvice, bool, error) {
		list, err := service.List(ctx, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListPaymentAdvicesQuery, last PaymentAdvice) { page.StartingAfter = last.ID })
}

// Create: record a payer's advice with denials, takebacks and adjustments.
//
// Records either all lines of the advice or none. Its allocations are a remittance, to which settlements refer.
// A remittance is reconciled when its settlements equal the net of its advice. A claim can have at most 1000
// allocations and recoveries.
//
// Scope: `remittances:write`.
func (service *PaymentAdvicesService) Create(ctx context.Context, body PaymentAdviceInput, options ...CallOption) (*PaymentAdvice, error) {
	return call[PaymentAdvice](ctx, service.transport, request{
		method:       "POST",
		path:         "/payment_advices",
		body:         body,
		isIdempotent: true,
	}, options)
}

// Retrieve: read a payment advice.
//
// Every remittance is the part of a payment advice, also one that POST /remittances created.
//
// Scope: `remittances:read`.
func (service *PaymentAdvicesService) Retrieve(ctx context.Context, paymentAdviceID PaymentAdviceID, options ...CallOption) (*PaymentAdvice, error) {
	return call[PaymentAdvice](ctx, service.transport, request{
		method: "GET",
		path:   "/payment_advices/{payment_advice_id}",
		ids:    []string{string(paymentAdviceID)},
	}, options)
}

// Withdraw: withdraw a payment advice of which nothing is settled.
//
// What the advice remitted and took back is undone on its claims from now on, and its balance no longer counts.
// Its payer_reference can be used again. The advice stays readable with its lines; its remittance is shown as
// `exception`, and accepts no settlements. If its net is settled without a transfer, that is undone too.
// Rejected while a settlement of funds is not reversed (advice_settled), or while other advices deduct its
// balance, take back what it remitted, or pay what it took back (invalid_state).
//
// Scope: `remittances:write`.
func (service *PaymentAdvicesService) Withdraw(ctx context.Context, paymentAdviceID PaymentAdviceID, body ReversalInput, options ...CallOption) (*PaymentAdvice, error) {
	return call[PaymentAdvice](ctx, service.transport, request{
		method:       "POST",
		path:         "/payment_advices/{payment_advice_id}/withdrawals",
		ids:          []string{string(paymentAdviceID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// Replace: replace a payment advice of which nothing is settled.
//
// Withdraws the advice and records the advice of the body in its place: both or none. The new advice can have
// the payer_reference of the old one. Each names the other, in `replaces` and `replaced_by`. The rules are those
// of the withdrawal, and then those of a new advice.
//
// Scope: `remittances:write`.
func (service *PaymentAdvicesService) Replace(ctx context.Context, paymentAdviceID PaymentAdviceID, body PaymentAdviceInput, options ...CallOption) (*PaymentAdvice, error) {
	return call[PaymentAdvice](ctx, service.transport, request{
		method:       "POST",
		path:         "/payment_advices/{payment_advice_id}/replacements",
		ids:          []string{string(paymentAdviceID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// Balances: read what payers will deduct from later payments.
//
// A payment advice whose net is below zero forwards a balance. Later advices of the same payer and currency
// deduct it by adjustments of the kind `forwarded_balance`, the oldest balance first.
//
// Scope: `remittances:read`.
func (service *PaymentAdvicesService) Balances(ctx context.Context, options ...CallOption) (*PayerBalances, error) {
	return call[PayerBalances](ctx, service.transport, request{
		method: "GET",
		path:   "/payer_balances",
	}, options)
}

// List: list settlements.
//
// Scope: `remittances:read`.
func (service *SettlementsService) List(ctx context.Context, query ListSettlementsQuery, options ...CallOption) (*SettlementList, error) {
	return call[SettlementList](ctx, service.transport, request{
		method: "GET",
		path:   "/settlements",
		query:  query.values(),
	}, options)
}

// All returns an iterator over every item of every page of List, newest first. After an error it yields the
// error and ends.
func (service *SettlementsService) All(ctx context.Context, query ListSettlementsQuery, options ...CallOption) iter.Seq2[Settlement, error] {
	return items(query, func(page ListSettlementsQuery) ([]Settlement, bool, error) {
		list, err := service.List(ctx, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListSettlementsQuery, last Settlement) { page.StartingAfter = last.ID })
}

// Create: record evidence that funds of a remittance moved.
//
// When the settlements equal the total of the remittance, it is reconciled and its claims are settled. A deposit
// for several advices is recorded with shares, all or none; the response is the settlement of the first. If the
// source_reference is that of an imported bank row, the settlement records the row; it is rejected
// (invalid_state) if less of the row is open. A remittance can have at most 1000 settlements, including reversed
// ones.
//
// Scope: `settlements:write`.
func (service *SettlementsService) Create(ctx context.Context, body SettlementInput, options ...CallOption) (*Settlement, error) {
	return call[Settlement](ctx, service.transport, request{
		method:       "POST",
		path:         "/settlements",
		body:         body,
		isIdempotent: true,
	}, options)
}

// Retrieve: read a settlement.
//
// Scope: `remittances:read`.
func (service *SettlementsService) Retrieve(ctx context.Context, settlementID SettlementID, options ...CallOption) (*Settlement, error) {
	return call[Settlement](ctx, service.transport, request{
		method: "GET",
		path:   "/settlements/{settlement_id}",
		ids:    []string{string(settlementID)},
	}, options)
}

// Reverse: reverse a settlement that was recorded wrongly.
//
// Posts the inverse amounts and reconciles the remittance again.
//
// Scope: `settlements:write`.
func (service *SettlementsService) Reverse(ctx context.Context, settlementID SettlementID, body ReversalInput, options ...CallOption) (*Settlement, error) {
	return call[Settlement](ctx, service.transport, request{
		method:       "POST",
		path:         "/settlements/{settlement_id}/reversals",
		ids:          []string{string(settlementID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// List: list webhook endpoints.
//
// Scope: `webhooks:read`.
func (service *WebhookEndpointsService) List(ctx context.Context, query ListWebhookEndpointsQuery, options ...CallOption) (*WebhookEndpointList, error) {
	return call[WebhookEndpointList](ctx, service.transport, request{
		method: "GET",
		path:   "/webhook_endpoints",
		query:  query.values(),
	}, options)
}

// All returns an iterator over every item of every page of List, newest first. After an error it yields the
// error and ends.
func (service *WebhookEndpointsService) All(ctx context.Context, query ListWebhookEndpointsQuery, options ...CallOption) iter.Seq2[WebhookEndpoint, error] {
	return items(query, func(page ListWebhookEndpointsQuery) ([]WebhookEndpoint, bool, error) {
		list, err := service.List(ctx, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListWebhookEndpointsQuery, last WebhookEndpoint) { page.StartingAfter = last.ID })
}

// Create: register a webhook endpoint.
//
// Only the first response contains the signing secret; a replay omits it. A project can have at most 50 active
// endpoints, unless its settings permit another number.
//
// Scope: `webhooks:write`.
func (service *WebhookEndpointsService) Create(ctx context.Context, body WebhookEndpointInput, options ...CallOption) (*CreatedWebhookEndpoint, error) {
	return call[CreatedWebhookEndpoint](ctx, service.transport, request{
		method:       "POST",
		path:         "/webhook_endpoints",
		body:         body,
		isIdempotent: true,
	}, options)
}

// Retrieve: read a webhook endpoint.
//
// Scope: `webhooks:read`.
func (service *WebhookEndpointsService) Retrieve(ctx context.Context, webhookEndpointID WebhookEndpointID, options ...CallOption) (*WebhookEndpoint, error) {
	return call[WebhookEndpoint](ctx, service.transport, request{
		method: "GET",
		path:   "/webhook_endpoints/{webhook_endpoint_id}",
		ids:    []string{string(webhookEndpointID)},
	}, options)
}

// Update: change a webhook endpoint.
//
// Scope: `webhooks:write`.
func (service *WebhookEndpointsService) Update(ctx context.Context, webhookEndpointID WebhookEndpointID, body WebhookEndpointUpdate, options ...CallOption) (*WebhookEndpoint, error) {
	return call[WebhookEndpoint](ctx, service.transport, request{
		method:       "PATCH",
		path:         "/webhook_endpoints/{webhook_endpoint_id}",
		ids:          []string{string(webhookEndpointID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// Disable: disable a webhook endpoint.
//
// A disabled endpoint can still be read, and can be enabled again.
//
// Scope: `webhooks:write`.
func (service *WebhookEndpointsService) Disable(ctx context.Context, webhookEndpointID WebhookEndpointID, options ...CallOption) (*WebhookEndpoint, error) {
	return call[WebhookEndpoint](ctx, service.transport, request{
		method:       "DELETE",
		path:         "/webhook_endpoints/{webhook_endpoint_id}",
		ids:          []string{string(webhookEndpointID)},
		isIdempotent: true,
	}, options)
}

// Test: send a test event to an active endpoint.
//
// Makes up to 3 attempts within 10 seconds. If none is accepted, the response is 502 with the delivery. A
// disabled endpoint responds 404. Sandbox only.
//
// Scope: `webhooks:write`.
func (service *WebhookEndpointsService) Test(ctx context.Context, webhookEndpointID WebhookEndpointID, options ...CallOption) (*WebhookDelivery, error) {
	return call[WebhookDelivery](ctx, service.transport, request{
		method:       "POST",
		path:         "/webhook_endpoints/{webhook_endpoint_id}/test",
		ids:          []string{string(webhookEndpointID)},
		isIdempotent: true,
		alsoSuccess:  502,
	}, options)
}

// RotateSecret: replace an endpoint's signing secret.
//
// Deliveries are also signed with the previous secret for 24 hours, and with at most the newest five secrets. A
// repeated request creates another secret.
//
// Scope: `webhooks:write`.
func (service *WebhookEndpointsService) RotateSecret(ctx context.Context, webhookEndpointID WebhookEndpointID, options ...CallOption) (*WebhookEndpointWithSecret, error) {
	return call[WebhookEndpointWithSecret](ctx, service.transport, request{
		method: "POST",
		path:   "/webhook_endpoints/{webhook_endpoint_id}/rotate_secret",
		ids:    []string{string(webhookEndpointID)},
	}, options)
}

// Deliveries: list an endpoint's deliveries.
//
// Scope: `webhooks:read`.
func (service *WebhookEndpointsService) Deliveries(ctx context.Context, webhookEndpointID WebhookEndpointID, query ListWebhookDeliveriesQuery, options ...CallOption) (*WebhookDeliveryRecordList, error) {
	return call[WebhookDeliveryRecordList](ctx, service.transport, request{
		method: "GET",
		path:   "/webhook_endpoints/{webhook_endpoint_id}/deliveries",
		ids:    []string{string(webhookEndpointID)},
		query:  query.values(),
	}, options)
}

// AllDeliveries returns an iterator over every item of every page of Deliveries, newest first. After an error it
// yields the error and ends.
func (service *WebhookEndpointsService) AllDeliveries(ctx context.Context, webhookEndpointID WebhookEndpointID, query ListWebhookDeliveriesQuery, options ...CallOption) iter.Seq2[WebhookDeliveryRecord, error] {
	return items(query, func(page ListWebhookDeliveriesQuery) ([]WebhookDeliveryRecord, bool, error) {
		list, err := service.Deliveries(ctx, webhookEndpointID, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListWebhookDeliveriesQuery, last WebhookDeliveryRecord) { page.StartingAfter = last.ID })
}

// Redeliver: send an event to an endpoint again.
//
// Starts new attempts, and responds before the first of them: `delivered` is false until one succeeds, and
// `attempts` and `response_status` are of the attempts so far.
//
// Scope: `webhooks:write`.
func (service *WebhookEndpointsService) Redeliver(ctx context.Context, webhookEndpointID WebhookEndpointID, eventID EventID, options ...CallOption) (*WebhookDelivery, error) {
	return call[WebhookDelivery](ctx, service.transport, request{
		method:       "POST",
		path:         "/webhook_endpoints/{webhook_endpoint_id}/deliveries/{event_id}/redeliver",
		ids:          []string{string(webhookEndpointID), string(eventID)},
		isIdempotent: true,
	}, options)
}

// Recover: send missed events again.
//
// Sends the events of a period that were not delivered, including those while the endpoint was disabled and
// those that arrive later.
//
// Scope: `webhooks:write`.
func (service *WebhookEndpointsService) Recover(ctx context.Context, webhookEndpointID WebhookEndpointID, body WebhookRecoveryInput, options ...CallOption) (*WebhookRecovery, error) {
	return call[WebhookRecovery](ctx, service.transport, request{
		method:       "POST",
		path:         "/webhook_endpoints/{webhook_endpoint_id}/recover",
		ids:          []string{string(webhookEndpointID)},
		body:         body,
		isIdempotent: true,
	}, options)
}

// List: list events.
//
// Scope: `webhooks:read`.
func (service *EventsService) List(ctx context.Context, query ListEventsQuery, options ...CallOption) (*EventList, error) {
	return call[EventList](ctx, service.transport, request{
		method: "GET",
		path:   "/events",
		query:  query.values(),
	}, options)
}

// All returns an iterator over every item of every page of List, newest first. After an error it yields the
// error and ends.
func (service *EventsService) All(ctx context.Context, query ListEventsQuery, options ...CallOption) iter.Seq2[Event, error] {
	return items(query, func(page ListEventsQuery) ([]Event, bool, error) {
		list, err := service.List(ctx, page, options...)
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *ListEventsQuery, last Event) { page.StartingAfter = last.ID })
}

// Retrieve: read an event.
//
// Scope: `webhooks:read`.
func (service *EventsService) Retrieve(ctx context.Context, eventID EventID, options ...CallOption) (*Event, error) {
	return call[Event](ctx, service.transport, request{
		method: "GET",
		path:   "/events/{event_id}",
		ids:    []string{string(eventID)},
	}, options)
}

// Create: create a project whose time is simulated.
//
// Creates a sandbox project with its own key. Its time stands at `now` and only its own advances move it; this
// can never be changed. A repeated request creates another project. 409: the project has created the maximum
// number of clocks, or has simulated time itself, or another project has the seed.
//
// Scope: `clock:write`.
func (service *TestClocksService) Create(ctx context.Context, body TestClockInput, options ...CallOption) (*SimulatedProject, error) {
	return call[SimulatedProject](ctx, service.transport, request{
		method: "POST",
		path:   "/test_clocks",
		body:   body,
	}, options)
}

// Retrieve: read the project's clock.
//
// A project with real time has no clock: 404.
//
// Scope: `clock:read`.
func (service *TestClockService) Retrieve(ctx context.Context, options ...CallOption) (*TestClock, error) {
	return call[TestClock](ctx, service.transport, request{
		method: "GET",
		path:   "/test_clock",
	}, options)
}

// Advance: move the project's clock forward.
//
// Executes every due item until the instant in the order of the due times, each at its own instant, then sets
// the clock to the instant. An item that fails leaves the clock at the last completed one; the next advance
// continues. 409: the instant is before now, nothing is due, or the clock is advancing.
//
// Scope: `clock:write`.
func (service *TestClockService) Advance(ctx context.Context, body TestClockAdvanceInput, options ...CallOption) (*TestClock, error) {
	return call[TestClock](ctx, service.transport, request{
		method:       "POST",
		path:         "/test_clock/advance",
		body:         body,
		isIdempotent: true,
	}, options)
}
