from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="SettlementInputSharesItem")


@_attrs_define
class SettlementInputSharesItem:
    """The part of the deposit for one advice.

    Attributes:
        payment_advice_id (str): The advice.
        amount (int): The part. In minor units.
    """

    payment_advice_id: str
    amount: int

    def to_dict(self) -> dict[str, Any]:
        payment_advice_id = self.payment_advice_id

        amount = self.amount

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "payment_advice_id": payment_advice_id,
                "amount": amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        payment_advice_id = d.pop("payment_advice_id")

        amount = d.pop("amount")

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        settlement_input_shares_item = cls(
            payment_advice_id=payment_advice_id,
            amount=amount,
        )

        return settlement_input_shares_item
