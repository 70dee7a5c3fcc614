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
from ..models.remittance_status import RemittanceStatus

if TYPE_CHECKING:
    from ..models.remittance_allocations_item import RemittanceAllocationsItem
    from ..models.remittance_amount import RemittanceAmount


T = TypeVar("T", bound="Remittance")


@_attrs_define
class Remittance:
    """A payer's advice of payment, allocated to claims.

    Attributes:
        id (str): The remittance's identifier.
        object_ (Literal['remittance']): Always `remittance`.
        status (RemittanceStatus): The status of a remittance.
        payer_reference (str): The payer's reference, unique in the project.
        amount (RemittanceAmount): The total.
        allocations (list[RemittanceAllocationsItem]): The allocations, in the order given.
        received_at (datetime.datetime): When the advice was received from the payer. UTC, in milliseconds.
        reconciled_at (datetime.datetime | None): When it was reconciled; null if it is not. UTC, in milliseconds.
    """

    id: str
    object_: Literal["remittance"]
    status: RemittanceStatus
    payer_reference: str
    amount: RemittanceAmount
    allocations: list[RemittanceAllocationsItem]
    received_at: datetime.datetime
    reconciled_at: datetime.datetime | None

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        status = str(self.status)

        payer_reference = self.payer_reference

        amount = self.amount.to_dict()

        allocations = []
        for allocations_item_data in self.allocations:
            allocations_item = allocations_item_data.to_dict()
            allocations.append(allocations_item)

        received_at = to_instant(self.received_at)

        reconciled_at: None | str
        if isinstance(self.reconciled_at, datetime.datetime):
            reconciled_at = to_instant(self.reconciled_at)
        else:
            reconciled_at = self.reconciled_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "status": status,
                "payer_reference": payer_reference,
                "amount": amount,
                "allocations": allocations,
                "received_at": received_at,
                "reconciled_at": reconciled_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.remittance_allocations_item import RemittanceAllocationsItem
        from ..models.remittance_amount import RemittanceAmount

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["remittance"], d.pop("object"))
        if object_ != "remittance":
            raise ValueError(f"object must match const 'remittance', got '{object_}'")

        status = RemittanceStatus(d.pop("status"))

        payer_reference = d.pop("payer_reference")

        amount = RemittanceAmount.from_dict(d.pop("amount"))

        allocations = []
        _allocations = d.pop("allocations")
        for allocations_item_data in _allocations:
            allocations_item = RemittanceAllocationsItem.from_dict(
                allocations_item_data
            )

            allocations.append(allocations_item)

        received_at = datetime.datetime.fromisoformat(d.pop("received_at"))

        def _parse_reconciled_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                reconciled_at_type_0 = datetime.datetime.fromisoformat(data)

                return reconciled_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        reconciled_at = _parse_reconciled_at(d.pop("reconciled_at"))

        remittance = cls(
            id=id,
            object_=object_,
            status=status,
            payer_reference=payer_reference,
            amount=amount,
            allocations=allocations,
            received_at=received_at,
            reconciled_at=reconciled_at,
        )

        return remittance
