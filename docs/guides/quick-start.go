// The quick start as a program: from a coverage to a settled claim, a received webhook and two valuations.
// CARECOVER_URL (ending in /v1) and CARECOVER_KEY (sk_test_…) name the service; docs/guides/quick-start.md explains the steps.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"carecover.example/carecover"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	client, err := carecover.New(os.Getenv("CARECOVER_URL"), os.Getenv("CARECOVER_KEY"))
	if err != nil {
		return err
	}

	// A webhook receiver. It puts each verified event into a channel.
	events := make(chan *carecover.Event, 100)
	var signingSecret atomic.Value
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	receive := func(writer http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		secret, _ := signingSecret.Load().(string)
		event, err := carecover.VerifyWebhook(body, request.Header, secret)
		if err != nil {
			http.Error(writer, "", http.StatusBadRequest)
			return
		}
		events <- event
		writer.WriteHeader(http.StatusNoContent)
	}
	go func() { _ = http.Serve(listener, http.HandlerFunc(receive)) }()
	endpoint, err := client.WebhookEndpoints.Create(ctx, carecover.WebhookEndpointInput{
		URL:    "http://" + listener.Addr().String() + "/carecover",
		Events: []carecover.EventType{carecover.EventTypeClaimSettled},
	})
	if err != nil {
		return err
	}
	// Only the first response to the creation of an endpoint contains its signing secret. If that response was lost, the
	// client repeats the request, and the second response has no secret. The program then creates a new secret.
	signingSecret.Store(endpoint.SigningSecret)
	if endpoint.SigningSecret == "" {
		rotated, err := client.WebhookEndpoints.RotateSecret(ctx, endpoint.ID)
		if err != nil {
			return err
		}
		signingSecret.Store(rotated.SigningSecret)
	}

	// The coverage, as the payer states it.
	member := "member:" + rand.Text()
	_, err = client.Coverages.Record(ctx, carecover.CoverageInput{
		SourceContractReference:   "contract/quick-start",
		ExternalCoverageReference: "coverage/" + rand.Text(),
		SourceVersion:             "1",
		TenantReference:           "group/quick-start",
		MemberReference:           member,
		ServiceCode:               "psy.individual.50",
		PlanName:                  "Outpatient",
		Status:                    carecover.CoverageStatusActive,
		Currency:                  carecover.CurrencyKES,
		AmountLimit:               400_000,
		RemainingSessions:         6,
		AuthorizationRequired:     true,
		CoordinationPriority:      carecover.Ptr(1),
		ValidFrom:                 time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC),
		ValidUntil:                time.Date(2030, time.January, 1, 0, 0, 0, 0, time.UTC),
		ObservedAt:                time.Now().Add(-time.Minute),
		EvidenceReferences:        []string{"registry/quick-start"},
	})
	if err != nil {
		return err
	}

	// Books a session that the coverage pays: the first free slot of a practitioner from tomorrow on.
	practitioners, err := client.Practitioners.List(ctx, carecover.ListPractitionersQuery{Limit: 1})
	if err != nil {
		return err
	}
	if len(practitioners.Data) == 0 {
		return fmt.Errorf("the project has no practitioner")
	}
	slots, err := client.Practitioners.Slots(ctx, practitioners.Data[0].ID, carecover.ListPractitionerSlotsQuery{
		From:            time.Now().AddDate(0, 0, 1),
		To:              time.Now().AddDate(0, 0, 14),
		DurationMinutes: 50,
		Format:          carecover.SessionFormatOnline,
	})
	if err != nil {
		return err
	}
	if len(slots.Data) == 0 {
		return fmt.Errorf("the practitioner has no free time")
	}
	slot := slots.Data[0]
	booking, err := client.Bookings.Create(ctx, carecover.BookingInput{
		PractitionerID: slot.PractitionerID,
		StartsAt:       slot.StartsAt,
		EndsAt:         slot.EndsAt,
		Format:         slot.Format,
		PaymentSource:  carecover.PaymentSourceCovered,
	})
	if err != nil {
		return err
	}

	// The eligibility check and the pre-authorization.
	check, err := client.EligibilityChecks.Create(ctx, carecover.EligibilityCheckInput{
		MemberReference: member,
		ServiceCode:     "psy.individual.50",
		ScheduledAt:     booking.StartsAt,
		Amount:          350_000,
		Currency:        carecover.CurrencyKES,
	})
	if err != nil {
		return err
	}
	fmt.Println(check.Status, check.ReasonCodes, *check.RemainingSessions, "sessions remain")
	request, err := client.Preauthorizations.Create(ctx, carecover.PreauthorizationInput{
		EligibilityCheckID: check.ID,
		BookingID:          booking.ID,
	})
	if err != nil {
		return err
	}
	preauthorization, err := client.Preauthorizations.Decide(ctx, request.ID, carecover.PreauthorizationApproval{
		ApprovedAmount:     350_000,
		ValidUntil:         time.Now().AddDate(0, 0, 30),
		ReasonCodes:        []string{"within_policy"},
		PolicyReference:    "policy:outpatient",
		PolicyVersion:      "2025.1",
		EvidenceReferences: []string{"referral:8812"},
	})
	if err != nil {
		return err
	}
	fmt.Println("pre-authorization", preauthorization.Status)

	// The session is delivered (in the sandbox, at once), and a claim bills it.
	if _, err := client.TestHelpers.DeliverSession(ctx, booking.SessionID); err != nil {
		return err
	}
	claim, err := client.Claims.Submit(ctx, carecover.ClaimInput{
		EligibilityCheckID:     check.ID,
		SessionID:              booking.SessionID,
		PreauthorizationID:     preauthorization.ID,
		ProviderClaimReference: "INV-" + rand.Text(),
		Lines: []carecover.ClaimInputLine{
			{CodeSystem: "CPT", ServiceCode: "psy.individual.50", Units: 1, Amount: 350_000},
		},
	})
	if err != nil {
		return err
	}
	fmt.Println("claim", claim.ID, claim.Status)

	// The payer adjudicates the claim and advises payment; the bank's statement proves the payment.
	_, err = client.Claims.Adjudicate(ctx, claim.ID, carecover.AdjudicationInput{
		PolicyReference: "policy:outpatient",
		PolicyVersion:   "2025.1",
		ReasonCodes:     []string{"fee_schedule"},
		Lines: []carecover.AdjudicationInputLine{{
			LineNumber: 1,
			Amount: carecover.AdjudicationInputLineAmount{
				Billed:                350_000,
				Allowed:               320_000,
				Payer:                 300_000,
				PatientResponsibility: 20_000,
				Adjustment:            30_000,
			},
			ReasonCodes: []string{"fee_schedule"},
		}},
	})
	if err != nil {
		return err
	}
	remittance, err := client.Remittances.Create(ctx, carecover.RemittanceInput{
		PayerReference: "ERA-" + rand.Text(),
		Currency:       carecover.CurrencyKES,
		ReceivedAt:     time.Now().Add(-time.Minute),
		Allocations:    []carecover.RemittanceInputAllocation{{ClaimID: claim.ID, PaidAmount: 300_000}},
	})
	if err != nil {
		return err
	}
	_, err = client.Settlements.Create(ctx, carecover.SettlementInput{
		RemittanceID:    remittance.ID,
		SourceReference: "bank:" + rand.Text(),
		Currency:        carecover.CurrencyKES,
		Amount:          300_000,
		ObservedAt:      time.Now().Add(-time.Second),
	})
	if err != nil {
		return err
	}

	// Other programs can settle claims in this project too, so this program ignores the events of other claims.
	for isReceived := false; !isReceived; {
		select {
		case event := <-events:
			settled, ok := event.Data.(*carecover.ClaimEventData)
			if isReceived = ok && settled.ID == claim.ID; isReceived {
				fmt.Println("received", event.Type, *settled.Amount.Settled, settled.Amount.Currency)
			}
		case <-time.After(30 * time.Second):
			return fmt.Errorf("no event was received")
		}
	}

	// Values the claim now, and at the time when its adjudication was recorded. The payer's advice had been received by then, but
	// it was recorded later, so the earlier valuation does not contain it.
	now, err := client.Claims.Valuation(ctx, claim.ID, carecover.GetClaimValuationQuery{ValuationAt: time.Now()})
	if err != nil {
		return err
	}
	cutoffs := []time.Time{}
	for _, fact := range now.Events {
		if fact.Type == carecover.ClaimFactTypePartiallyApproved {
			cutoffs = append(cutoffs, fact.RecordedAt)
		}
	}
	for _, cutoff := range append(cutoffs, now.ValuationAt) {
		valued, err := client.Claims.Valuation(ctx, claim.ID, carecover.GetClaimValuationQuery{ValuationAt: cutoff})
		if err != nil {
			return err
		}
		amount := valued.Amount
		fmt.Println("valued at", valued.ValuationAt.Format(time.RFC3339Nano), valued.Status,
			"remitted", amount.Remitted, "settled", amount.Settled, "outstanding", *amount.Outstanding)
	}
	_, err = client.WebhookEndpoints.Disable(ctx, endpoint.ID)
	return err
}
