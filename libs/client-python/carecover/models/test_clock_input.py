from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant

T = TypeVar("T", bound="TestClockInput")


@_attrs_define
class TestClockInput:
    """A sandbox project whose time is simulated.

    Attributes:
        name (str): The project's name.
        now (datetime.datetime): The project's time at its creation, in the years 2000 to 2999. It can be in the past.
            RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
    """

    name: str
    now: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        now = to_instant(self.now)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "now": now,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        now = datetime.datetime.fromisoformat(d.pop("now"))

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        test_clock_input = cls(
            name=name,
            now=now,
        )

        return test_clock_input
