package carecover

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// transport calls operations over HTTP. A call is retried after a 429, a 5xx or a lost connection under the same
// idempotency key. If the last retry fails too, the call returns the error of that retry. The three operations that
// create a new secret each time, one of them with a project, have no idempotency key and are retried only after a 429.
//
// Redirects are not followed, because a followed 301 or 302 repeats a POST as a GET, whose response would look like a
// result.
type transport struct {
	baseURL  string
	origin   string
	settings callSettings
	http     *http.Client
	// A function and not the key, so that a printed client does not show the key.
	authorize func(http.Header)
}

func newTransport(baseURL, apiKey string, settings clientSettings) *transport {
	client := *settings.http
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	parsed, _ := url.Parse(baseURL)
	return &transport{
		baseURL:   strings.TrimSuffix(baseURL, "/"),
		origin:    parsed.Scheme + "://" + parsed.Host,
		settings:  settings.callSettings,
		http:      &client,
		authorize: func(header http.Header) { header.Set("Authorization", "Bearer "+apiKey) },
	}
}

// request is a call of an operation.
type request struct {
	method, path string
	ids          []string
	headers      map[string]string
	query        url.Values
	body         any
	file         *File
	// Whether the client sends an idempotency key.
	isIdempotent bool
	// A status above 399 whose body is no API error: the delivery of a test event that the receiver did not accept.
	alsoSuccess int
}

// File is a file that an operation receives.
type File struct {
	Content []byte
	// MediaType is the type of the unpacked content, such as application/x-ndjson.
	MediaType string
	// IsGzip is whether Content is compressed by gzip.
	IsGzip bool
}

type response struct {
	status int
	header http.Header
	body   []byte
}

// call calls an operation and returns the parsed body of the response.
func call[T any](ctx context.Context, t *transport, call request, options []CallOption) (*T, error) {
	settings := t.settings
	for _, option := range options {
		option.applyToCall(&settings)
	}
	received, err := t.send(ctx, call, settings)
	if err != nil {
		return nil, err
	}
	var body T
	if err := json.Unmarshal(received.body, &body); err != nil {
		// Without the parser's error, which can quote the response, and so a token or a signing secret.
		return nil, invalidResponse(received)
	}
	return &body, nil
}

func (t *transport) send(ctx context.Context, call request, settings callSettings) (*response, error) {
	address, err := t.address(call)
	if err != nil {
		return nil, err
	}
	header, body, err := t.prepare(call, settings)
	if err != nil {
		return nil, err
	}
	isRepeatable := call.method == http.MethodGet || call.isIdempotent
	for attempt := 0; ; attempt++ {
		received, err := t.attempt(ctx, call.method, address, header, body, settings.timeout)
		if received != nil && isSuccess(received, call) {
			return received, nil
		}
		status, retryAfter := 0, time.Duration(0)
		if received != nil {
			status, retryAfter = received.status, retryAfterOf(received.header, time.Now())
			err = toError(received)
		} else if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		delay, isShort := retryDelay(attempt, retryAfter, mathrand.Float64())
		if attempt >= settings.maxRetries || !isShort || !isRetryable(status, isRepeatable) {
			return nil, err
		}
		if err := wait(ctx, delay); err != nil {
			return nil, err
		}
	}
}

func (t *transport) address(call request) (string, error) {
	path, err := fillPath(call.path, call.ids)
	if err != nil {
		return "", err
	}
	if len(call.query) > 0 {
		path += "?" + call.query.Encode()
	}
	return t.baseURL + path, nil
}

