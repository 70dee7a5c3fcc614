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
from ..models.payment_source import PaymentSource
from ..models.session_format import SessionFormat
from ..models.session_status import SessionStatus

T = TypeVar("T", bound="Session")


@_attrs_define
class Session:
    """One session of care. It contains no identifier of a person or a payer, and no clinical data.

    Attributes:
        id (str): The session's identifier.
        object_ (Literal['session']): Always `session`.
        practitioner_id (str): The practitioner who gives the session.
        starts_at (datetime.datetime): Start of the session. UTC, in milliseconds.
        ends_at (datetime.datetime): End of the session. UTC, in milliseconds.
        timezone (str): The practitioner's IANA time zone.
        format_ (SessionFormat): How a session takes place.
        status (SessionStatus): The status of a session.
        payment_source (PaymentSource): Who pays for a session.
    """

    id: str
    object_: Literal["session"]
    practitioner_id: str
    starts_at: datetime.datetime
    ends_at: datetime.datetime
    timezone: str
    format_: SessionFormat
    status: SessionStatus
    payment_source: PaymentSource

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

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

        object_ = cast(Literal["session"], d.pop("object"))
        if object_ != "session":
            raise ValueError(f"object must match const 'session', got '{object_}'")

        practitioner_id = d.pop("practitioner_id")

        starts_at = datetime.datetime.fromisoformat(d.pop("starts_at"))

        ends_at = datetime.datetime.fromisoformat(d.pop("ends_at"))

        timezone = d.pop("timezone")

        format_ = SessionFormat(d.pop("format"))

        status = SessionStatus(d.pop("status"))

        payment_source = PaymentSource(d.pop("payment_source"))

        session = cls(
            id=id,
            object_=object_,
            practitioner_id=practitioner_id,
            starts_at=starts_at,
            ends_at=ends_at,
            timezone=timezone,
            format_=format_,
            status=status,
            payment_source=payment_source,
        )

        return session
