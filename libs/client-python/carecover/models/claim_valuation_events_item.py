from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..caller_input import to_instant
from ..models.claim_fact_type import ClaimFactType
from ..models.claim_status import ClaimStatus

T = TypeVar("T", bound="ClaimValuationEventsItem")


@_attrs_define
class ClaimValuationEventsItem:
    """One fact of a claim's history.

    Attributes:
        sequence (int): The fact's position in the claim's history, from 1.
        type_ (ClaimFactType): The type of a fact in a claim's history.
        effective_at (datetime.datetime): When the fact took effect (business time). UTC, in milliseconds.
        recorded_at (datetime.datetime): When the service recorded the fact (knowledge time). UTC, in milliseconds.
        previous_status (ClaimStatus | None): The status before; null for the first fact.
        next_status (ClaimStatus | None): The status after.
        reason_code (None | str): The reason of the fact; null if it has none.
        evidence_references (list[str]): The evidence for the fact.
    """

    sequence: int
    type_: ClaimFactType
    effective_at: datetime.datetime
    recorded_at: datetime.datetime
    previous_status: ClaimStatus | None
    next_status: ClaimStatus | None
    reason_code: None | str
    evidence_references: list[str]

    def to_dict(self) -> dict[str, Any]:
        sequence = self.sequence

        type_ = str(self.type_)

        effective_at = to_instant(self.effective_at)

        recorded_at = to_instant(self.recorded_at)

        previous_status: None | str
        if isinstance(self.previous_status, ClaimStatus):
            previous_status = str(self.previous_status)
        else:
            previous_status = self.previous_status

        next_status: None | str
        if isinstance(self.next_status, ClaimStatus):
            next_status = str(self.next_status)
        else:
            next_status = self.next_status

        reason_code: None | str
        reason_code = self.reason_code

        evidence_references = self.evidence_references

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "sequence": sequence,
                "type": type_,
                "effective_at": effective_at,
                "recorded_at": recorded_at,
                "previous_status": previous_status,
                "next_status": next_status,
                "reason_code": reason_code,
                "evidence_references": evidence_references,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        sequence = d.pop("sequence")

        type_ = ClaimFactType(d.pop("type"))

        effective_at = datetime.datetime.fromisoformat(d.pop("effective_at"))

        recorded_at = datetime.datetime.fromisoformat(d.pop("recorded_at"))

        def _parse_previous_status(data: object) -> ClaimStatus | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                previous_status_type_0 = ClaimStatus(data)

                return previous_status_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ClaimStatus | None, data)

        previous_status = _parse_previous_status(d.pop("previous_status"))

        def _parse_next_status(data: object) -> ClaimStatus | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                next_status_type_0 = ClaimStatus(data)

                return next_status_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ClaimStatus | None, data)

        next_status = _parse_next_status(d.pop("next_status"))

        def _parse_reason_code(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason_code = _parse_reason_code(d.pop("reason_code"))

        evidence_references = cast(list[str], d.pop("evidence_references"))

        claim_valuation_events_item = cls(
            sequence=sequence,
            type_=type_,
            effective_at=effective_at,
            recorded_at=recorded_at,
            previous_status=previous_status,
            next_status=next_status,
            reason_code=reason_code,
            evidence_references=evidence_references,
        )

        return claim_valuation_events_item
