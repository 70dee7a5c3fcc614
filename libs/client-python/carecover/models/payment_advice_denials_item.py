from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="PaymentAdviceDenialsItem")


@_attrs_define
class PaymentAdviceDenialsItem:
    """A claim for which the payer pays nothing.

    Attributes:
        claim_id (str): The claim.
        reason_codes (list[str]): The payer's reasons.
    """

    claim_id: str
    reason_codes: list[str]

    def to_dict(self) -> dict[str, Any]:
        claim_id = self.claim_id

        reason_codes = self.reason_codes

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "claim_id": claim_id,
                "reason_codes": reason_codes,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        claim_id = d.pop("claim_id")

        reason_codes = cast(list[str], d.pop("reason_codes"))

        payment_advice_denials_item = cls(
            claim_id=claim_id,
            reason_codes=reason_codes,
        )

        return payment_advice_denials_item
