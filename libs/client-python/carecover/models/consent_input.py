from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.consent_status import ConsentStatus

T = TypeVar("T", bound="ConsentInput")


@_attrs_define
class ConsentInput:
    """A member's consent to the sharing of data.

    Attributes:
        member_reference (str): The payer's reference of the member. No response contains it.
        status (ConsentStatus): The status of a member's consent.
    """

    member_reference: str
    status: ConsentStatus

    def to_dict(self) -> dict[str, Any]:
        member_reference = self.member_reference

        status = str(self.status)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "member_reference": member_reference,
                "status": status,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        member_reference = d.pop("member_reference")

        status = ConsentStatus(d.pop("status"))

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        consent_input = cls(
            member_reference=member_reference,
            status=status,
        )

        return consent_input
