from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.practitioner_list import PractitionerList
from ...types import Unset


def _build_request(
    *,
    limit: int | Unset = 20,
    starting_after: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["starting_after"] = starting_after

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/practitioners",
        "params": params,
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> PractitionerList | None:
    if response.status_code == 200:
        response_200 = PractitionerList.from_dict(response.json())

        return response_200

    return None


def list_practitioners(
    carecover: Carecover,
    *,
    limit: int | Unset = 20,
    starting_after: str | Unset = UNSET,
) -> PractitionerList:
    """List practitioners

    Scope: `practitioners:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            limit=limit,
            starting_after=starting_after,
        ),
        _parse_response,
        is_idempotent=False,
    )
