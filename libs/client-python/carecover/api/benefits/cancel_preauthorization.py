from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json, path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.cancellation_input import CancellationInput
from ...models.preauthorization import Preauthorization
from ...types import Unset


def _build_request(
    preauthorization_id: str,
    body: CancellationInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/preauthorizations/{preauthorization_id}/cancellations".format(
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


def cancel_preauthorization(
    carecover: Carecover,
    preauthorization_id: str,
    body: CancellationInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> Preauthorization:
    """Cancel a pre-authorization

    Allowed in pending and approved, unless a claim uses it. Releases the reservation.

    Scope: `benefits:write`.

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
