"""Cases of the Python client against a stack, whose address and key are in the environment. Prints `ok`."""

import base64
import hashlib
import hmac
import os
import ssl
import time

import httpx

from carecover import (
    Carecover,
    CarecoverConnectionError,
    CarecoverError,
    WebhookVerificationError,
    verify_webhook,
)
from carecover.api.webhooks_and_events import (
    create_webhook_endpoint,
    disable_webhook_endpoint,
    list_webhook_endpoints,
    rotate_webhook_secret,
)
from carecover.models import WebhookEndpointInput

URL, KEY = os.environ["CARECOVER_URL"], os.environ["CARECOVER_KEY"]
ERROR = {"error": {"code": "rate_limited", "message": "Too many requests.", "docs": "https://localhost/docs"}}


class LossyTransport(httpx.BaseTransport):
    """Loses responses: sends each request to the service, and returns or raises the next loss instead of the response."""

    def __init__(self, *losses: httpx.Response | Exception) -> None:
        self.losses = list(losses)
        self.requests: list[httpx.Request] = []
        self.times: list[float] = []
        self.service = httpx.HTTPTransport(verify=ssl.create_default_context())

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        self.times.append(time.monotonic())
        response = self.service.handle_request(request)
        if not self.losses:
            return response
        response.read()
        loss = self.losses.pop(0)
        if isinstance(loss, Exception):
            raise loss
        return loss

    def keys(self) -> set[str | None]:
        return {request.headers.get("idempotency-key") for request in self.requests}


def endpoint_input() -> WebhookEndpointInput:
    return WebhookEndpointInput.from_dict({"url": "http://127.0.0.1:9/hooks", "events": ["claim.settled"]})


def raised(kind: type[Exception], call: object) -> Exception:
    try:
        call()  # type: ignore[operator]
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was not raised")


# After a lost connection, a proxy's HTML page with status 502 and a response 429, the client repeats the request under the same key and
# waits as long as Retry-After says. The request has one effect.
limited = httpx.Response(429, json=ERROR, headers={"retry-after": "1"})
transport = LossyTransport(httpx.ReadError("lost"), httpx.Response(502, text="<html>"), limited)
client = Carecover(URL, KEY, transport=transport)
created = create_webhook_endpoint(client, body=endpoint_input())
assert len(transport.requests) == 4 and len(transport.keys()) == 1 and None not in transport.keys()
assert transport.times[3] - transport.times[2] >= 1
assert [endpoint.id for endpoint in list_webhook_endpoints(client).data if endpoint.url == created.url] == [created.id]

# A call with an idempotency key of its own is sent with that key, not with a generated one.
transport = LossyTransport()
client = Carecover(URL, KEY, transport=transport)
disable_webhook_endpoint(client, created.id, idempotency_key="my-own-key-1")
assert transport.keys() == {"my-own-key-1"}

# After the last retry, the last error is raised. After a Retry-After of more than two minutes, the error is raised at once.
transport = LossyTransport(*[httpx.ReadTimeout("slow") for _ in range(3)])
client = Carecover(URL, KEY, transport=transport, max_retries=1)
raised(CarecoverConnectionError, lambda: list_webhook_endpoints(client))
assert len(transport.requests) == 2
late = httpx.Response(429, json=ERROR, headers={"retry-after": "121", "x-request-id": "req-1"})
client = Carecover(URL, KEY, transport=LossyTransport(late))
error = raised(CarecoverError, lambda: list_webhook_endpoints(client))
assert isinstance(error, CarecoverError)
assert (error.status, error.code, error.request_id) == (429, "rate_limited", "req-1")
assert error.retry_after_seconds == 121

# An operation without idempotency key is not repeated after a lost connection, because the outcome is unknown.
endpoint = create_webhook_endpoint(Carecover(URL, KEY, verify=ssl.create_default_context()), body=endpoint_input())
transport = LossyTransport(httpx.ReadError("lost"))
client = Carecover(URL, KEY, transport=transport)
raised(CarecoverConnectionError, lambda: rotate_webhook_secret(client, endpoint.id))
assert len(transport.requests) == 1 and transport.keys() == {None}

# A call with an argument that is not an identifier is rejected, because the argument could change the request's path.
raised(ValueError, lambda: disable_webhook_endpoint(client, "../claims"))

# The verification of a webhook accepts a valid signature with a timestamp of at most five minutes before or after the present, and nothing
# else.
key = b"a secret of twenty-four b"
secret = "whsec_" + base64.b64encode(key).decode()
signature = base64.b64encode(hmac.digest(key, b"evt_1.1000.{}", hashlib.sha256)).decode()
headers = {"Webhook-Id": "evt_1", "Webhook-Timestamp": "1000", "Webhook-Signature": "v1," + signature}
for now in (700, 1000, 1300):
    assert verify_webhook("{}", headers, secret, now) == {}
for now in (699, 1301):
    raised(WebhookVerificationError, lambda: verify_webhook(b"{}", headers, secret, now))
raised(WebhookVerificationError, lambda: verify_webhook(b"{ }", headers, secret, 1000))
raised(WebhookVerificationError, lambda: verify_webhook(b"{}", {}, secret, 1000))
raised(WebhookVerificationError, lambda: verify_webhook(b"{}", headers, "whsec_", 1000))
raised(WebhookVerificationError, lambda: verify_webhook(b"{}", headers | {"Webhook-Timestamp": "nan"}, secret, 1000))
print("ok")
