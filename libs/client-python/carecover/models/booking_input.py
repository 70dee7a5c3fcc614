from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant
from ..models.payment_source import PaymentSource
from ..models.session_format import SessionFormat

T = TypeVar("T", bound="BookingInput")


@_attrs_define
class BookingInput:
    """A slot to book.

    Attributes:
        practitioner_id (str): The practitioner who gives the session.
        starts_at (datetime.datetime): Start of the session. RFC 3339 with an offset, without a leap second (:60);
            floored to milliseconds.
        ends_at (datetime.datetime): End of the session, after its start and at most 8 hours later. RFC 3339 with an
            offset, without a leap second (:60); floored to milliseconds.
        format_ (SessionFormat): How a session takes place.
        payment_source (PaymentSource): Who pays for a session.
    """

    practitioner_id: str
    starts_at: datetime.datetime
    ends_at: datetime.datetime
    format_: SessionFormat
    payment_source: PaymentSource

    def to_dict(self) -> dict[str, Any]:
        practitioner_id = self.practitioner_id

        starts_at = to_instant(self.starts_at)

        ends_at = to_instant(self.ends_at)

        format_ = str(self.format_)

        payment_source = str(self.payment_source)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "practitioner_id": practitioner_id,
                "starts_at": starts_at,
                "ends_at": ends_at,
                "format": format_,
                "payment_source": payment_source,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        practitioner_id = d.pop("practitioner_id")

        starts_at = datetime.datetime.fromisoformat(d.pop("starts_at"))

        ends_at = datetime.datetime.fromisoformat(d.pop("ends_at"))

        format_ = SessionFormat(d.pop("format"))

        payment_source = PaymentSource(d.pop("payment_source"))

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        booking_input = cls(
            practitioner_id=practitioner_id,
            starts_at=starts_at,
            ends_at=ends_at,
            format_=format_,
            payment_source=payment_source,
        )

        return booking_input
