"""Cases of the Python client without a service: calls as people write them, and values that a later service adds. Prints `ok`."""

import base64
import copy
import hashlib
import hmac
import json
import pickle
import time
from collections.abc import Callable
from datetime import datetime, timezone
from email.message import Message
from typing import Any

import httpx

from carecover import (
    Carecover,
    CarecoverAdvanceError,
    CarecoverError,
    WebhookVerificationError,
    iterate,
    verify_webhook,
)
from carecover.models import (
    AdjudicationInput,
    BookingInput,
    ClaimInput,
    ClaimSettledEvent,
    ClaimStatus,
    PaymentSource,
    SessionFormat,
    TestClock,
    UnknownEvent,
)


class Answers(httpx.BaseTransport):
    """Answers each request with the next JSON value and its status, and keeps the requests."""

    def __init__(self, *answers: tuple[int, Any]) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        status, value = self.answers.pop(0)
        return httpx.Response(status, json=value)


def client(*answers: tuple[int, Any]) -> tuple[Carecover, list[httpx.Request]]:
    transport = Answers(*answers)
    return Carecover("https://api.example/v1", "sk_test_x", transport=transport), transport.requests


def raised(call: Callable[[], object]) -> Exception:
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


BOOKING = {
    "id": "bkg_1",
    "object": "booking",
    "session_id": "ses_1",
    "practitioner_id": "prc_1",
    "starts_at": "2099-03-02T07:00:00.000Z",
    "ends_at": "2099-03-02T07:50:00.000Z",
    "timezone": "Africa/Nairobi",
    "format": "online",
    "status": "made_up",
    "payment_source": "covered",
}
START, END = datetime(2099, 3, 2, 7, 0, tzinfo=timezone.utc), datetime(2099, 3, 2, 7, 50, tzinfo=timezone.utc)
INPUT: dict[str, Any] = {
    "practitioner_id": "prc_1",
    "starts_at": START,
    "ends_at": END,
    "format": "online",
    "payment_source": "covered",
}
SENT = {**INPUT, "starts_at": START.isoformat(), "ends_at": END.isoformat()}

# A body is a dictionary or a model, by position or by name; an enumeration's value is a string or a member.
carecover, requests = client(*[(201, BOOKING)] * 3)
model = BookingInput(
    practitioner_id="prc_1",
    starts_at=START,
    ends_at=END,
    format_=SessionFormat.ONLINE,
    payment_source=PaymentSource.COVERED,
)
for booking in (
    carecover.bookings.create(INPUT),
    carecover.bookings.create(body=model, idempotency_key="key-of-booking-1"),
    carecover.bookings.create(BookingInput.from_dict(SENT)),
):
    # A status that the service adds later is accepted.
    assert booking.status == "made_up" and booking.format_ == "online"
assert [json.loads(request.content) for request in requests] == [SENT] * 3
assert requests[1].headers["idempotency-key"] == "key-of-booking-1"

# A dictionary is sent as it is, so that the service can name an unknown or a missing field. A model names it itself.
UNKNOWN = {"error": {"code": "validation_failed", "message": "/note is not known here", "docs": "https://api.example"}}
carecover, requests = client((400, UNKNOWN))
assert str(raised(lambda: carecover.bookings.create({**INPUT, "note": "x"}))) == "/note is not known here"
assert json.loads(requests[0].content)["note"] == "x"
FIELDS = {name: value for name, value in INPUT.items() if name != "format"}
assert "note" in str(raised(lambda: BookingInput(**FIELDS, format_=SessionFormat.ONLINE, note="x")))  # type: ignore[call-arg]
assert "starts_at" in str(raised(lambda: BookingInput.from_dict({"practitioner_id": "prc_1"})))
assert str(raised(lambda: BookingInput.from_dict({**SENT, "note": "x"}))) == "unknown fields: note"
LINE = {"code_system": "CPT", "service_code": "x", "units": 1, "amount": 1, "note": "x"}
CLAIM = {"eligibility_check_id": "elig_1", "session_id": "ses_1", "provider_claim_reference": "INV-1", "lines": [LINE]}
assert str(raised(lambda: ClaimInput.from_dict(CLAIM))) == "unknown fields: note"

