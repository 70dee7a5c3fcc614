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
from ..models.booking_status import BookingStatus
from ..models.payment_source import PaymentSource
from ..models.session_format import SessionFormat

T = TypeVar("T", bound="Booking")


@_attrs_define
class Booking:
    """A reserved slot of a practitioner's time.

    Attributes:
        id (str): The booking's identifier.
        object_ (Literal['booking']): Always `booking`.
        session_id (str): The session of the booking.
        practitioner_id (str): The practitioner who gives the session.
        starts_at (datetime.datetime): Start of the session. UTC, in milliseconds.
        ends_at (datetime.datetime): End of the session. UTC, in milliseconds.
        timezone (str): The practitioner's IANA time zone.
        format_ (SessionFormat): How a session takes place.
        status (BookingStatus): The status of a booking.
        payment_source (PaymentSource): Who pays for a session.
    """

    id: str
    object_: Literal["booking"]
    session_id: str
    practitioner_id: str
    starts_at: datetime.datetime
    ends_at: datetime.datetime
    timezone: str
    format_: SessionFormat
    status: BookingStatus
    payment_source: PaymentSource

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        session_id = self.session_id

        practitioner_id = self.practitioner_id

        starts_at = to_instant(self.starts_at)

        ends_at = to_instant(self.ends_at)

        timezone = self.timezone

        format_ = str(self.format_)

        status = str(self.status)

        payment_source = str(self.payment_source)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "session_id": session_id,
                "practitioner_id": practitioner_id,
                "starts_at": starts_at,
                "ends_at": ends_at,
                "timezone": timezone,
                "format": format_,
                "status": status,
                "payment_source": payment_source,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["booking"], d.pop("object"))
        if object_ != "booking":
            raise ValueError(f"object must match const 'booking', got '{object_}'")

        session_id = d.pop("session_id")

        practitioner_id = d.pop("practitioner_id")

        starts_at = datetime.datetime.fromisoformat(d.pop("starts_at"))

        ends_at = datetime.datetime.fromisoformat(d.pop("ends_at"))

        timezone = d.pop("timezone")

        format_ = SessionFormat(d.pop("format"))

        status = BookingStatus(d.pop("status"))

        payment_source = PaymentSource(d.pop("payment_source"))

        booking = cls(
            id=id,
            object_=object_,
            session_id=session_id,
            practitioner_id=practitioner_id,
            starts_at=starts_at,
            ends_at=ends_at,
            timezone=timezone,
            format_=format_,
            status=status,
            payment_source=payment_source,
        )

        return booking
