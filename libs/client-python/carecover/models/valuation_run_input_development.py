from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.valuation_run_input_development_measures_item import (
    ValuationRunInputDevelopmentMeasuresItem,
)
from ..models.valuation_run_input_development_origin import (
    ValuationRunInputDevelopmentOrigin,
)
from ..models.valuation_run_input_development_step import (
    ValuationRunInputDevelopmentStep,
)

T = TypeVar("T", bound="ValuationRunInputDevelopment")


@_attrs_define
class ValuationRunInputDevelopment:
    """The triangle. Required for the kind development, otherwise absent.

    Attributes:
        origin (ValuationRunInputDevelopmentOrigin): The periods of the triangle's rows: a claim belongs to the period
            in which its service starts, in UTC.
        step (ValuationRunInputDevelopmentStep): The distance of valuation dates, not longer than the period of origin.
        measures (list[ValuationRunInputDevelopmentMeasuresItem]): The sums in the triangle.
    """

    origin: ValuationRunInputDevelopmentOrigin
    step: ValuationRunInputDevelopmentStep
    measures: list[ValuationRunInputDevelopmentMeasuresItem]

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
        origin = ValuationRunInputDevelopmentOrigin(d.pop("origin"))

        step = ValuationRunInputDevelopmentStep(d.pop("step"))

        measures = []
        _measures = d.pop("measures")
        for measures_item_data in _measures:
            measures_item = ValuationRunInputDevelopmentMeasuresItem(measures_item_data)

            measures.append(measures_item)

        valuation_run_input_development = cls(
            origin=origin,
            step=step,
            measures=measures,
        )

        return valuation_run_input_development
