from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ValuationRunSummaryTotalsItemAmount")


@_attrs_define
class ValuationRunSummaryTotalsItemAmount:
    """Sums of the amounts of the claims' valuations. A claim without an adjudication adds 0.

    Attributes:
        billed (int): The sum of the claimed amounts. In minor units.
        payer_liability (int): The sum of the amounts that payers pay. In minor units.
        patient_responsibility (int): The sum of the amounts that patients pay. In minor units.
        adjustment (int): The sum of the amounts that neither pays. In minor units.
        remitted (int): The sum of remittances. In minor units.
        settled (int): The sum of observed settlements. In minor units.
        outstanding (int): The sum of the outstanding amounts. In minor units.
    """

    billed: int
    payer_liability: int
    patient_responsibility: int
    adjustment: int
    remitted: int
    settled: int
    outstanding: int

    def to_dict(self) -> dict[str, Any]:
        billed = self.billed

        payer_liability = self.payer_liability

        patient_responsibility = self.patient_responsibility

        adjustment = self.adjustment

        remitted = self.remitted

        settled = self.settled

        outstanding = self.outstanding

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "billed": billed,
                "payer_liability": payer_liability,
                "patient_responsibility": patient_responsibility,
                "adjustment": adjustment,
                "remitted": remitted,
                "settled": settled,
                "outstanding": outstanding,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        billed = d.pop("billed")

        payer_liability = d.pop("payer_liability")

        patient_responsibility = d.pop("patient_responsibility")

        adjustment = d.pop("adjustment")

        remitted = d.pop("remitted")

        settled = d.pop("settled")

        outstanding = d.pop("outstanding")

        valuation_run_summary_totals_item_amount = cls(
            billed=billed,
            payer_liability=payer_liability,
            patient_responsibility=patient_responsibility,
            adjustment=adjustment,
            remitted=remitted,
            settled=settled,
            outstanding=outstanding,
        )

        return valuation_run_summary_totals_item_amount
