from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.valuation_run_summary_development_type_0_measures_item import (
    ValuationRunSummaryDevelopmentType0MeasuresItem,
)
from ..models.valuation_run_summary_development_type_0_origin import (
    ValuationRunSummaryDevelopmentType0Origin,
)
from ..models.valuation_run_summary_development_type_0_step import (
    ValuationRunSummaryDevelopmentType0Step,
)

T = TypeVar("T", bound="ValuationRunSummaryDevelopmentType0")


@_attrs_define
class ValuationRunSummaryDevelopmentType0:
    """The triangle of the request.

    Attributes:
        origin (ValuationRunSummaryDevelopmentType0Origin): The periods of the rows.
        step (ValuationRunSummaryDevelopmentType0Step): The distance of valuation dates.
        measures (list[ValuationRunSummaryDevelopmentType0MeasuresItem]): The measures.
    """

    origin: ValuationRunSummaryDevelopmentType0Origin
    step: ValuationRunSummaryDevelopmentType0Step
    measures: list[ValuationRunSummaryDevelopmentType0MeasuresItem]

    def to_dict(self) -> dict[str, Any]:
        origin = self.origin.value

        step = self.step.value

        measures = []
        for measures_item_data in self.measures:
            measures_item = measures_item_data.value
            measures.append(measures_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "origin": origin,
                "step": step,
                "measures": measures,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        origin = ValuationRunSummaryDevelopmentType0Origin(d.pop("origin"))

        step = ValuationRunSummaryDevelopmentType0Step(d.pop("step"))

        measures = []
        _measures = d.pop("measures")
        for measures_item_data in _measures:
            measures_item = ValuationRunSummaryDevelopmentType0MeasuresItem(
                measures_item_data
            )

            measures.append(measures_item)

        valuation_run_summary_development_type_0 = cls(
            origin=origin,
            step=step,
            measures=measures,
        )

        return valuation_run_summary_development_type_0
