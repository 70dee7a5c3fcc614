package carecover

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

type vector struct {
	Name, Body, Secret string
	Headers            map[string]string
	Now                int64
	// A part of the error's message; nil if the webhook is valid.
	Problem *string
}

// The vectors are those of the clients for TypeScript and Python.
func readVectors(t *testing.T) []vector {
	t.Helper()
	text, err := os.ReadFile("../client/src/testing/webhook-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	return vectors
}

func headersOf(values map[string]string) http.Header {
	header := http.Header{}
	for name, value := range values {
		header.Set(name, value)
	}
	return header
}

func TestWebhookVectors(t *testing.T) {
	vectors := readVectors(t)
	if len(vectors) < 50 {
		t.Fatalf("there are only %d vectors", len(vectors))
	}
	for _, each := range vectors {
		t.Run(each.Name, func(t *testing.T) {
			event, err := verifyWebhookAt([]byte(each.Body), headersOf(each.Headers), each.Secret, time.Unix(each.Now, 0))
			if each.Problem == nil {
				if err != nil || event.ID == "" {
					t.Fatalf("got %v, %v", event, err)
				}
				return
			}
			var failure *WebhookVerificationError
			if !errors.As(err, &failure) || !strings.Contains(err.Error(), *each.Problem) {
				t.Fatalf("got %v, not %q", err, *each.Problem)
			}
			if len(each.Secret) > 8 && strings.Contains(err.Error(), each.Secret[6:]) {
				t.Fatal("the error contains the secret")
			}
		})
	}
}

func TestDataOfTheWrongTypeIsNoEvent(t *testing.T) {
	var event Event
	if json.Unmarshal([]byte(`{"type":"claim.settled","data":{"id":7}}`), &event) == nil {
		t.Fatal("data of the wrong type was accepted")
	}
}
