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
from ..models.adjudication_decision import AdjudicationDecision

if TYPE_CHECKING:
    from ..models.adjudication_amount import AdjudicationAmount
    from ..models.adjudication_lines_item import AdjudicationLinesItem
    from ..models.adjudication_policy import AdjudicationPolicy


T = TypeVar("T", bound="Adjudication")


@_attrs_define
class Adjudication:
    """The payer's decision on a claim. On every line, billed = allowed + adjustment and allowed = payer +
    patient_responsibility.

        Attributes:
            id (str): The adjudication's identifier.
            object_ (Literal['claim_adjudication']): Always `claim_adjudication`.
            version (int): The number of the claim's adjudication, from 1.
            decision (AdjudicationDecision): The outcome of a claim's adjudication.
            amount (AdjudicationAmount): Exact sums over the lines, in one currency.
            reason_codes (list[str]): The reasons of the adjudication.
            policy (AdjudicationPolicy): The applied rule.
            lines (list[AdjudicationLinesItem]): Every line of the claim.
            decided_at (datetime.datetime): When the payer decided. UTC, in milliseconds.
    """

    id: str
    object_: Literal["claim_adjudication"]
    version: int
    decision: AdjudicationDecision
    amount: AdjudicationAmount
    reason_codes: list[str]
    policy: AdjudicationPolicy
    lines: list[AdjudicationLinesItem]
    decided_at: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        version = self.version

        decision = str(self.decision)

        amount = self.amount.to_dict()

        reason_codes = self.reason_codes

        policy = self.policy.to_dict()

        lines = []
        for lines_item_data in self.lines:
            lines_item = lines_item_data.to_dict()
            lines.append(lines_item)

        decided_at = to_instant(self.decided_at)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "version": version,
                "decision": decision,
                "amount": amount,
                "reason_codes": reason_codes,
                "policy": policy,
                "lines": lines,
                "decided_at": decided_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.adjudication_amount import AdjudicationAmount
        from ..models.adjudication_lines_item import AdjudicationLinesItem
        from ..models.adjudication_policy import AdjudicationPolicy

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["claim_adjudication"], d.pop("object"))
        if object_ != "claim_adjudication":
            raise ValueError(
                f"object must match const 'claim_adjudication', got '{object_}'"
            )

        version = d.pop("version")

        decision = AdjudicationDecision(d.pop("decision"))

        amount = AdjudicationAmount.from_dict(d.pop("amount"))

        reason_codes = cast(list[str], d.pop("reason_codes"))

        policy = AdjudicationPolicy.from_dict(d.pop("policy"))

        lines = []
        _lines = d.pop("lines")
        for lines_item_data in _lines:
            lines_item = AdjudicationLinesItem.from_dict(lines_item_data)

            lines.append(lines_item)

        decided_at = datetime.datetime.fromisoformat(d.pop("decided_at"))

        adjudication = cls(
            id=id,
            object_=object_,
            version=version,
            decision=decision,
            amount=amount,
            reason_codes=reason_codes,
            policy=policy,
            lines=lines,
            decided_at=decided_at,
        )

        return adjudication
