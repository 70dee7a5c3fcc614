package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"example.com/generated/api"
)

const most = 9007199254740991

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("CARECOVER_KEY"))
		return nil
	}
	client := must(api.NewClientWithResponses(os.Getenv("CARECOVER_URL"), api.WithRequestEditorFn(authorize)))
	member, now, priority := os.Args[1], time.Now(), 1

	coverage := must(client.CreateCoverageWithResponse(ctx, &api.CreateCoverageParams{IdempotencyKey: member + "-coverage"}, api.CoverageInput{
		SourceContractReference: "contract:1", ExternalCoverageReference: member, SourceVersion: "1", TenantReference: "group:1",
		MemberReference: member, ServiceCode: "psy.individual.50", PlanName: "Plan", Status: "active", Currency: "KES", AmountLimit: most,
		RemainingSessions: 6, AuthorizationRequired: false, CoordinationPriority: &priority, ValidFrom: now.AddDate(-1, 0, 0),
		ValidUntil: now.AddDate(1, 0, 0), ObservedAt: now.Add(-time.Hour), EvidenceReferences: []string{"registry:1"},
	}))
	created := must(client.CreateEligibilityCheckWithResponse(ctx, &api.CreateEligibilityCheckParams{IdempotencyKey: member + "-check"}, api.EligibilityCheckInput{
		MemberReference: member, ServiceCode: "psy.individual.50", ScheduledAt: now.Add(time.Hour), Amount: most, Currency: "KES",
	}))
	check := must(client.GetEligibilityCheckWithResponse(ctx, created.JSON201.Id, nil)).JSON200
	unknown := must(client.GetClaimWithResponse(ctx, "clm_unknown", nil))
	fmt.Println(coverage.JSON201.AmountLimit.Value, check.Amount.Requested, *check.Amount.MaximumPerSession, check.Status, unknown.StatusCode(), unknown.JSON404.Error.Code)
}
