package carecover

import (
	"errors"
	"time"
)

// Error is an API error. Branch on Code, which is stable: with errors.As or HasCode. The message is for people and can
// change.
type Error struct {
	// The HTTP status of the response.
	Status  int
	Code    ErrorCode
	Message string
	// The URL of the explanation of the code.
	Docs string
	// The ID of the request in Carecover's logs; empty if the response has none. Include it in support requests.
	RequestID string
	// The response's Retry-After; 0 if there is none.
	RetryAfter time.Duration
}

func (err *Error) Error() string { return "carecover: " + string(err.Code) + ": " + err.Message }

// HasCode returns whether an error is, or wraps, an API error with one of the codes.
func HasCode(err error, codes ...ErrorCode) bool {
	var failure *Error
	if !errors.As(err, &failure) {
		return false
	}
	for _, code := range codes {
		if failure.Code == code {
			return true
		}
	}
	return false
}

// ConnectionError reports that the client received no valid response: the connection failed, the attempt timed out, or
// the response did not come from Carecover. The outcome is unknown. Repeat a write under the same idempotency key, so
// that it takes effect at most once.
type ConnectionError struct {
	problem string
	cause   error
}

func (err *ConnectionError) Error() string { return "carecover: " + err.problem }

// Unwrap returns the error of the connection; nil if there was a response.
func (err *ConnectionError) Unwrap() error { return err.cause }

// InputError reports a value of the program that can't be sent. No request was sent. It says what is wrong with the
// value and never contains it, because the value can be a secret or name a person.
type InputError struct{ problem string }

func (err *InputError) Error() string { return "carecover: " + err.problem }

// WebhookVerificationError reports that a webhook was not signed with the secret, or that its timestamp is not within
// five minutes of now. Respond with 400.
type WebhookVerificationError struct{ problem string }

func (err *WebhookVerificationError) Error() string { return "carecover: " + err.problem }
