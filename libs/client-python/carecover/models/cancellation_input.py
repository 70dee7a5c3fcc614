from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="CancellationInput")


@_attrs_define
class CancellationInput:
    """The reason of a cancellation.

    Attributes:
        reason_code (str): The reason code.
    """

    reason_code: str

    def to_dict(self) -> dict[str, Any]:
        reason_code = self.reason_code

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "reason_code": reason_code,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        reason_code = d.pop("reason_code")

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        cancellation_input = cls(
            reason_code=reason_code,
        )

        return cancellation_input
