from typing import Any

import httpx

from ...client import Carecover, path_parameter
from ...models.preauthorization import Preauthorization
from ...models.preauthorization_approval import PreauthorizationApproval
from ...models.preauthorization_denial import PreauthorizationDenial
from ...types import UNSET, Unset


def _build_request(
    preauthorization_id: str,
    *,
    body: PreauthorizationApproval | PreauthorizationDenial,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/preauthorizations/{preauthorization_id}/decisions".format(
            preauthorization_id=path_parameter(
                "preauthorization_id", preauthorization_id
            ),
        ),
    }

    if isinstance(body, PreauthorizationApproval):
        _kwargs["json"] = body.to_dict()
    else:
        _kwargs["json"] = body.to_dict()

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> Preauthorization | None:
    if response.status_code == 200:
        response_200 = Preauthorization.from_dict(response.json())

        return response_200

    return None


def decide_preauthorization(
    carecover: Carecover,
    preauthorization_id: str,
    *,
    body: PreauthorizationApproval | PreauthorizationDenial,
    idempotency_key: str | Unset = UNSET,
) -> Preauthorization:
    """Decide a pre-authorization

    An approval reserves one session of the benefit and confirms the booking; a denial does neither.

    Scope: `benefits:decide`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            preauthorization_id=preauthorization_id,
            body=body,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
