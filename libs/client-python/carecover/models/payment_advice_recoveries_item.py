from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="PaymentAdviceRecoveriesItem")


@_attrs_define
class PaymentAdviceRecoveriesItem:
    """An amount that the payer takes back for one claim.

    Attributes:
        id (str): The recovery's identifier.
        claim_id (str): The claim.
        amount (int): The amount taken back. In minor units.
        reason_codes (list[str]): The payer's reasons.
    """

    id: str
    claim_id: str
    amount: int
    reason_codes: list[str]

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        claim_id = self.claim_id

        amount = self.amount

        reason_codes = self.reason_codes

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "claim_id": claim_id,
                "amount": amount,
                "reason_codes": reason_codes,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        claim_id = d.pop("claim_id")

        amount = d.pop("amount")

        reason_codes = cast(list[str], d.pop("reason_codes"))

        payment_advice_recoveries_item = cls(
            id=id,
            claim_id=claim_id,
            amount=amount,
            reason_codes=reason_codes,
        )

        return payment_advice_recoveries_item
