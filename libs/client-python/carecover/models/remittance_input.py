from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant
from ..models.currency import Currency

if TYPE_CHECKING:
    from ..models.remittance_input_allocations_item import (
        RemittanceInputAllocationsItem,
    )


T = TypeVar("T", bound="RemittanceInput")


@_attrs_define
class RemittanceInput:
    """A payer's advice of payment. Either all allocations are recorded or none.

    Attributes:
        payer_reference (str): The payer's reference, unique in the project.
        currency (Currency): A currency: its ISO 4217 code.
        received_at (datetime.datetime): When the advice was received from the payer; not in the future. RFC 3339 with
            an offset, without a leap second (:60); floored to milliseconds.
        allocations (list[RemittanceInputAllocationsItem]): The allocations, at most one per claim.
    """

    payer_reference: str
    currency: Currency
    received_at: datetime.datetime
    allocations: list[RemittanceInputAllocationsItem]

    def to_dict(self) -> dict[str, Any]:
        payer_reference = self.payer_reference

        currency = str(self.currency)

        received_at = to_instant(self.received_at)

        allocations = []
        for allocations_item_data in self.allocations:
            allocations_item = allocations_item_data.to_dict()
            allocations.append(allocations_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "payer_reference": payer_reference,
                "currency": currency,
                "received_at": received_at,
                "allocations": allocations,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.remittance_input_allocations_item import (
            RemittanceInputAllocationsItem,
        )

        d = dict(src_dict)
        payer_reference = d.pop("payer_reference")

        currency = Currency(d.pop("currency"))

        received_at = datetime.datetime.fromisoformat(d.pop("received_at"))

        allocations = []
        _allocations = d.pop("allocations")
        for allocations_item_data in _allocations:
            allocations_item = RemittanceInputAllocationsItem.from_dict(
                allocations_item_data
            )

            allocations.append(allocations_item)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        remittance_input = cls(
            payer_reference=payer_reference,
            currency=currency,
            received_at=received_at,
            allocations=allocations,
        )

        return remittance_input
