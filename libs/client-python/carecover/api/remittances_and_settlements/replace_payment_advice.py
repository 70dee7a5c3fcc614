from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json, path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.payment_advice import PaymentAdvice
from ...models.payment_advice_input import PaymentAdviceInput
from ...types import Unset


def _build_request(
    payment_advice_id: str,
    body: PaymentAdviceInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/payment_advices/{payment_advice_id}/replacements".format(
            payment_advice_id=path_parameter("payment_advice_id", payment_advice_id),
        ),
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> PaymentAdvice | None:
    if response.status_code == 201:
        response_201 = PaymentAdvice.from_dict(response.json())

        return response_201

    return None


def replace_payment_advice(
    carecover: Carecover,
    payment_advice_id: str,
    body: PaymentAdviceInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> PaymentAdvice:
    """Replace a payment advice of which nothing is settled

    Withdraws the advice and records the advice of the body in its place: both or none. The new advice
    can have the payer_reference of the old one. Each names the other, in `replaces` and `replaced_by`.
    The rules are those of the withdrawal, and then those of a new advice.

    Scope: `remittances:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            payment_advice_id=payment_advice_id,
            body=body,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
