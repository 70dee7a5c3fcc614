from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="AdjudicationAmount")


@_attrs_define
class AdjudicationAmount:
    """Exact sums over the lines, in one currency.

    Attributes:
        currency (str): ISO 4217 code of the currency.
        billed (int): The claimed amount. In minor units.
        payer (int): The amount that the payer pays. In minor units.
        patient_responsibility (int): The amount that the patient pays. In minor units.
        adjustment (int): The amount that neither the payer nor the patient pays. In minor units.
    """

    currency: str
    billed: int
    payer: int
    patient_responsibility: int
    adjustment: int

    def to_dict(self) -> dict[str, Any]:
        currency = self.currency

        billed = self.billed

        payer = self.payer

        patient_responsibility = self.patient_responsibility

        adjustment = self.adjustment

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "currency": currency,
                "billed": billed,
                "payer": payer,
                "patient_responsibility": patient_responsibility,
                "adjustment": adjustment,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        currency = d.pop("currency")

        billed = d.pop("billed")

        payer = d.pop("payer")

        patient_responsibility = d.pop("patient_responsibility")

        adjustment = d.pop("adjustment")

        adjudication_amount = cls(
            currency=currency,
            billed=billed,
            payer=payer,
            patient_responsibility=patient_responsibility,
            adjustment=adjustment,
        )

        return adjudication_amount
