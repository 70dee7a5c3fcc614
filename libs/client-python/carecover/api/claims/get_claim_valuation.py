from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter, to_instant
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

import datetime

from ...models.claim_valuation import ClaimValuation
from ...types import Unset


def _build_request(
    claim_id: str,
    *,
    valuation_at: datetime.datetime | str,
    effective_through: datetime.datetime | str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_valuation_at = to_instant(valuation_at)
    params["valuation_at"] = json_valuation_at

    json_effective_through: str | Unset = UNSET
    if not isinstance(effective_through, Unset):
        json_effective_through = to_instant(effective_through)
    params["effective_through"] = json_effective_through

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/claims/{claim_id}/valuation".format(
            claim_id=path_parameter("claim_id", claim_id),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> ClaimValuation | None:
    if response.status_code == 200:
        response_200 = ClaimValuation.from_dict(response.json())

        return response_200

    return None


def get_claim_valuation(
    carecover: Carecover,
    claim_id: str,
    *,
    valuation_at: datetime.datetime | str,
    effective_through: datetime.datetime | str | Unset = UNSET,
) -> ClaimValuation:
    """Value a claim at a cutoff

    The state and amounts of the claim as they were known at the cutoff. With `effective_through`, an
    earlier instant as it was known at the cutoff: what took effect later does not count. The response
    for the same instants never changes, whatever is recorded later.

    Scope: `claims:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            claim_id=claim_id,
            valuation_at=valuation_at,
            effective_through=effective_through,
        ),
        _parse_response,
        is_idempotent=False,
    )
