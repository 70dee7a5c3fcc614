from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.valuation_run import ValuationRun


def _build_request(
    valuation_run_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/valuation_runs/{valuation_run_id}".format(
            valuation_run_id=path_parameter("valuation_run_id", valuation_run_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> ValuationRun | None:
    if response.status_code == 200:
        response_200 = ValuationRun.from_dict(response.json())

        return response_200

    return None


def get_valuation_run(
    carecover: Carecover,
    valuation_run_id: str,
) -> ValuationRun:
    """Read a valuation run

    Scope: `claims:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            valuation_run_id=valuation_run_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
