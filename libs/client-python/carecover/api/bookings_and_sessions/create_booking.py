from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.booking import Booking
from ...models.booking_input import BookingInput
from ...types import Unset


def _build_request(
    body: BookingInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/bookings",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> Booking | None:
    if response.status_code == 200:
        response_200 = Booking.from_dict(response.json())

        return response_200

    if response.status_code == 201:
        response_201 = Booking.from_dict(response.json())

        return response_201

    return None


def create_booking(
    carecover: Carecover,
    body: BookingInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> Booking:
    """Book a session

    Reserves the slot and creates the session.

    Scope: `bookings:write`.

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
