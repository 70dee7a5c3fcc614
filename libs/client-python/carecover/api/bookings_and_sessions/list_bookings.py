import datetime
from typing import Any

import httpx

from ...client import Carecover
from ...models.booking_list import BookingList
from ...models.list_bookings_status import ListBookingsStatus
from ...types import UNSET, Unset


def _build_request(
    *,
    limit: int | Unset = 20,
    starting_after: str | Unset = UNSET,
    status: ListBookingsStatus | Unset = UNSET,
    session_id: str | Unset = UNSET,
    practitioner_id: str | Unset = UNSET,
    starts_after: datetime.datetime | Unset = UNSET,
    starts_before: datetime.datetime | Unset = UNSET,
    created_after: datetime.datetime | Unset = UNSET,
    created_before: datetime.datetime | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["starting_after"] = starting_after

    json_status: str | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = status.value

    params["status"] = json_status

    params["session_id"] = session_id

    params["practitioner_id"] = practitioner_id

    json_starts_after: str | Unset = UNSET
    if not isinstance(starts_after, Unset):
        json_starts_after = starts_after.isoformat()
    params["starts_after"] = json_starts_after

    json_starts_before: str | Unset = UNSET
    if not isinstance(starts_before, Unset):
        json_starts_before = starts_before.isoformat()
    params["starts_before"] = json_starts_before

    json_created_after: str | Unset = UNSET
    if not isinstance(created_after, Unset):
        json_created_after = created_after.isoformat()
    params["created_after"] = json_created_after

    json_created_before: str | Unset = UNSET
    if not isinstance(created_before, Unset):
        json_created_before = created_before.isoformat()
    params["created_before"] = json_created_before

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/bookings",
        "params": params,
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> BookingList | None:
    if response.status_code == 200:
        response_200 = BookingList.from_dict(response.json())

        return response_200

    return None


def list_bookings(
    carecover: Carecover,
    *,
    limit: int | Unset = 20,
    starting_after: str | Unset = UNSET,
    status: ListBookingsStatus | Unset = UNSET,
    session_id: str | Unset = UNSET,
    practitioner_id: str | Unset = UNSET,
    starts_after: datetime.datetime | Unset = UNSET,
    starts_before: datetime.datetime | Unset = UNSET,
    created_after: datetime.datetime | Unset = UNSET,
    created_before: datetime.datetime | Unset = UNSET,
) -> BookingList:
    """List bookings

    Scope: `bookings:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            limit=limit,
            starting_after=starting_after,
            status=status,
            session_id=session_id,
            practitioner_id=practitioner_id,
            starts_after=starts_after,
            starts_before=starts_before,
            created_after=created_after,
            created_before=created_before,
        ),
        _parse_response,
        is_idempotent=False,
    )
