package carecover

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const testKey = "sk_test_HeadOfTheKeyTailOfTheKey1234567"

type received struct {
	method, url, authorization, key, contentType, body string
}

// service is a server that records requests and sends the given answers, the last one repeatedly.
type service struct {
	*httptest.Server
	mutex    sync.Mutex
	requests []received
}

type answer struct {
	status int
	body   string
	header map[string]string
	// Whether the connection ends without a response.
	isLost bool
}

func startService(t *testing.T, answers ...answer) *service {
	t.Helper()
	recorded := &service{}
	recorded.Server = httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		header := request.Header
		recorded.mutex.Lock()
		recorded.requests = append(recorded.requests, received{
			request.Method, request.URL.String(), header.Get("Authorization"), header.Get("Idempotency-Key"),
			header.Get("Content-Type"), string(body),
		})
		next := answers[min(len(recorded.requests), len(answers))-1]
		recorded.mutex.Unlock()
		if next.isLost {
			panic(http.ErrAbortHandler)
		}
		for name, value := range next.header {
			writer.Header().Set(name, value)
		}
		writer.WriteHeader(next.status)
		_, _ = io.WriteString(writer, next.body)
	}))
	t.Cleanup(recorded.Close)
	return recorded
}

func (recorded *service) client(t *testing.T, options ...ClientOption) *Client {
	t.Helper()
	client, err := New(recorded.URL+"/v1", testKey, options...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func apiError(status int, code string, header map[string]string) answer {
	const body = `{"error":{"code":%q,"message":"a message","docs":"https://docs.example/#code"}}`
	return answer{status: status, body: fmt.Sprintf(body, code), header: header}
}

func ok(body string) answer { return answer{status: http.StatusOK, body: body} }

func TestEveryAttemptOfAWriteHasTheSameKey(t *testing.T) {
	service := startService(t,
		apiError(http.StatusServiceUnavailable, "service_unavailable", nil),
		answer{isLost: true},
		apiError(http.StatusTooManyRequests, "rate_limited", map[string]string{"Retry-After": "0"}),
		answer{status: http.StatusBadGateway, body: "<html>"},
		ok(`{"id":"clm_1","status":"cancelled"}`),
	)
	claim, err := service.client(t).Claims.Cancel(
		context.Background(), "clm_1", CancellationInput{ReasonCode: "entered_in_error"},
	)
	if err != nil || claim.Status != ClaimStatusCancelled {
		t.Fatalf("got %v, %v", claim, err)
	}
	first := service.requests[0]
	want := received{
		http.MethodPost, "/v1/claims/clm_1/cancellations", "Bearer " + testKey, first.key,
		"application/json", `{"reason_code":"entered_in_error"}`,
	}
	if len(service.requests) != 5 || len(first.key) != 36 {
		t.Fatalf("got %d requests with the key %q", len(service.requests), first.key)
	}
	for _, each := range service.requests {
		if each != want {
			t.Fatalf("got %+v, not %+v", each, want)
		}
	}
}

func TestCallsHaveDifferentKeysOrThatOfTheCaller(t *testing.T) {
	service := startService(t, ok(`{"id":"clm_1"}`))
	client, body := service.client(t), CancellationInput{ReasonCode: "entered_in_error"}
	for _, options := range [][]CallOption{nil, nil, {WithIdempotencyKey("my-own-key-1")}} {
		if _, err := client.Claims.Cancel(context.Background(), "clm_1", body, options...); err != nil {
			t.Fatal(err)
		}
	}
	keys := service.requests
	if keys[0].key == keys[1].key || keys[2].key != "my-own-key-1" {
		t.Fatalf("got the keys of %+v", keys)
	}
	if _, err := client.Claims.Retrieve(context.Background(), "clm_1"); err != nil {
		t.Fatal(err)
	}
	if read := service.requests[3]; read.key != "" || read.contentType != "" || read.body != "" {
		t.Fatalf("got the read %+v", read)
	}
}

func TestAnAPIErrorIsTypedAndNotRetried(t *testing.T) {
	header := map[string]string{"X-Request-Id": "req-1", "Retry-After": "7"}
	service := startService(t, apiError(http.StatusConflict, "slot_unavailable", header))
	_, err := service.client(t).Bookings.Create(context.Background(), BookingInput{})
	var failure *Error
	if !errors.As(err, &failure) {
		t.Fatalf("got %T", err)
	}
	want := Error{409, ErrorCodeSlotUnavailable, "a message", "https://docs.example/#code", "req-1", 7 * time.Second}
	if *failure != want || len(service.requests) != 1 {
		t.Fatalf("got %+v after %d requests", failure, len(service.requests))
	}
	wrapped := fmt.Errorf("booking: %w", err)
	if !HasCode(wrapped, ErrorCodeInvalidState, ErrorCodeSlotUnavailable) || HasCode(wrapped, ErrorCodeInvalidState) {
		t.Fatal("HasCode does not find the code")
	}
	if HasCode(io.EOF, ErrorCodeSlotUnavailable) || HasCode(nil, ErrorCodeSlotUnavailable) {
		t.Fatal("HasCode finds a code in another error")
	}
}

func TestTheLastErrorIsReturnedAfterTheRetries(t *testing.T) {
	for _, options := range []struct {
		client []ClientOption
		call   []CallOption
		want   int
	}{
		{[]ClientOption{WithMaxRetries(0)}, nil, 1},
		{[]ClientOption{WithMaxRetries(0)}, []CallOption{WithMaxRetries(1)}, 2},
	} {
		service := startService(t, answer{isLost: true})
		_, err := service.client(t, options.client...).API.Retrieve(context.Background(), options.call...)
		var lost *ConnectionError
		if !errors.As(err, &lost) || !errors.Is(err, io.EOF) || len(service.requests) != options.want {
			t.Fatalf("got %v after %d requests", err, len(service.requests))
		}
	}
}

func TestALongRetryAfterFailsAtOnce(t *testing.T) {
	for _, value := range []string{"121", "99999999999999999999"} {
		service := startService(t, apiError(http.StatusTooManyRequests, "rate_limited", map[string]string{"Retry-After": value}))
		_, err := service.client(t).API.Retrieve(context.Background())
		if !HasCode(err, ErrorCodeRateLimited) || len(service.requests) != 1 {
			t.Fatalf("got %v after %d requests", err, len(service.requests))
		}
	}
}

func TestAnOperationWithoutKeyIsRetriedOnlyAfter429(t *testing.T) {
	limited := apiError(http.StatusTooManyRequests, "rate_limited", nil)
	service := startService(t, limited, answer{isLost: true}, ok(`{}`))
	_, err := service.client(t).WebhookEndpoints.RotateSecret(context.Background(), "whe_1")
	var lost *ConnectionError
	if !errors.As(err, &lost) || len(service.requests) != 2 || service.requests[0].key != "" {
		t.Fatalf("got %v after %+v", err, service.requests)
	}
}

func TestTheContextEndsACallWithItsCause(t *testing.T) {
	cause := errors.New("the user left")
	ctx, cancel := context.WithCancelCause(context.Background())
	service := startService(t, apiError(http.StatusServiceUnavailable, "service_unavailable", map[string]string{"Retry-After": "100"}))
	go func() {
		for {
			service.mutex.Lock()
			isSent := len(service.requests) > 0
			service.mutex.Unlock()
			if isSent {
				cancel(cause)
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := service.client(t).API.Retrieve(ctx); !errors.Is(err, cause) {
		t.Fatalf("got %v", err)
	}
	expired, cancelExpired := context.WithTimeout(context.Background(), 0)
	defer cancelExpired()
	if _, err := service.client(t).API.Retrieve(expired); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v", err)
	}
}

func TestAnAttemptThatTakesTooLongIsRetried(t *testing.T) {
	var attempts atomic.Int32
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		if attempts.Add(1) == 1 {
			<-request.Context().Done()
			close(ended)
			return
		}
		_, _ = io.WriteString(writer, `{"version":"v1"}`)
	}))
	defer server.Close()
	client, err := New(server.URL+"/v1", testKey)
	if err != nil {
		t.Fatal(err)
	}
	// The timeout of the second attempt is the same, so it is long enough for a busy machine.
	api, err := client.API.Retrieve(context.Background(), WithTimeout(time.Second))
	if err != nil || api.Version != "v1" || attempts.Load() != 2 {
		t.Fatalf("got %v, %v after %d attempts", api, err, attempts.Load())
	}
	<-ended
}

func TestARedirectIsNotFollowed(t *testing.T) {
	service := startService(t, answer{status: http.StatusFound, header: map[string]string{"Location": "/elsewhere"}})
	follows := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
	_, err := service.client(t, WithHTTPClient(follows)).Claims.Cancel(context.Background(), "clm_1", CancellationInput{})
	var lost *ConnectionError
	if !errors.As(err, &lost) || !strings.Contains(err.Error(), "redirect") || len(service.requests) != 1 {
		t.Fatalf("got %v after %+v", err, service.requests)
	}
}

func TestAResponseOfAnotherServerIsNoResult(t *testing.T) {
	for _, each := range []answer{
		{status: 200, body: "<html>secret</html>"}, {status: 404, body: "secret"}, {status: 404, body: `{"error":"secret"}`},
		{status: 404, body: `{"error":{"code":"resource_not_found"}}`},
	} {
		service := startService(t, each)
		_, err := service.client(t).API.Retrieve(context.Background())
		var lost *ConnectionError
		if !errors.As(err, &lost) || strings.Contains(err.Error(), "secret") || len(service.requests) != 1 {
			t.Fatalf("got %v", err)
		}
	}
}

func TestAnUndeliveredTestEventIsAResult(t *testing.T) {
	body := `{"id":"evt_1","object":"webhook_delivery","delivered":false,"attempts":3,"response_status":500}`
	service := startService(t, answer{status: http.StatusBadGateway, body: body})
	delivery, err := service.client(t).WebhookEndpoints.Test(context.Background(), "whe_1")
	if err != nil || delivery.Delivered || *delivery.ResponseStatus != 500 || len(service.requests) != 1 {
		t.Fatalf("got %+v, %v", delivery, err)
	}
}

func TestAListIsOnePageOrAllItems(t *testing.T) {
	service := startService(t,
		ok(`{"data":[{"id":"clm_3"},{"id":"clm_2"}],"has_more":true}`), ok(`{"data":[{"id":"clm_1"}],"has_more":false}`),
		ok(`{"data":[{"id":"clm_3"}],"has_more":true}`), apiError(404, "resource_not_found", nil),
	)
	query := ListClaimsQuery{
		Status: ClaimStatusQueried, Limit: 2, SessionID: "ses_1",
		CreatedAfter: time.Date(2025, 3, 1, 3, 0, 0, 1_000_000, time.FixedZone("EAT", 3*60*60)),
	}
	claims := service.client(t).Claims.All(context.Background(), query)
	var ids []ClaimID
	for claim, err := range claims {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, claim.ID)
	}
	// The second iteration starts at the first page again, and ends with the error of the second page.
	var last error
	for claim, err := range claims {
		last = err
		if err == nil {
			ids = append(ids, claim.ID)
		}
	}
	if fmt.Sprint(ids) != "[clm_3 clm_2 clm_1 clm_3]" || !HasCode(last, ErrorCodeResourceNotFound) {
		t.Fatalf("got %v, %v", ids, last)
	}
	const first = "/v1/claims?created_after=2025-03-01T00%3A00%3A00.001Z&limit=2&session_id=ses_1"
	for index, want := range []string{
		first + "&status=queried", first + "&starting_after=clm_2&status=queried",
		first + "&status=queried", first + "&starting_after=clm_3&status=queried",
	} {
		if service.requests[index].url != want {
			t.Fatalf("got %s, not %s", service.requests[index].url, want)
		}
	}
}

