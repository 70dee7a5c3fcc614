from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.webhook_endpoint_with_secret import WebhookEndpointWithSecret


def _build_request(
    webhook_endpoint_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhook_endpoints/{webhook_endpoint_id}/rotate_secret".format(
            webhook_endpoint_id=path_parameter(
                "webhook_endpoint_id", webhook_endpoint_id
            ),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> WebhookEndpointWithSecret | None:
    if response.status_code == 200:
        response_200 = WebhookEndpointWithSecret.from_dict(response.json())

        return response_200

    return None


def rotate_webhook_secret(
    carecover: Carecover,
    webhook_endpoint_id: str,
) -> WebhookEndpointWithSecret:
    """Replace an endpoint's signing secret

    Deliveries are also signed with the previous secret for 24 hours, and with at most the newest five
    secrets. A repeated request creates another secret.

    Scope: `webhooks:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            webhook_endpoint_id=webhook_endpoint_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
