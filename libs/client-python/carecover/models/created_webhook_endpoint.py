from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

from ..caller_input import to_instant
from ..models.event_type import EventType
from ..models.webhook_endpoint_status import WebhookEndpointStatus
from ..types import UNSET, Unset

T = TypeVar("T", bound="CreatedWebhookEndpoint")


@_attrs_define
class CreatedWebhookEndpoint:
    """A created endpoint. Only the first response contains its signing secret.

    Attributes:
        id (str): The endpoint's identifier.
        object_ (Literal['webhook_endpoint']): Always `webhook_endpoint`.
        url (str): The URL that receives events.
        events (list[EventType]): The event types that the endpoint receives.
        status (WebhookEndpointStatus): Whether an endpoint receives events.
        created_at (datetime.datetime): When it was registered. UTC, in milliseconds.
        disabled_at (datetime.datetime | None): When it was disabled; null while active. UTC, in milliseconds.
        signing_secret (str | Unset): The secret that signs deliveries (Standard Webhooks specification). Absent in the
            response to a repeated request: then create another secret.
    """

    id: str
    object_: Literal["webhook_endpoint"]
    url: str
    events: list[EventType]
    status: WebhookEndpointStatus
    created_at: datetime.datetime
    disabled_at: datetime.datetime | None
    signing_secret: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        url = self.url

        events = []
        for events_item_data in self.events:
            events_item = str(events_item_data)
            events.append(events_item)

        status = str(self.status)

        created_at = to_instant(self.created_at)

        disabled_at: None | str
        if isinstance(self.disabled_at, datetime.datetime):
            disabled_at = to_instant(self.disabled_at)
        else:
            disabled_at = self.disabled_at

        signing_secret = self.signing_secret

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "url": url,
                "events": events,
                "status": status,
                "created_at": created_at,
                "disabled_at": disabled_at,
            }
        )
        if signing_secret is not UNSET:
            field_dict["signing_secret"] = signing_secret

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["webhook_endpoint"], d.pop("object"))
        if object_ != "webhook_endpoint":
            raise ValueError(
                f"object must match const 'webhook_endpoint', got '{object_}'"
            )

        url = d.pop("url")

        events = []
        _events = d.pop("events")
        for events_item_data in _events:
            events_item = EventType(events_item_data)

            events.append(events_item)

        status = WebhookEndpointStatus(d.pop("status"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_disabled_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                disabled_at_type_0 = datetime.datetime.fromisoformat(data)

                return disabled_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        disabled_at = _parse_disabled_at(d.pop("disabled_at"))

        signing_secret = d.pop("signing_secret", UNSET)

        created_webhook_endpoint = cls(
            id=id,
            object_=object_,
            url=url,
            events=events,
            status=status,
            created_at=created_at,
            disabled_at=disabled_at,
            signing_secret=signing_secret,
        )

        return created_webhook_endpoint
