package carecover

import (
	"context"
	"fmt"
	"time"
)

const (
	// For how many seconds the first response waits for the end of the advance.
	firstWaitSeconds = 1
	// How often the clock is read while it advances.
	advancePoll = time.Second
)

// AdvanceError reports that the advance of a test clock failed. The next advance continues.
type AdvanceError struct {
	// The clock: it stands at Now, the last completed instant; the reason is in Failure.
	Clock *TestClock
}

func (err *AdvanceError) Error() string {
	reason := ""
	if err.Clock.Failure != nil {
		reason = *err.Clock.Failure
	}
	return fmt.Sprintf("carecover: the advance ended at %s: %s", err.Clock.Now.Format(time.RFC3339Nano), reason)
}

// AdvanceAndWait moves the clock forward to an instant in RFC 3339, or to the "next" due item, and waits until it is
// ready. The function onProgress can be nil; it is called with the clock each time it was read, also at the end:
// Completed and Remaining are numbers of due items. The end of the context ends the wait; the advance continues in the
// service. It returns an *AdvanceError if the advance failed, and an *Error such as invalid_state if the instant is
// before the clock's time.
//
//	clock, err := client.TestClock.AdvanceAndWait(ctx, "2026-01-01T00:00:00Z", func(clock *carecover.TestClock) {
//		fmt.Println(clock.Now, clock.Completed, clock.Remaining)
//	})
func (service *TestClockService) AdvanceAndWait(ctx context.Context, to string, onProgress func(*TestClock), options ...CallOption) (*TestClock, error) {
	clock, err := service.Advance(ctx, TestClockAdvanceInput{To: to, WaitSeconds: Ptr(firstWaitSeconds)}, options...)
	for {
		if err != nil {
			return nil, err
		}
		if onProgress != nil {
			onProgress(clock)
		}
		switch clock.Status {
		case TestClockStatusFailed:
			return nil, &AdvanceError{clock}
		case TestClockStatusAdvancing:
		default:
			return clock, nil
		}
		timer := time.NewTimer(advancePoll)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, context.Cause(ctx)
		case <-timer.C:
		}
		clock, err = service.Retrieve(ctx, options...)
	}
}
