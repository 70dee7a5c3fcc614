from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ReceivablesCurrenciesItemPayersItemOutstanding")


@_attrs_define
class ReceivablesCurrenciesItemPayersItemOutstanding:
    """Outstanding amounts by age: the number of whole days from the claim's submitted_at to the instant.

    Attributes:
        total (int): The sum of the four amounts. In minor units.
        days_0_30 (int): Of claims submitted less than 31 days before. In minor units.
        days_31_60 (int): Of claims submitted at least 31 and less than 61 days before. In minor units.
        days_61_90 (int): Of claims submitted at least 61 and less than 91 days before. In minor units.
        days_over_90 (int): Of claims submitted at least 91 days before. In minor units.
    """

    total: int
    days_0_30: int
    days_31_60: int
    days_61_90: int
    days_over_90: int

    def to_dict(self) -> dict[str, Any]:
        total = self.total

        days_0_30 = self.days_0_30

        days_31_60 = self.days_31_60

        days_61_90 = self.days_61_90

        days_over_90 = self.days_over_90

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "total": total,
                "days_0_30": days_0_30,
                "days_31_60": days_31_60,
                "days_61_90": days_61_90,
                "days_over_90": days_over_90,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        total = d.pop("total")

        days_0_30 = d.pop("days_0_30")

        days_31_60 = d.pop("days_31_60")

        days_61_90 = d.pop("days_61_90")

        days_over_90 = d.pop("days_over_90")

        receivables_currencies_item_payers_item_outstanding = cls(
            total=total,
            days_0_30=days_0_30,
            days_31_60=days_31_60,
            days_61_90=days_61_90,
            days_over_90=days_over_90,
        )

        return receivables_currencies_item_payers_item_outstanding
