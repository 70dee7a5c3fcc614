from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.reconciliation_operation import ReconciliationOperation

T = TypeVar("T", bound="RemittanceReconciliationNextStepsItem")


@_attrs_define
class RemittanceReconciliationNextStepsItem:
    """An operation that leads to reconciliation.

    Attributes:
        operation (ReconciliationOperation): The ID of an operation that leads to the reconciliation of a remittance.
        settlement_id (None | str): The settlement to reverse; null for a creation.
        amount (int | None): The amount to record in the remittance's currency; null for a reversal. In minor units.
        description (str): The step as a sentence.
    """

    operation: ReconciliationOperation
    settlement_id: None | str
    amount: int | None
    description: str

    def to_dict(self) -> dict[str, Any]:
        operation = str(self.operation)

        settlement_id: None | str
        settlement_id = self.settlement_id

        amount: int | None
        amount = self.amount

        description = self.description

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "operation": operation,
                "settlement_id": settlement_id,
                "amount": amount,
                "description": description,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        operation = ReconciliationOperation(d.pop("operation"))

        def _parse_settlement_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        settlement_id = _parse_settlement_id(d.pop("settlement_id"))

        def _parse_amount(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        amount = _parse_amount(d.pop("amount"))

        description = d.pop("description")

        remittance_reconciliation_next_steps_item = cls(
            operation=operation,
            settlement_id=settlement_id,
            amount=amount,
            description=description,
        )

        return remittance_reconciliation_next_steps_item
