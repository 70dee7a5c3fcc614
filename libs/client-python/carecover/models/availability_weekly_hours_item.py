from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.session_format import SessionFormat

T = TypeVar("T", bound="AvailabilityWeeklyHoursItem")


@_attrs_define
class AvailabilityWeeklyHoursItem:
    """One period of one weekday.

    Attributes:
        weekday (int): Day of the week, 0 is Sunday.
        start (str): First bookable minute, HH:MM.
        end (str): End of the period, HH:MM.
        formats (list[SessionFormat]): Formats offered in this period.
    """

    weekday: int
    start: str
    end: str
    formats: list[SessionFormat]

    def to_dict(self) -> dict[str, Any]:
        weekday = self.weekday

        start = self.start

        end = self.end

        formats = []
        for formats_item_data in self.formats:
            formats_item = str(formats_item_data)
            formats.append(formats_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "weekday": weekday,
                "start": start,
                "end": end,
                "formats": formats,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        weekday = d.pop("weekday")

        start = d.pop("start")

        end = d.pop("end")

        formats = []
        _formats = d.pop("formats")
        for formats_item_data in _formats:
            formats_item = SessionFormat(formats_item_data)

            formats.append(formats_item)

        availability_weekly_hours_item = cls(
            weekday=weekday,
            start=start,
            end=end,
            formats=formats,
        )

        return availability_weekly_hours_item
