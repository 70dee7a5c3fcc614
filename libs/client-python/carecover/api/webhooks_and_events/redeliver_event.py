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
    event_id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhook_endpoints/{webhook_endpoint_id}/deliveries/{event_id}/redeliver".format(
            webhook_endpoint_id=path_parameter(
                "webhook_endpoint_id", webhook_endpoint_id
            ),
            event_id=path_parameter("event_id", event_id),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> WebhookDelivery | None:
    if response.status_code == 202:
        response_202 = WebhookDelivery.from_dict(response.json())

        return response_202

    return None


def redeliver_event(
    carecover: Carecover,
    webhook_endpoint_id: str,
    event_id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> WebhookDelivery:
    """Send an event to an endpoint again

    Starts new attempts, and responds before the first of them: `delivered` is false until one succeeds,
    and `attempts` and `response_status` are of the attempts so far.

    Scope: `webhooks:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            webhook_endpoint_id=webhook_endpoint_id,
            event_id=event_id,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
