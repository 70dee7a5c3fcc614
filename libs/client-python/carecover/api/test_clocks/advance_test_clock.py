from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.test_clock import TestClock
from ...models.test_clock_advance_input import TestClockAdvanceInput
from ...types import Unset


def _build_request(
    body: TestClockAdvanceInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/test_clock/advance",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> TestClock | None:
    if response.status_code == 202:
        response_202 = TestClock.from_dict(response.json())

        return response_202

    return None


def advance_test_clock(
    carecover: Carecover,
    body: TestClockAdvanceInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> TestClock:
    """Move the project's clock forward

    Executes every due item until the instant in the order of the due times, each at its own instant,
    then sets the clock to the instant. An item that fails leaves the clock at the last completed one;
    the next advance continues. 409: the instant is before now, nothing is due, or the clock is
    advancing.

    Scope: `clock:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            body=body,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
