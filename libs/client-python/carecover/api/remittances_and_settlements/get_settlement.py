from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.settlement import Settlement


def _build_request(
    settlement_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/settlements/{settlement_id}".format(
            settlement_id=path_parameter("settlement_id", settlement_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> Settlement | None:
    if response.status_code == 200:
        response_200 = Settlement.from_dict(response.json())

        return response_200

    return None


def get_settlement(
    carecover: Carecover,
    settlement_id: str,
) -> Settlement:
    """Read a settlement

    Scope: `remittances:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            settlement_id=settlement_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
