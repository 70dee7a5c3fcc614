from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant

T = TypeVar("T", bound="EligibilityCheckService")


@_attrs_define
class EligibilityCheckService:
    """The checked service.

    Attributes:
        code (str): The service.
        scheduled_at (datetime.datetime): Start of the session. UTC, in milliseconds.
    """

    code: str
    scheduled_at: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        scheduled_at = to_instant(self.scheduled_at)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "code": code,
                "scheduled_at": scheduled_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        code = d.pop("code")

        scheduled_at = datetime.datetime.fromisoformat(d.pop("scheduled_at"))

        eligibility_check_service = cls(
            code=code,
            scheduled_at=scheduled_at,
        )

        return eligibility_check_service
