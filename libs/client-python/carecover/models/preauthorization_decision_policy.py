from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="PreauthorizationDecisionPolicy")


@_attrs_define
class PreauthorizationDecisionPolicy:
    """The applied rule.

    Attributes:
        reference (str): The payer's reference of the rule.
        version (str): The rule's version.
    """

    reference: str
    version: str

    def to_dict(self) -> dict[str, Any]:
        reference = self.reference

        version = self.version

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "reference": reference,
                "version": version,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        reference = d.pop("reference")

        version = d.pop("version")

        preauthorization_decision_policy = cls(
            reference=reference,
            version=version,
        )

        return preauthorization_decision_policy
