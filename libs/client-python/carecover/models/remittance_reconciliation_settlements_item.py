from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.remittance_reconciliation_settlements_item_reason_type_1 import (
    RemittanceReconciliationSettlementsItemReasonType1,
)
from ..models.remittance_reconciliation_settlements_item_reason_type_2_type_1 import (
    RemittanceReconciliationSettlementsItemReasonType2Type1,
)
from ..models.remittance_reconciliation_settlements_item_reason_type_3_type_1 import (
    RemittanceReconciliationSettlementsItemReasonType3Type1,
)
from ..models.remittance_reconciliation_settlements_item_status import (
    RemittanceReconciliationSettlementsItemStatus,
)

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
        status (RemittanceReconciliationSettlementsItemStatus): The settlement's status.
        amount (RemittanceReconciliationSettlementsItemAmount): The observed amount.
        source_reference (str): The reference of the evidence.
        reason (None | RemittanceReconciliationSettlementsItemReasonType1 |
            RemittanceReconciliationSettlementsItemReasonType2Type1 |
            RemittanceReconciliationSettlementsItemReasonType3Type1): Why it is unmatched; null otherwise.
    """

    id: str
    status: RemittanceReconciliationSettlementsItemStatus
    amount: RemittanceReconciliationSettlementsItemAmount
    source_reference: str
    reason: (
        None
        | RemittanceReconciliationSettlementsItemReasonType1
        | RemittanceReconciliationSettlementsItemReasonType2Type1
        | RemittanceReconciliationSettlementsItemReasonType3Type1
    )

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        status = self.status.value

        amount = self.amount.to_dict()

        source_reference = self.source_reference

        reason: None | str
        if (
            isinstance(self.reason, RemittanceReconciliationSettlementsItemReasonType1)
            or isinstance(
                self.reason, RemittanceReconciliationSettlementsItemReasonType2Type1
            )
            or isinstance(
                self.reason, RemittanceReconciliationSettlementsItemReasonType3Type1
            )
        ):
            reason = self.reason.value
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

        status = RemittanceReconciliationSettlementsItemStatus(d.pop("status"))

        amount = RemittanceReconciliationSettlementsItemAmount.from_dict(
            d.pop("amount")
        )

        source_reference = d.pop("source_reference")

        def _parse_reason(
            data: object,
        ) -> (
            None
            | RemittanceReconciliationSettlementsItemReasonType1
            | RemittanceReconciliationSettlementsItemReasonType2Type1
            | RemittanceReconciliationSettlementsItemReasonType3Type1
        ):
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                reason_type_1 = RemittanceReconciliationSettlementsItemReasonType1(data)

                return reason_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                reason_type_2_type_1 = (
                    RemittanceReconciliationSettlementsItemReasonType2Type1(data)
                )

                return reason_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                reason_type_3_type_1 = (
                    RemittanceReconciliationSettlementsItemReasonType3Type1(data)
                )

                return reason_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                None
                | RemittanceReconciliationSettlementsItemReasonType1
                | RemittanceReconciliationSettlementsItemReasonType2Type1
                | RemittanceReconciliationSettlementsItemReasonType3Type1,
                data,
            )

        reason = _parse_reason(d.pop("reason"))

        remittance_reconciliation_settlements_item = cls(
            id=id,
            status=status,
            amount=amount,
            source_reference=source_reference,
            reason=reason,
        )

        return remittance_reconciliation_settlements_item
