from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="AdjudicationInputLinesItemAmount")


@_attrs_define
class AdjudicationInputLinesItemAmount:
    """billed = allowed + adjustment, and allowed = payer + patient_responsibility.

    Attributes:
        billed (int): The claimed amount. In minor units.
        allowed (int): The part of the billed amount that the payer accepts. In minor units.
        payer (int): The part of the allowed amount that the payer pays. In minor units.
        patient_responsibility (int): The part of the allowed amount that the patient pays. In minor units.
        adjustment (int): The part of the billed amount that neither the payer nor the patient pays. In minor units.
    """

    billed: int
    allowed: int
    payer: int
    patient_responsibility: int
    adjustment: int

    def to_dict(self) -> dict[str, Any]:
        billed = self.billed

        allowed = self.allowed

        payer = self.payer

        patient_responsibility = self.patient_responsibility

        adjustment = self.adjustment

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "billed": billed,
                "allowed": allowed,
                "payer": payer,
                "patient_responsibility": patient_responsibility,
                "adjustment": adjustment,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        billed = d.pop("billed")

        allowed = d.pop("allowed")

        payer = d.pop("payer")

        patient_responsibility = d.pop("patient_responsibility")

        adjustment = d.pop("adjustment")

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        adjudication_input_lines_item_amount = cls(
            billed=billed,
            allowed=allowed,
            payer=payer,
            patient_responsibility=patient_responsibility,
            adjustment=adjustment,
        )

        return adjudication_input_lines_item_amount
