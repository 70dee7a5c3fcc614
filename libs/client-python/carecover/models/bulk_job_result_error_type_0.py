from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.error_code import ErrorCode

T = TypeVar("T", bound="BulkJobResultErrorType0")


@_attrs_define
class BulkJobResultErrorType0:
    """Why the row was rejected.

    Attributes:
        code (ErrorCode): The stable code of an API error.
        message (str): The message, which names invalid fields by JSON pointers.
    """

    code: ErrorCode
    message: str

    def to_dict(self) -> dict[str, Any]:
        code = str(self.code)

        message = self.message

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "code": code,
                "message": message,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        code = ErrorCode(d.pop("code"))

        message = d.pop("message")

        bulk_job_result_error_type_0 = cls(
            code=code,
            message=message,
        )

        return bulk_job_result_error_type_0
