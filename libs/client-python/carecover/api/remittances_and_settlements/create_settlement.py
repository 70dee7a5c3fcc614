from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.settlement import Settlement
from ...models.settlement_input import SettlementInput
from ...types import Unset


def _build_request(
    body: SettlementInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/settlements",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> Settlement | None:
    if response.status_code == 201:
        response_201 = Settlement.from_dict(response.json())

        return response_201

    return None


def create_settlement(
    carecover: Carecover,
    body: SettlementInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> Settlement:
    """Record evidence that funds of a remittance moved

    When the settlements equal the total of the remittance, it is reconciled and its claims are settled.
    A deposit for several advices is recorded with shares, all or none; the response is the settlement
    of the first. If the source_reference is that of an imported bank row, the settlement records the
    row; it is rejected (invalid_state) if less of the row is open. A remittance can have at most 1000
    settlements, including reversed ones.

    Scope: `settlements:write`.

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
