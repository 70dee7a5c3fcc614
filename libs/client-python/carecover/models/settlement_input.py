from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant
from ..models.currency import Currency
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.settlement_input_allocations_item import (
        SettlementInputAllocationsItem,
    )
    from ..models.settlement_input_shares_item import SettlementInputSharesItem


T = TypeVar("T", bound="SettlementInput")


@_attrs_define
class SettlementInput:
    """Independent evidence that funds of a remittance moved.

    Attributes:
        source_reference (str): The reference of the evidence, such as a bank statement entry; unique in the project.
        currency (Currency): A currency: its ISO 4217 code.
        amount (int): The observed amount. In minor units.
        observed_at (datetime.datetime): When the funds moved; not in the future. RFC 3339 with an offset, without a
            leap second (:60); floored to milliseconds.
        remittance_id (str | Unset): The remittance. Absent if the deposit has shares of several advices.
        allocations (list[SettlementInputAllocationsItem] | Unset): The allocations to claims. Their sum is the amount.
            Only with remittance_id.
        shares (list[SettlementInputSharesItem] | Unset): The parts of one deposit for several advices, at most one per
            advice. Their sum is the amount. Each part becomes a settlement: the first has the source_reference, the others
            have it with the suffix `#2`, `#3` and so on. The response is the first; `GET /settlements` with the
            `remittance_id` of an advice lists its own. Only without remittance_id.
    """

    source_reference: str
    currency: Currency
    amount: int
    observed_at: datetime.datetime
    remittance_id: str | Unset = UNSET
    allocations: list[SettlementInputAllocationsItem] | Unset = UNSET
    shares: list[SettlementInputSharesItem] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        source_reference = self.source_reference

        currency = str(self.currency)

        amount = self.amount

        observed_at = to_instant(self.observed_at)

        remittance_id = self.remittance_id

        allocations: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.allocations, Unset):
            allocations = []
            for allocations_item_data in self.allocations:
                allocations_item = allocations_item_data.to_dict()
                allocations.append(allocations_item)

        shares: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.shares, Unset):
            shares = []
            for shares_item_data in self.shares:
                shares_item = shares_item_data.to_dict()
                shares.append(shares_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "source_reference": source_reference,
                "currency": currency,
                "amount": amount,
                "observed_at": observed_at,
            }
        )
        if remittance_id is not UNSET:
            field_dict["remittance_id"] = remittance_id
        if allocations is not UNSET:
            field_dict["allocations"] = allocations
        if shares is not UNSET:
            field_dict["shares"] = shares

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.settlement_input_allocations_item import (
            SettlementInputAllocationsItem,
        )
        from ..models.settlement_input_shares_item import SettlementInputSharesItem

        d = dict(src_dict)
        source_reference = d.pop("source_reference")

        currency = Currency(d.pop("currency"))

        amount = d.pop("amount")

        observed_at = datetime.datetime.fromisoformat(d.pop("observed_at"))

        remittance_id = d.pop("remittance_id", UNSET)

        _allocations = d.pop("allocations", UNSET)
        allocations: list[SettlementInputAllocationsItem] | Unset = UNSET
        if _allocations is not UNSET:
            allocations = []
            for allocations_item_data in _allocations:
                allocations_item = SettlementInputAllocationsItem.from_dict(
                    allocations_item_data
                )

                allocations.append(allocations_item)

        _shares = d.pop("shares", UNSET)
        shares: list[SettlementInputSharesItem] | Unset = UNSET
        if _shares is not UNSET:
            shares = []
            for shares_item_data in _shares:
                shares_item = SettlementInputSharesItem.from_dict(shares_item_data)

                shares.append(shares_item)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        settlement_input = cls(
            source_reference=source_reference,
            currency=currency,
            amount=amount,
            observed_at=observed_at,
            remittance_id=remittance_id,
            allocations=allocations,
            shares=shares,
        )

        return settlement_input
