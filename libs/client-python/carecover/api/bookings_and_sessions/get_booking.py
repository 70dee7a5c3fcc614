from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.booking import Booking


def _build_request(
    booking_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/bookings/{booking_id}".format(
            booking_id=path_parameter("booking_id", booking_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> Booking | None:
    if response.status_code == 200:
        response_200 = Booking.from_dict(response.json())

        return response_200

    return None


def get_booking(
    carecover: Carecover,
    booking_id: str,
) -> Booking:
    """Read a booking

    Scope: `bookings:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            booking_id=booking_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
