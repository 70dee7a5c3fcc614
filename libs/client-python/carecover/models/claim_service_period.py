from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant

T = TypeVar("T", bound="ClaimServicePeriod")


@_attrs_define
class ClaimServicePeriod:
    """The time of the session.

    Attributes:
        starts_at (datetime.datetime): Start of the session. UTC, in milliseconds.
        ends_at (datetime.datetime): End of the session. UTC, in milliseconds.
    """

    starts_at: datetime.datetime
    ends_at: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        starts_at = to_instant(self.starts_at)

        ends_at = to_instant(self.ends_at)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "starts_at": starts_at,
                "ends_at": ends_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        starts_at = datetime.datetime.fromisoformat(d.pop("starts_at"))

        ends_at = datetime.datetime.fromisoformat(d.pop("ends_at"))

        claim_service_period = cls(
            starts_at=starts_at,
            ends_at=ends_at,
        )

        return claim_service_period
