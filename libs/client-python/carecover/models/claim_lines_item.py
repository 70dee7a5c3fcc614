from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="ClaimLinesItem")


@_attrs_define
class ClaimLinesItem:
    """One line of a claim.

    Attributes:
        line_number (int): The number of the line, from 1 in the order of submission.
        code_system (str): The list of codes to which service_code belongs.
        code_system_version (None | str): The code system's version.
        service_code (str): The service.
        units (float): The number of units of the service, with all digits of the submission.
        amount (int): The total of the line. In minor units.
    """

    line_number: int
    code_system: str
    code_system_version: None | str
    service_code: str
    units: float
    amount: int

    def to_dict(self) -> dict[str, Any]:
        line_number = self.line_number

        code_system = self.code_system

        code_system_version: None | str
        code_system_version = self.code_system_version

        service_code = self.service_code

        units = self.units

        amount = self.amount

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "line_number": line_number,
                "code_system": code_system,
                "code_system_version": code_system_version,
                "service_code": service_code,
                "units": units,
                "amount": amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        line_number = d.pop("line_number")

        code_system = d.pop("code_system")

        def _parse_code_system_version(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        code_system_version = _parse_code_system_version(d.pop("code_system_version"))

        service_code = d.pop("service_code")

        units = d.pop("units")

        amount = d.pop("amount")

        claim_lines_item = cls(
            line_number=line_number,
            code_system=code_system,
            code_system_version=code_system_version,
            service_code=service_code,
            units=units,
            amount=amount,
        )

        return claim_lines_item
