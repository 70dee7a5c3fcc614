from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.event_type import EventType
from ..models.webhook_endpoint_status import WebhookEndpointStatus
from ..types import UNSET, Unset

T = TypeVar("T", bound="WebhookEndpointUpdate")


@_attrs_define
class WebhookEndpointUpdate:
    """Changes of an endpoint. Absent fields keep their values.

    Attributes:
        url (str | Unset): The URL that receives events: an https address on the internet.
        events (list[EventType] | Unset): The event types to send.
        status (WebhookEndpointStatus | Unset): Whether an endpoint receives events.
    """

    url: str | Unset = UNSET
    events: list[EventType] | Unset = UNSET
    status: WebhookEndpointStatus | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        url = self.url

        events: list[str] | Unset = UNSET
        if not isinstance(self.events, Unset):
            events = []
            for events_item_data in self.events:
                events_item = str(events_item_data)
                events.append(events_item)

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = str(self.status)

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if url is not UNSET:
            field_dict["url"] = url
        if events is not UNSET:
            field_dict["events"] = events
        if status is not UNSET:
            field_dict["status"] = status

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        url = d.pop("url", UNSET)

        _events = d.pop("events", UNSET)
        events: list[EventType] | Unset = UNSET
        if _events is not UNSET:
            events = []
            for events_item_data in _events:
                events_item = EventType(events_item_data)

                events.append(events_item)

        _status = d.pop("status", UNSET)
        status: WebhookEndpointStatus | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = WebhookEndpointStatus(_status)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        webhook_endpoint_update = cls(
            url=url,
            events=events,
            status=status,
        )

        return webhook_endpoint_update
