from __future__ import annotations

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

from ..models.bulk_job_kind import BulkJobKind
from ..models.bulk_job_status import BulkJobStatus

if TYPE_CHECKING:
    from ..models.bulk_job_event_data_counts import BulkJobEventDataCounts


T = TypeVar("T", bound="BulkJobEventData")


@_attrs_define
class BulkJobEventData:
    """A bulk job at the time of the event.

    Attributes:
        id (str): The job.
        object_ (Literal['bulk_job']): Always `bulk_job`.
        kind (BulkJobKind): What each line of the file of a bulk job is.
        status (BulkJobStatus): The status of a bulk job.
        counts (BulkJobEventDataCounts): Numbers of lines. The last four add up to the first.
    """

    id: str
    object_: Literal["bulk_job"]
    kind: BulkJobKind
    status: BulkJobStatus
    counts: BulkJobEventDataCounts

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        kind = str(self.kind)

        status = str(self.status)

        counts = self.counts.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "kind": kind,
                "status": status,
                "counts": counts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.bulk_job_event_data_counts import BulkJobEventDataCounts

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["bulk_job"], d.pop("object"))
        if object_ != "bulk_job":
            raise ValueError(f"object must match const 'bulk_job', got '{object_}'")

        kind = BulkJobKind(d.pop("kind"))

        status = BulkJobStatus(d.pop("status"))

        counts = BulkJobEventDataCounts.from_dict(d.pop("counts"))

        bulk_job_event_data = cls(
            id=id,
            object_=object_,
            kind=kind,
            status=status,
            counts=counts,
        )

        return bulk_job_event_data
