from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.token import Token
from ...models.token_input import TokenInput


def _build_request(
    body: TokenInput | Mapping[str, Any],
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/tokens",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> Token | None:
    if response.status_code == 201:
        response_201 = Token.from_dict(response.json())

        return response_201

    return None


def create_token(
    carecover: Carecover,
    body: TokenInput | Mapping[str, Any],
) -> Token:
    """Create a token for a public client

    Only this response contains the token. It is valid until it expires or its key becomes invalid. A
    repeated request creates another token.

    Any secret key can call this operation; a token cannot.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            body=body,
        ),
        _parse_response,
        is_idempotent=False,
    )
