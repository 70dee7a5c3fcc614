from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.bulk_job import BulkJob


def _build_request(
    bulk_job_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/bulk_jobs/{bulk_job_id}".format(
            bulk_job_id=path_parameter("bulk_job_id", bulk_job_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> BulkJob | None:
    if response.status_code == 200:
        response_200 = BulkJob.from_dict(response.json())

        return response_200

    return None


def get_bulk_job(
    carecover: Carecover,
    bulk_job_id: str,
) -> BulkJob:
    """Read a bulk job

    Scope: that of the operation which the lines of the job execute: `claims:write` (claims),
    `claims:adjudicate` (adjudications), `remittances:write` (remittances), `settlements:write`
    (settlements), `sessions:write` (sessions), `benefits:write` (eligibility_checks).

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            bulk_job_id=bulk_job_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
