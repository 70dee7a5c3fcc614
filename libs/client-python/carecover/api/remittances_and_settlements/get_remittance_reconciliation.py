from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.remittance_reconciliation import RemittanceReconciliation


def _build_request(
    remittance_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/remittances/{remittance_id}/reconciliation".format(
            remittance_id=path_parameter("remittance_id", remittance_id),
        ),
    }

    return _kwargs


def _parse_response(response: httpx.Response) -> RemittanceReconciliation | None:
    if response.status_code == 200:
        response_200 = RemittanceReconciliation.from_dict(response.json())

        return response_200

    return None


def get_remittance_reconciliation(
    carecover: Carecover,
    remittance_id: str,
) -> RemittanceReconciliation:
    """Read why a remittance is reconciled or not

    Compares the remittance with its settlements at the time of the request, and names the operations
    that would reconcile it.

    Scope: `remittances:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            remittance_id=remittance_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
