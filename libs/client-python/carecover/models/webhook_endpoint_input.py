from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.event_type import EventType

T = TypeVar("T", bound="WebhookEndpointInput")


@_attrs_define
class WebhookEndpointInput:
    """A webhook endpoint to register.

    Attributes:
        url (str): The URL that receives events: an https address on the internet.
        events (list[EventType]): The event types to send.
    """

    url: str
    events: list[EventType]

    def to_dict(self) -> dict[str, Any]:
        url = self.url

        events = []
        for events_item_data in self.events:
            events_item = str(events_item_data)
            events.append(events_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "url": url,
                "events": events,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        url = d.pop("url")

        events = []
        _events = d.pop("events")
        for events_item_data in _events:
            events_item = EventType(events_item_data)

            events.append(events_item)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        webhook_endpoint_input = cls(
            url=url,
            events=events,
        )

        return webhook_endpoint_input
