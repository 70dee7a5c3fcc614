from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.valuation_run_triangle_type_0_currencies_item import (
        ValuationRunTriangleType0CurrenciesItem,
    )


T = TypeVar("T", bound="ValuationRunTriangleType0")


@_attrs_define
class ValuationRunTriangleType0:
    """A development triangle. All numbers are cumulative.

    Attributes:
        origins (list[str]): The periods in which services start, from the first to the last with a claim: the
            triangle's rows.
        valuation_dates (list[str]): The days through whose end facts count, ascending: the triangle's columns. The last
            one is the day of valuation_at, through valuation_at.
        currencies (list[ValuationRunTriangleType0CurrenciesItem]): One item per currency with a claim, in alphabetical
            order.
    """

    origins: list[str]
    valuation_dates: list[str]
    currencies: list[ValuationRunTriangleType0CurrenciesItem]

    def to_dict(self) -> dict[str, Any]:
        origins = self.origins

        valuation_dates = self.valuation_dates

        currencies = []
        for currencies_item_data in self.currencies:
            currencies_item = currencies_item_data.to_dict()
            currencies.append(currencies_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "origins": origins,
                "valuation_dates": valuation_dates,
                "currencies": currencies,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.valuation_run_triangle_type_0_currencies_item import (
            ValuationRunTriangleType0CurrenciesItem,
        )

        d = dict(src_dict)
        origins = cast(list[str], d.pop("origins"))

        valuation_dates = cast(list[str], d.pop("valuation_dates"))

        currencies = []
        _currencies = d.pop("currencies")
        for currencies_item_data in _currencies:
            currencies_item = ValuationRunTriangleType0CurrenciesItem.from_dict(
                currencies_item_data
            )

            currencies.append(currencies_item)

        valuation_run_triangle_type_0 = cls(
            origins=origins,
            valuation_dates=valuation_dates,
            currencies=currencies,
        )

        return valuation_run_triangle_type_0
