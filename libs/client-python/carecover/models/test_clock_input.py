from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant
from ..types import UNSET, Unset

T = TypeVar("T", bound="TestClockInput")


@_attrs_define
class TestClockInput:
    """A sandbox project whose time is simulated.

    Attributes:
        name (str): The project's name.
        now (datetime.datetime): The project's time at its creation, in the years 2000 to 2999. It can be in the past.
            RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
        seed (str | Unset): Of which the identifiers follow that requests with an Idempotency-Key make: the same
            requests with the same keys, one after the other, have the same ones. Only one project of an installation can
            have it. Absent: the identifiers are random.
    """

    name: str
    now: datetime.datetime
    seed: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        now = to_instant(self.now)

        seed = self.seed

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "now": now,
            }
        )
        if seed is not UNSET:
            field_dict["seed"] = seed

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        now = datetime.datetime.fromisoformat(d.pop("now"))

        seed = d.pop("seed", UNSET)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        test_clock_input = cls(
            name=name,
            now=now,
            seed=seed,
        )

        return test_clock_input