func TestAnIterationThatStopsReadsNoFurtherPage(t *testing.T) {
	service := startService(t, ok(`{"data":[{"id":"clm_3"},{"id":"clm_2"}],"has_more":true}`))
	for range service.client(t).Claims.All(context.Background(), ListClaimsQuery{}) {
		break
	}
	if len(service.requests) != 1 || service.requests[0].url != "/v1/claims" {
		t.Fatalf("got %+v", service.requests)
	}
}

func TestTheLargestAmountKeepsAllDigits(t *testing.T) {
	const largest = int64(1)<<53 - 1
	service := startService(t, ok(fmt.Sprintf(`{"amount":{"billed":%d,"approved":null,"settled":%d}}`, largest, largest)))
	body := ClaimInput{Lines: []ClaimInputLine{{Units: 0.1, Amount: largest}}}
	claim, err := service.client(t).Claims.Submit(context.Background(), body)
	if err != nil || claim.Amount.Billed != largest || claim.Amount.Approved != nil || *claim.Amount.Settled != largest {
		t.Fatalf("got %+v, %v", claim, err)
	}
	if !strings.Contains(service.requests[0].body, `"units":0.1,"amount":9007199254740991`) {
		t.Fatalf("sent %s", service.requests[0].body)
	}
}

func TestABodyHasItsConstantsAndNoAbsentFields(t *testing.T) {
	for _, each := range []struct {
		body any
		want string
	}{
		{PreauthorizationDenial{PolicyReference: "policy:a"}, `{"outcome":"denied","reason_codes":null,"policy_reference":"policy:a","policy_version":"","evidence_references":null}`},
		{WebhookEndpointUpdate{Status: WebhookEndpointStatusActive}, `{"status":"active"}`},
		{TokenInput{Scopes: []Scope{ScopeAll}}, `{"scopes":["*"],"expires_in":0}`},
		// A token that can use no resource, which is not a token that can use all.
		{TokenInput{ResourceIDs: []string{}}, `{"scopes":null,"expires_in":0,"resource_ids":[]}`},
		{
			InformationRequestInput{DueAt: time.Date(2099, 3, 2, 10, 0, 0, 0, time.FixedZone("EAT", 3*60*60))},
			`{"reason_code":"","requested_evidence_types":null,"due_at":"2099-03-02T10:00:00+03:00"}`,
		},
	} {
		if sent, err := json.Marshal(each.body); err != nil || string(sent) != each.want {
			t.Fatalf("got %s, %v, not %s", sent, err, each.want)
		}
	}
}

