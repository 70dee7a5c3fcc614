from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

from ..caller_input import to_instant
from ..models.valuation_dimension import ValuationDimension
from ..models.valuation_run_kind import ValuationRunKind
from ..models.valuation_run_status import ValuationRunStatus

if TYPE_CHECKING:
    from ..models.valuation_run_development_type_0 import ValuationRunDevelopmentType0
    from ..models.valuation_run_groups_item import ValuationRunGroupsItem
    from ..models.valuation_run_totals_item import ValuationRunTotalsItem
    from ..models.valuation_run_triangle_type_0 import ValuationRunTriangleType0


T = TypeVar("T", bound="ValuationRun")


@_attrs_define
class ValuationRun:
    """Sums over the valuations of all claims of the project at two instants. The result never changes.

    Attributes:
        id (str): The identifier.
        object_ (Literal['valuation_run']): Always `valuation_run`.
        status (ValuationRunStatus): The status of a valuation run.
        progress (int): How much of the work is done, in percent.
        valuation_at (datetime.datetime): The instant by which facts were recorded, inclusive. UTC, in milliseconds.
        effective_through (datetime.datetime): The instant by which facts took effect, inclusive. UTC, in milliseconds.
        kind (ValuationRunKind): The kind of the result of a valuation run.
        group_by (list[ValuationDimension]): The dimensions of the request.
        development (None | ValuationRunDevelopmentType0): The triangle of the request; null for totals.
        failure (None | str): Why the run failed; null if it has not.
        claims_counted (int | None): The number of claims at the cutoffs; null until the run is ready.
        totals (list[ValuationRunTotalsItem]): Sums over all claims, one item per currency in alphabetical order; empty
            until the run is ready.
        result_sha256 (None | str): SHA-256 of the canonical JSON (RFC 8785) of {groups, totals, triangle}, in which
            payers have internal identifiers, so that the erasure of a reference does not change it. Equal requests have
            equal values. Null until the run is ready.
        created_at (datetime.datetime): When the run was requested. UTC, in milliseconds.
        completed_at (datetime.datetime | None): When the run became ready or failed; null while it is pending. UTC, in
            milliseconds.
        groups (list[ValuationRunGroupsItem]): The groups with a claim, in the same order for equal requests; at most
            5000, otherwise the run fails. Empty for a triangle and until the run is ready.
        triangle (None | ValuationRunTriangleType0): The triangle; null for totals and until the run is ready.
    """

    id: str
    object_: Literal["valuation_run"]
    status: ValuationRunStatus
    progress: int
    valuation_at: datetime.datetime
    effective_through: datetime.datetime
    kind: ValuationRunKind
    group_by: list[ValuationDimension]
    development: None | ValuationRunDevelopmentType0
    failure: None | str
    claims_counted: int | None
    totals: list[ValuationRunTotalsItem]
    result_sha256: None | str
    created_at: datetime.datetime
    completed_at: datetime.datetime | None
    groups: list[ValuationRunGroupsItem]
    triangle: None | ValuationRunTriangleType0

    def to_dict(self) -> dict[str, Any]:
        from ..models.valuation_run_development_type_0 import (
            ValuationRunDevelopmentType0,
        )
        from ..models.valuation_run_triangle_type_0 import ValuationRunTriangleType0

        id = self.id

        object_ = self.object_

        status = str(self.status)

        progress = self.progress

        valuation_at = to_instant(self.valuation_at)

        effective_through = to_instant(self.effective_through)

        kind = str(self.kind)

        group_by = []
        for group_by_item_data in self.group_by:
            group_by_item = str(group_by_item_data)
            group_by.append(group_by_item)

        development: dict[str, Any] | None
        if isinstance(self.development, ValuationRunDevelopmentType0):
            development = self.development.to_dict()
        else:
            development = self.development

        failure: None | str
        failure = self.failure

        claims_counted: int | None
        claims_counted = self.claims_counted

        totals = []
        for totals_item_data in self.totals:
            totals_item = totals_item_data.to_dict()
            totals.append(totals_item)

        result_sha256: None | str
        result_sha256 = self.result_sha256

        created_at = to_instant(self.created_at)

        completed_at: None | str
        if isinstance(self.completed_at, datetime.datetime):
            completed_at = to_instant(self.completed_at)
        else:
            completed_at = self.completed_at

        groups = []
        for groups_item_data in self.groups:
            groups_item = groups_item_data.to_dict()
            groups.append(groups_item)

        triangle: dict[str, Any] | None
        if isinstance(self.triangle, ValuationRunTriangleType0):
            triangle = self.triangle.to_dict()
        else:
            triangle = self.triangle

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "status": status,
                "progress": progress,
                "valuation_at": valuation_at,
                "effective_through": effective_through,
                "kind": kind,
                "group_by": group_by,
                "development": development,
                "failure": failure,
                "claims_counted": claims_counted,
                "totals": totals,
                "result_sha256": result_sha256,
                "created_at": created_at,
                "completed_at": completed_at,
                "groups": groups,
                "triangle": triangle,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.valuation_run_development_type_0 import (
            ValuationRunDevelopmentType0,
        )
        from ..models.valuation_run_groups_item import ValuationRunGroupsItem
        from ..models.valuation_run_totals_item import ValuationRunTotalsItem
        from ..models.valuation_run_triangle_type_0 import ValuationRunTriangleType0

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["valuation_run"], d.pop("object"))
        if object_ != "valuation_run":
            raise ValueError(
                f"object must match const 'valuation_run', got '{object_}'"
            )

        status = ValuationRunStatus(d.pop("status"))

        progress = d.pop("progress")

        valuation_at = datetime.datetime.fromisoformat(d.pop("valuation_at"))

        effective_through = datetime.datetime.fromisoformat(d.pop("effective_through"))

        kind = ValuationRunKind(d.pop("kind"))

        group_by = []
        _group_by = d.pop("group_by")
        for group_by_item_data in _group_by:
            group_by_item = ValuationDimension(group_by_item_data)

            group_by.append(group_by_item)

        def _parse_development(data: object) -> None | ValuationRunDevelopmentType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                development_type_0 = ValuationRunDevelopmentType0.from_dict(data)

                return development_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ValuationRunDevelopmentType0, data)

        development = _parse_development(d.pop("development"))

        def _parse_failure(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        failure = _parse_failure(d.pop("failure"))

        def _parse_claims_counted(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        claims_counted = _parse_claims_counted(d.pop("claims_counted"))

        totals = []
        _totals = d.pop("totals")
        for totals_item_data in _totals:
            totals_item = ValuationRunTotalsItem.from_dict(totals_item_data)

            totals.append(totals_item)

        def _parse_result_sha256(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        result_sha256 = _parse_result_sha256(d.pop("result_sha256"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_completed_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                completed_at_type_0 = datetime.datetime.fromisoformat(data)

                return completed_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        completed_at = _parse_completed_at(d.pop("completed_at"))

        groups = []
        _groups = d.pop("groups")
        for groups_item_data in _groups:
            groups_item = ValuationRunGroupsItem.from_dict(groups_item_data)

            groups.append(groups_item)

        def _parse_triangle(data: object) -> None | ValuationRunTriangleType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                triangle_type_0 = ValuationRunTriangleType0.from_dict(data)

                return triangle_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ValuationRunTriangleType0, data)

        triangle = _parse_triangle(d.pop("triangle"))

        valuation_run = cls(
            id=id,
            object_=object_,
            status=status,
            progress=progress,
            valuation_at=valuation_at,
            effective_through=effective_through,
            kind=kind,
            group_by=group_by,
            development=development,
            failure=failure,
            claims_counted=claims_counted,
            totals=totals,
            result_sha256=result_sha256,
            created_at=created_at,
            completed_at=completed_at,
            groups=groups,
            triangle=triangle,
        )

        return valuation_run
