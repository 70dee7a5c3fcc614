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
from ..models.reconciliation_reason import ReconciliationReason
from ..models.remittance_status import RemittanceStatus

if TYPE_CHECKING:
    from ..models.remittance_reconciliation_next_steps_item import (
        RemittanceReconciliationNextStepsItem,
    )
    from ..models.remittance_reconciliation_settlements_item import (
        RemittanceReconciliationSettlementsItem,
    )


T = TypeVar("T", bound="RemittanceReconciliation")


@_attrs_define
class RemittanceReconciliation:
    """Why a remittance is reconciled or not, and which operations would reconcile it, evaluated at the time of the
    request.

        Attributes:
            object_ (Literal['remittance_reconciliation']): Always `remittance_reconciliation`.
            remittance_id (str): The remittance.
            status (RemittanceStatus): The status of a remittance.
            currency (str): ISO 4217 code of the currency.
            expected (int): What the payer transfers: the total of the remittance, or the net of its payment advice, which
                is not above zero if nothing is transferred; 0 if the advice was withdrawn. In minor units.
            observed (int | None): The sum of the settlements in the remittance's currency that are not reversed; null if it
                exceeds every possible amount. In minor units.
            difference (int | None): observed minus expected; null if observed is null. In minor units.
            deadline_at (datetime.datetime): From this instant on, a remittance below its total is in exception. UTC, in
                milliseconds.
            reason (None | ReconciliationReason): Null if reconciled, otherwise the first that applies:
                `amount_exceeds_advice` (the settlements exceed the total), `currency_mismatch` (one has another currency),
                `deadline_passed`, `allocation_unmatched` (one is below the total and names no allocations that fit, while the
                remittance has several), `partial_funds`, `awaiting_funds` (there is no settlement). `advice_withdrawn` if the
                payment advice was withdrawn: nothing is expected.
            settlements (list[RemittanceReconciliationSettlementsItem]): All settlements, in the order in which they were
                recorded.
            next_steps (list[RemittanceReconciliationNextStepsItem]): Operations that lead to reconciliation; empty if
                reconciled or withdrawn. Execute the first, then read again.
    """

    object_: Literal["remittance_reconciliation"]
    remittance_id: str
    status: RemittanceStatus
    currency: str
    expected: int
    observed: int | None
    difference: int | None
    deadline_at: datetime.datetime
    reason: None | ReconciliationReason
    settlements: list[RemittanceReconciliationSettlementsItem]
    next_steps: list[RemittanceReconciliationNextStepsItem]

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        remittance_id = self.remittance_id

        status = str(self.status)

        currency = self.currency

        expected = self.expected

        observed: int | None
        observed = self.observed

        difference: int | None
        difference = self.difference

        deadline_at = to_instant(self.deadline_at)

        reason: None | str
        if isinstance(self.reason, ReconciliationReason):
            reason = str(self.reason)
        else:
            reason = self.reason

        settlements = []
        for settlements_item_data in self.settlements:
            settlements_item = settlements_item_data.to_dict()
            settlements.append(settlements_item)

        next_steps = []
        for next_steps_item_data in self.next_steps:
            next_steps_item = next_steps_item_data.to_dict()
            next_steps.append(next_steps_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "remittance_id": remittance_id,
                "status": status,
                "currency": currency,
                "expected": expected,
                "observed": observed,
                "difference": difference,
                "deadline_at": deadline_at,
                "reason": reason,
                "settlements": settlements,
                "next_steps": next_steps,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.remittance_reconciliation_next_steps_item import (
            RemittanceReconciliationNextStepsItem,
        )
        from ..models.remittance_reconciliation_settlements_item import (
            RemittanceReconciliationSettlementsItem,
        )

        d = dict(src_dict)
        object_ = cast(Literal["remittance_reconciliation"], d.pop("object"))
        if object_ != "remittance_reconciliation":
            raise ValueError(
                f"object must match const 'remittance_reconciliation', got '{object_}'"
            )

        remittance_id = d.pop("remittance_id")

        status = RemittanceStatus(d.pop("status"))

        currency = d.pop("currency")

        expected = d.pop("expected")

        def _parse_observed(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        observed = _parse_observed(d.pop("observed"))

        def _parse_difference(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        difference = _parse_difference(d.pop("difference"))

        deadline_at = datetime.datetime.fromisoformat(d.pop("deadline_at"))

        def _parse_reason(data: object) -> None | ReconciliationReason:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                reason_type_0 = ReconciliationReason(data)

                return reason_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ReconciliationReason, data)

        reason = _parse_reason(d.pop("reason"))

        settlements = []
        _settlements = d.pop("settlements")
        for settlements_item_data in _settlements:
            settlements_item = RemittanceReconciliationSettlementsItem.from_dict(
                settlements_item_data
            )

            settlements.append(settlements_item)

        next_steps = []
        _next_steps = d.pop("next_steps")
        for next_steps_item_data in _next_steps:
            next_steps_item = RemittanceReconciliationNextStepsItem.from_dict(
                next_steps_item_data
            )

            next_steps.append(next_steps_item)

        remittance_reconciliation = cls(
            object_=object_,
            remittance_id=remittance_id,
            status=status,
            currency=currency,
            expected=expected,
            observed=observed,
            difference=difference,
            deadline_at=deadline_at,
            reason=reason,
            settlements=settlements,
            next_steps=next_steps,
        )

        return remittance_reconciliation
