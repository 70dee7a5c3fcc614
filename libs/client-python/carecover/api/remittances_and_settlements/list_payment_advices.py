from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import to_instant
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

import datetime

from ...models.list_order import ListOrder
from ...models.payment_advice_list import PaymentAdviceList
from ...models.payment_advice_status import PaymentAdviceStatus
from ...types import Unset


def _build_request(
    *,
    limit: int | Unset = 20,
    starting_after: str | Unset = UNSET,
    status: PaymentAdviceStatus | str | Unset = UNSET,
    payer_reference: str | Unset = UNSET,
    claim_id: str | Unset = UNSET,
    created_after: datetime.datetime | str | Unset = UNSET,
    created_before: datetime.datetime | str | Unset = UNSET,
    order: ListOrder | str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["starting_after"] = starting_after

    json_status: str | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = str(status)

    params["status"] = json_status

    params["payer_reference"] = payer_reference

    params["claim_id"] = claim_id

    json_created_after: str | Unset = UNSET
    if not isinstance(created_after, Unset):
        json_created_after = to_instant(created_after)
    params["created_after"] = json_created_after

    json_created_before: str | Unset = UNSET
    if not isinstance(created_before, Unset):
        json_created_before = to_instant(created_before)
    params["created_before"] = json_created_before

    json_order: str | Unset = UNSET
    if not isinstance(order, Unset):
        json_order = str(order)

    params["order"] = json_order

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/payment_advices",
        "params": params,
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> PaymentAdviceList | None:
    if response.status_code == 200:
        response_200 = PaymentAdviceList.from_dict(response.json())

        return response_200

    return None


def list_payment_advices(
    carecover: Carecover,
    *,
    limit: int | Unset = 20,
    starting_after: str | Unset = UNSET,
    status: PaymentAdviceStatus | str | Unset = UNSET,
    payer_reference: str | Unset = UNSET,
    claim_id: str | Unset = UNSET,
    created_after: datetime.datetime | str | Unset = UNSET,
    created_before: datetime.datetime | str | Unset = UNSET,
    order: ListOrder | str | Unset = UNSET,
) -> PaymentAdviceList:
    """List payment advices

    Scope: `remittances:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            limit=limit,
            starting_after=starting_after,
            status=status,
            payer_reference=payer_reference,
            claim_id=claim_id,
            created_after=created_after,
            created_before=created_before,
            order=order,
        ),
        _parse_response,
        is_idempotent=False,
    )
