from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.valuation_run_triangle_type_0_currencies_item_measures_item import (
        ValuationRunTriangleType0CurrenciesItemMeasuresItem,
    )


T = TypeVar("T", bound="ValuationRunTriangleType0CurrenciesItem")


@_attrs_define
class ValuationRunTriangleType0CurrenciesItem:
    """The triangle of one currency.

    Attributes:
        currency (str): ISO 4217 code of the currency.
        measures (list[ValuationRunTriangleType0CurrenciesItemMeasuresItem]): One item per requested measure, in the
            order of the request.
    """

    currency: str
    measures: list[ValuationRunTriangleType0CurrenciesItemMeasuresItem]

    def to_dict(self) -> dict[str, Any]:
        currency = self.currency

        measures = []
        for measures_item_data in self.measures:
            measures_item = measures_item_data.to_dict()
            measures.append(measures_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "currency": currency,
                "measures": measures,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.valuation_run_triangle_type_0_currencies_item_measures_item import (
            ValuationRunTriangleType0CurrenciesItemMeasuresItem,
        )

        d = dict(src_dict)
        currency = d.pop("currency")

        measures = []
        _measures = d.pop("measures")
        for measures_item_data in _measures:
            measures_item = (
                ValuationRunTriangleType0CurrenciesItemMeasuresItem.from_dict(
                    measures_item_data
                )
            )

            measures.append(measures_item)

        valuation_run_triangle_type_0_currencies_item = cls(
            currency=currency,
            measures=measures,
        )

        return valuation_run_triangle_type_0_currencies_item
