from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.availability import Availability


def _build_request(
    practitioner_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/practitioners/{practitioner_id}/availability".format(
            practitioner_id=path_parameter("practitioner_id", practitioner_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> Availability | None:
    if response.status_code == 200:
        response_200 = Availability.from_dict(response.json())

        return response_200

    return None


def get_practitioner_availability(
    carecover: Carecover,
    practitioner_id: str,
) -> Availability:
    """Read a practitioner's weekly hours

    Scope: `availability:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            practitioner_id=practitioner_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
