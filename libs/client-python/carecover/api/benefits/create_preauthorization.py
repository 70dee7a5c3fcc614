from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.preauthorization import Preauthorization
from ...models.preauthorization_input import PreauthorizationInput
from ...types import Unset


def _build_request(
    body: PreauthorizationInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/preauthorizations",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> Preauthorization | None:
    if response.status_code == 200:
        response_200 = Preauthorization.from_dict(response.json())

        return response_200

    if response.status_code == 201:
        response_201 = Preauthorization.from_dict(response.json())

        return response_201

    return None


def create_preauthorization(
    carecover: Carecover,
    body: PreauthorizationInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> Preauthorization:
    """Open a pre-authorization

    The booking must be covered and its check eligible. Only the approval reserves the benefit.

    Scope: `benefits:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            body=body,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
