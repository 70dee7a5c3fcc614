from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.valuation_run_summary_totals_item_amount import (
        ValuationRunSummaryTotalsItemAmount,
    )


T = TypeVar("T", bound="ValuationRunSummaryTotalsItem")


@_attrs_define
class ValuationRunSummaryTotalsItem:
    """The claims in one currency.

    Attributes:
        currency (str): ISO 4217 code of the currency.
        claim_count (int): The number of claims.
        amount (ValuationRunSummaryTotalsItemAmount): Sums of the amounts of the claims' valuations. A claim without an
            adjudication adds 0.
    """

    currency: str
    claim_count: int
    amount: ValuationRunSummaryTotalsItemAmount

    def to_dict(self) -> dict[str, Any]:
        currency = self.currency

        claim_count = self.claim_count

        amount = self.amount.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "currency": currency,
                "claim_count": claim_count,
                "amount": amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.valuation_run_summary_totals_item_amount import (
            ValuationRunSummaryTotalsItemAmount,
        )

        d = dict(src_dict)
        currency = d.pop("currency")

        claim_count = d.pop("claim_count")

        amount = ValuationRunSummaryTotalsItemAmount.from_dict(d.pop("amount"))

        valuation_run_summary_totals_item = cls(
            currency=currency,
            claim_count=claim_count,
            amount=amount,
        )

        return valuation_run_summary_totals_item
