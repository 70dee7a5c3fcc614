from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.session import Session


def _build_request(
    session_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/sessions/{session_id}".format(
            session_id=path_parameter("session_id", session_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> Session | None:
    if response.status_code == 200:
        response_200 = Session.from_dict(response.json())

        return response_200

    return None


def get_session(
    carecover: Carecover,
    session_id: str,
) -> Session:
    """Read a session

    Scope: `sessions:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            session_id=session_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