func TestAFileIsSentAsItIsByEveryAttempt(t *testing.T) {
	service := startService(t, answer{status: 503}, answer{status: 202, body: `{"id":"job_1","object":"bulk_job"}`})
	client := service.client(t)
	file := File{Content: []byte("{\"a\":1}\n"), MediaType: "application/x-ndjson"}
	job, err := client.BulkJobs.Create(context.Background(), CreateBulkJobQuery{Kind: "claims"}, file)
	if err != nil || job.ID != "job_1" {
		t.Fatal(job, err)
	}
	if len(service.requests) != 2 || service.requests[0] != service.requests[1] {
		t.Fatal(service.requests)
	}
	request := service.requests[0]
	if request.body != "{\"a\":1}\n" || request.contentType != "application/x-ndjson" || request.key == "" {
		t.Fatal(request)
	}
	file.MediaType = "text/csv\r\nx: y"
	if _, err := client.BulkJobs.Create(context.Background(), CreateBulkJobQuery{Kind: "claims"}, file); !errors.As(err, new(*InputError)) {
		t.Fatal(err)
	}
}

func TestValuesThatTheServiceAddsLaterAreAccepted(t *testing.T) {
	service := startService(t,
		ok(`{"data":[{"id":"evt_1","type":"claim.invented","data":{"a":[1]},"more":1},{"id":"evt_2","type":"claim.settled","data":{"status":"invented"}}]}`),
		apiError(http.StatusConflict, "invented_code", nil),
	)
	client := service.client(t)
	page, err := client.Events.List(context.Background(), ListEventsQuery{})
	if err != nil {
		t.Fatal(err)
	}
	unknown, isUnknown := page.Data[0].Data.(*UnknownEventData)
	claim, isClaim := page.Data[1].Data.(*ClaimEventData)
	if !isUnknown || string(unknown.JSON) != `{"a":[1]}` || !isClaim || claim.Status != "invented" {
		t.Fatalf("got %+v", page.Data)
	}
	if again, err := json.Marshal(page.Data[0]); err != nil || !bytes.Contains(again, []byte(`"data":{"a":[1]}`)) {
		t.Fatalf("got %s, %v", again, err)
	}
	if _, err := client.API.Retrieve(context.Background()); !HasCode(err, "invented_code") {
		t.Fatalf("got %v", err)
	}
}

