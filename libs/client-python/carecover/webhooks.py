"""Verifies webhooks by the Standard Webhooks specification: an HMAC-SHA256 over `id.timestamp.body` and a timestamp within five minutes."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

_TOLERANCE_SECONDS = 300
_SECRET_PREFIX = "whsec_"


class WebhookVerificationError(Exception):
    """The webhook was not signed with the secret, or its timestamp is not within five minutes of now. Respond with 400."""


def _require_header(headers: Mapping[str, str], name: str) -> str:
    for key, value in headers.items():
        if key.lower() == name and value != "":
            return value
    raise WebhookVerificationError(f"the header {name} is required")


def _decode_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def verify_webhook(
    body: str | bytes, headers: Mapping[str, str], secret: str, now: float | None = None
) -> dict[str, Any]:
    """Verifies a webhook's signature and timestamp, and returns its event as parsed JSON.

    `body` is the exact body of the request, before any parsing; `secret` is the endpoint's signing secret (`whsec_…`);
    `now` is in seconds since 1970.

    Raises WebhookVerificationError if the signature or the timestamp is not valid.
    """
    identifier = _require_header(headers, "webhook-id")
    timestamp = _require_header(headers, "webhook-timestamp")
    signatures = _require_header(headers, "webhook-signature").split(" ")
    current = time.time() if now is None else now
    is_number = timestamp.isascii() and timestamp.isdigit()
    if not is_number or abs(current - int(timestamp)) > _TOLERANCE_SECONDS:
        raise WebhookVerificationError(
            "webhook-timestamp must be within five minutes of the current time; check the clock"
        )
    key = _decode_base64(secret.removeprefix(_SECRET_PREFIX))
    if not key:
        raise WebhookVerificationError("the secret must be the signing secret of the endpoint (whsec_…)")
    content = body.encode() if isinstance(body, str) else body
    expected = hmac.digest(key, f"{identifier}.{timestamp}.".encode() + content, hashlib.sha256)
    for signature in signatures:
        version, _, value = signature.partition(",")
        found = _decode_base64(value) if version == "v1" else None
        if found is not None and hmac.compare_digest(found, expected):
            event: dict[str, Any] = json.loads(content)
            return event
    raise WebhookVerificationError(
        "no signature matches; check the secret, and that the body is the unparsed text"
    )
