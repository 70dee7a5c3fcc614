package carecover

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func clockAnswer(status string, completed int) answer {
	return ok(fmt.Sprintf(
		`{"object":"test_clock","now":"2025-06-01T00:00:00.000Z","status":%q,"completed":%d,"failure":"claims: gone."}`,
		status, completed,
	))
}

func TestAnAdvanceIsStartedOnceAndReadUntilTheClockIsReady(t *testing.T) {
	service := startService(t, clockAnswer("advancing", 1), clockAnswer("ready", 3))
	var shown []string
	clock, err := service.client(t).TestClock.AdvanceAndWait(
		context.Background(), "2026-01-01T00:00:00Z",
		func(clock *TestClock) { shown = append(shown, fmt.Sprint(clock.Status, clock.Completed)) },
		WithIdempotencyKey("my-own-key-1"),
	)
	if err != nil || clock.Completed != 3 || strings.Join(shown, " ") != "advancing1 ready3" {
		t.Fatalf("got %v, %v, %v", clock, err, shown)
	}
	first, second := service.requests[0], service.requests[1]
	if first.key != "my-own-key-1" || first.body != `{"to":"2026-01-01T00:00:00Z","wait_seconds":1}` {
		t.Errorf("got %+v", first)
	}
	if second.method != "GET" || second.key != "" || second.url != "/v1/test_clock" {
		t.Errorf("got %+v", second)
	}
}

func TestAFailedAdvanceIsAnErrorWithTheReasonAndTheClock(t *testing.T) {
	service := startService(t, clockAnswer("failed", 1))
	_, err := service.client(t).TestClock.AdvanceAndWait(context.Background(), "next", nil)
	var failed *AdvanceError
	if !errors.As(err, &failed) || *failed.Clock.Failure != "claims: gone." {
		t.Fatalf("got %v", err)
	}
	if err.Error() != "carecover: the advance ended at 2025-06-01T00:00:00Z: claims: gone." {
		t.Errorf("got %q", err.Error())
	}
}

func TestTheEndOfTheContextEndsTheWaitWithItsCause(t *testing.T) {
	service := startService(t, clockAnswer("advancing", 1))
	ctx, cancel := context.WithCancelCause(context.Background())
	stopped := errors.New("stopped by the user")
	_, err := service.client(t).TestClock.AdvanceAndWait(ctx, "next", func(*TestClock) { cancel(stopped) })
	if err != stopped || len(service.requests) != 1 {
		t.Fatalf("got %v after %d requests", err, len(service.requests))
	}
}