func TestInvalidInputIsRejectedBeforeARequest(t *testing.T) {
	service := startService(t, ok(`{}`))
	client := service.client(t)
	ctx := context.Background()
	calls := map[string]func() error{
		"claim_id must be an identifier": func() error { _, err := client.Claims.Retrieve(ctx, "../bookings"); return err },
		"Idempotency-Key must be visible ASCII characters, with spaces only between them; it has a line end": func() error {
			_, err := client.TestHelpers.DeliverSession(ctx, "ses_1", WithIdempotencyKey("a\nb"))
			return err
		},
		"Idempotency-Key must be visible ASCII characters, with spaces only between them; it is empty": func() error {
			_, err := client.TestHelpers.DeliverSession(ctx, "ses_1", WithIdempotencyKey(""))
			return err
		},
		"X-Artifact-Reference must be": func() error {
			_, err := client.Coverages.RecordBatch(ctx, "a\r\nb", CoverageBatchInput{})
			return err
		},
		"the body can't be sent as JSON: json: unsupported value: NaN": func() error {
			_, err := client.Claims.Submit(ctx, ClaimInput{Lines: []ClaimInputLine{{Units: math.NaN()}}})
			return err
		},
		"the body can't be sent as JSON: /lines/0/service_code must be text in UTF-8": func() error {
			_, err := client.Claims.Submit(ctx, ClaimInput{Lines: []ClaimInputLine{{ServiceCode: "A\xe9"}}})
			return err
		},
	}
	for want, call := range calls {
		err := call()
		var invalid *InputError
		if !errors.As(err, &invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, not %s", err, want)
		}
	}
	if len(service.requests) > 0 {
		t.Fatalf("sent %+v", service.requests)
	}
}

