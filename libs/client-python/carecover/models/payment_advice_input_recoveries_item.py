from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="PaymentAdviceInputRecoveriesItem")


@_attrs_define
class PaymentAdviceInputRecoveriesItem:
    """An amount that the payer takes back for one claim.

    Attributes:
        claim_id (str): The claim.
        amount (int): The amount, at most what earlier advices remitted for the claim and none took back. In minor
            units.
        reason_codes (list[str] | Unset): The payer's reasons. Absent: none.
    """

    claim_id: str
    amount: int
    reason_codes: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        claim_id = self.claim_id

        amount = self.amount

        reason_codes: list[str] | Unset = UNSET
        if not isinstance(self.reason_codes, Unset):
            reason_codes = self.reason_codes

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "claim_id": claim_id,
                "amount": amount,
            }
        )
        if reason_codes is not UNSET:
            field_dict["reason_codes"] = reason_codes

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        claim_id = d.pop("claim_id")

        amount = d.pop("amount")

        reason_codes = cast(list[str], d.pop("reason_codes", UNSET))

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        payment_advice_input_recoveries_item = cls(
            claim_id=claim_id,
            amount=amount,
            reason_codes=reason_codes,
        )

        return payment_advice_input_recoveries_item
