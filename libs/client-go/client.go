// Package carecover is the client of the Carecover API: every operation with its types, retries under one idempotency
// key, iterators over lists, typed errors, and webhook verification. It needs only the standard library.
//
// Amounts are integers in the currency's minor unit: 350000 in KES is 3,500.00.
package carecover

import (
	"net/http"
	"time"
)

const (
	defaultTimeout    = 30 * time.Second
	defaultMaxRetries = 4
)

// New returns a client of the API at baseURL, such as https://localhost:8443/v1, with a secret key (sk_…) or a token
// (pt_…). It returns an *InputError if one of them is invalid, for example because an environment variable is not set.
func New(baseURL, apiKey string, options ...ClientOption) (*Client, error) {
	if problem := findBaseURLProblem(baseURL); problem != "" {
		const rule = "baseURL must be the URL of the API with its version, such as https://localhost:8443/v1; "
		return nil, &InputError{rule + problem}
	}
	if problem := findSecretProblem(apiKey); problem != "" {
		return nil, &InputError{"apiKey must be a secret key (sk_…) or a token (pt_…); " + problem}
	}
	settings := clientSettings{
		callSettings: callSettings{timeout: defaultTimeout, maxRetries: defaultMaxRetries},
		http:         http.DefaultClient,
	}
	for _, option := range options {
		option.applyToClient(&settings)
	}
	return newClient(newTransport(baseURL, apiKey, settings)), nil
}

type clientSettings struct {
	callSettings
	http *http.Client
}

type callSettings struct {
	timeout    time.Duration
	maxRetries int
	// The idempotency key of the caller; nil if the client creates the key.
	idempotencyKey *string
}

// ClientOption is an option of New.
type ClientOption interface{ applyToClient(*clientSettings) }

// CallOption is an option of one call.
type CallOption interface{ applyToCall(*callSettings) }

// Option is an option of New, and of one call, for which it replaces that of the client.
type Option func(*callSettings)

func (option Option) applyToClient(settings *clientSettings) { option(&settings.callSettings) }
func (option Option) applyToCall(settings *callSettings)     { option(settings) }

// WithTimeout limits each attempt. The default is 30 seconds; 0 is no limit but that of the context, which limits the
// whole call.
func WithTimeout(timeout time.Duration) Option {
	return func(settings *callSettings) { settings.timeout = timeout }
}

// WithMaxRetries sets the number of attempts after the first one. The default is 4.
func WithMaxRetries(retries int) Option {
	return func(settings *callSettings) { settings.maxRetries = retries }
}

type callOption func(*callSettings)

func (option callOption) applyToCall(settings *callSettings) { option(settings) }

// WithIdempotencyKey sets the idempotency key of a write. By default, the client creates one per call. Pass your own to
// repeat a write after a restart of your process.
func WithIdempotencyKey(key string) CallOption {
	return callOption(func(settings *callSettings) { settings.idempotencyKey = &key })
}

type clientOption func(*clientSettings)

func (option clientOption) applyToClient(settings *clientSettings) { option(settings) }

// WithHTTPClient replaces http.DefaultClient, for example to trust a private certificate or to use a proxy. The client
// follows no redirects, whatever its CheckRedirect says.
func WithHTTPClient(client *http.Client) ClientOption {
	return clientOption(func(settings *clientSettings) { settings.http = client })
}

// Ptr returns a pointer to a value, for fields that can be null.
func Ptr[T any](value T) *T { return &value }
