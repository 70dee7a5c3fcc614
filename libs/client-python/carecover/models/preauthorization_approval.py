from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

from ..caller_input import to_instant

T = TypeVar("T", bound="PreauthorizationApproval")


@_attrs_define
class PreauthorizationApproval:
    """An approval. It reserves one session of the benefit at once.

    Attributes:
        outcome (Literal['approved']): The decision.
        approved_amount (int): The approved amount, at most the requested amount. In minor units.
        valid_until (datetime.datetime): When the approval expires; in the future. RFC 3339 with an offset, without a
            leap second (:60); floored to milliseconds.
        reason_codes (list[str]): The reasons of the decision.
        policy_reference (str): The payer's reference of the applied rule.
        policy_version (str): The version of the applied rule.
        evidence_references (list[str]): The evidence for the decision.
    """

    outcome: Literal["approved"]
    approved_amount: int
    valid_until: datetime.datetime
    reason_codes: list[str]
    policy_reference: str
    policy_version: str
    evidence_references: list[str]

    def to_dict(self) -> dict[str, Any]:
        outcome = self.outcome

        approved_amount = self.approved_amount

        valid_until = to_instant(self.valid_until)

        reason_codes = self.reason_codes

        policy_reference = self.policy_reference

        policy_version = self.policy_version

        evidence_references = self.evidence_references

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "outcome": outcome,
                "approved_amount": approved_amount,
                "valid_until": valid_until,
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
        outcome = cast(Literal["approved"], d.pop("outcome"))
        if outcome != "approved":
            raise ValueError(f"outcome must match const 'approved', got '{outcome}'")

        approved_amount = d.pop("approved_amount")

        valid_until = datetime.datetime.fromisoformat(d.pop("valid_until"))

        reason_codes = cast(list[str], d.pop("reason_codes"))

        policy_reference = d.pop("policy_reference")

        policy_version = d.pop("policy_version")

        evidence_references = cast(list[str], d.pop("evidence_references"))

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        preauthorization_approval = cls(
            outcome=outcome,
            approved_amount=approved_amount,
            valid_until=valid_until,
            reason_codes=reason_codes,
            policy_reference=policy_reference,
            policy_version=policy_version,
            evidence_references=evidence_references,
        )

        return preauthorization_approval
