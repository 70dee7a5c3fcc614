from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json, path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.claim import Claim
from ...models.information_request_input import InformationRequestInput
from ...types import Unset


def _build_request(
    claim_id: str,
    body: InformationRequestInput | Mapping[str, Any],
    *,
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

    _kwargs["json"] = body_to_json(body)
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
    body: InformationRequestInput | Mapping[str, Any],
    *,
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
