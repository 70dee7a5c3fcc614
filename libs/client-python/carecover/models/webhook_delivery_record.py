from __future__ import annotations

import datetime
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

from ..caller_input import to_instant
from ..models.event_type import EventType
from ..models.webhook_delivery_status import WebhookDeliveryStatus

if TYPE_CHECKING:
    from ..models.webhook_delivery_record_history_item import (
        WebhookDeliveryRecordHistoryItem,
    )


T = TypeVar("T", bound="WebhookDeliveryRecord")


@_attrs_define
class WebhookDeliveryRecord:
    """The delivery of one event to one endpoint, with its newest attempts.

    Attributes:
        id (str): The event's identifier.
        object_ (Literal['webhook_delivery']): Always `webhook_delivery`.
        delivered (bool): Whether the receiver accepted the event.
        attempts (int): The number of attempts.
        response_status (int | None): The HTTP status of the receiver's response; null without a response.
        endpoint_id (str): The endpoint.
        type_ (EventType): The type of an event.
        status (WebhookDeliveryStatus): The status of the delivery of an event to an endpoint.
        next_attempt_at (datetime.datetime | None): When the next attempt is due; null if there is none. UTC, in
            milliseconds.
        history (list[WebhookDeliveryRecordHistoryItem]): The newest attempts, at most 100, oldest first.
    """

    id: str
    object_: Literal["webhook_delivery"]
    delivered: bool
    attempts: int
    response_status: int | None
    endpoint_id: str
    type_: EventType
    status: WebhookDeliveryStatus
    next_attempt_at: datetime.datetime | None
    history: list[WebhookDeliveryRecordHistoryItem]

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        delivered = self.delivered

        attempts = self.attempts

        response_status: int | None
        response_status = self.response_status

        endpoint_id = self.endpoint_id

        type_ = str(self.type_)

        status = str(self.status)

        next_attempt_at: None | str
        if isinstance(self.next_attempt_at, datetime.datetime):
            next_attempt_at = to_instant(self.next_attempt_at)
        else:
            next_attempt_at = self.next_attempt_at

        history = []
        for history_item_data in self.history:
            history_item = history_item_data.to_dict()
            history.append(history_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "delivered": delivered,
                "attempts": attempts,
                "response_status": response_status,
                "endpoint_id": endpoint_id,
                "type": type_,
                "status": status,
                "next_attempt_at": next_attempt_at,
                "history": history,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.webhook_delivery_record_history_item import (
            WebhookDeliveryRecordHistoryItem,
        )

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["webhook_delivery"], d.pop("object"))
        if object_ != "webhook_delivery":
            raise ValueError(
                f"object must match const 'webhook_delivery', got '{object_}'"
            )

        delivered = d.pop("delivered")

        attempts = d.pop("attempts")

        def _parse_response_status(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        response_status = _parse_response_status(d.pop("response_status"))

        endpoint_id = d.pop("endpoint_id")

        type_ = EventType(d.pop("type"))

        status = WebhookDeliveryStatus(d.pop("status"))

        def _parse_next_attempt_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                next_attempt_at_type_0 = datetime.datetime.fromisoformat(data)

                return next_attempt_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        next_attempt_at = _parse_next_attempt_at(d.pop("next_attempt_at"))

        history = []
        _history = d.pop("history")
        for history_item_data in _history:
            history_item = WebhookDeliveryRecordHistoryItem.from_dict(history_item_data)

            history.append(history_item)

        webhook_delivery_record = cls(
            id=id,
            object_=object_,
            delivered=delivered,
            attempts=attempts,
            response_status=response_status,
            endpoint_id=endpoint_id,
            type_=type_,
            status=status,
            next_attempt_at=next_attempt_at,
            history=history,
        )

        return webhook_delivery_record
