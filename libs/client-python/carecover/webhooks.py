"""Verifies webhooks by the Standard Webhooks specification: an HMAC-SHA256 over `id.timestamp.body` and a timestamp within five minutes."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import Any

from .caller_input import find_secret_problem

_TOLERANCE_SECONDS = 300
_SECRET_PREFIX = "whsec_"


class WebhookVerificationError(Exception):
    """The webhook was not signed with the secret, or its timestamp is not within five minutes of now. Respond with 400."""


def _to_text(value: object) -> str | None:
    """Returns a header's name or value as text; None if it is neither text nor bytes."""
    return value.decode("latin-1") if isinstance(value, bytes) else value if isinstance(value, str) else None


def _find_header(headers: object, name: str) -> str | None:
    """Finds a header; None if there is none, or `headers` has no items. Names and values can be bytes, as in ASGI.

    The headers of several web frameworks have items and are no Mapping.
    """
    items = getattr(headers, "items", None)
    for key, value in items() if callable(items) else ():
        text = _to_text(value)
        if (_to_text(key) or "").lower() == name and text:
            return text
    return None


def _decode_base64(text: str) -> bytes | None:
    """Decodes base64 with or without padding, as `atob` does in the client for TypeScript; None for other text."""
    padding = "" if text.endswith("=") else "=" * (-len(text) % 4)
    try:
        return base64.b64decode(text + padding, validate=True)
    except (binascii.Error, ValueError):
        return None


def _is_signed(signatures: str, key: bytes, content: bytes) -> bool:
    expected = hmac.digest(key, content, hashlib.sha256)
    for signature in signatures.split(" "):
        version, _, value = signature.partition(",")
        found = _decode_base64(value) if version == "v1" else None
        if found is not None and hmac.compare_digest(found, expected):
            return True
    return False


def _find_problem(body: bytes, headers: object, secret: str, now: float) -> str | None:
    """Returns why a webhook is not valid; None if it is. Raises nothing, because the variables of this frame contain the secret."""
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    identifier, timestamp, signatures = (_find_header(headers, name) for name in names)
    if identifier is None or timestamp is None or signatures is None:
        missing = [name for name in names if _find_header(headers, name) is None]
        return f"the header {missing[0]} is required"
    is_number = re.fullmatch(r"[0-9]{1,15}", timestamp) is not None
    if not is_number or abs(now - int(timestamp)) > _TOLERANCE_SECONDS:
        return "webhook-timestamp must be within five minutes of the current time; check the clock"
    problem = find_secret_problem(secret)
    key = None if problem else _decode_base64(secret.removeprefix(_SECRET_PREFIX))
    if not key:
        return f"the secret must be the signing secret of the endpoint (whsec_…); {problem or 'it is no base64'}"
    if _is_signed(signatures, key, f"{identifier}.{timestamp}.".encode(errors="surrogatepass") + body):
        return None
    return "no signature matches; check the secret, and that the body is the unparsed text"


def _parse_object(content: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(content)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def verify_webhook(
    body: str | bytes, headers: Mapping[str, str], secret: str, now: float | None = None
) -> dict[str, Any]:
    """Verifies a webhook's signature and timestamp, and returns its event as parsed JSON.

    `body` is the exact body of the request, before any parsing; `secret` is the endpoint's signing secret (`whsec_…`);
    `now` is in seconds since 1970.

    Raises WebhookVerificationError, whatever the headers and the body are, if the signature or the timestamp is not valid or the body is no
    JSON object.
    """
    if not isinstance(body, (str, bytes, bytearray)):
        del secret
        raise WebhookVerificationError("the body must be the unparsed text or bytes of the request")
    content = body.encode(errors="surrogatepass") if isinstance(body, str) else bytes(body)
    problem = _find_problem(content, headers, secret, time.time() if now is None else now)
    # A formatter of tracebacks can print the variables of this frame.
    del secret
    if problem is not None:
        raise WebhookVerificationError(problem)
    event = _parse_object(content)
    if event is None:
        raise WebhookVerificationError("the body is signed, but it is no JSON object")
    return event
