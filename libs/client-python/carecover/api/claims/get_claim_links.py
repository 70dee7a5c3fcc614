from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.claim_links import ClaimLinks


def _build_request(
    claim_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/claims/{claim_id}/links".format(
            claim_id=path_parameter("claim_id", claim_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> ClaimLinks | None:
    if response.status_code == 200:
        response_200 = ClaimLinks.from_dict(response.json())

        return response_200

    return None


def get_claim_links(
    carecover: Carecover,
    claim_id: str,
) -> ClaimLinks:
    """Read the resources that a claim is connected with

    Scope: `claims:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            claim_id=claim_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
