from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.webhook_endpoint import WebhookEndpoint


def _build_request(
    webhook_endpoint_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/webhook_endpoints/{webhook_endpoint_id}".format(
            webhook_endpoint_id=path_parameter(
                "webhook_endpoint_id", webhook_endpoint_id
            ),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> WebhookEndpoint | None:
    if response.status_code == 200:
        response_200 = WebhookEndpoint.from_dict(response.json())

        return response_200

    return None


def get_webhook_endpoint(
    carecover: Carecover,
    webhook_endpoint_id: str,
) -> WebhookEndpoint:
    """Read a webhook endpoint

    Scope: `webhooks:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            webhook_endpoint_id=webhook_endpoint_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
