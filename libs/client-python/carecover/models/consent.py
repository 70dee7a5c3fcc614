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
from ..models.consent_status import ConsentStatus

T = TypeVar("T", bound="Consent")


@_attrs_define
class Consent:
    """A member's consent to the sharing of data. There is one per member.

    Attributes:
        id (str): The consent's identifier.
        object_ (Literal['consent']): Always `consent`.
        status (ConsentStatus): The status of a member's consent.
        updated_at (datetime.datetime): When it was last recorded. UTC, in milliseconds.
    """

    id: str
    object_: Literal["consent"]
    status: ConsentStatus
    updated_at: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        status = str(self.status)

        updated_at = to_instant(self.updated_at)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "status": status,
                "updated_at": updated_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["consent"], d.pop("object"))
        if object_ != "consent":
            raise ValueError(f"object must match const 'consent', got '{object_}'")

        status = ConsentStatus(d.pop("status"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        consent = cls(
            id=id,
            object_=object_,
            status=status,
            updated_at=updated_at,
        )

        return consent
