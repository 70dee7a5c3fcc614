from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant
from ..models.currency import Currency
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.payment_advice_input_adjustments_item import (
        PaymentAdviceInputAdjustmentsItem,
    )
    from ..models.payment_advice_input_allocations_item import (
        PaymentAdviceInputAllocationsItem,
    )
    from ..models.payment_advice_input_denials_item import PaymentAdviceInputDenialsItem
    from ..models.payment_advice_input_recoveries_item import (
        PaymentAdviceInputRecoveriesItem,
    )


T = TypeVar("T", bound="PaymentAdviceInput")


@_attrs_define
class PaymentAdviceInput:
    """A payer's advice with all that it says: what it pays, denies, takes back and adjusts. Either all lines are recorded
    or none. It has 1 to 1000 lines.

        Attributes:
            payer_reference (str): The payer's reference, unique among the advices and remittances of the project.
            currency (Currency): A currency: its ISO 4217 code.
            received_at (datetime.datetime): When the advice was received from the payer; not in the future. RFC 3339 with
                an offset, without a leap second (:60); floored to milliseconds.
            net (int): The sum of the allocations, less that of the recoveries, plus that of the adjustments: what the payer
                transfers. Below zero, the payer transfers nothing and deducts the balance later. In minor units.
            payer (str | Unset): Your name of the payer, always the same one, without data of persons. What payers will
                deduct is summed by it. Absent: the advice names no payer.
            allocations (list[PaymentAdviceInputAllocationsItem] | Unset): The allocations, at most one per claim. They are
                the remittance of the advice. Absent: none.
            denials (list[PaymentAdviceInputDenialsItem] | Unset): The claims that the payer denies, at most once per claim.
                They change no amount. Absent: none.
            recoveries (list[PaymentAdviceInputRecoveriesItem] | Unset): The takebacks, at most one per claim. A claim can
                be taken back and paid again in one advice. Absent: none.
            adjustments (list[PaymentAdviceInputAdjustmentsItem] | Unset): The amounts of no claim. Absent: none.
    """

    payer_reference: str
    currency: Currency
    received_at: datetime.datetime
    net: int
    payer: str | Unset = UNSET
    allocations: list[PaymentAdviceInputAllocationsItem] | Unset = UNSET
    denials: list[PaymentAdviceInputDenialsItem] | Unset = UNSET
    recoveries: list[PaymentAdviceInputRecoveriesItem] | Unset = UNSET
    adjustments: list[PaymentAdviceInputAdjustmentsItem] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        payer_reference = self.payer_reference

        currency = str(self.currency)

        received_at = to_instant(self.received_at)

        net = self.net

        payer = self.payer

        allocations: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.allocations, Unset):
            allocations = []
            for allocations_item_data in self.allocations:
                allocations_item = allocations_item_data.to_dict()
                allocations.append(allocations_item)

        denials: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.denials, Unset):
            denials = []
            for denials_item_data in self.denials:
                denials_item = denials_item_data.to_dict()
                denials.append(denials_item)

        recoveries: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.recoveries, Unset):
            recoveries = []
            for recoveries_item_data in self.recoveries:
                recoveries_item = recoveries_item_data.to_dict()
                recoveries.append(recoveries_item)

        adjustments: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.adjustments, Unset):
            adjustments = []
            for adjustments_item_data in self.adjustments:
                adjustments_item = adjustments_item_data.to_dict()
                adjustments.append(adjustments_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "payer_reference": payer_reference,
                "currency": currency,
                "received_at": received_at,
                "net": net,
            }
        )
        if payer is not UNSET:
            field_dict["payer"] = payer
        if allocations is not UNSET:
            field_dict["allocations"] = allocations
        if denials is not UNSET:
            field_dict["denials"] = denials
        if recoveries is not UNSET:
            field_dict["recoveries"] = recoveries
        if adjustments is not UNSET:
            field_dict["adjustments"] = adjustments

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.payment_advice_input_adjustments_item import (
            PaymentAdviceInputAdjustmentsItem,
        )
        from ..models.payment_advice_input_allocations_item import (
            PaymentAdviceInputAllocationsItem,
        )
        from ..models.payment_advice_input_denials_item import (
            PaymentAdviceInputDenialsItem,
        )
        from ..models.payment_advice_input_recoveries_item import (
            PaymentAdviceInputRecoveriesItem,
        )

        d = dict(src_dict)
        payer_reference = d.pop("payer_reference")

        currency = Currency(d.pop("currency"))

        received_at = datetime.datetime.fromisoformat(d.pop("received_at"))

        net = d.pop("net")

        payer = d.pop("payer", UNSET)

        _allocations = d.pop("allocations", UNSET)
        allocations: list[PaymentAdviceInputAllocationsItem] | Unset = UNSET
        if _allocations is not UNSET:
            allocations = []
            for allocations_item_data in _allocations:
                allocations_item = PaymentAdviceInputAllocationsItem.from_dict(
                    allocations_item_data
                )

                allocations.append(allocations_item)

        _denials = d.pop("denials", UNSET)
        denials: list[PaymentAdviceInputDenialsItem] | Unset = UNSET
        if _denials is not UNSET:
            denials = []
            for denials_item_data in _denials:
                denials_item = PaymentAdviceInputDenialsItem.from_dict(
                    denials_item_data
                )

                denials.append(denials_item)

        _recoveries = d.pop("recoveries", UNSET)
        recoveries: list[PaymentAdviceInputRecoveriesItem] | Unset = UNSET
        if _recoveries is not UNSET:
            recoveries = []
            for recoveries_item_data in _recoveries:
                recoveries_item = PaymentAdviceInputRecoveriesItem.from_dict(
                    recoveries_item_data
                )

                recoveries.append(recoveries_item)

        _adjustments = d.pop("adjustments", UNSET)
        adjustments: list[PaymentAdviceInputAdjustmentsItem] | Unset = UNSET
        if _adjustments is not UNSET:
            adjustments = []
            for adjustments_item_data in _adjustments:
                adjustments_item = PaymentAdviceInputAdjustmentsItem.from_dict(
                    adjustments_item_data
                )

                adjustments.append(adjustments_item)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        payment_advice_input = cls(
            payer_reference=payer_reference,
            currency=currency,
            received_at=received_at,
            net=net,
            payer=payer,
            allocations=allocations,
            denials=denials,
            recoveries=recoveries,
            adjustments=adjustments,
        )

        return payment_advice_input
