from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.session import Session
from ...models.session_input import SessionInput
from ...types import Unset


def _build_request(
    body: SessionInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/sessions",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> Session | None:
    if response.status_code == 200:
        response_200 = Session.from_dict(response.json())

        return response_200

    if response.status_code == 201:
        response_201 = Session.from_dict(response.json())

        return response_201

    return None


def create_session(
    carecover: Carecover,
    body: SessionInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> Session:
    """Record a session outside the calendar

    Records a session that took place, or will take place, without a booking in this API. Neither the
    practitioner's hours nor other bookings are checked, and no slot is taken. The session gets a
    booking of its own. It is delivered once ends_at has passed, so a session that ended in the past is
    delivered at once.

    Scope: `sessions:write`.

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
