from __future__ import annotations

from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

T = TypeVar("T", bound="PreauthorizationDenial")


@_attrs_define
class PreauthorizationDenial:
    """A denial. The benefit remains available.

    Attributes:
        outcome (Literal['denied']): The decision.
        reason_codes (list[str]): The reasons of the decision.
        policy_reference (str): The payer's reference of the applied rule.
        policy_version (str): The version of the applied rule.
        evidence_references (list[str]): The evidence for the decision.
    """

    outcome: Literal["denied"]
    reason_codes: list[str]
    policy_reference: str
    policy_version: str
    evidence_references: list[str]

    def to_dict(self) -> dict[str, Any]:
        outcome = self.outcome

        reason_codes = self.reason_codes

        policy_reference = self.policy_reference

        policy_version = self.policy_version

        evidence_references = self.evidence_references

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "outcome": outcome,
                "reason_codes": reason_codes,
                "policy_reference": policy_reference,
                "policy_version": policy_version,
                "evidence_references": evidence_references,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        outcome = cast(Literal["denied"], d.pop("outcome"))
        if outcome != "denied":
            raise ValueError(f"outcome must match const 'denied', got '{outcome}'")

        reason_codes = cast(list[str], d.pop("reason_codes"))

        policy_reference = d.pop("policy_reference")

        policy_version = d.pop("policy_version")

        evidence_references = cast(list[str], d.pop("evidence_references"))

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        preauthorization_denial = cls(
            outcome=outcome,
            reason_codes=reason_codes,
            policy_reference=policy_reference,
            policy_version=policy_version,
            evidence_references=evidence_references,
        )

        return preauthorization_denial
