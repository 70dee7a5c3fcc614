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
from ..models.payment_advice_status import PaymentAdviceStatus

if TYPE_CHECKING:
    from ..models.payment_advice_adjustments_item import PaymentAdviceAdjustmentsItem
    from ..models.payment_advice_allocations_item import PaymentAdviceAllocationsItem
    from ..models.payment_advice_denials_item import PaymentAdviceDenialsItem
    from ..models.payment_advice_recoveries_item import PaymentAdviceRecoveriesItem


T = TypeVar("T", bound="PaymentAdvice")


@_attrs_define
class PaymentAdvice:
    """A payer's advice: what it pays, denies, takes back and adjusts.

    Attributes:
        id (str): The advice's identifier.
        object_ (Literal['payment_advice']): Always `payment_advice`.
        status (PaymentAdviceStatus): The status of a payment advice.
        remittance_id (str): The remittance that the allocations are. Settlements refer to it.
        payer_reference (str): The payer's reference, unique in the project.
        payer (None | str): The name of the payer, as it was given; null if none was.
        currency (str): ISO 4217 code of the currency.
        net (int): What the payer transfers; below zero, what it deducts later. In minor units.
        allocations (list[PaymentAdviceAllocationsItem]): The allocations, in the order given.
        denials (list[PaymentAdviceDenialsItem]): The denials, in the order given.
        recoveries (list[PaymentAdviceRecoveriesItem]): The takebacks, in the order given.
        adjustments (list[PaymentAdviceAdjustmentsItem]): The amounts of no claim, in the order given.
        received_at (datetime.datetime): When the advice was received from the payer. UTC, in milliseconds.
        reconciled_at (datetime.datetime | None): When it was reconciled; null if it is not. UTC, in milliseconds.
        withdrawn_at (datetime.datetime | None): When it was withdrawn; null if it is not. UTC, in milliseconds.
        withdrawal_reason_code (None | str): Why it was withdrawn: `replaced` if another one was recorded in its place;
            null if it is not.
        replaces (None | str): The advice in whose place it was recorded; null without one.
        replaced_by (None | str): The advice that was recorded in its place; null without one.
    """

    id: str
    object_: Literal["payment_advice"]
    status: PaymentAdviceStatus
    remittance_id: str
    payer_reference: str
    payer: None | str
    currency: str
    net: int
    allocations: list[PaymentAdviceAllocationsItem]
    denials: list[PaymentAdviceDenialsItem]
    recoveries: list[PaymentAdviceRecoveriesItem]
    adjustments: list[PaymentAdviceAdjustmentsItem]
    received_at: datetime.datetime
    reconciled_at: datetime.datetime | None
    withdrawn_at: datetime.datetime | None
    withdrawal_reason_code: None | str
    replaces: None | str
    replaced_by: None | str

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        status = str(self.status)

        remittance_id = self.remittance_id

        payer_reference = self.payer_reference

        payer: None | str
        payer = self.payer

        currency = self.currency

        net = self.net

        allocations = []
        for allocations_item_data in self.allocations:
            allocations_item = allocations_item_data.to_dict()
            allocations.append(allocations_item)

        denials = []
        for denials_item_data in self.denials:
            denials_item = denials_item_data.to_dict()
            denials.append(denials_item)

        recoveries = []
        for recoveries_item_data in self.recoveries:
            recoveries_item = recoveries_item_data.to_dict()
            recoveries.append(recoveries_item)

        adjustments = []
        for adjustments_item_data in self.adjustments:
            adjustments_item = adjustments_item_data.to_dict()
            adjustments.append(adjustments_item)

        received_at = to_instant(self.received_at)

        reconciled_at: None | str
        if isinstance(self.reconciled_at, datetime.datetime):
            reconciled_at = to_instant(self.reconciled_at)
        else:
            reconciled_at = self.reconciled_at

        withdrawn_at: None | str
        if isinstance(self.withdrawn_at, datetime.datetime):
            withdrawn_at = to_instant(self.withdrawn_at)
        else:
            withdrawn_at = self.withdrawn_at

        withdrawal_reason_code: None | str
        withdrawal_reason_code = self.withdrawal_reason_code

        replaces: None | str
        replaces = self.replaces

        replaced_by: None | str
        replaced_by = self.replaced_by

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "status": status,
                "remittance_id": remittance_id,
                "payer_reference": payer_reference,
                "payer": payer,
                "currency": currency,
                "net": net,
                "allocations": allocations,
                "denials": denials,
                "recoveries": recoveries,
                "adjustments": adjustments,
                "received_at": received_at,
                "reconciled_at": reconciled_at,
                "withdrawn_at": withdrawn_at,
                "withdrawal_reason_code": withdrawal_reason_code,
                "replaces": replaces,
                "replaced_by": replaced_by,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.payment_advice_adjustments_item import (
            PaymentAdviceAdjustmentsItem,
        )
        from ..models.payment_advice_allocations_item import (
            PaymentAdviceAllocationsItem,
        )
        from ..models.payment_advice_denials_item import PaymentAdviceDenialsItem
        from ..models.payment_advice_recoveries_item import PaymentAdviceRecoveriesItem

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["payment_advice"], d.pop("object"))
        if object_ != "payment_advice":
            raise ValueError(
                f"object must match const 'payment_advice', got '{object_}'"
            )

        status = PaymentAdviceStatus(d.pop("status"))

        remittance_id = d.pop("remittance_id")

        payer_reference = d.pop("payer_reference")

        def _parse_payer(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        payer = _parse_payer(d.pop("payer"))

        currency = d.pop("currency")

        net = d.pop("net")

        allocations = []
        _allocations = d.pop("allocations")
        for allocations_item_data in _allocations:
            allocations_item = PaymentAdviceAllocationsItem.from_dict(
                allocations_item_data
            )

            allocations.append(allocations_item)

        denials = []
        _denials = d.pop("denials")
        for denials_item_data in _denials:
            denials_item = PaymentAdviceDenialsItem.from_dict(denials_item_data)

            denials.append(denials_item)

        recoveries = []
        _recoveries = d.pop("recoveries")
        for recoveries_item_data in _recoveries:
            recoveries_item = PaymentAdviceRecoveriesItem.from_dict(
                recoveries_item_data
            )

            recoveries.append(recoveries_item)

        adjustments = []
        _adjustments = d.pop("adjustments")
        for adjustments_item_data in _adjustments:
            adjustments_item = PaymentAdviceAdjustmentsItem.from_dict(
                adjustments_item_data
            )

            adjustments.append(adjustments_item)

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

        def _parse_withdrawn_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                withdrawn_at_type_0 = datetime.datetime.fromisoformat(data)

                return withdrawn_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        withdrawn_at = _parse_withdrawn_at(d.pop("withdrawn_at"))

        def _parse_withdrawal_reason_code(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        withdrawal_reason_code = _parse_withdrawal_reason_code(
            d.pop("withdrawal_reason_code")
        )

        def _parse_replaces(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        replaces = _parse_replaces(d.pop("replaces"))

        def _parse_replaced_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        replaced_by = _parse_replaced_by(d.pop("replaced_by"))

        payment_advice = cls(
            id=id,
            object_=object_,
            status=status,
            remittance_id=remittance_id,
            payer_reference=payer_reference,
            payer=payer,
            currency=currency,
            net=net,
            allocations=allocations,
            denials=denials,
            recoveries=recoveries,
            adjustments=adjustments,
            received_at=received_at,
            reconciled_at=reconciled_at,
            withdrawn_at=withdrawn_at,
            withdrawal_reason_code=withdrawal_reason_code,
            replaces=replaces,
            replaced_by=replaced_by,
        )

        return payment_advice
