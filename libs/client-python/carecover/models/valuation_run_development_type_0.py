from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.valuation_run_development_type_0_measures_item import (
    ValuationRunDevelopmentType0MeasuresItem,
)
from ..models.valuation_run_development_type_0_origin import (
    ValuationRunDevelopmentType0Origin,
)
from ..models.valuation_run_development_type_0_step import (
    ValuationRunDevelopmentType0Step,
)

T = TypeVar("T", bound="ValuationRunDevelopmentType0")


@_attrs_define
class ValuationRunDevelopmentType0:
    """The triangle of the request.

    Attributes:
        origin (ValuationRunDevelopmentType0Origin): The periods of the rows.
        step (ValuationRunDevelopmentType0Step): The distance of valuation dates.
        measures (list[ValuationRunDevelopmentType0MeasuresItem]): The measures.
    """

    origin: ValuationRunDevelopmentType0Origin
    step: ValuationRunDevelopmentType0Step
    measures: list[ValuationRunDevelopmentType0MeasuresItem]

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
        origin = ValuationRunDevelopmentType0Origin(d.pop("origin"))

        step = ValuationRunDevelopmentType0Step(d.pop("step"))

        measures = []
        _measures = d.pop("measures")
        for measures_item_data in _measures:
            measures_item = ValuationRunDevelopmentType0MeasuresItem(measures_item_data)

            measures.append(measures_item)

        valuation_run_development_type_0 = cls(
            origin=origin,
            step=step,
            measures=measures,
        )

        return valuation_run_development_type_0
