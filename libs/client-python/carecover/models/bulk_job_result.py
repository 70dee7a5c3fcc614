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

from ..models.bulk_job_result_status import BulkJobResultStatus

if TYPE_CHECKING:
    from ..models.bulk_job_result_error_type_0 import BulkJobResultErrorType0


T = TypeVar("T", bound="BulkJobResult")


@_attrs_define
class BulkJobResult:
    """The result of one line of the file of a bulk job.

    Attributes:
        object_ (Literal['bulk_job_result']): Always `bulk_job_result`.
        line (int): The line of the file at which the row starts, from 1.
        reference (None | str): What names the row for its sender, such as provider_claim_reference; null if it has
            none.
        status (BulkJobResultStatus): The outcome of a line of a bulk job.
        resource_id (None | str): The created or changed resource; null if there is none.
        error (BulkJobResultErrorType0 | None): Why the row was rejected; null otherwise.
    """

    object_: Literal["bulk_job_result"]
    line: int
    reference: None | str
    status: BulkJobResultStatus
    resource_id: None | str
    error: BulkJobResultErrorType0 | None

    def to_dict(self) -> dict[str, Any]:
        from ..models.bulk_job_result_error_type_0 import BulkJobResultErrorType0

        object_ = self.object_

        line = self.line

        reference: None | str
        reference = self.reference

        status = str(self.status)

        resource_id: None | str
        resource_id = self.resource_id

        error: dict[str, Any] | None
        if isinstance(self.error, BulkJobResultErrorType0):
            error = self.error.to_dict()
        else:
            error = self.error

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "line": line,
                "reference": reference,
                "status": status,
                "resource_id": resource_id,
                "error": error,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.bulk_job_result_error_type_0 import BulkJobResultErrorType0

        d = dict(src_dict)
        object_ = cast(Literal["bulk_job_result"], d.pop("object"))
        if object_ != "bulk_job_result":
            raise ValueError(
                f"object must match const 'bulk_job_result', got '{object_}'"
            )

        line = d.pop("line")

        def _parse_reference(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reference = _parse_reference(d.pop("reference"))

        status = BulkJobResultStatus(d.pop("status"))

        def _parse_resource_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        resource_id = _parse_resource_id(d.pop("resource_id"))

        def _parse_error(data: object) -> BulkJobResultErrorType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                error_type_0 = BulkJobResultErrorType0.from_dict(data)

                return error_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(BulkJobResultErrorType0 | None, data)

        error = _parse_error(d.pop("error"))

        bulk_job_result = cls(
            object_=object_,
            line=line,
            reference=reference,
            status=status,
            resource_id=resource_id,
            error=error,
        )

        return bulk_job_result
