from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.eligibility_check import EligibilityCheck


def _build_request(
    eligibility_check_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/eligibility_checks/{eligibility_check_id}".format(
            eligibility_check_id=path_parameter(
                "eligibility_check_id", eligibility_check_id
            ),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> EligibilityCheck | None:
    if response.status_code == 200:
        response_200 = EligibilityCheck.from_dict(response.json())

        return response_200

    return None


def get_eligibility_check(
    carecover: Carecover,
    eligibility_check_id: str,
) -> EligibilityCheck:
    """Read an eligibility check

    Scope: `benefits:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            eligibility_check_id=eligibility_check_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
