from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.api import Api


def _build_request() -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/",
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> Api | None:
    if response.status_code == 200:
        response_200 = Api.from_dict(response.json())

        return response_200

    return None


def get_api(
    carecover: Carecover,
) -> Api:
    """Describe the API

    The version, the key's environment and the resource areas.

    Any valid key or token can call this operation.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(),
        _parse_response,
        is_idempotent=False,
    )
