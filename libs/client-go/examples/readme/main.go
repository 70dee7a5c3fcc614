// The program of the README, which shows its parts as excerpts.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"carecover.example/carecover"
)

func main() {
	ctx := context.Background()
	// https://…/v1 and sk_test_…
	client, err := carecover.New(os.Getenv("CARECOVER_URL"), os.Getenv("CARECOVER_KEY"))
	if err != nil {
		log.Fatal(err)
	}

	practitioners, err := client.Practitioners.List(ctx, carecover.ListPractitionersQuery{Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, practitioner := range practitioners.Data {
		fmt.Println(practitioner.ID, practitioner.Name)
	}
	if err := submit(ctx, client); err != nil {
		log.Fatal(err)
	}
	if err := list(ctx, client); err != nil {
		log.Fatal(err)
	}
	if err := cancel(ctx, client, "clm_0196f2a1"); err != nil {
		log.Fatal(err)
	}
	secret, err := register(ctx, client)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("a secret of", len(secret), "characters")
}

func submit(ctx context.Context, client *carecover.Client) error {
	check, err := client.EligibilityChecks.Create(ctx, carecover.EligibilityCheckInput{
		MemberReference: "member:88123", // the payer's name of a member whose coverage it recorded
		ServiceCode:     "psy.individual.50",
		ScheduledAt:     time.Now().Add(24 * time.Hour),
		Amount:          450_000, // integers in the currency's minor unit: KES 4,500.00
		Currency:        carecover.CurrencyKES,
	})
	if err != nil {
		return err
	}
	claim, err := client.Claims.Submit(ctx, carecover.ClaimInput{
		EligibilityCheckID:     check.ID,
		SessionID:              "ses_0196f2a1",
		ProviderClaimReference: "INV-2025-0042",
		Lines: []carecover.ClaimInputLine{
			{CodeSystem: "CPT", ServiceCode: "psy.individual.50", Units: 1, Amount: 450_000},
		},
	}, carecover.WithIdempotencyKey("claim-of-invoice-2025-0042"))
	if err != nil {
		return err
	}
	fmt.Println(check.Status, claim.ID, claim.Amount.Billed)
	return nil
}

func list(ctx context.Context, client *carecover.Client) error {
	query := carecover.ListClaimsQuery{Status: carecover.ClaimStatusQueried, Limit: 50}
	for claim, err := range client.Claims.All(ctx, query) {
		if err != nil {
			return err
		}
		fmt.Println(claim.ID, claim.Status)
	}
	return nil
}

func cancel(ctx context.Context, client *carecover.Client, id carecover.ClaimID) error {
	_, err := client.Claims.Cancel(ctx, id, carecover.CancellationInput{ReasonCode: "entered_in_error"})
	var failure *carecover.Error
	var lost *carecover.ConnectionError
	switch {
	case carecover.HasCode(err, carecover.ErrorCodeInvalidState):
		fmt.Println("too late to cancel")
	case errors.As(err, &failure):
		fmt.Println(failure.Status, failure.Code, failure.Message, failure.RequestID)
	case errors.As(err, &lost):
		fmt.Println("the outcome is unknown: repeat under the same key")
	default:
		return err
	}
	return nil
}

func register(ctx context.Context, client *carecover.Client) (string, error) {
	endpoint, err := client.WebhookEndpoints.Create(ctx, carecover.WebhookEndpointInput{
		URL:    "https://example.com/hooks/carecover",
		Events: []carecover.EventType{carecover.EventTypeClaimSettled},
	})
	if err != nil || endpoint.SigningSecret != "" {
		return endpoint.SigningSecret, err
	}
	rotated, err := client.WebhookEndpoints.RotateSecret(ctx, endpoint.ID)
	if err != nil {
		return "", err
	}
	return rotated.SigningSecret, nil
}

func advance(ctx context.Context, client *carecover.Client) (*carecover.TestClock, error) {
	clock, err := client.TestClock.AdvanceAndWait(ctx, "2026-01-01T00:00:00Z", func(clock *carecover.TestClock) {
		fmt.Println(clock.Now, clock.Completed, clock.Remaining)
	})
	return clock, err
}

func receiver(secret string) http.HandlerFunc {
	return func(writer http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(writer, request.Body, 64<<10))
		if err != nil {
			http.Error(writer, "", http.StatusRequestEntityTooLarge)
			return
		}
		event, err := carecover.VerifyWebhook(body, request.Header, secret)
		if err != nil {
			http.Error(writer, "", http.StatusBadRequest)
			return
		}
		if claim, ok := event.Data.(*carecover.ClaimEventData); ok {
			fmt.Println(event.Type, claim.ID)
		}
		writer.WriteHeader(http.StatusNoContent)
	}
}
