from __future__ import annotations

import datetime
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

from ..caller_input import to_instant
from ..models.test_clock_status import TestClockStatus

if TYPE_CHECKING:
    from ..models.test_clock_next_due_type_0 import TestClockNextDueType0


T = TypeVar("T", bound="TestClock")


@_attrs_define
class TestClock:
    """The time of a sandbox project whose time is simulated.

    Attributes:
        object_ (Literal['test_clock']): Always `test_clock`.
        now (datetime.datetime): The project's time. Each write moves it by some milliseconds, so that facts are
            ordered. UTC, in milliseconds.
        status (TestClockStatus): Whether a test clock is advancing.
        target (datetime.datetime | None): Where the advance ends. Null while the clock is ready. UTC, in milliseconds.
        next_due (None | TestClockNextDueType0): The next due item after now. Null if nothing is due.
        advanced_to (datetime.datetime | None): The last completed instant of the advances: everything that was due
            until then was executed. Null before the first advance. UTC, in milliseconds.
        completed (int): The number of due items that the latest advance has executed.
        remaining (int): The number of due items until target that are known now; 0 while the clock is ready.
        failure (None | str): Why the latest advance failed. Null unless it failed.
    """

    object_: Literal["test_clock"]
    now: datetime.datetime
    status: TestClockStatus
    target: datetime.datetime | None
    next_due: None | TestClockNextDueType0
    advanced_to: datetime.datetime | None
    completed: int
    remaining: int
    failure: None | str

    def to_dict(self) -> dict[str, Any]:
        from ..models.test_clock_next_due_type_0 import TestClockNextDueType0

        object_ = self.object_

        now = to_instant(self.now)

        status = str(self.status)

        target: None | str
        if isinstance(self.target, datetime.datetime):
            target = to_instant(self.target)
        else:
            target = self.target

        next_due: dict[str, Any] | None
        if isinstance(self.next_due, TestClockNextDueType0):
            next_due = self.next_due.to_dict()
        else:
            next_due = self.next_due

        advanced_to: None | str
        if isinstance(self.advanced_to, datetime.datetime):
            advanced_to = to_instant(self.advanced_to)
        else:
            advanced_to = self.advanced_to

        completed = self.completed

        remaining = self.remaining

        failure: None | str
        failure = self.failure

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "now": now,
                "status": status,
                "target": target,
                "next_due": next_due,
                "advanced_to": advanced_to,
                "completed": completed,
                "remaining": remaining,
                "failure": failure,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.test_clock_next_due_type_0 import TestClockNextDueType0

        d = dict(src_dict)
        object_ = cast(Literal["test_clock"], d.pop("object"))
        if object_ != "test_clock":
            raise ValueError(f"object must match const 'test_clock', got '{object_}'")

        now = datetime.datetime.fromisoformat(d.pop("now"))

        status = TestClockStatus(d.pop("status"))

        def _parse_target(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                target_type_0 = datetime.datetime.fromisoformat(data)

                return target_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        target = _parse_target(d.pop("target"))

        def _parse_next_due(data: object) -> None | TestClockNextDueType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                next_due_type_0 = TestClockNextDueType0.from_dict(data)

                return next_due_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | TestClockNextDueType0, data)

        next_due = _parse_next_due(d.pop("next_due"))

        def _parse_advanced_to(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                advanced_to_type_0 = datetime.datetime.fromisoformat(data)

                return advanced_to_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        advanced_to = _parse_advanced_to(d.pop("advanced_to"))

        completed = d.pop("completed")

        remaining = d.pop("remaining")

        def _parse_failure(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        failure = _parse_failure(d.pop("failure"))

        test_clock = cls(
            object_=object_,
            now=now,
            status=status,
            target=target,
            next_due=next_due,
            advanced_to=advanced_to,
            completed=completed,
            remaining=remaining,
            failure=failure,
        )

        return test_clock
