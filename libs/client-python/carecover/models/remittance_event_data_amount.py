from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="RemittanceEventDataAmount")


@_attrs_define
class RemittanceEventDataAmount:
    """The total.

    Attributes:
        currency (str): ISO 4217 code of the currency.
        paid (int): The sum of the allocations. In minor units.
    """

    currency: str
    paid: int

    def to_dict(self) -> dict[str, Any]:
        currency = self.currency

        paid = self.paid

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "currency": currency,
                "paid": paid,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        currency = d.pop("currency")

        paid = d.pop("paid")

        remittance_event_data_amount = cls(
            currency=currency,
            paid=paid,
        )

        return remittance_event_data_amount
