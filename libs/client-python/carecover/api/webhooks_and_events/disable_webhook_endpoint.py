from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.webhook_endpoint import WebhookEndpoint
from ...types import Unset


def _build_request(
    webhook_endpoint_id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/webhook_endpoints/{webhook_endpoint_id}".format(
            webhook_endpoint_id=path_parameter(
                "webhook_endpoint_id", webhook_endpoint_id
            ),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> WebhookEndpoint | None:
    if response.status_code == 200:
        response_200 = WebhookEndpoint.from_dict(response.json())

        return response_200

    return None


def disable_webhook_endpoint(
    carecover: Carecover,
    webhook_endpoint_id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> WebhookEndpoint:
    """Disable a webhook endpoint

    A disabled endpoint can still be read, and can be enabled again.

    Scope: `webhooks:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            webhook_endpoint_id=webhook_endpoint_id,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
