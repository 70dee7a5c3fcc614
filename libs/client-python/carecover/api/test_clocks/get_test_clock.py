from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.test_clock import TestClock


def _build_request() -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/test_clock",
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> TestClock | None:
    if response.status_code == 200:
        response_200 = TestClock.from_dict(response.json())

        return response_200

    return None


def get_test_clock(
    carecover: Carecover,
) -> TestClock:
    """Read the project's clock

    A project with real time has no clock: 404.

    Scope: `clock:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(),
        _parse_response,
        is_idempotent=False,
    )
