from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.payment_adjustment_kind import PaymentAdjustmentKind
from ..types import UNSET, Unset

T = TypeVar("T", bound="PaymentAdviceInputAdjustmentsItem")


@_attrs_define
class PaymentAdviceInputAdjustmentsItem:
    """An amount that belongs to no claim.

    Attributes:
        kind (PaymentAdjustmentKind): What an amount of a payment advice that belongs to no claim is.
        amount (int): The amount: above zero in favour of the provider, below zero of the payer. In minor units.
        reason_codes (list[str] | Unset): The payer's reasons. Absent: none.
    """

    kind: PaymentAdjustmentKind
    amount: int
    reason_codes: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        kind = str(self.kind)

        amount = self.amount

        reason_codes: list[str] | Unset = UNSET
        if not isinstance(self.reason_codes, Unset):
            reason_codes = self.reason_codes

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "amount": amount,
            }
        )
        if reason_codes is not UNSET:
            field_dict["reason_codes"] = reason_codes

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        kind = PaymentAdjustmentKind(d.pop("kind"))

        amount = d.pop("amount")

        reason_codes = cast(list[str], d.pop("reason_codes", UNSET))

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        payment_advice_input_adjustments_item = cls(
            kind=kind,
            amount=amount,
            reason_codes=reason_codes,
        )

        return payment_advice_input_adjustments_item
