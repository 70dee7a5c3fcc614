from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.created_webhook_endpoint import CreatedWebhookEndpoint
from ...models.webhook_endpoint_input import WebhookEndpointInput
from ...types import Unset


def _build_request(
    body: WebhookEndpointInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhook_endpoints",
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> CreatedWebhookEndpoint | None:
    if response.status_code == 201:
        response_201 = CreatedWebhookEndpoint.from_dict(response.json())

        return response_201

    return None


def create_webhook_endpoint(
    carecover: Carecover,
    body: WebhookEndpointInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> CreatedWebhookEndpoint:
    """Register a webhook endpoint

    Only the first response contains the signing secret; a replay omits it. A project can have at most
    50 active endpoints, unless its settings permit another number.

    Scope: `webhooks:write`.

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
