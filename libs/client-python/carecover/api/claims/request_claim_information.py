from typing import Any

import httpx

from ...client import Carecover, path_parameter
from ...models.claim import Claim
from ...models.information_request_input import InformationRequestInput
from ...types import UNSET, Unset


def _build_request(
    claim_id: str,
    *,
    body: InformationRequestInput,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/claims/{claim_id}/information_requests".format(
            claim_id=path_parameter("claim_id", claim_id),
        ),
    }

    _kwargs["json"] = body.to_dict()

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> Claim | None:
    if response.status_code == 201:
        response_201 = Claim.from_dict(response.json())

        return response_201

    return None


def request_claim_information(
    carecover: Carecover,
    claim_id: str,
    *,
    body: InformationRequestInput,
    idempotency_key: str | Unset = UNSET,
) -> Claim:
    """Request information about a claim

    Allowed in submitted. A claim can have at most 100 information requests.

    Scope: `claims:adjudicate`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            claim_id=claim_id,
            body=body,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
