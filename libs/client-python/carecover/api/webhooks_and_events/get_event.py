from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ...caller_input import path_parameter

if TYPE_CHECKING:
    from ...client import Carecover

from ...models.bulk_job_completed_event import BulkJobCompletedEvent
from ...models.claim_approved_event import ClaimApprovedEvent
from ...models.claim_cancelled_event import ClaimCancelledEvent
from ...models.claim_denied_event import ClaimDeniedEvent
from ...models.claim_information_requested_event import ClaimInformationRequestedEvent
from ...models.claim_partially_approved_event import ClaimPartiallyApprovedEvent
from ...models.claim_resubmitted_event import ClaimResubmittedEvent
from ...models.claim_reversed_event import ClaimReversedEvent
from ...models.claim_settled_event import ClaimSettledEvent
from ...models.claim_submitted_event import ClaimSubmittedEvent
from ...models.preauthorization_approved_event import PreauthorizationApprovedEvent
from ...models.preauthorization_cancelled_event import PreauthorizationCancelledEvent
from ...models.preauthorization_denied_event import PreauthorizationDeniedEvent
from ...models.preauthorization_expired_event import PreauthorizationExpiredEvent
from ...models.preauthorization_requested_event import PreauthorizationRequestedEvent
from ...models.remittance_exception_event import RemittanceExceptionEvent
from ...models.remittance_reconciled_event import RemittanceReconciledEvent
from ...models.sandbox_ping_event import SandboxPingEvent
from ...models.unknown_event import UnknownEvent


def _build_request(
    event_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/events/{event_id}".format(
            event_id=path_parameter("event_id", event_id),
        ),
    }

    return _kwargs


def _parse_response(
    response: httpx.Response,
) -> (
    BulkJobCompletedEvent
    | ClaimApprovedEvent
    | ClaimCancelledEvent
    | ClaimDeniedEvent
    | ClaimInformationRequestedEvent
    | ClaimPartiallyApprovedEvent
    | ClaimResubmittedEvent
    | ClaimReversedEvent
    | ClaimSettledEvent
    | ClaimSubmittedEvent
    | PreauthorizationApprovedEvent
    | PreauthorizationCancelledEvent
    | PreauthorizationDeniedEvent
    | PreauthorizationExpiredEvent
    | PreauthorizationRequestedEvent
    | RemittanceExceptionEvent
    | RemittanceReconciledEvent
    | SandboxPingEvent
    | UnknownEvent
    | None
):
    if response.status_code == 200:

        def _parse_response_200(
            data: object,
        ) -> (
            BulkJobCompletedEvent
            | ClaimApprovedEvent
            | ClaimCancelledEvent
            | ClaimDeniedEvent
            | ClaimInformationRequestedEvent
            | ClaimPartiallyApprovedEvent
            | ClaimResubmittedEvent
            | ClaimReversedEvent
            | ClaimSettledEvent
            | ClaimSubmittedEvent
            | PreauthorizationApprovedEvent
            | PreauthorizationCancelledEvent
            | PreauthorizationDeniedEvent
            | PreauthorizationExpiredEvent
            | PreauthorizationRequestedEvent
            | RemittanceExceptionEvent
            | RemittanceReconciledEvent
            | SandboxPingEvent
            | UnknownEvent
        ):
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_0 = SandboxPingEvent.from_dict(data)

                return componentsschemas_event_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_1 = (
                    PreauthorizationRequestedEvent.from_dict(data)
                )

                return componentsschemas_event_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_2 = (
                    PreauthorizationApprovedEvent.from_dict(data)
                )

                return componentsschemas_event_type_2
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_3 = PreauthorizationDeniedEvent.from_dict(
                    data
                )

                return componentsschemas_event_type_3
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_4 = PreauthorizationExpiredEvent.from_dict(
                    data
                )

                return componentsschemas_event_type_4
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_5 = (
                    PreauthorizationCancelledEvent.from_dict(data)
                )

                return componentsschemas_event_type_5
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_6 = ClaimSubmittedEvent.from_dict(data)

                return componentsschemas_event_type_6
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_7 = (
                    ClaimInformationRequestedEvent.from_dict(data)
                )

                return componentsschemas_event_type_7
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_8 = ClaimResubmittedEvent.from_dict(data)

                return componentsschemas_event_type_8
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_9 = ClaimApprovedEvent.from_dict(data)

                return componentsschemas_event_type_9
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_10 = ClaimPartiallyApprovedEvent.from_dict(
                    data
                )

                return componentsschemas_event_type_10
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_11 = ClaimDeniedEvent.from_dict(data)

                return componentsschemas_event_type_11
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_12 = ClaimSettledEvent.from_dict(data)

                return componentsschemas_event_type_12
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_13 = ClaimReversedEvent.from_dict(data)

                return componentsschemas_event_type_13
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_14 = ClaimCancelledEvent.from_dict(data)

                return componentsschemas_event_type_14
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_15 = RemittanceReconciledEvent.from_dict(
                    data
                )

                return componentsschemas_event_type_15
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_16 = RemittanceExceptionEvent.from_dict(
                    data
                )

                return componentsschemas_event_type_16
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_17 = BulkJobCompletedEvent.from_dict(data)

                return componentsschemas_event_type_17
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_event_type_18 = UnknownEvent.from_dict(data)

            return componentsschemas_event_type_18

        response_200 = _parse_response_200(response.json())

        return response_200

    return None


def get_event(
    carecover: Carecover,
    event_id: str,
) -> (
    BulkJobCompletedEvent
    | ClaimApprovedEvent
    | ClaimCancelledEvent
    | ClaimDeniedEvent
    | ClaimInformationRequestedEvent
    | ClaimPartiallyApprovedEvent
    | ClaimResubmittedEvent
    | ClaimReversedEvent
    | ClaimSettledEvent
    | ClaimSubmittedEvent
    | PreauthorizationApprovedEvent
    | PreauthorizationCancelledEvent
    | PreauthorizationDeniedEvent
    | PreauthorizationExpiredEvent
    | PreauthorizationRequestedEvent
    | RemittanceExceptionEvent
    | RemittanceReconciledEvent
    | SandboxPingEvent
    | UnknownEvent
):
    """Read an event

    Scope: `webhooks:read`.

    Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
    """
    return carecover.call(
        _build_request(
            event_id=event_id,
        ),
        _parse_response,
        is_idempotent=False,
    )
