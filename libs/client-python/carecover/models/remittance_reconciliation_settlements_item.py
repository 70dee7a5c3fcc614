from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.settlement_status import SettlementStatus
from ..models.unmatched_reason import UnmatchedReason

if TYPE_CHECKING:
    from ..models.remittance_reconciliation_settlements_item_amount import (
        RemittanceReconciliationSettlementsItemAmount,
    )


T = TypeVar("T", bound="RemittanceReconciliationSettlementsItem")


@_attrs_define
class RemittanceReconciliationSettlementsItem:
    """A settlement of the remittance.

    Attributes:
        id (str): The settlement's identifier.
        status (SettlementStatus): The status of a settlement.
        amount (RemittanceReconciliationSettlementsItemAmount): The observed amount.
        source_reference (str): The reference of the evidence.
        reason (None | UnmatchedReason): Why it is unmatched; null otherwise.
    """

    id: str
    status: SettlementStatus
    amount: RemittanceReconciliationSettlementsItemAmount
    source_reference: str
    reason: None | UnmatchedReason

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        status = str(self.status)

        amount = self.amount.to_dict()

        source_reference = self.source_reference

        reason: None | str
        if isinstance(self.reason, UnmatchedReason):
            reason = str(self.reason)
        else:
            reason = self.reason

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "status": status,
                "amount": amount,
                "source_reference": source_reference,
                "reason": reason,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.remittance_reconciliation_settlements_item_amount import (
            RemittanceReconciliationSettlementsItemAmount,
        )

        d = dict(src_dict)
        id = d.pop("id")

        status = SettlementStatus(d.pop("status"))

        amount = RemittanceReconciliationSettlementsItemAmount.from_dict(
            d.pop("amount")
        )

        source_reference = d.pop("source_reference")

        def _parse_reason(data: object) -> None | UnmatchedReason:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                reason_type_0 = UnmatchedReason(data)

                return reason_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UnmatchedReason, data)

        reason = _parse_reason(d.pop("reason"))

        remittance_reconciliation_settlements_item = cls(
            id=id,
            status=status,
            amount=amount,
            source_reference=source_reference,
            reason=reason,
        )

        return remittance_reconciliation_settlements_item
