from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.coverage_observation import CoverageObservation


def _build_request(
    coverage_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/coverages/{coverage_id}".format(
            coverage_id=path_parameter("coverage_id", coverage_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> CoverageObservation | None:
    if response.status_code == 200:
        response_200 = CoverageObservation.from_dict(response.json())

        return response_200

    return None


def get_coverage(
    carecover: Carecover,
    coverage_id: str,
) -> CoverageObservation:
    """Read the latest observation of a coverage

    Scope: `coverages:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            coverage_id=coverage_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
