from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.consent import Consent


def _build_request(
    consent_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/consents/{consent_id}".format(
            consent_id=path_parameter("consent_id", consent_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> Consent | None:
    if response.status_code == 200:
        response_200 = Consent.from_dict(response.json())

        return response_200

    return None


def get_consent(
    carecover: Carecover,
    consent_id: str,
) -> Consent:
    """Read a consent

    Scope: `consents:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            consent_id=consent_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
