from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.webhook_delivery import WebhookDelivery
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
        "method": "post",
        "url": "/webhook_endpoints/{webhook_endpoint_id}/test".format(
            webhook_endpoint_id=path_parameter(
                "webhook_endpoint_id", webhook_endpoint_id
            ),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> WebhookDelivery | None:
    if response.status_code == 200:
        response_200 = WebhookDelivery.from_dict(response.json())

        return response_200

    if response.status_code == 502:
        response_502 = WebhookDelivery.from_dict(response.json())

        return response_502

    return None


def test_webhook_endpoint(
    carecover: Carecover,
    webhook_endpoint_id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> WebhookDelivery:
    """Send a test event to an active endpoint

    Makes up to 3 attempts within 10 seconds. If none is accepted, the response is 502 with the
    delivery. A disabled endpoint responds 404. Sandbox only.

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
