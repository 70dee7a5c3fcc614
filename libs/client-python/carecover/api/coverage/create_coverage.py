from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.coverage_input import CoverageInput
from ...models.coverage_observation import CoverageObservation
from ...types import Unset


def _build_request(
    body: CoverageInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/coverages",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> CoverageObservation | None:
    if response.status_code == 200:
        response_200 = CoverageObservation.from_dict(response.json())

        return response_200

    if response.status_code == 201:
        response_201 = CoverageObservation.from_dict(response.json())

        return response_201

    return None


def create_coverage(
    carecover: Carecover,
    body: CoverageInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> CoverageObservation:
    """Record a coverage observation

    For a version that is already recorded with the same content, the response is 200 with the first
    observation, also under another Idempotency-Key.

    Scope: `coverages:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            body=body,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
