from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="PaymentAdviceAllocationsItem")


@_attrs_define
class PaymentAdviceAllocationsItem:
    """The amount that the payer pays for one claim.

    Attributes:
        claim_id (str): The claim.
        paid_amount (int): The amount paid for the claim. In minor units.
        reason_codes (list[str]): The payer's reasons.
    """

    claim_id: str
    paid_amount: int
    reason_codes: list[str]

    def to_dict(self) -> dict[str, Any]:
        claim_id = self.claim_id

        paid_amount = self.paid_amount

        reason_codes = self.reason_codes

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "claim_id": claim_id,
                "paid_amount": paid_amount,
                "reason_codes": reason_codes,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        claim_id = d.pop("claim_id")

        paid_amount = d.pop("paid_amount")

        reason_codes = cast(list[str], d.pop("reason_codes"))

        payment_advice_allocations_item = cls(
            claim_id=claim_id,
            paid_amount=paid_amount,
            reason_codes=reason_codes,
        )

        return payment_advice_allocations_item
