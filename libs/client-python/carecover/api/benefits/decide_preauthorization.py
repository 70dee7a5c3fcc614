from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json, path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.preauthorization import Preauthorization
from ...models.preauthorization_approval import PreauthorizationApproval
from ...models.preauthorization_denial import PreauthorizationDenial
from ...types import Unset


def _build_request(
    preauthorization_id: str,
    body: PreauthorizationApproval | PreauthorizationDenial | Mapping[str, Any],
    *,
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

    _kwargs["json"] = body_to_json(body)
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
    body: PreauthorizationApproval | PreauthorizationDenial | Mapping[str, Any],
    *,
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
