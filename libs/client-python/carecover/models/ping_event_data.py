from __future__ import annotations

from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

T = TypeVar("T", bound="PingEventData")


@_attrs_define
class PingEventData:
    """The data of a test event.

    Attributes:
        message (Literal['pong']): Always `pong`.
    """

    message: Literal["pong"]

    def to_dict(self) -> dict[str, Any]:
        message = self.message

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "message": message,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        message = cast(Literal["pong"], d.pop("message"))
        if message != "pong":
            raise ValueError(f"message must match const 'pong', got '{message}'")

        ping_event_data = cls(
            message=message,
        )

        return ping_event_data
