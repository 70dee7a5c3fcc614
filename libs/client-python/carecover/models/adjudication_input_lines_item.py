from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.adjudication_input_lines_item_amount import (
        AdjudicationInputLinesItemAmount,
    )


T = TypeVar("T", bound="AdjudicationInputLinesItem")


@_attrs_define
class AdjudicationInputLinesItem:
    """The adjudication of one line.

    Attributes:
        line_number (int): The number of the line in the claim.
        amount (AdjudicationInputLinesItemAmount): billed = allowed + adjustment, and allowed = payer +
            patient_responsibility.
        reason_codes (list[str]): The reasons for this line.
    """

    line_number: int
    amount: AdjudicationInputLinesItemAmount
    reason_codes: list[str]

    def to_dict(self) -> dict[str, Any]:
        line_number = self.line_number

        amount = self.amount.to_dict()

        reason_codes = self.reason_codes

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "line_number": line_number,
                "amount": amount,
                "reason_codes": reason_codes,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.adjudication_input_lines_item_amount import (
            AdjudicationInputLinesItemAmount,
        )

        d = dict(src_dict)
        line_number = d.pop("line_number")

        amount = AdjudicationInputLinesItemAmount.from_dict(d.pop("amount"))

        reason_codes = cast(list[str], d.pop("reason_codes"))

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        adjudication_input_lines_item = cls(
            line_number=line_number,
            amount=amount,
            reason_codes=reason_codes,
        )

        return adjudication_input_lines_item
