from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.simulated_project import SimulatedProject
from ...models.test_clock_input import TestClockInput


def _build_request(
    body: TestClockInput | Mapping[str, Any],
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/test_clocks",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> SimulatedProject | None:
    if response.status_code == 201:
        response_201 = SimulatedProject.from_dict(response.json())

        return response_201

    return None


def create_test_clock(
    carecover: Carecover,
    body: TestClockInput | Mapping[str, Any],
) -> SimulatedProject:
    """Create a project whose time is simulated

    Creates a sandbox project with its own key. Its time stands at `now` and only its own advances move
    it; this can never be changed. A repeated request creates another project. 409: the project has
    created the maximum number of clocks, or has simulated time itself, or another project has the seed.

    Scope: `clock:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            body=body,
        ),
        _parse_response,
        is_idempotent=False,
    )
