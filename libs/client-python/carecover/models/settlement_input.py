from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.currency import Currency
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.settlement_input_allocations_item import (
        SettlementInputAllocationsItem,
    )


T = TypeVar("T", bound="SettlementInput")


@_attrs_define
class SettlementInput:
    """Independent evidence that funds of a remittance moved.

    Attributes:
        remittance_id (str): The remittance.
        source_reference (str): The reference of the evidence, such as a bank statement entry; unique in the project.
        currency (Currency): A currency: its ISO 4217 code.
        amount (int): The observed amount. In minor units.
        observed_at (datetime.datetime): When the funds moved; not in the future. RFC 3339 with an offset, without a
            leap second (:60); floored to milliseconds.
        allocations (list[SettlementInputAllocationsItem] | Unset): The allocations to claims. Their sum is the amount.
    """

    remittance_id: str
    source_reference: str
    currency: Currency
    amount: int
    observed_at: datetime.datetime
    allocations: list[SettlementInputAllocationsItem] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        remittance_id = self.remittance_id

        source_reference = self.source_reference

        currency = str(self.currency)

        amount = self.amount

        observed_at = (
            self.observed_at
            if isinstance(self.observed_at, str)
            else self.observed_at.isoformat()
        )

        allocations: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.allocations, Unset):
            allocations = []
            for allocations_item_data in self.allocations:
                allocations_item = allocations_item_data.to_dict()
                allocations.append(allocations_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "remittance_id": remittance_id,
                "source_reference": source_reference,
                "currency": currency,
                "amount": amount,
                "observed_at": observed_at,
            }
        )
        if allocations is not UNSET:
            field_dict["allocations"] = allocations

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.settlement_input_allocations_item import (
            SettlementInputAllocationsItem,
        )

        d = dict(src_dict)
        remittance_id = d.pop("remittance_id")

        source_reference = d.pop("source_reference")

        currency = Currency(d.pop("currency"))

        amount = d.pop("amount")

        observed_at = datetime.datetime.fromisoformat(d.pop("observed_at"))

        _allocations = d.pop("allocations", UNSET)
        allocations: list[SettlementInputAllocationsItem] | Unset = UNSET
        if _allocations is not UNSET:
            allocations = []
            for allocations_item_data in _allocations:
                allocations_item = SettlementInputAllocationsItem.from_dict(
                    allocations_item_data
                )

                allocations.append(allocations_item)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        settlement_input = cls(
            remittance_id=remittance_id,
            source_reference=source_reference,
            currency=currency,
            amount=amount,
            observed_at=observed_at,
            allocations=allocations,
        )

        return settlement_input
