from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.valuation_run import ValuationRun
from ...models.valuation_run_input import ValuationRunInput
from ...types import Unset


def _build_request(
    body: ValuationRunInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/valuation_runs",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> ValuationRun | None:
    if response.status_code == 200:
        response_200 = ValuationRun.from_dict(response.json())

        return response_200

    if response.status_code == 201:
        response_201 = ValuationRun.from_dict(response.json())

        return response_201

    return None


def create_valuation_run(
    carecover: Carecover,
    body: ValuationRunInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> ValuationRun:
    """Value all claims at a cutoff

    Starts a run that adds up the valuations of the project's claims, in groups or as a development
    triangle. The same request has the same result permanently, whatever is recorded later. Read the run
    until its status is ready. A project can have at most 100 pending runs.

    Scope: `claims:read`.

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
