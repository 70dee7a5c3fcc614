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
from ..models.session_format import SessionFormat

T = TypeVar("T", bound="Slot")


@_attrs_define
class Slot:
    """A time of a practitioner that can be booked. It is not reserved: another booking can take it.

    Attributes:
        object_ (Literal['slot']): Always `slot`.
        practitioner_id (str): The practitioner who gives the session.
        starts_at (datetime.datetime): Start of the session. UTC, in milliseconds.
        ends_at (datetime.datetime): End of the session. UTC, in milliseconds.
        timezone (str): The practitioner's IANA time zone.
        format_ (SessionFormat): How a session takes place.
    """

    object_: Literal["slot"]
    practitioner_id: str
    starts_at: datetime.datetime
    ends_at: datetime.datetime
    timezone: str
    format_: SessionFormat

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        practitioner_id = self.practitioner_id

        starts_at = to_instant(self.starts_at)

        ends_at = to_instant(self.ends_at)

        timezone = self.timezone

        format_ = str(self.format_)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "practitioner_id": practitioner_id,
                "starts_at": starts_at,
                "ends_at": ends_at,
                "timezone": timezone,
                "format": format_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        object_ = cast(Literal["slot"], d.pop("object"))
        if object_ != "slot":
            raise ValueError(f"object must match const 'slot', got '{object_}'")

        practitioner_id = d.pop("practitioner_id")

        starts_at = datetime.datetime.fromisoformat(d.pop("starts_at"))

        ends_at = datetime.datetime.fromisoformat(d.pop("ends_at"))

        timezone = d.pop("timezone")

        format_ = SessionFormat(d.pop("format"))

        slot = cls(
            object_=object_,
            practitioner_id=practitioner_id,
            starts_at=starts_at,
            ends_at=ends_at,
            timezone=timezone,
            format_=format_,
        )

        return slot
