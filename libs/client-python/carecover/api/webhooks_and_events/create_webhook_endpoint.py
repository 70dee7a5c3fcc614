from typing import Any

import httpx

from ...client import Carecover
from ...models.webhook_endpoint import WebhookEndpoint
from ...models.webhook_endpoint_input import WebhookEndpointInput
from ...models.webhook_endpoint_with_secret import WebhookEndpointWithSecret
from ...types import UNSET, Unset


def _build_request(
    *,
    body: WebhookEndpointInput,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhook_endpoints",
    }

    _kwargs["json"] = body.to_dict()

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    response: httpx.Response,
) -> WebhookEndpoint | WebhookEndpointWithSecret | None:
    if response.status_code == 201:

        def _parse_response_201(
            data: object,
        ) -> WebhookEndpoint | WebhookEndpointWithSecret:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                response_201_type_0 = WebhookEndpointWithSecret.from_dict(data)

                return response_201_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            response_201_type_1 = WebhookEndpoint.from_dict(data)

            return response_201_type_1

        response_201 = _parse_response_201(response.json())

        return response_201

    return None


def create_webhook_endpoint(
    carecover: Carecover,
    *,
    body: WebhookEndpointInput,
    idempotency_key: str | Unset = UNSET,
) -> WebhookEndpoint | WebhookEndpointWithSecret:
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
