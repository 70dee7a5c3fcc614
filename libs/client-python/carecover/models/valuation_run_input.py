from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant
from ..models.valuation_dimension import ValuationDimension
from ..models.valuation_run_kind import ValuationRunKind
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.valuation_run_input_development import ValuationRunInputDevelopment


T = TypeVar("T", bound="ValuationRunInput")


@_attrs_define
class ValuationRunInput:
    """The valuation of all claims of the project at two instants: when facts were recorded, and when they took effect.

    Attributes:
        valuation_at (datetime.datetime): Only facts that were recorded by this instant count (knowledge time). At most
            5 seconds in the future. RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.
        kind (ValuationRunKind): The kind of the result of a valuation run.
        effective_through (datetime.datetime | Unset): Only facts that took effect by this instant count (business
            time); not after valuation_at. Absent: valuation_at. RFC 3339 with an offset, without a leap second (:60);
            floored to milliseconds.
        group_by (list[ValuationDimension] | Unset): The dimensions by which totals are grouped, in addition to the
            currency. Absent or empty: only the currency. Only for totals.
        development (ValuationRunInputDevelopment | Unset): The triangle. Required for the kind development, otherwise
            absent.
    """

    valuation_at: datetime.datetime
    kind: ValuationRunKind
    effective_through: datetime.datetime | Unset = UNSET
    group_by: list[ValuationDimension] | Unset = UNSET
    development: ValuationRunInputDevelopment | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        valuation_at = to_instant(self.valuation_at)

        kind = str(self.kind)

        effective_through: str | Unset = UNSET
        if not isinstance(self.effective_through, Unset):
            effective_through = to_instant(self.effective_through)

        group_by: list[str] | Unset = UNSET
        if not isinstance(self.group_by, Unset):
            group_by = []
            for group_by_item_data in self.group_by:
                group_by_item = str(group_by_item_data)
                group_by.append(group_by_item)

        development: dict[str, Any] | Unset = UNSET
        if not isinstance(self.development, Unset):
            development = self.development.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "valuation_at": valuation_at,
                "kind": kind,
            }
        )
        if effective_through is not UNSET:
            field_dict["effective_through"] = effective_through
        if group_by is not UNSET:
            field_dict["group_by"] = group_by
        if development is not UNSET:
            field_dict["development"] = development

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.valuation_run_input_development import (
            ValuationRunInputDevelopment,
        )

        d = dict(src_dict)
        valuation_at = datetime.datetime.fromisoformat(d.pop("valuation_at"))

        kind = ValuationRunKind(d.pop("kind"))

        _effective_through = d.pop("effective_through", UNSET)
        effective_through: datetime.datetime | Unset
        if isinstance(_effective_through, Unset):
            effective_through = UNSET
        else:
            effective_through = datetime.datetime.fromisoformat(_effective_through)

        _group_by = d.pop("group_by", UNSET)
        group_by: list[ValuationDimension] | Unset = UNSET
        if _group_by is not UNSET:
            group_by = []
            for group_by_item_data in _group_by:
                group_by_item = ValuationDimension(group_by_item_data)

                group_by.append(group_by_item)

        _development = d.pop("development", UNSET)
        development: ValuationRunInputDevelopment | Unset
        if isinstance(_development, Unset):
            development = UNSET
        else:
            development = ValuationRunInputDevelopment.from_dict(_development)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        valuation_run_input = cls(
            valuation_at=valuation_at,
            kind=kind,
            effective_through=effective_through,
            group_by=group_by,
            development=development,
        )

        return valuation_run_input