# What can't be a body or an instant fails before a request.
for body in ("{}", None, [INPUT], BOOKING["id"]):
    error = raised(lambda: carecover.bookings.create(body))  # type: ignore[arg-type]
    assert type(error) is ValueError and "the body must be a dictionary or a model" in str(error), error
for call in (
    lambda: carecover.bookings.create({**INPUT, "starts_at": datetime(2099, 3, 2)}),
    lambda: carecover.bookings.list(created_after=datetime(2099, 3, 2)),
):
    assert "time zone" in str(raised(call))
assert len(requests) == 1

# Filters are strings, members of the enumeration, instants and datetimes.
PAGE: dict[str, Any] = {"object": "list", "data": [], "has_more": False}
carecover, requests = client(*[(200, PAGE)] * 3)
carecover.claims.list(status="queried", created_after="2026-01-01T00:00:00Z")
carecover.claims.list(status=ClaimStatus.QUERIED, created_after=datetime(2026, 1, 1, tzinfo=timezone.utc))
assert list(iterate(carecover.claims.list, status="queried")) == []
assert [request.url.params["status"] for request in requests] == ["queried"] * 3
assert requests[0].url.params["created_after"] == "2026-01-01T00:00:00Z"
assert requests[1].url.params["created_after"] == "2026-01-01T00:00:00+00:00"

# A page with an event of an unknown type is read, and so is an unknown error code.
EVENT: dict[str, Any] = {
    "id": "evt_1",
    "object": "event",
    "type": "claim.settled",
    "schema_version": "v1",
    "resource_version": 3_000_000_000,
    "created_at": "2026-01-01T00:00:00.000Z",
    "livemode": False,
    "data": {
        "id": "clm_1",
        "object": "claim",
        "status": "settled",
        "submission_version": 1,
        "adjudication_version": 1,
        "amount": {"currency": "KES", "billed": 1, "approved": 1, "remitted": 1, "settled": 1},
    },
}
NEW = {**EVENT, "id": "evt_2", "type": "claim.made_up", "data": {"id": "clm_1", "made_up": True}}
carecover, _ = client(
    (200, {**PAGE, "data": [NEW, EVENT]}),
    (422, {"error": {"code": "made_up", "message": "Made up.", "docs": "https://api.example"}}),
)
new, settled = carecover.events.list().data
assert isinstance(new, UnknownEvent) and new.type_ == "claim.made_up" and new.data.to_dict() == NEW["data"]
assert isinstance(settled, ClaimSettledEvent) and settled.resource_version == 3_000_000_000
failure = raised(lambda: carecover.claims.retrieve("clm_1"))
assert isinstance(failure, CarecoverError) and failure.code == "made_up" and failure.status == 422

# An advance is started once and read until the clock is ready; a failed one is an error with the reason and the clock as it stands.
CLOCK: dict[str, Any] = {
    "object": "test_clock",
    "now": "2025-06-01T00:00:00.000Z",
    "status": "advancing",
    "target": "2026-01-01T00:00:00.000Z",
    "next_due": None,
    "advanced_to": None,
    "completed": 1,
    "remaining": 2,
    "failure": None,
}
READY = {**CLOCK, "status": "ready", "now": CLOCK["target"], "target": None, "completed": 3, "remaining": 0}
shown: list[str] = []
carecover, requests = client((202, CLOCK), (200, READY))
ready = carecover.test_clock.advance_and_wait(
    datetime(2026, 1, 1, tzinfo=timezone.utc), on_progress=lambda clock: shown.append(f"{clock.status} {clock.completed}")
)
assert ready.status == "ready" and shown == ["advancing 1", "ready 3"], shown
assert [request.method for request in requests] == ["POST", "GET"]
assert json.loads(requests[0].content) == {"to": "2026-01-01T00:00:00+00:00", "wait_seconds": 1}
carecover, _ = client((202, {**CLOCK, "status": "failed", "failure": "claims: gone."}))
failed = raised(lambda: carecover.test_clock.advance_and_wait("next"))
assert isinstance(failed, CarecoverAdvanceError) and failed.clock.failure == "claims: gone.", repr(failed)
assert str(failed) == "the advance ended at 2025-06-01T00:00:00+00:00: claims: gone."
carecover, requests = client((202, CLOCK))


