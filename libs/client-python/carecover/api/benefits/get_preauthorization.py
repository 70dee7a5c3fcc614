from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.preauthorization import Preauthorization


def _build_request(
    preauthorization_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/preauthorizations/{preauthorization_id}".format(
            preauthorization_id=path_parameter(
                "preauthorization_id", preauthorization_id
            ),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> Preauthorization | None:
    if response.status_code == 200:
        response_200 = Preauthorization.from_dict(response.json())

        return response_200

    return None


def get_preauthorization(
    carecover: Carecover,
    preauthorization_id: str,
) -> Preauthorization:
    """Read a pre-authorization

    Scope: `benefits:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            preauthorization_id=preauthorization_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
