from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.error_code import ErrorCode

T = TypeVar("T", bound="ErrorError")


@_attrs_define
class ErrorError:
    """The error.

    Attributes:
        code (ErrorCode): The stable code of an API error.
        message (str): A message for people. It names an invalid field as a JSON pointer.
        docs (str): The URL of the explanation of the code.
    """

    code: ErrorCode
    message: str
    docs: str

    def to_dict(self) -> dict[str, Any]:
        code = str(self.code)

        message = self.message

        docs = self.docs

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "code": code,
                "message": message,
                "docs": docs,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        code = ErrorCode(d.pop("code"))

        message = d.pop("message")

        docs = d.pop("docs")

        error_error = cls(
            code=code,
            message=message,
            docs=docs,
        )

        return error_error
