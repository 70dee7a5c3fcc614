from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="SettlementSharesItem")


@_attrs_define
class SettlementSharesItem:
    """The settlement of one share.

    Attributes:
        settlement_id (str): The settlement.
        payment_advice_id (str): The advice.
        amount (int): The part of the deposit. In minor units.
    """

    settlement_id: str
    payment_advice_id: str
    amount: int

    def to_dict(self) -> dict[str, Any]:
        settlement_id = self.settlement_id

        payment_advice_id = self.payment_advice_id

        amount = self.amount

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "settlement_id": settlement_id,
                "payment_advice_id": payment_advice_id,
                "amount": amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        settlement_id = d.pop("settlement_id")

        payment_advice_id = d.pop("payment_advice_id")

        amount = d.pop("amount")

        settlement_shares_item = cls(
            settlement_id=settlement_id,
            payment_advice_id=payment_advice_id,
            amount=amount,
        )

        return settlement_shares_item
