from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.development_measure import DevelopmentMeasure

T = TypeVar("T", bound="ValuationRunTriangleType0CurrenciesItemMeasuresItem")


@_attrs_define
class ValuationRunTriangleType0CurrenciesItemMeasuresItem:
    """The triangle of one measure.

    Attributes:
        measure (DevelopmentMeasure): A sum in a development triangle.
        rows (list[list[int | None]]): One row per origin.
    """

    measure: DevelopmentMeasure
    rows: list[list[int | None]]

    def to_dict(self) -> dict[str, Any]:
        measure = str(self.measure)

        rows = []
        for rows_item_data in self.rows:
            rows_item = []
            for rows_item_item_data in rows_item_data:
                rows_item_item: int | None
                rows_item_item = rows_item_item_data
                rows_item.append(rows_item_item)

            rows.append(rows_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "measure": measure,
                "rows": rows,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        measure = DevelopmentMeasure(d.pop("measure"))

        rows = []
        _rows = d.pop("rows")
        for rows_item_data in _rows:
            rows_item = []
            _rows_item = rows_item_data
            for rows_item_item_data in _rows_item:

                def _parse_rows_item_item(data: object) -> int | None:
                    if data is None:
                        return data
                    return cast(int | None, data)

                rows_item_item = _parse_rows_item_item(rows_item_item_data)

                rows_item.append(rows_item_item)

            rows.append(rows_item)

        valuation_run_triangle_type_0_currencies_item_measures_item = cls(
            measure=measure,
            rows=rows,
        )

        return valuation_run_triangle_type_0_currencies_item_measures_item
