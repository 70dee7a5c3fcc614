package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestTheReceiverAcceptsOnlySignedEvents(t *testing.T) {
	const key = "a secret of twenty-four b"
	handler := receiver("whsec_" + base64.StdEncoding.EncodeToString([]byte(key)))
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	signed := `{"id":"evt_1","type":"claim.settled","data":{"id":"clm_9"}}`
	hash := hmac.New(sha256.New, []byte(key))
	hash.Write([]byte("evt_1." + timestamp + "." + signed))
	signature := "v1," + base64.StdEncoding.EncodeToString(hash.Sum(nil))
	for body, want := range map[string]int{
		signed:                        http.StatusNoContent,
		signed + " ":                  http.StatusBadRequest,
		strings.Repeat(" ", 64<<10+1): http.StatusRequestEntityTooLarge,
	} {
		request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		request.Header.Set("Webhook-Id", "evt_1")
		request.Header.Set("Webhook-Timestamp", timestamp)
		request.Header.Set("Webhook-Signature", signature)
		response := httptest.NewRecorder()
		handler(response, request)
		if response.Code != want {
			t.Errorf("got %d for a body of %d bytes, not %d", response.Code, len(body), want)
		}
	}
}
