from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.payer_balances import PayerBalances


def _build_request() -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/payer_balances",
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> PayerBalances | None:
    if response.status_code == 200:
        response_200 = PayerBalances.from_dict(response.json())

        return response_200

    return None


def get_payer_balances(
    carecover: Carecover,
) -> PayerBalances:
    """Read what payers will deduct from later payments

    A payment advice whose net is below zero forwards a balance. Later advices of the same payer and
    currency deduct it by adjustments of the kind `forwarded_balance`, the oldest balance first.

    Scope: `remittances:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(),
        _parse_response,
        is_idempotent=False,
    )
