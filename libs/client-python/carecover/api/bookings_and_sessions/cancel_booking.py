from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json, path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.booking import Booking
from ...models.cancellation_input import CancellationInput
from ...types import Unset


def _build_request(
    booking_id: str,
    body: CancellationInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/bookings/{booking_id}/cancellations".format(
            booking_id=path_parameter("booking_id", booking_id),
        ),
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> Booking | None:
    if response.status_code == 200:
        response_200 = Booking.from_dict(response.json())

        return response_200

    return None


def cancel_booking(
    carecover: Carecover,
    booking_id: str,
    body: CancellationInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> Booking:
    """Cancel a booking

    Also cancels the session and a pending or approved pre-authorization. Allowed only before the
    session starts.

    Scope: `bookings:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            booking_id=booking_id,
            body=body,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
