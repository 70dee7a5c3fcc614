from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.payment_advice import PaymentAdvice


def _build_request(
    payment_advice_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/payment_advices/{payment_advice_id}".format(
            payment_advice_id=path_parameter("payment_advice_id", payment_advice_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> PaymentAdvice | None:
    if response.status_code == 200:
        response_200 = PaymentAdvice.from_dict(response.json())

        return response_200

    return None


def get_payment_advice(
    carecover: Carecover,
    payment_advice_id: str,
) -> PaymentAdvice:
    """Read a payment advice

    Every remittance is the part of a payment advice, also one that POST /remittances created.

    Scope: `remittances:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            payment_advice_id=payment_advice_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
