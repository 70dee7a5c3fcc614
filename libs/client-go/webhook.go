package carecover

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	webhookTolerance = 5 * time.Minute
	secretPrefix     = "whsec_"
)

// VerifyWebhook verifies a webhook by the Standard Webhooks specification, and returns its event: an HMAC-SHA256 over
// id.timestamp.body, and a timestamp within five minutes of now. The body is the exact body of the request, before any
// parser reads it; the secret is the endpoint's signing secret (whsec_…). It returns a *WebhookVerificationError if the
// signature or the timestamp is not valid, or if the body is no event.
func VerifyWebhook(body []byte, header http.Header, secret string) (*Event, error) {
	return verifyWebhookAt(body, header, secret, time.Now())
}

func verifyWebhookAt(body []byte, header http.Header, secret string, now time.Time) (*Event, error) {
	if problem := findWebhookProblem(body, header, secret, now); problem != "" {
		return nil, &WebhookVerificationError{problem}
	}
	// The parser accepts null for every type.
	if !bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{")) || !json.Valid(body) {
		return nil, &WebhookVerificationError{"the body is signed, but it is no JSON object"}
	}
	event := new(Event)
	if json.Unmarshal(body, event) != nil {
		return nil, &WebhookVerificationError{"the body is signed, but it is no event"}
	}
	return event, nil
}

// findWebhookProblem returns why a webhook is not valid; "" if it is.
func findWebhookProblem(body []byte, header http.Header, secret string, now time.Time) string {
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if header.Get(name) == "" {
			return "the header " + name + " is required"
		}
	}
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > webhookTolerance {
		return "webhook-timestamp must be within five minutes of the current time; check the clock"
	}
	problem := findSecretProblem(secret)
	key := decodeBase64(strings.TrimPrefix(secret, secretPrefix))
	if problem == "" && len(key) == 0 {
		problem = "it is no base64"
	}
	if problem != "" {
		return "the secret must be the signing secret of the endpoint (whsec_…); " + problem
	}
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte(header.Get("webhook-id") + "." + timestamp + "."))
	hash.Write(body)
	expected := hash.Sum(nil)
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		version, value, _ := strings.Cut(signature, ",")
		if version == "v1" && hmac.Equal(decodeBase64(value), expected) {
			return ""
		}
	}
	return "no signature matches; check the secret, and that the body is the unparsed text"
}

// decodeBase64 decodes base64 with or without padding, as the clients for other languages do; nil for other text.
func decodeBase64(text string) []byte {
	if len(text)%4 == 0 {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "="), "=")
	}
	// Go's decoder ignores line ends.
	if strings.ContainsAny(text, "\r\n") {
		return nil
	}
	decoded, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return decoded
}
