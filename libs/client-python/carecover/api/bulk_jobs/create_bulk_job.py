from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.bulk_job import BulkJob
from ...models.bulk_job_dry_run import BulkJobDryRun
from ...models.bulk_job_kind import BulkJobKind
from ...models.bulk_job_on_error import BulkJobOnError
from ...types import Unset


def _build_request(
    *,
    kind: BulkJobKind | str,
    on_error: BulkJobOnError | str | Unset = UNSET,
    dry_run: BulkJobDryRun | str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    params: dict[str, Any] = {}

    json_kind = str(kind)
    params["kind"] = json_kind

    json_on_error: str | Unset = UNSET
    if not isinstance(on_error, Unset):
        json_on_error = str(on_error)

    params["on_error"] = json_on_error

    json_dry_run: str | Unset = UNSET
    if not isinstance(dry_run, Unset):
        json_dry_run = str(dry_run)

    params["dry_run"] = json_dry_run

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/bulk_jobs",
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> BulkJob | None:
    if response.status_code == 200:
        response_200 = BulkJob.from_dict(response.json())

        return response_200

    if response.status_code == 202:
        response_202 = BulkJob.from_dict(response.json())

        return response_202

    return None


def create_bulk_job(
    carecover: Carecover,
    *,
    kind: BulkJobKind | str,
    on_error: BulkJobOnError | str | Unset = UNSET,
    dry_run: BulkJobDryRun | str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> BulkJob:
    """Execute the lines of a file

    Receives a file of at most 50000 lines and 104857600 bytes, and executes each line as one operation:
    a ClaimInput or RecordedClaimInput for the kind claims, a ClaimAdjudicationInput for the kind
    adjudications, a RemittanceInput with at most 1000 allocations for the kind remittances, a
    SettlementInput for the kind settlements, a SessionInput for the kind sessions, an
    EligibilityCheckInput for the kind eligibility_checks. The file can be compressed (`Content-
    Encoding: gzip`); the limits hold for the unpacked file. Lines of the same claim, remittance or
    reference are executed in their order. The same file under the same Idempotency-Key is a replay. A
    line that equals an earlier line of the file has no second effect. A project can have at most 20
    jobs that have not ended.

    Scope: that of the operation which the lines of the job execute: `claims:write` (claims),
    `claims:adjudicate` (adjudications), `remittances:write` (remittances), `settlements:write`
    (settlements), `sessions:write` (sessions), `benefits:write` (eligibility_checks).

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            kind=kind,
            on_error=on_error,
            dry_run=dry_run,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
