from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant
from ..models.due_item_kind import DueItemKind

T = TypeVar("T", bound="TestClockNextDueType0")


@_attrs_define
class TestClockNextDueType0:
    """The next due item of the project.

    Attributes:
        at (datetime.datetime): When it is due. UTC, in milliseconds.
        resource (str): The identifier of the resource.
        what (DueItemKind): What is due in a project with simulated time.
    """

    at: datetime.datetime
    resource: str
    what: DueItemKind

    def to_dict(self) -> dict[str, Any]:
        at = to_instant(self.at)

        resource = self.resource

        what = str(self.what)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "at": at,
                "resource": resource,
                "what": what,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        resource = d.pop("resource")

        what = DueItemKind(d.pop("what"))

        test_clock_next_due_type_0 = cls(
            at=at,
            resource=resource,
            what=what,
        )

        return test_clock_next_due_type_0