func TestInvalidSettingsAreNamedWithoutTheirValues(t *testing.T) {
	const address = "https://api.example/v1"
	for _, each := range []struct{ baseURL, key, want string }{
		{"", testKey, "baseURL must be the URL of the API with its version, such as https://localhost:8443/v1; it is empty"},
		{"api.example/v1", testKey, "it does not start with https:// or http://"},
		{"ftp://api.example/v1", testKey, "it does not start with https:// or http://"},
		{"https://", testKey, "it has no host"},
		{"https://user:secret@api.example/v1", testKey, "it has a user or a password"},
		{address + "?key=secret", testKey, "it has a query or a fragment"},
		{address + "#", testKey, "it has a query or a fragment"},
		{address + "\n", testKey, "it has a line end"},
		{" " + address, testKey, "it has a space"},
		{address + "/%zz", testKey, "it is no URL"},
		{address, "", "apiKey must be a secret key (sk_…) or a token (pt_…); it is empty"},
		{address, testKey + "\n", "it has a line end"},
		{address, testKey + "\t", "it has a control character"},
		{address, "Bearer " + testKey, "it has a space"},
		{address, testKey + "é", "it has a character that is not ASCII"},
	} {
		_, err := New(each.baseURL, each.key)
		var invalid *InputError
		if !errors.As(err, &invalid) || !strings.Contains(err.Error(), each.want) {
			t.Errorf("got %v, not %s", err, each.want)
			continue
		}
		if strings.Contains(err.Error(), "secret@") || strings.Contains(err.Error(), "HeadOfTheKey") {
			t.Errorf("%v contains a value", err)
		}
	}
}

