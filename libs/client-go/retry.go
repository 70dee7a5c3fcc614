package carecover

import (
	"context"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The retry policy: which calls are retried and after which delay. A 429 is always retried. After a 5xx response or a
// lost connection the outcome is unknown, so a call is retried only if it can't have a second effect.

const (
	firstDelay = 250 * time.Millisecond
	maxDelay   = 8 * time.Second
	// The longest Retry-After for which the client waits. For a longer one, the call fails at once.
	maxRetryAfter = 2 * time.Minute
)

// isRetryable returns whether a failed call can be retried. The status is 0 if there was no response. A call is
// repeatable if it has no second effect: a read, or a write under an idempotency key.
func isRetryable(status int, isRepeatable bool) bool {
	if status == http.StatusTooManyRequests {
		return true
	}
	return isRepeatable && (status == 0 || status >= http.StatusInternalServerError)
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// retryAfterOf returns the Retry-After of a response, of Carecover or of a proxy; 0 if it is missing or invalid
// (RFC 9110, section 10.2.3). A date is compared with the response's own Date, because the local clock can be wrong.
func retryAfterOf(header http.Header, now time.Time) time.Duration {
	value := header.Get("Retry-After")
	if digits.MatchString(value) {
		seconds, err := strconv.ParseUint(value, 10, 32)
		if err != nil {
			return math.MaxInt64 // More than a century.
		}
		return time.Duration(seconds) * time.Second
	}
	until, err := http.ParseTime(value)
	if err != nil || !strings.HasSuffix(value, " GMT") {
		return 0
	}
	if sent, err := http.ParseTime(header.Get("Date")); err == nil {
		now = sent
	}
	return max(0, until.Sub(now))
}

// retryDelay returns the delay before the next attempt: the longer one of an exponential backoff with jitter, and the
// Retry-After plus up to 10 %. The attempt is the number of attempts before the failed one; random is from 0 to 1.
// It returns false if the Retry-After is longer than two minutes.
func retryDelay(attempt int, retryAfter time.Duration, random float64) (time.Duration, bool) {
	if retryAfter > maxRetryAfter {
		return 0, false
	}
	backoff := min(float64(maxDelay), float64(firstDelay)*math.Pow(2, float64(attempt))) * (0.5 + random/2)
	return time.Duration(max(backoff, float64(retryAfter)*(1+random/10))), true
}

// wait waits for a time. It returns the context's cause if the context ends before.
func wait(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
