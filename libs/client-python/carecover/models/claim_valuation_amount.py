from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="ClaimValuationAmount")


@_attrs_define
class ClaimValuationAmount:
    """Amounts known at the cutoff.

    Attributes:
        billed (int): The claimed amount. In minor units.
        payer_liability (int | None): The amount that the payer pays; null while there is no adjudication. In minor
            units.
        patient_responsibility (int | None): The amount that the patient pays; null while there is no adjudication. In
            minor units.
        adjustment (int | None): The amount that neither pays; null while there is no adjudication. In minor units.
        remitted (int): The total of remittances less recoveries; 0 before the first. In minor units.
        settled (int): The total of observed settlements; 0 before the first. In minor units.
        outstanding (int | None): payer_liability minus settled; null while there is no adjudication. 0 if, by
            effective_through, more was settled than the adjudication in effect grants. In minor units.
    """

    billed: int
    payer_liability: int | None
    patient_responsibility: int | None
    adjustment: int | None
    remitted: int
    settled: int
    outstanding: int | None

    def to_dict(self) -> dict[str, Any]:
        billed = self.billed

        payer_liability: int | None
        payer_liability = self.payer_liability

        patient_responsibility: int | None
        patient_responsibility = self.patient_responsibility

        adjustment: int | None
        adjustment = self.adjustment

        remitted = self.remitted

        settled = self.settled

        outstanding: int | None
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

        def _parse_payer_liability(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        payer_liability = _parse_payer_liability(d.pop("payer_liability"))

        def _parse_patient_responsibility(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        patient_responsibility = _parse_patient_responsibility(
            d.pop("patient_responsibility")
        )

        def _parse_adjustment(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        adjustment = _parse_adjustment(d.pop("adjustment"))

        remitted = d.pop("remitted")

        settled = d.pop("settled")

        def _parse_outstanding(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        outstanding = _parse_outstanding(d.pop("outstanding"))

        claim_valuation_amount = cls(
            billed=billed,
            payer_liability=payer_liability,
            patient_responsibility=patient_responsibility,
            adjustment=adjustment,
            remitted=remitted,
            settled=settled,
            outstanding=outstanding,
        )

        return claim_valuation_amount
