from __future__ import annotations

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

from ..models.remittance_status import RemittanceStatus

if TYPE_CHECKING:
    from ..models.remittance_event_data_amount import RemittanceEventDataAmount


T = TypeVar("T", bound="RemittanceEventData")


@_attrs_define
class RemittanceEventData:
    """A remittance at the time of the event.

    Attributes:
        id (str): The remittance.
        object_ (Literal['remittance']): Always `remittance`.
        status (RemittanceStatus): The status of a remittance.
        amount (RemittanceEventDataAmount): The total.
    """

    id: str
    object_: Literal["remittance"]
    status: RemittanceStatus
    amount: RemittanceEventDataAmount

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        status = str(self.status)

        amount = self.amount.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "status": status,
                "amount": amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.remittance_event_data_amount import RemittanceEventDataAmount

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["remittance"], d.pop("object"))
        if object_ != "remittance":
            raise ValueError(f"object must match const 'remittance', got '{object_}'")

        status = RemittanceStatus(d.pop("status"))

        amount = RemittanceEventDataAmount.from_dict(d.pop("amount"))

        remittance_event_data = cls(
            id=id,
            object_=object_,
            status=status,
            amount=amount,
        )

        return remittance_event_data
