from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.claim_valuation_events_item_next_status_type_1 import (
    ClaimValuationEventsItemNextStatusType1,
)
from ..models.claim_valuation_events_item_next_status_type_2_type_1 import (
    ClaimValuationEventsItemNextStatusType2Type1,
)
from ..models.claim_valuation_events_item_next_status_type_3_type_1 import (
    ClaimValuationEventsItemNextStatusType3Type1,
)
from ..models.claim_valuation_events_item_previous_status_type_1 import (
    ClaimValuationEventsItemPreviousStatusType1,
)
from ..models.claim_valuation_events_item_previous_status_type_2_type_1 import (
    ClaimValuationEventsItemPreviousStatusType2Type1,
)
from ..models.claim_valuation_events_item_previous_status_type_3_type_1 import (
    ClaimValuationEventsItemPreviousStatusType3Type1,
)
from ..models.claim_valuation_events_item_type import ClaimValuationEventsItemType

T = TypeVar("T", bound="ClaimValuationEventsItem")


@_attrs_define
class ClaimValuationEventsItem:
    """One fact of a claim's history.

    Attributes:
        sequence (int): The fact's position in the claim's history, from 1.
        type_ (ClaimValuationEventsItemType): The type of the fact. `settled` records one settlement, which can be a
            part of the amount: `next_status` says whether the claim is settled.
        effective_at (datetime.datetime): When the fact took effect (business time). UTC, in milliseconds.
        recorded_at (datetime.datetime): When the service recorded the fact (knowledge time). UTC, in milliseconds.
        previous_status (ClaimValuationEventsItemPreviousStatusType1 | ClaimValuationEventsItemPreviousStatusType2Type1
            | ClaimValuationEventsItemPreviousStatusType3Type1 | None): The status before; null for the first fact.
        next_status (ClaimValuationEventsItemNextStatusType1 | ClaimValuationEventsItemNextStatusType2Type1 |
            ClaimValuationEventsItemNextStatusType3Type1 | None): The status after.
        reason_code (None | str): The reason of the fact; null if it has none.
        evidence_references (list[str]): The evidence for the fact.
    """

    sequence: int
    type_: ClaimValuationEventsItemType
    effective_at: datetime.datetime
    recorded_at: datetime.datetime
    previous_status: (
        ClaimValuationEventsItemPreviousStatusType1
        | ClaimValuationEventsItemPreviousStatusType2Type1
        | ClaimValuationEventsItemPreviousStatusType3Type1
        | None
    )
    next_status: (
        ClaimValuationEventsItemNextStatusType1
        | ClaimValuationEventsItemNextStatusType2Type1
        | ClaimValuationEventsItemNextStatusType3Type1
        | None
    )
    reason_code: None | str
    evidence_references: list[str]

    def to_dict(self) -> dict[str, Any]:
        sequence = self.sequence

        type_ = self.type_.value

        effective_at = self.effective_at.isoformat()

        recorded_at = self.recorded_at.isoformat()

        previous_status: None | str
        if (
            isinstance(
                self.previous_status, ClaimValuationEventsItemPreviousStatusType1
            )
            or isinstance(
                self.previous_status, ClaimValuationEventsItemPreviousStatusType2Type1
            )
            or isinstance(
                self.previous_status, ClaimValuationEventsItemPreviousStatusType3Type1
            )
        ):
            previous_status = self.previous_status.value
        else:
            previous_status = self.previous_status

        next_status: None | str
        if (
            isinstance(self.next_status, ClaimValuationEventsItemNextStatusType1)
            or isinstance(
                self.next_status, ClaimValuationEventsItemNextStatusType2Type1
            )
            or isinstance(
                self.next_status, ClaimValuationEventsItemNextStatusType3Type1
            )
        ):
            next_status = self.next_status.value
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

        type_ = ClaimValuationEventsItemType(d.pop("type"))

        effective_at = datetime.datetime.fromisoformat(d.pop("effective_at"))

        recorded_at = datetime.datetime.fromisoformat(d.pop("recorded_at"))

        def _parse_previous_status(
            data: object,
        ) -> (
            ClaimValuationEventsItemPreviousStatusType1
            | ClaimValuationEventsItemPreviousStatusType2Type1
            | ClaimValuationEventsItemPreviousStatusType3Type1
            | None
        ):
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                previous_status_type_1 = ClaimValuationEventsItemPreviousStatusType1(
                    data
                )

                return previous_status_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                previous_status_type_2_type_1 = (
                    ClaimValuationEventsItemPreviousStatusType2Type1(data)
                )

                return previous_status_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                previous_status_type_3_type_1 = (
                    ClaimValuationEventsItemPreviousStatusType3Type1(data)
                )

                return previous_status_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                ClaimValuationEventsItemPreviousStatusType1
                | ClaimValuationEventsItemPreviousStatusType2Type1
                | ClaimValuationEventsItemPreviousStatusType3Type1
                | None,
                data,
            )

        previous_status = _parse_previous_status(d.pop("previous_status"))

        def _parse_next_status(
            data: object,
        ) -> (
            ClaimValuationEventsItemNextStatusType1
            | ClaimValuationEventsItemNextStatusType2Type1
            | ClaimValuationEventsItemNextStatusType3Type1
            | None
        ):
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                next_status_type_1 = ClaimValuationEventsItemNextStatusType1(data)

                return next_status_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                next_status_type_2_type_1 = (
                    ClaimValuationEventsItemNextStatusType2Type1(data)
                )

                return next_status_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                next_status_type_3_type_1 = (
                    ClaimValuationEventsItemNextStatusType3Type1(data)
                )

                return next_status_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                ClaimValuationEventsItemNextStatusType1
                | ClaimValuationEventsItemNextStatusType2Type1
                | ClaimValuationEventsItemNextStatusType3Type1
                | None,
                data,
            )

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
