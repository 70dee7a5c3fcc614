from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.remittance import Remittance
from ...models.remittance_input import RemittanceInput
from ...types import Unset


def _build_request(
    body: RemittanceInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/remittances",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> Remittance | None:
    if response.status_code == 201:
        response_201 = Remittance.from_dict(response.json())

        return response_201

    return None


def create_remittance(
    carecover: Carecover,
    body: RemittanceInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> Remittance:
    """Record a remittance and allocate it to claims

    Records the payer's advice of payment with either all allocations or none. A claim can have at most
    1000 remittances.

    Scope: `remittances:write`.

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
