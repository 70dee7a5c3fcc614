from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.remittance import Remittance


def _build_request(
    remittance_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/remittances/{remittance_id}".format(
            remittance_id=path_parameter("remittance_id", remittance_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> Remittance | None:
    if response.status_code == 200:
        response_200 = Remittance.from_dict(response.json())

        return response_200

    return None


def get_remittance(
    carecover: Carecover,
    remittance_id: str,
) -> Remittance:
    """Read a remittance

    Scope: `remittances:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            remittance_id=remittance_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
