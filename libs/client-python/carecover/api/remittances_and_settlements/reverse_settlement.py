from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json, path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.reversal_input import ReversalInput
from ...models.settlement import Settlement
from ...types import Unset


def _build_request(
    settlement_id: str,
    body: ReversalInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/settlements/{settlement_id}/reversals".format(
            settlement_id=path_parameter("settlement_id", settlement_id),
        ),
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> Settlement | None:
    if response.status_code == 200:
        response_200 = Settlement.from_dict(response.json())

        return response_200

    return None


def reverse_settlement(
    carecover: Carecover,
    settlement_id: str,
    body: ReversalInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> Settlement:
    """Reverse a settlement that was recorded wrongly

    Posts the inverse amounts and reconciles the remittance again.

    Scope: `settlements:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            settlement_id=settlement_id,
            body=body,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
