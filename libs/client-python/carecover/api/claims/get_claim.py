from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.claim import Claim


def _build_request(
    claim_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/claims/{claim_id}".format(
            claim_id=path_parameter("claim_id", claim_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> Claim | None:
    if response.status_code == 200:
        response_200 = Claim.from_dict(response.json())

        return response_200

    return None


def get_claim(
    carecover: Carecover,
    claim_id: str,
) -> Claim:
    """Read a claim

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
