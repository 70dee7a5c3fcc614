package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"example.com/generated/api"
	"github.com/ogen-go/ogen/ogenerrors"
)

const most = 9007199254740991

type credentials struct{}

func (credentials) Bearer(context.Context, api.OperationName) (api.Bearer, error) {
	return api.Bearer{Token: os.Getenv("CARECOVER_KEY")}, nil
}
func (credentials) Basic(context.Context, api.OperationName) (api.Basic, error) {
	return api.Basic{}, ogenerrors.ErrSkipClientSecurity
}
func (credentials) ApiKey(context.Context, api.OperationName) (api.ApiKey, error) {
	return api.ApiKey{}, ogenerrors.ErrSkipClientSecurity
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	client := must(api.NewClient(os.Getenv("CARECOVER_URL"), credentials{}))
	member, now := os.Args[1], time.Now()

	coverage := must(client.CreateCoverage(ctx, &api.CoverageInput{
		SourceContractReference: "contract:1", ExternalCoverageReference: member, SourceVersion: "1", TenantReference: "group:1",
		MemberReference: member, ServiceCode: "psy.individual.50", PlanName: "Plan", Status: api.CoverageStatusActive, Currency: api.CurrencyKES,
		AmountLimit: most, RemainingSessions: 6, AuthorizationRequired: false, CoordinationPriority: api.NewNilInt(1),
		ValidFrom: now.AddDate(-1, 0, 0), ValidUntil: now.AddDate(1, 0, 0), ObservedAt: now.Add(-time.Hour),
		EvidenceReferences: []string{"registry:1"},
	}, api.CreateCoverageParams{IdempotencyKey: member + "-coverage"})).(*api.CreateCoverageCreated)
	created := must(client.CreateEligibilityCheck(ctx, &api.EligibilityCheckInput{
		MemberReference: member, ServiceCode: "psy.individual.50", ScheduledAt: now.Add(time.Hour), Amount: most, Currency: api.CurrencyKES,
	}, api.CreateEligibilityCheckParams{IdempotencyKey: member + "-check"})).(*api.CreateEligibilityCheckCreated)
	read := must(client.GetEligibilityCheck(ctx, api.GetEligibilityCheckParams{EligibilityCheckID: created.Response.ID}))
	check := read.(*api.GetEligibilityCheckOKHeaders).Response
	unknown := must(client.GetClaim(ctx, api.GetClaimParams{ClaimID: "clm_unknown"})).(*api.GetClaimNotFound)
	fmt.Println(coverage.Response.AmountLimit.Value, check.Amount.Requested, check.Amount.MaximumPerSession.Value, check.Status, 404, unknown.Response.Error.Code)
}
