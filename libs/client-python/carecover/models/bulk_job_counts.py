from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="BulkJobCounts")


@_attrs_define
class BulkJobCounts:
    """Numbers of lines. The last four add up to the first.

    Attributes:
        total (int): The lines of the file.
        succeeded (int): The lines that were executed; in a dry run, that would be.
        replayed (int): The lines that repeat an earlier line of the file, and so had no second effect.
        rejected (int): The lines that were rejected.
        waiting (int): The lines that are not executed. Those of a job that has ended never will be.
    """

    total: int
    succeeded: int
    replayed: int
    rejected: int
    waiting: int

    def to_dict(self) -> dict[str, Any]:
        total = self.total

        succeeded = self.succeeded

        replayed = self.replayed

        rejected = self.rejected

        waiting = self.waiting

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "total": total,
                "succeeded": succeeded,
                "replayed": replayed,
                "rejected": rejected,
                "waiting": waiting,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        total = d.pop("total")

        succeeded = d.pop("succeeded")

        replayed = d.pop("replayed")

        rejected = d.pop("rejected")

        waiting = d.pop("waiting")

        bulk_job_counts = cls(
            total=total,
            succeeded=succeeded,
            replayed=replayed,
            rejected=rejected,
            waiting=waiting,
        )

        return bulk_job_counts
