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
from ..models.bulk_job_kind import BulkJobKind
from ..models.bulk_job_on_error import BulkJobOnError
from ..models.bulk_job_status import BulkJobStatus

if TYPE_CHECKING:
    from ..models.bulk_job_counts import BulkJobCounts


T = TypeVar("T", bound="BulkJob")


@_attrs_define
class BulkJob:
    """A file whose lines are executed, each as one operation.

    Attributes:
        id (str): The job's identifier.
        object_ (Literal['bulk_job']): Always `bulk_job`.
        kind (BulkJobKind): What each line of the file of a bulk job is.
        status (BulkJobStatus): The status of a bulk job.
        on_error (BulkJobOnError): What a bulk job does after a rejected line.
        dry_run (bool): Whether the job writes nothing.
        counts (BulkJobCounts): Numbers of lines. The last four add up to the first.
        created_at (datetime.datetime): When the upload started. UTC, in milliseconds.
        completed_at (datetime.datetime | None): When the job ended; null before. UTC, in milliseconds.
        results_deleted_at (datetime.datetime | None): When the results of the lines were deleted, after their
            retention; null before. UTC, in milliseconds.
    """

    id: str
    object_: Literal["bulk_job"]
    kind: BulkJobKind
    status: BulkJobStatus
    on_error: BulkJobOnError
    dry_run: bool
    counts: BulkJobCounts
    created_at: datetime.datetime
    completed_at: datetime.datetime | None
    results_deleted_at: datetime.datetime | None

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        kind = str(self.kind)

        status = str(self.status)

        on_error = str(self.on_error)

        dry_run = self.dry_run

        counts = self.counts.to_dict()

        created_at = to_instant(self.created_at)

        completed_at: None | str
        if isinstance(self.completed_at, datetime.datetime):
            completed_at = to_instant(self.completed_at)
        else:
            completed_at = self.completed_at

        results_deleted_at: None | str
        if isinstance(self.results_deleted_at, datetime.datetime):
            results_deleted_at = to_instant(self.results_deleted_at)
        else:
            results_deleted_at = self.results_deleted_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "kind": kind,
                "status": status,
                "on_error": on_error,
                "dry_run": dry_run,
                "counts": counts,
                "created_at": created_at,
                "completed_at": completed_at,
                "results_deleted_at": results_deleted_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.bulk_job_counts import BulkJobCounts

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["bulk_job"], d.pop("object"))
        if object_ != "bulk_job":
            raise ValueError(f"object must match const 'bulk_job', got '{object_}'")

        kind = BulkJobKind(d.pop("kind"))

        status = BulkJobStatus(d.pop("status"))

        on_error = BulkJobOnError(d.pop("on_error"))

        dry_run = d.pop("dry_run")

        counts = BulkJobCounts.from_dict(d.pop("counts"))

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

        def _parse_results_deleted_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                results_deleted_at_type_0 = datetime.datetime.fromisoformat(data)

                return results_deleted_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        results_deleted_at = _parse_results_deleted_at(d.pop("results_deleted_at"))

        bulk_job = cls(
            id=id,
            object_=object_,
            kind=kind,
            status=status,
            on_error=on_error,
            dry_run=dry_run,
            counts=counts,
            created_at=created_at,
            completed_at=completed_at,
            results_deleted_at=results_deleted_at,
        )

        return bulk_job
