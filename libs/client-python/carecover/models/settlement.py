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
from ..models.settlement_status import SettlementStatus

if TYPE_CHECKING:
    from ..models.settlement_allocations_item import SettlementAllocationsItem
    from ..models.settlement_amount import SettlementAmount


T = TypeVar("T", bound="Settlement")


@_attrs_define
class Settlement:
    """Independent evidence that funds of a remittance moved.

    Attributes:
        id (str): The settlement's identifier.
        object_ (Literal['settlement']): Always `settlement`.
        remittance_id (str): The remittance.
        source_reference (str): The reference of the evidence, such as a bank statement entry; unique in the project.
        amount (SettlementAmount): The observed amount.
        allocations (list[SettlementAllocationsItem]): The allocations to claims; empty while the settlement is
            unmatched and its request had none.
        status (SettlementStatus): The status of a settlement.
        observed_at (datetime.datetime): When the funds moved. UTC, in milliseconds.
        recorded_at (datetime.datetime): When the service recorded the settlement. The fact of a claim is recorded
            afterwards: its `recorded_at` in the valuation is the first cutoff that includes it. UTC, in milliseconds.
    """

    id: str
    object_: Literal["settlement"]
    remittance_id: str
    source_reference: str
    amount: SettlementAmount
    allocations: list[SettlementAllocationsItem]
    status: SettlementStatus
    observed_at: datetime.datetime
    recorded_at: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        remittance_id = self.remittance_id

        source_reference = self.source_reference

        amount = self.amount.to_dict()

        allocations = []
        for allocations_item_data in self.allocations:
            allocations_item = allocations_item_data.to_dict()
            allocations.append(allocations_item)

        status = str(self.status)

        observed_at = to_instant(self.observed_at)

        recorded_at = to_instant(self.recorded_at)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "remittance_id": remittance_id,
                "source_reference": source_reference,
                "amount": amount,
                "allocations": allocations,
                "status": status,
                "observed_at": observed_at,
                "recorded_at": recorded_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.settlement_allocations_item import SettlementAllocationsItem
        from ..models.settlement_amount import SettlementAmount

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["settlement"], d.pop("object"))
        if object_ != "settlement":
            raise ValueError(f"object must match const 'settlement', got '{object_}'")

        remittance_id = d.pop("remittance_id")

        source_reference = d.pop("source_reference")

        amount = SettlementAmount.from_dict(d.pop("amount"))

        allocations = []
        _allocations = d.pop("allocations")
        for allocations_item_data in _allocations:
            allocations_item = SettlementAllocationsItem.from_dict(
                allocations_item_data
            )

            allocations.append(allocations_item)

        status = SettlementStatus(d.pop("status"))

        observed_at = datetime.datetime.fromisoformat(d.pop("observed_at"))

        recorded_at = datetime.datetime.fromisoformat(d.pop("recorded_at"))

        settlement = cls(
            id=id,
            object_=object_,
            remittance_id=remittance_id,
            source_reference=source_reference,
            amount=amount,
            allocations=allocations,
            status=status,
            observed_at=observed_at,
            recorded_at=recorded_at,
        )

        return settlement
