from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.coverage_batch_input import CoverageBatchInput
from ...models.coverage_batch_result import CoverageBatchResult
from ...types import Unset


def _build_request(
    body: CoverageBatchInput | Mapping[str, Any],
    *,
    x_artifact_reference: str,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["X-Artifact-Reference"] = x_artifact_reference

    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/coverage_batches",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> CoverageBatchResult | None:
    if response.status_code == 200:
        response_200 = CoverageBatchResult.from_dict(response.json())

        return response_200

    if response.status_code == 201:
        response_201 = CoverageBatchResult.from_dict(response.json())

        return response_201

    return None


def create_coverage_batch(
    carecover: Carecover,
    body: CoverageBatchInput | Mapping[str, Any],
    *,
    x_artifact_reference: str,
    idempotency_key: str | Unset = UNSET,
) -> CoverageBatchResult:
    """Record a batch of coverage observations

    Records either all observations or none. If all were recorded before, the response is 200.

    Scope: `coverages:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            body=body,
            x_artifact_reference=x_artifact_reference,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
