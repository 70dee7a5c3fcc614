from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import to_instant
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

import datetime

from ...models.currency import Currency
from ...models.receivables import Receivables
from ...types import Unset


def _build_request(
    *,
    at: datetime.datetime | str,
    currency: Currency | str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_at = to_instant(at)
    params["at"] = json_at

    json_currency: str | Unset = UNSET
    if not isinstance(currency, Unset):
        json_currency = str(currency)

    params["currency"] = json_currency

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/receivables",
        "params": params,
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> Receivables | None:
    if response.status_code == 200:
        response_200 = Receivables.from_dict(response.json())

        return response_200

    return None


def get_receivables(
    carecover: Carecover,
    *,
    at: datetime.datetime | str,
    currency: Currency | str | Unset = UNSET,
) -> Receivables:
    """Read the outstanding amounts at an instant

    What payers owe for the project's claims as it was known at the instant, by age, practitioner and
    payer: the sums of `outstanding` of the claims' valuations. Claims without an adjudication and
    settled claims owe nothing.

    Scope: `claims:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            at=at,
            currency=currency,
        ),
        _parse_response,
        is_idempotent=False,
    )
