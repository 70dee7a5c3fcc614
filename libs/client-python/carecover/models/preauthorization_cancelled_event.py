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

if TYPE_CHECKING:
    from ..models.preauthorization_event_data import PreauthorizationEventData


T = TypeVar("T", bound="PreauthorizationCancelledEvent")


@_attrs_define
class PreauthorizationCancelledEvent:
    """A pre-authorization was cancelled.

    Attributes:
        id (str): The event's identifier; also the webhook-id header of every delivery.
        object_ (Literal['event']): Always `event`.
        type_ (Literal['preauthorization.cancelled']): The type of the event.
        schema_version (Literal['v1']): The version of the event's format.
        resource_version (int): Increases with each event of the resource. Use it to order events. It is not the
            sequence of a fact.
        created_at (datetime.datetime): When the change happened. UTC, in milliseconds.
        livemode (bool): True in production.
        data (PreauthorizationEventData): A pre-authorization at the time of the event.
    """

    id: str
    object_: Literal["event"]
    type_: Literal["preauthorization.cancelled"]
    schema_version: Literal["v1"]
    resource_version: int
    created_at: datetime.datetime
    livemode: bool
    data: PreauthorizationEventData

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        type_ = self.type_

        schema_version = self.schema_version

        resource_version = self.resource_version

        created_at = to_instant(self.created_at)

        livemode = self.livemode

        data = self.data.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "type": type_,
                "schema_version": schema_version,
                "resource_version": resource_version,
                "created_at": created_at,
                "livemode": livemode,
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.preauthorization_event_data import PreauthorizationEventData

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["event"], d.pop("object"))
        if object_ != "event":
            raise ValueError(f"object must match const 'event', got '{object_}'")

        type_ = cast(Literal["preauthorization.cancelled"], d.pop("type"))
        if type_ != "preauthorization.cancelled":
            raise ValueError(
                f"type must match const 'preauthorization.cancelled', got '{type_}'"
            )

        schema_version = cast(Literal["v1"], d.pop("schema_version"))
        if schema_version != "v1":
            raise ValueError(
                f"schema_version must match const 'v1', got '{schema_version}'"
            )

        resource_version = d.pop("resource_version")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        livemode = d.pop("livemode")

        data = PreauthorizationEventData.from_dict(d.pop("data"))

        preauthorization_cancelled_event = cls(
            id=id,
            object_=object_,
            type_=type_,
            schema_version=schema_version,
            resource_version=resource_version,
            created_at=created_at,
            livemode=livemode,
            data=data,
        )

        return preauthorization_cancelled_event