func TestNoErrorAndNoPrintedClientContainsTheKeyOrTheQuery(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	listener.Close()
	client, err := New(address+"/v1/", testKey, WithMaxRetries(0))
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Settlements.List(context.Background(), ListSettlementsQuery{SourceReference: "bank:secret"})
	if err == nil || !strings.HasPrefix(err.Error(), "carecover: no response from "+address+": dial tcp ") {
		t.Fatalf("got %v", err)
	}
	untrusted := httptest.NewTLSServer(nil)
	defer untrusted.Close()
	other, err := New(untrusted.URL+"/v1", testKey, WithMaxRetries(0))
	if err != nil {
		t.Fatal(err)
	}
	_, tlsError := other.API.Retrieve(context.Background())
	if tlsError == nil || !strings.Contains(tlsError.Error(), "set SSL_CERT_FILE to the authority's file") {
		t.Fatalf("got %v", tlsError)
	}
	printed := fmt.Sprintf("%v %+v %#v %v %+v %#v", client, client, client, *client, *client, err)
	printed += fmt.Sprintf("%+v %#v %v", err, errors.Unwrap(err), tlsError)
	for _, secret := range []string{"HeadOfTheKey", "TailOfTheKey", "bank:secret", "source_reference"} {
		if strings.Contains(printed, secret) {
			t.Fatalf("%s is in %s", secret, printed)
		}
	}
}

func TestAPrivateCertificateIsTrustedByAnHTTPClient(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(writer, `{"version":"v1"}`)
	}))
	defer server.Close()
	client, err := New(server.URL+"/v1", testKey, WithHTTPClient(server.Client()))
	if err != nil {
		t.Fatal(err)
	}
	if api, err := client.API.Retrieve(context.Background()); err != nil || api.Version != "v1" {
		t.Fatalf("got %v, %v", api, err)
	}
}

func TestRetryAfterIsSecondsOrADate(t *testing.T) {
	now := time.Date(2027, 3, 1, 10, 0, 0, 0, time.UTC)
	for _, each := range []struct {
		value, date string
		want        time.Duration
	}{
		{"", "", 0},
		{"7", "", 7 * time.Second},
		{"-7", "", 0},
		{"1.5", "", 0},
		{"soon", "", 0},
		{"Mon, 01 Mar 2027 10:00:09 GMT", "", 9 * time.Second},
		{"Mon, 01 Mar 2027 10:00:09 GMT", "Mon, 01 Mar 2027 10:00:05 GMT", 4 * time.Second},
		{"Mon, 01 Mar 2027 10:00:09 GMT", "Mon, 01 Mar 2027 11:00:00 GMT", 0},
		{"99999999999999999999", "", math.MaxInt64},
	} {
		header := http.Header{}
		header.Set("Retry-After", each.value)
		header.Set("Date", each.date)
		if got := retryAfterOf(header, now); got != each.want {
			t.Errorf("got %s for %q", got, each.value)
		}
	}
}

func TestTheDelayIsTheLongerOfBackoffAndRetryAfter(t *testing.T) {
	for _, each := range []struct {
		attempt    int
		retryAfter time.Duration
		random     float64
		want       time.Duration
		isShort    bool
	}{
		{0, 0, 0, 125 * time.Millisecond, true},
		{0, 0, 1, 250 * time.Millisecond, true},
		{3, 0, 1, 2 * time.Second, true},
		{50, 0, 1, 8 * time.Second, true},
		{0, 2 * time.Second, 0, 2 * time.Second, true},
		{0, 2 * time.Minute, 1, 132 * time.Second, true},
		{0, 2*time.Minute + time.Second, 0, 0, false},
	} {
		if got, isShort := retryDelay(each.attempt, each.retryAfter, each.random); got != each.want || isShort != each.isShort {
			t.Errorf("got %s, %t for %+v", got, isShort, each)
		}
	}
}

func TestQueriesOmitZeroValues(t *testing.T) {
	if values := (GetReceivablesQuery{}).values(); len(values) > 0 {
		t.Fatalf("got %v", values)
	}
	values := ListPractitionerSlotsQuery{
		From: time.Date(2099, 3, 2, 0, 0, 0, 0, time.UTC), DurationMinutes: 50, Format: SessionFormatOnline,
	}.values()
	want := url.Values{"from": {"2099-03-02T00:00:00Z"}, "duration_minutes": {"50"}, "format": {"online"}}
	if fmt.Sprint(values) != fmt.Sprint(want) {
		t.Fatalf("got %v", values)
	}
}
