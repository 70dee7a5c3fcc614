from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="TestClockAdvanceInput")


@_attrs_define
class TestClockAdvanceInput:
    """Where a clock is moved.

    Attributes:
        to (str): The instant at which the advance ends, not before now: RFC 3339 with an offset, floored to
            milliseconds, until the year 2999. Or `next`: the instant of the next due item.
        wait_seconds (int | Unset): For how many seconds the response waits for the end of the advance. Absent: 0.
    """

    to: str
    wait_seconds: int | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        to = self.to

        wait_seconds = self.wait_seconds

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "to": to,
            }
        )
        if wait_seconds is not UNSET:
            field_dict["wait_seconds"] = wait_seconds

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        to = d.pop("to")

        wait_seconds = d.pop("wait_seconds", UNSET)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        test_clock_advance_input = cls(
            to=to,
            wait_seconds=wait_seconds,
        )

        return test_clock_advance_input
