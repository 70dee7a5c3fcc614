from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="PaymentAdviceInputDenialsItem")


@_attrs_define
class PaymentAdviceInputDenialsItem:
    """A claim for which the payer pays nothing: a line of zero.

    Attributes:
        claim_id (str): The claim.
        reason_codes (list[str] | Unset): The payer's reasons. Absent: none.
    """

    claim_id: str
    reason_codes: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        claim_id = self.claim_id

        reason_codes: list[str] | Unset = UNSET
        if not isinstance(self.reason_codes, Unset):
            reason_codes = self.reason_codes

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "claim_id": claim_id,
            }
        )
        if reason_codes is not UNSET:
            field_dict["reason_codes"] = reason_codes

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        claim_id = d.pop("claim_id")

        reason_codes = cast(list[str], d.pop("reason_codes", UNSET))

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        payment_advice_input_denials_item = cls(
            claim_id=claim_id,
            reason_codes=reason_codes,
        )

        return payment_advice_input_denials_item
