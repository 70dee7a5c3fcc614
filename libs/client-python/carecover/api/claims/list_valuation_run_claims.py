from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.valuation_run_claim_list import ValuationRunClaimList
from ...types import Unset


def _build_request(
    valuation_run_id: str,
    *,
    limit: int | Unset = 20,
    starting_after: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["starting_after"] = starting_after

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/valuation_runs/{valuation_run_id}/claims".format(
            valuation_run_id=path_parameter("valuation_run_id", valuation_run_id),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> ValuationRunClaimList | None:
    if response.status_code == 200:
        response_200 = ValuationRunClaimList.from_dict(response.json())

        return response_200

    return None


def list_valuation_run_claims(
    carecover: Carecover,
    valuation_run_id: str,
    *,
    limit: int | Unset = 20,
    starting_after: str | Unset = UNSET,
) -> ValuationRunClaimList:
    """List the claims of a valuation run

    Every claim that the run counted, newest first, with its status and amounts at the cutoffs of the
    run. With another format in the Accept header, the response is a file of all these claims, without
    pages.

    Scope: `claims:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            valuation_run_id=valuation_run_id,
            limit=limit,
            starting_after=starting_after,
        ),
        _parse_response,
        is_idempotent=False,
    )
