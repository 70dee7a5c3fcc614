from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant

T = TypeVar("T", bound="ClaimLinksSessionRecordedType0")


@_attrs_define
class ClaimLinksSessionRecordedType0:
    """The recording of a session outside the booking calendar.

    Attributes:
        by (str): The API key that recorded the session.
        at (datetime.datetime): When the session was recorded. UTC, in milliseconds.
    """

    by: str
    at: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        by = self.by

        at = to_instant(self.at)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "by": by,
                "at": at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        by = d.pop("by")

        at = datetime.datetime.fromisoformat(d.pop("at"))

        claim_links_session_recorded_type_0 = cls(
            by=by,
            at=at,
        )

        return claim_links_session_recorded_type_0
