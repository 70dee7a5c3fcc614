from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import body_to_json, path_parameter
from ...types import UNSET

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.webhook_recovery import WebhookRecovery
from ...models.webhook_recovery_input import WebhookRecoveryInput
from ...types import Unset


def _build_request(
    webhook_endpoint_id: str,
    body: WebhookRecoveryInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhook_endpoints/{webhook_endpoint_id}/recover".format(
            webhook_endpoint_id=path_parameter(
                "webhook_endpoint_id", webhook_endpoint_id
            ),
        ),
    }

    _kwargs["json"] = body_to_json(body)
    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(response: httpx.Response) -> WebhookRecovery | None:
    if response.status_code == 202:
        response_202 = WebhookRecovery.from_dict(response.json())

        return response_202

    return None


def recover_webhook_endpoint(
    carecover: Carecover,
    webhook_endpoint_id: str,
    body: WebhookRecoveryInput | Mapping[str, Any],
    *,
    idempotency_key: str | Unset = UNSET,
) -> WebhookRecovery:
    """Send missed events again

    Sends the events of a period that were not delivered, including those while the endpoint was
    disabled and those that arrive later.

    Scope: `webhooks:write`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            webhook_endpoint_id=webhook_endpoint_id,
            body=body,
            idempotency_key=idempotency_key,
        ),
        _parse_response,
        is_idempotent=True,
    )
