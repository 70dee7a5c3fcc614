from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import to_instant
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

import datetime

from ...models.bulk_job_kind import BulkJobKind
from ...models.bulk_job_list import BulkJobList
from ...models.bulk_job_status import BulkJobStatus
from ...models.list_order import ListOrder
from ...types import Unset


def _build_request(
    *,
    limit: int | Unset = 20,
    starting_after: str | Unset = UNSET,
    status: BulkJobStatus | str | Unset = UNSET,
    kind: BulkJobKind | str | Unset = UNSET,
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

    json_kind: str | Unset = UNSET
    if not isinstance(kind, Unset):
        json_kind = str(kind)

    params["kind"] = json_kind

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
        "url": "/bulk_jobs",
        "params": params,
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> BulkJobList | None:
    if response.status_code == 200:
        response_200 = BulkJobList.from_dict(response.json())

        return response_200

    return None


def list_bulk_jobs(
    carecover: Carecover,
    *,
    limit: int | Unset = 20,
    starting_after: str | Unset = UNSET,
    status: BulkJobStatus | str | Unset = UNSET,
    kind: BulkJobKind | str | Unset = UNSET,
    created_after: datetime.datetime | str | Unset = UNSET,
    created_before: datetime.datetime | str | Unset = UNSET,
    order: ListOrder | str | Unset = UNSET,
) -> BulkJobList:
    """List bulk jobs

    Lists the jobs of the kinds whose scopes the credential has.

    Scope: that of the operation which the lines of the job execute: `claims:write` (claims),
    `claims:adjudicate` (adjudications), `remittances:write` (remittances), `settlements:write`
    (settlements), `sessions:write` (sessions), `benefits:write` (eligibility_checks).

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            limit=limit,
            starting_after=starting_after,
            status=status,
            kind=kind,
            created_after=created_after,
            created_before=created_before,
            order=order,
        ),
        _parse_response,
        is_idempotent=False,
    )
