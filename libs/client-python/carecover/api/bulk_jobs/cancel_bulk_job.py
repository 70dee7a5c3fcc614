from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.bulk_job import BulkJob
from ...types import Unset


def _build_request(
    bulk_job_id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/bulk_jobs/{bulk_job_id}/cancellations".format(
            bulk_job_id=path_parameter("bulk_job_id", bulk_job_id),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> BulkJob | None:
    if response.status_code == 200:
        response_200 = BulkJob.from_dict(response.json())

        return response_200

    return None


def cancel_bulk_job(
    carecover: Carecover,
    bulk_job_id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> BulkJob:
    """Cancel a bulk job

    Allowed in pending, running and paused. Lines that are not executed yet are not executed; what was
    executed remains.

    Scope: that of the operation which the lines of the job execute: `claims:write` (claims),
    `claims:adjudicate` (adjudications), `remittances:write` (remittances), `settlements:write`
    (settlements), `sessions:write` (sessions), `benefits:write` (eligibility_checks).

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            bulk_job_id=bulk_job_id,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