def stop(_: object) -> None:
    raise KeyError("stopped by the user")


assert type(raised(lambda: carecover.test_clock.advance_and_wait("next", on_progress=stop))) is KeyError
assert len(requests) == 1

# A list continues after its last item, also a list of items without identifiers.
RESULT: dict[str, Any] = {
    **{"object": "bulk_job_result", "line": 7, "reference": None, "status": "succeeded"},
    **{"resource_id": "clm_1", "error": None},
}
carecover, requests = client((200, {**PAGE, "data": [RESULT], "has_more": True}), (200, PAGE))
assert [result.line for result in iterate(carecover.bulk_jobs.results, "job_1")] == [7]
assert requests[1].url.params["after_line"] == "7" and "starting_after" not in requests[1].url.params

# Errors and models pass from one process to another, and a copy of a model is sent as the model is.
for error in (failure, CarecoverAdvanceError(TestClock.from_dict(CLOCK))):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error)), again
assert pickle.loads(pickle.dumps(failure)).status == 422
evidence = AdjudicationInput.from_dict({"lines": [], "policy_reference": "P-1", "policy_version": "1", "reason_codes": []})
for copied in (copy.deepcopy(evidence), pickle.loads(pickle.dumps(evidence))):
    assert copied.to_dict() == evidence.to_dict()

# An instant of a model needs a time zone, as in a dictionary.
naive = BookingInput(
    practitioner_id="prc_1",
    starts_at=datetime(2099, 3, 2, 7, 0),
    ends_at=END,
    format_=SessionFormat.ONLINE,
    payment_source=PaymentSource.COVERED,
)
assert "time zone" in str(raised(lambda: carecover.bookings.create(naive)))

# verify_webhook raises its own error only, whatever the headers and the body are.
SECRET = "whsec_" + base64.b64encode(b"0123456789012345678901234").decode()
assert SECRET.endswith("=")
now = time.time()


def signed(body: bytes) -> dict[str, str]:
    content = f"evt_1.{int(now)}.".encode() + body
    digest = hmac.digest(b"0123456789012345678901234", content, hashlib.sha256)
    signature = "v1," + base64.b64encode(digest).decode()
    return {"webhook-id": "evt_1", "webhook-timestamp": str(int(now)), "webhook-signature": signature}


good = signed(b"{}")
assert verify_webhook(b"{}", good, SECRET, now) == {}
for parsed in ({"id": "evt_1"}, None, 1):
    error = raised(lambda: verify_webhook(parsed, good, SECRET, now))  # type: ignore[arg-type]
    assert type(error) is WebhookVerificationError and "unparsed text or bytes" in str(error), error
assert verify_webhook(b"{}", good, SECRET.rstrip("="), now) == {}
message = Message()
for name, value in good.items():
    message[name] = value
assert verify_webhook(b"{}", message, SECRET, now) == {}  # type: ignore[arg-type]
assert verify_webhook(b"{}", {k.upper().encode(): v.encode() for k, v in good.items()}, SECRET, now) == {}  # type: ignore[misc]
INVALID_HEADERS: tuple[Any, ...] = (
    None,
    [],
    "headers",
    {},
    {None: None, 1: 2},
    {**good, "webhook-timestamp": None},
    {**good, "webhook-timestamp": 5},
    {**good, "webhook-timestamp": "٣"},
    {**good, "webhook-signature": ["v1,x"]},
    {**good, "webhook-signature": "v1,\ud800"},
    {**good, "webhook-id": "\ud800"},
)
for headers in INVALID_HEADERS:
    error = raised(lambda: verify_webhook(b"{}", headers, SECRET, now))
    assert type(error) is WebhookVerificationError, repr(error)
for text in (b"", b"[]", b"null", b"not JSON", b"\xff"):
    error = raised(lambda: verify_webhook(text, signed(text), SECRET, now))
    assert type(error) is WebhookVerificationError and "no JSON object" in str(error), repr(error)
for secret in (SECRET + "\n", "", "whsec_", "whsec_*", None, 5):
    error = raised(lambda: verify_webhook(b"{}", good, secret, now))  # type: ignore[arg-type]
    assert type(error) is WebhookVerificationError, repr(error)

print("ok")