func (t *transport) prepare(call request, settings callSettings) (http.Header, []byte, error) {
	header := http.Header{}
	values := map[string]string{}
	for name, value := range call.headers {
		values[name] = value
	}
	if call.isIdempotent {
		values["Idempotency-Key"] = newIdempotencyKey()
		if settings.idempotencyKey != nil {
			values["Idempotency-Key"] = *settings.idempotencyKey
		}
	}
	if call.file != nil {
		values["Content-Type"] = call.file.MediaType
		if call.file.IsGzip {
			values["Content-Encoding"] = "gzip"
		}
	}
	for name, value := range values {
		if problem := findHeaderProblem(value); problem != "" {
			const rule = "the header %s must be visible ASCII characters, with spaces only between them; %s"
			return nil, nil, &InputError{fmt.Sprintf(rule, name, problem)}
		}
		header.Set(name, value)
	}
	t.authorize(header)
	if call.file != nil {
		return header, call.file.Content, nil
	}
	if call.body == nil {
		return header, nil, nil
	}
	header.Set("Content-Type", "application/json")
	if pointer, is := findInvalidText(reflect.ValueOf(call.body), ""); is {
		return nil, nil, &InputError{"the body can't be sent as JSON: " + pointer + " must be text in UTF-8"}
	}
	body, err := json.Marshal(call.body)
	if err != nil {
		return nil, nil, &InputError{"the body can't be sent as JSON: " + err.Error()}
	}
	return header, body, nil
}

// newIdempotencyKey returns a random UUID (RFC 9562, version 4).
func newIdempotencyKey() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // It never returns an error.
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// attempt sends the request once. It returns a response, or a *ConnectionError without one.
func (t *transport) attempt(
	ctx context.Context, method, address string, header http.Header, body []byte, timeout time.Duration,
) (*response, error) {
	if timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		ctx = limited
	}
	received, err := t.receive(ctx, method, address, header, body)
	if err == nil {
		return received, nil
	}
	// Its message would contain the URL, whose query can contain references.
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	remedy := ""
	if untrusted := new(tls.CertificateVerificationError); errors.As(err, &untrusted) {
		remedy = " (set SSL_CERT_FILE to the authority's file)"
	}
	return nil, &ConnectionError{fmt.Sprintf("no response from %s: %s%s", t.origin, err, remedy), err}
}

func (t *transport) receive(
	ctx context.Context, method, address string, header http.Header, body []byte,
) (*response, error) {
	outgoing, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	outgoing.Header = header.Clone()
	received, err := t.http.Do(outgoing)
	if err != nil {
		return nil, err
	}
	defer received.Body.Close()
	text, err := io.ReadAll(received.Body)
	if err != nil {
		return nil, err
	}
	return &response{received.StatusCode, received.Header, text}, nil
}

// isSuccess returns whether a response is a result and not an error. A status above 399 is one only if the body is a
// resource, because a proxy can send the same status.
func isSuccess(received *response, call request) bool {
	if received.status >= 200 && received.status < 300 {
		return true
	}
	if received.status != call.alsoSuccess {
		return false
	}
	var resource struct {
		Object string `json:"object"`
	}
	return json.Unmarshal(received.body, &resource) == nil && resource.Object != ""
}

// toError converts an error response to an API error, or to a connection error if it is not from Carecover, such as a
// proxy's page or a redirect.
func toError(received *response) error {
	if received.status < http.StatusBadRequest {
		const redirect = "the response with status %d is a redirect, which is not followed: set baseURL to the URL of the API itself"
		return &ConnectionError{fmt.Sprintf(redirect, received.status), nil}
	}
	var envelope struct {
		Error struct {
			Code    *ErrorCode `json:"code"`
			Message *string    `json:"message"`
			Docs    *string    `json:"docs"`
		} `json:"error"`
	}
	err := json.Unmarshal(received.body, &envelope)
	found := envelope.Error
	if err != nil || found.Code == nil || found.Message == nil || found.Docs == nil {
		return invalidResponse(received)
	}
	return &Error{
		Status:     received.status,
		Code:       *found.Code,
		Message:    *found.Message,
		Docs:       *found.Docs,
		RequestID:  received.header.Get("X-Request-Id"),
		RetryAfter: retryAfterOf(received.header, time.Now()),
	}
}

func invalidResponse(received *response) error {
	return &ConnectionError{fmt.Sprintf("the response with status %d is not from the service", received.status), nil}
}
