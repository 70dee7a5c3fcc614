from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.bulk_job_completed_event import BulkJobCompletedEvent
    from ..models.claim_approved_event import ClaimApprovedEvent
    from ..models.claim_cancelled_event import ClaimCancelledEvent
    from ..models.claim_denied_event import ClaimDeniedEvent
    from ..models.claim_information_requested_event import (
        ClaimInformationRequestedEvent,
    )
    from ..models.claim_partially_approved_event import ClaimPartiallyApprovedEvent
    from ..models.claim_resubmitted_event import ClaimResubmittedEvent
    from ..models.claim_reversed_event import ClaimReversedEvent
    from ..models.claim_settled_event import ClaimSettledEvent
    from ..models.claim_submitted_event import ClaimSubmittedEvent
    from ..models.preauthorization_approved_event import PreauthorizationApprovedEvent
    from ..models.preauthorization_cancelled_event import PreauthorizationCancelledEvent
    from ..models.preauthorization_denied_event import PreauthorizationDeniedEvent
    from ..models.preauthorization_expired_event import PreauthorizationExpiredEvent
    from ..models.preauthorization_requested_event import PreauthorizationRequestedEvent
    from ..models.remittance_exception_event import RemittanceExceptionEvent
    from ..models.remittance_reconciled_event import RemittanceReconciledEvent
    from ..models.sandbox_ping_event import SandboxPingEvent
    from ..models.unknown_event import UnknownEvent


T = TypeVar("T", bound="EventList")


