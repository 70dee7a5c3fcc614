from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.development_measure import DevelopmentMeasure
from ..models.development_origin import DevelopmentOrigin
from ..models.development_step import DevelopmentStep

T = TypeVar("T", bound="ValuationRunInputDevelopment")


@_attrs_define
class ValuationRunInputDevelopment:
    """The triangle. Required for the kind development, otherwise absent.

    Attributes:
        origin (DevelopmentOrigin): The periods of the rows of a development triangle.
        step (DevelopmentStep): The distance of the valuation dates of a development triangle.
        measures (list[DevelopmentMeasure]): The sums in the triangle.
    """

    origin: DevelopmentOrigin
    step: DevelopmentStep
    measures: list[DevelopmentMeasure]

    def to_dict(self) -> dict[str, Any]:
        origin = str(self.origin)

        step = str(self.step)

        measures = []
        for measures_item_data in self.measures:
            measures_item = str(measures_item_data)
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
        origin = DevelopmentOrigin(d.pop("origin"))

        step = DevelopmentStep(d.pop("step"))

        measures = []
        _measures = d.pop("measures")
        for measures_item_data in _measures:
            measures_item = DevelopmentMeasure(measures_item_data)

            measures.append(measures_item)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        valuation_run_input_development = cls(
            origin=origin,
            step=step,
            measures=measures,
        )

        return valuation_run_input_development
