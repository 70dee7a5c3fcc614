from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.booking_input_format import BookingInputFormat
from ..models.booking_input_payment_source import BookingInputPaymentSource

T = TypeVar("T", bound="BookingInput")


@_attrs_define
class BookingInput:
    """A slot to book.

    Attributes:
        practitioner_id (str): The practitioner who gives the session.
        starts_at (datetime.datetime): Start of the session. RFC 3339 with an offset; floored to milliseconds.
        ends_at (datetime.datetime): End of the session, after its start and at most 8 hours later. RFC 3339 with an
            offset; floored to milliseconds.
        format_ (BookingInputFormat): How the session takes place.
        payment_source (BookingInputPaymentSource): Who pays.
    """

    practitioner_id: str
    starts_at: datetime.datetime
    ends_at: datetime.datetime
    format_: BookingInputFormat
    payment_source: BookingInputPaymentSource

    def to_dict(self) -> dict[str, Any]:
        practitioner_id = self.practitioner_id

        starts_at = self.starts_at.isoformat()

        ends_at = self.ends_at.isoformat()

        format_ = self.format_.value

        payment_source = self.payment_source.value

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

        format_ = BookingInputFormat(d.pop("format"))

        payment_source = BookingInputPaymentSource(d.pop("payment_source"))

        booking_input = cls(
            practitioner_id=practitioner_id,
            starts_at=starts_at,
            ends_at=ends_at,
            format_=format_,
            payment_source=payment_source,
        )

        return booking_input
