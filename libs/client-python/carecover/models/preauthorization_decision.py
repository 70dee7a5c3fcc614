from __future__ import annotations

import datetime
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

from ..caller_input import to_instant
from ..models.preauthorization_outcome import PreauthorizationOutcome

if TYPE_CHECKING:
    from ..models.preauthorization_decision_policy import PreauthorizationDecisionPolicy


T = TypeVar("T", bound="PreauthorizationDecision")


@_attrs_define
class PreauthorizationDecision:
    """The payer's decision on a pre-authorization.

    Attributes:
        id (str): The decision's identifier.
        object_ (Literal['preauthorization_decision']): Always `preauthorization_decision`.
        version (int): The number of the decision, from 1.
        outcome (PreauthorizationOutcome): The outcome of the payer's decision on a pre-authorization.
        reason_codes (list[str]): The reasons of the decision.
        policy (PreauthorizationDecisionPolicy): The applied rule.
        authority_reference (str): The project and the key that made the decision.
        evidence_references (list[str]): The client's references, then the eligibility check, the booking and the
            coverage observation of the decision.
        decided_at (datetime.datetime): When the decision was made. UTC, in milliseconds.
    """

    id: str
    object_: Literal["preauthorization_decision"]
    version: int
    outcome: PreauthorizationOutcome
    reason_codes: list[str]
    policy: PreauthorizationDecisionPolicy
    authority_reference: str
    evidence_references: list[str]
    decided_at: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        version = self.version

        outcome = str(self.outcome)

        reason_codes = self.reason_codes

        policy = self.policy.to_dict()

        authority_reference = self.authority_reference

        evidence_references = self.evidence_references

        decided_at = to_instant(self.decided_at)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "version": version,
                "outcome": outcome,
                "reason_codes": reason_codes,
                "policy": policy,
                "authority_reference": authority_reference,
                "evidence_references": evidence_references,
                "decided_at": decided_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.preauthorization_decision_policy import (
            PreauthorizationDecisionPolicy,
        )

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["preauthorization_decision"], d.pop("object"))
        if object_ != "preauthorization_decision":
            raise ValueError(
                f"object must match const 'preauthorization_decision', got '{object_}'"
            )

        version = d.pop("version")

        outcome = PreauthorizationOutcome(d.pop("outcome"))

        reason_codes = cast(list[str], d.pop("reason_codes"))

        policy = PreauthorizationDecisionPolicy.from_dict(d.pop("policy"))

        authority_reference = d.pop("authority_reference")

        evidence_references = cast(list[str], d.pop("evidence_references"))

        decided_at = datetime.datetime.fromisoformat(d.pop("decided_at"))

        preauthorization_decision = cls(
            id=id,
            object_=object_,
            version=version,
            outcome=outcome,
            reason_codes=reason_codes,
            policy=policy,
            authority_reference=authority_reference,
            evidence_references=evidence_references,
            decided_at=decided_at,
        )

        return preauthorization_decision
