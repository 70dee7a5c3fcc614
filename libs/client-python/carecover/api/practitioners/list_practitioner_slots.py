from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter, to_instant
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

import datetime

from ...models.session_format import SessionFormat
from ...models.slot_list import SlotList
from ...types import Unset


def _build_request(
    practitioner_id: str,
    *,
    from_: datetime.datetime | str,
    to: datetime.datetime | str,
    duration_minutes: int,
    format_: SessionFormat | str,
    limit: int | Unset = 20,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_from_ = to_instant(from_)
    params["from"] = json_from_

    json_to = to_instant(to)
    params["to"] = json_to

    params["duration_minutes"] = duration_minutes

    json_format_ = str(format_)
    params["format"] = json_format_

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/practitioners/{practitioner_id}/slots".format(
            practitioner_id=path_parameter("practitioner_id", practitioner_id),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> SlotList | None:
    if response.status_code == 200:
        response_200 = SlotList.from_dict(response.json())

        return response_200

    return None


def list_practitioner_slots(
    carecover: Carecover,
    practitioner_id: str,
    *,
    from_: datetime.datetime | str,
    to: datetime.datetime | str,
    duration_minutes: int,
    format_: SessionFormat | str,
    limit: int | Unset = 20,
) -> SlotList:
    """List a practitioner's free slots

    The weekly hours without the booked times, earliest first. A slot can be booked as it is, unless
    another booking took it in the meantime. The first slot starts where a free time starts, and each
    other one where the one before ends. From the current time on, slots start at a full quarter hour,
    at least five minutes ahead.

    Scope: `availability:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            practitioner_id=practitioner_id,
            from_=from_,
            to=to,
            duration_minutes=duration_minutes,
            format_=format_,
            limit=limit,
        ),
        _parse_response,
        is_idempotent=False,
    )
