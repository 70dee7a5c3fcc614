from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.consent import Consent
from ...models.consent_input import ConsentInput
from ...types import Unset


def _build_request(
    body: ConsentInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/consents",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> Consent | None:
    if response.status_code == 200:
        response_200 = Consent.from_dict(response.json())

        return response_200

    return None


def record_consent(
    carecover: Carecover,
    body: ConsentInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> Consent:
    """Record a member's consent

    There is one consent per member. A later request changes it.

    Scope: `consents:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            body=body,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
