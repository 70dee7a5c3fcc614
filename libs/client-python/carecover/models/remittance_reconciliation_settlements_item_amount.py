from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="RemittanceReconciliationSettlementsItemAmount")


@_attrs_define
class RemittanceReconciliationSettlementsItemAmount:
    """The observed amount.

    Attributes:
        currency (str): ISO 4217 code of the currency.
        observed (int): The amount; 0 if the net needs no transfer. In minor units.
    """

    currency: str
    observed: int

    def to_dict(self) -> dict[str, Any]:
        currency = self.currency

        observed = self.observed

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "currency": currency,
                "observed": observed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        currency = d.pop("currency")

        observed = d.pop("observed")

        remittance_reconciliation_settlements_item_amount = cls(
            currency=currency,
            observed=observed,
        )

        return remittance_reconciliation_settlements_item_amount
