from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json, path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.payment_advice import PaymentAdvice
from ...models.reversal_input import ReversalInput
from ...types import Unset


def _build_request(
    payment_advice_id: str,
    body: ReversalInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/payment_advices/{payment_advice_id}/withdrawals".format(
            payment_advice_id=path_parameter("payment_advice_id", payment_advice_id),
        ),
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> PaymentAdvice | None:
    if response.status_code == 200:
        response_200 = PaymentAdvice.from_dict(response.json())

        return response_200

    return None


def withdraw_payment_advice(
    carecover: Carecover,
    payment_advice_id: str,
    body: ReversalInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> PaymentAdvice:
    """Withdraw a payment advice of which nothing is settled

    What the advice remitted and took back is undone on its claims from now on, and its balance no
    longer counts. Its payer_reference can be used again. The advice stays readable with its lines; its
    remittance is shown as `exception`, and accepts no settlements. If its net is settled without a
    transfer, that is undone too. Rejected while a settlement of funds is not reversed (advice_settled),
    or while other advices deduct its balance, take back what it remitted, or pay what it took back
    (invalid_state).

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
