from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.session import Session
from ...types import Unset


def _build_request(
    session_id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/test_helpers/sessions/{session_id}/deliver".format(
            session_id=path_parameter("session_id", session_id),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> Session | None:
    if response.status_code == 200:
        response_200 = Session.from_dict(response.json())

        return response_200

    return None


def deliver_session(
    carecover: Carecover,
    session_id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> Session:
    """Deliver a session now

    Sets the status to delivered before the end of the session. starts_at and ends_at do not change.
    Sandbox only.

    Scope: `sessions:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            session_id=session_id,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
