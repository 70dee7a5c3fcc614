from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="SettlementInputAllocationsItem")


@_attrs_define
class SettlementInputAllocationsItem:
    """The part of the settlement for one claim.

    Attributes:
        claim_id (str): The claim.
        amount (int): The settled amount of the claim. In minor units.
    """

    claim_id: str
    amount: int

    def to_dict(self) -> dict[str, Any]:
        claim_id = self.claim_id

        amount = self.amount

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "claim_id": claim_id,
                "amount": amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        claim_id = d.pop("claim_id")

        amount = d.pop("amount")

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        settlement_input_allocations_item = cls(
            claim_id=claim_id,
            amount=amount,
        )

        return settlement_input_allocations_item
