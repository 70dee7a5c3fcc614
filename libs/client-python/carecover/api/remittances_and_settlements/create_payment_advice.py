from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.payment_advice import PaymentAdvice
from ...models.payment_advice_input import PaymentAdviceInput
from ...types import Unset


def _build_request(
    body: PaymentAdviceInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/payment_advices",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> PaymentAdvice | None:
    if response.status_code == 201:
        response_201 = PaymentAdvice.from_dict(response.json())

        return response_201

    return None


def create_payment_advice(
    carecover: Carecover,
    body: PaymentAdviceInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> PaymentAdvice:
    """Record a payer's advice with denials, takebacks and adjustments

    Records either all lines of the advice or none. Its allocations are a remittance, to which
    settlements refer. A remittance is reconciled when its settlements equal the net of its advice. A
    claim can have at most 1000 allocations and recoveries.

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
