from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.availability_weekly_hours_item import AvailabilityWeeklyHoursItem


T = TypeVar("T", bound="Availability")


@_attrs_define
class Availability:
    """A practitioner's recurring weekly hours, in the practitioner's own time zone.

    Attributes:
        object_ (Literal['availability']): Always `availability`.
        practitioner_id (str): The practitioner.
        timezone (str): IANA time zone of the hours.
        weekly_hours (list[AvailabilityWeeklyHoursItem]): The periods.
    """

    object_: Literal["availability"]
    practitioner_id: str
    timezone: str
    weekly_hours: list[AvailabilityWeeklyHoursItem]

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        practitioner_id = self.practitioner_id

        timezone = self.timezone

        weekly_hours = []
        for weekly_hours_item_data in self.weekly_hours:
            weekly_hours_item = weekly_hours_item_data.to_dict()
            weekly_hours.append(weekly_hours_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "practitioner_id": practitioner_id,
                "timezone": timezone,
                "weekly_hours": weekly_hours,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.availability_weekly_hours_item import AvailabilityWeeklyHoursItem

        d = dict(src_dict)
        object_ = cast(Literal["availability"], d.pop("object"))
        if object_ != "availability":
            raise ValueError(f"object must match const 'availability', got '{object_}'")

        practitioner_id = d.pop("practitioner_id")

        timezone = d.pop("timezone")

        weekly_hours = []
        _weekly_hours = d.pop("weekly_hours")
        for weekly_hours_item_data in _weekly_hours:
            weekly_hours_item = AvailabilityWeeklyHoursItem.from_dict(
                weekly_hours_item_data
            )

            weekly_hours.append(weekly_hours_item)

        availability = cls(
            object_=object_,
            practitioner_id=practitioner_id,
            timezone=timezone,
            weekly_hours=weekly_hours,
        )

        return availability
