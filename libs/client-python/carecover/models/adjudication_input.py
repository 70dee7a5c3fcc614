from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.adjudication_input_lines_item import AdjudicationInputLinesItem


T = TypeVar("T", bound="AdjudicationInput")


@_attrs_define
class AdjudicationInput:
    """The payer's adjudication of every line of a claim.

    Attributes:
        policy_reference (str): The payer's reference of the applied rule.
        policy_version (str): The version of the applied rule.
        reason_codes (list[str]): The reasons of the adjudication.
        lines (list[AdjudicationInputLinesItem]): Every line of the claim exactly once.
        evidence_refs (list[str] | Unset): References to evidence.
        expected_submission_version (int | Unset): The submission_version of the claim as it was read for the decision.
            If it has grown, the adjudication is rejected with invalid_state.
        expected_adjudication_version (int | Unset): The version of the adjudication that this one replaces, 0 if there
            is none. If the claim has another one, the adjudication is rejected with invalid_state.
    """

    policy_reference: str
    policy_version: str
    reason_codes: list[str]
    lines: list[AdjudicationInputLinesItem]
    evidence_refs: list[str] | Unset = UNSET
    expected_submission_version: int | Unset = UNSET
    expected_adjudication_version: int | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        policy_reference = self.policy_reference

        policy_version = self.policy_version

        reason_codes = self.reason_codes

        lines = []
        for lines_item_data in self.lines:
            lines_item = lines_item_data.to_dict()
            lines.append(lines_item)

        evidence_refs: list[str] | Unset = UNSET
        if not isinstance(self.evidence_refs, Unset):
            evidence_refs = self.evidence_refs

        expected_submission_version = self.expected_submission_version

        expected_adjudication_version = self.expected_adjudication_version

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "policy_reference": policy_reference,
                "policy_version": policy_version,
                "reason_codes": reason_codes,
                "lines": lines,
            }
        )
        if evidence_refs is not UNSET:
            field_dict["evidence_refs"] = evidence_refs
        if expected_submission_version is not UNSET:
            field_dict["expected_submission_version"] = expected_submission_version
        if expected_adjudication_version is not UNSET:
            field_dict["expected_adjudication_version"] = expected_adjudication_version

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.adjudication_input_lines_item import AdjudicationInputLinesItem

        d = dict(src_dict)
        policy_reference = d.pop("policy_reference")

        policy_version = d.pop("policy_version")

        reason_codes = cast(list[str], d.pop("reason_codes"))

        lines = []
        _lines = d.pop("lines")
        for lines_item_data in _lines:
            lines_item = AdjudicationInputLinesItem.from_dict(lines_item_data)

            lines.append(lines_item)

        evidence_refs = cast(list[str], d.pop("evidence_refs", UNSET))

        expected_submission_version = d.pop("expected_submission_version", UNSET)

        expected_adjudication_version = d.pop("expected_adjudication_version", UNSET)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        adjudication_input = cls(
            policy_reference=policy_reference,
            policy_version=policy_version,
            reason_codes=reason_codes,
            lines=lines,
            evidence_refs=evidence_refs,
            expected_submission_version=expected_submission_version,
            expected_adjudication_version=expected_adjudication_version,
        )

        return adjudication_input
