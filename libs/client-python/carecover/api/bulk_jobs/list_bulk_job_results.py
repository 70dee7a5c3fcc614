from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.bulk_job_result_list import BulkJobResultList
from ...models.bulk_job_result_status import BulkJobResultStatus
from ...types import Unset


def _build_request(
    bulk_job_id: str,
    *,
    limit: int | Unset = 20,
    after_line: int | Unset = UNSET,
    status: BulkJobResultStatus | str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["after_line"] = after_line

    json_status: str | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = str(status)

    params["status"] = json_status

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/bulk_jobs/{bulk_job_id}/results".format(
            bulk_job_id=path_parameter("bulk_job_id", bulk_job_id),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> BulkJobResultList | None:
    if response.status_code == 200:
        response_200 = BulkJobResultList.from_dict(response.json())

        return response_200

    return None


def list_bulk_job_results(
    carecover: Carecover,
    bulk_job_id: str,
    *,
    limit: int | Unset = 20,
    after_line: int | Unset = UNSET,
    status: BulkJobResultStatus | str | Unset = UNSET,
) -> BulkJobResultList:
    """List the results of the lines of a bulk job

    One result per line of the file, in the order of the file. With another format in the Accept header,
    the response is a file of all these results, without pages. The results of an ended job are deleted
    after their retention, 30 days by default: the response is then 404, and the job has
    `results_deleted_at` and the counts.

    Scope: that of the operation which the lines of the job execute: `claims:write` (claims),
    `claims:adjudicate` (adjudications), `remittances:write` (remittances), `settlements:write`
    (settlements), `sessions:write` (sessions), `benefits:write` (eligibility_checks).

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            bulk_job_id=bulk_job_id,
            limit=limit,
            after_line=after_line,
            status=status,
        ),
        _parse_response,
        is_idempotent=False,
    )
