from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import to_instant
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

import datetime

from ...models.claim_list import ClaimList
from ...models.claim_status import ClaimStatus
from ...models.list_order import ListOrder
from ...types import Unset


def _build_request(
    *,
    limit: int | Unset = 20,
    starting_after: str | Unset = UNSET,
    status: ClaimStatus | str | Unset = UNSET,
    provider_claim_reference: str | Unset = UNSET,
    session_id: str | Unset = UNSET,
    preauthorization_id: str | Unset = UNSET,
    practitioner_id: str | Unset = UNSET,
    due_before: datetime.datetime | str | Unset = UNSET,
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

    params["provider_claim_reference"] = provider_claim_reference

    params["session_id"] = session_id

    params["preauthorization_id"] = preauthorization_id

    params["practitioner_id"] = practitioner_id

    json_due_before: str | Unset = UNSET
    if not isinstance(due_before, Unset):
        json_due_before = to_instant(due_before)
    params["due_before"] = json_due_before

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
        "url": "/claims",
        "params": params,
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> ClaimList | None:
    if response.status_code == 200:
        response_200 = ClaimList.from_dict(response.json())

        return response_200

    return None


def list_claims(
    carecover: Carecover,
    *,
    limit: int | Unset = 20,
    starting_after: str | Unset = UNSET,
    status: ClaimStatus | str | Unset = UNSET,
    provider_claim_reference: str | Unset = UNSET,
    session_id: str | Unset = UNSET,
    preauthorization_id: str | Unset = UNSET,
    practitioner_id: str | Unset = UNSET,
    due_before: datetime.datetime | str | Unset = UNSET,
    created_after: datetime.datetime | str | Unset = UNSET,
    created_before: datetime.datetime | str | Unset = UNSET,
    order: ListOrder | str | Unset = UNSET,
) -> ClaimList:
    """List claims

    Scope: `claims:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            limit=limit,
            starting_after=starting_after,
            status=status,
            provider_claim_reference=provider_claim_reference,
            session_id=session_id,
            preauthorization_id=preauthorization_id,
            practitioner_id=practitioner_id,
            due_before=due_before,
            created_after=created_after,
            created_before=created_before,
            order=order,
        ),
        _parse_response,
        is_idempotent=False,
    )