@_attrs_define
class EventList:
    """One page of a list, newest first.

    Attributes:
        object_ (Literal['list']): Always `list`.
        data (list[BulkJobCompletedEvent | ClaimApprovedEvent | ClaimCancelledEvent | ClaimDeniedEvent |
            ClaimInformationRequestedEvent | ClaimPartiallyApprovedEvent | ClaimResubmittedEvent | ClaimReversedEvent |
            ClaimSettledEvent | ClaimSubmittedEvent | PreauthorizationApprovedEvent | PreauthorizationCancelledEvent |
            PreauthorizationDeniedEvent | PreauthorizationExpiredEvent | PreauthorizationRequestedEvent |
            RemittanceExceptionEvent | RemittanceReconciledEvent | SandboxPingEvent | UnknownEvent]): The items of this
            page.
        has_more (bool): Whether there are more items. Get them with `starting_after` set to the last id of this page. A
            page of large items can have fewer of them than `limit`.
    """

    object_: Literal["list"]
    data: list[
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
    ]
    has_more: bool

    def to_dict(self) -> dict[str, Any]:
        from ..models.bulk_job_completed_event import BulkJobCompletedEvent
        from ..models.claim_approved_event import ClaimApprovedEvent
        from ..models.claim_cancelled_event import ClaimCancelledEvent
        from ..models.claim_denied_event import ClaimDeniedEvent
        from ..models.claim_information_requested_event import (
            ClaimInformationRequestedEvent,
        )
        from ..models.claim_partially_approved_event import ClaimPartiallyApprovedEvent
        from ..models.claim_resubmitted_event import ClaimResubmittedEvent
        from ..models.claim_reversed_event import ClaimReversedEvent
        from ..models.claim_settled_event import ClaimSettledEvent
        from ..models.claim_submitted_event import ClaimSubmittedEvent
        from ..models.preauthorization_approved_event import (
            PreauthorizationApprovedEvent,
        )
        from ..models.preauthorization_cancelled_event import (
            PreauthorizationCancelledEvent,
        )
        from ..models.preauthorization_denied_event import PreauthorizationDeniedEvent
        from ..models.preauthorization_expired_event import PreauthorizationExpiredEvent
        from ..models.preauthorization_requested_event import (
            PreauthorizationRequestedEvent,
        )
        from ..models.remittance_exception_event import RemittanceExceptionEvent
        from ..models.remittance_reconciled_event import RemittanceReconciledEvent
        from ..models.sandbox_ping_event import SandboxPingEvent

        object_ = self.object_

        data = []
        for data_item_data in self.data:
            data_item: dict[str, Any]
            if (
                isinstance(data_item_data, SandboxPingEvent)
                or isinstance(data_item_data, PreauthorizationRequestedEvent)
                or isinstance(data_item_data, PreauthorizationApprovedEvent)
                or isinstance(data_item_data, PreauthorizationDeniedEvent)
                or isinstance(data_item_data, PreauthorizationExpiredEvent)
                or isinstance(data_item_data, PreauthorizationCancelledEvent)
                or isinstance(data_item_data, ClaimSubmittedEvent)
                or isinstance(data_item_data, ClaimInformationRequestedEvent)
                or isinstance(data_item_data, ClaimResubmittedEvent)
                or isinstance(data_item_data, ClaimApprovedEvent)
                or isinstance(data_item_data, ClaimPartiallyApprovedEvent)
                or isinstance(data_item_data, ClaimDeniedEvent)
                or isinstance(data_item_data, ClaimSettledEvent)
                or isinstance(data_item_data, ClaimReversedEvent)
                or isinstance(data_item_data, ClaimCancelledEvent)
                or isinstance(data_item_data, RemittanceReconciledEvent)
                or isinstance(data_item_data, RemittanceExceptionEvent)
                or isinstance(data_item_data, BulkJobCompletedEvent)
            ):
                data_item = data_item_data.to_dict()
            else:
                data_item = data_item_data.to_dict()

            data.append(data_item)

        has_more = self.has_more

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "data": data,
                "has_more": has_more,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.bulk_job_completed_event import BulkJobCompletedEvent
        from ..models.claim_approved_event import ClaimApprovedEvent
        from ..models.claim_cancelled_event import ClaimCancelledEvent
        from ..models.claim_denied_event import ClaimDeniedEvent
        from ..models.claim_information_requested_event import (
            ClaimInformationRequestedEvent,
        )
        from ..models.claim_partially_approved_event import ClaimPartiallyApprovedEvent
        from ..models.claim_resubmitted_event import ClaimResubmittedEvent
        from ..models.claim_reversed_event import ClaimReversedEvent
        from ..models.claim_settled_event import ClaimSettledEvent
        from ..models.claim_submitted_event import ClaimSubmittedEvent
        from ..models.preauthorization_approved_event import (
            PreauthorizationApprovedEvent,
        )
        from ..models.preauthorization_cancelled_event import (
            PreauthorizationCancelledEvent,
        )
        from ..models.preauthorization_denied_event import PreauthorizationDeniedEvent
        from ..models.preauthorization_expired_event import PreauthorizationExpiredEvent
        from ..models.preauthorization_requested_event import (
            PreauthorizationRequestedEvent,
        )
        from ..models.remittance_exception_event import RemittanceExceptionEvent
        from ..models.remittance_reconciled_event import RemittanceReconciledEvent
        from ..models.sandbox_ping_event import SandboxPingEvent
        from ..models.unknown_event import UnknownEvent

        d = dict(src_dict)
        object_ = cast(Literal["list"], d.pop("object"))
        if object_ != "list":
            raise ValueError(f"object must match const 'list', got '{object_}'")

        data = []
        _data = d.pop("data")
        for data_item_data in _data:

            def _parse_data_item(
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
                    componentsschemas_event_type_3 = (
                        PreauthorizationDeniedEvent.from_dict(data)
                    )

                    return componentsschemas_event_type_3
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    componentsschemas_event_type_4 = (
                        PreauthorizationExpiredEvent.from_dict(data)
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
                    componentsschemas_event_type_8 = ClaimResubmittedEvent.from_dict(
                        data
                    )

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
                    componentsschemas_event_type_10 = (
                        ClaimPartiallyApprovedEvent.from_dict(data)
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
                    componentsschemas_event_type_14 = ClaimCancelledEvent.from_dict(
                        data
                    )

                    return componentsschemas_event_type_14
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    componentsschemas_event_type_15 = (
                        RemittanceReconciledEvent.from_dict(data)
                    )

                    return componentsschemas_event_type_15
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    componentsschemas_event_type_16 = (
                        RemittanceExceptionEvent.from_dict(data)
                    )

                    return componentsschemas_event_type_16
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    componentsschemas_event_type_17 = BulkJobCompletedEvent.from_dict(
                        data
                    )

                    return componentsschemas_event_type_17
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_event_type_18 = UnknownEvent.from_dict(data)

                return componentsschemas_event_type_18

            data_item = _parse_data_item(data_item_data)

            data.append(data_item)

        has_more = d.pop("has_more")

        event_list = cls(
            object_=object_,
            data=data,
            has_more=has_more,
        )

        return event_list
