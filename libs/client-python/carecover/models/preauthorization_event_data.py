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

from ..models.preauthorization_status import PreauthorizationStatus

if TYPE_CHECKING:
    from ..models.preauthorization_event_data_amount import (
        PreauthorizationEventDataAmount,
    )


T = TypeVar("T", bound="PreauthorizationEventData")


@_attrs_define
class PreauthorizationEventData:
    """A pre-authorization at the time of the event.

    Attributes:
        id (str): The pre-authorization.
        object_ (Literal['preauthorization']): Always `preauthorization`.
        status (PreauthorizationStatus): The status of a pre-authorization.
        decision_version (int | None): The decision's version; null while there is no decision.
        amount (PreauthorizationEventDataAmount): Amounts, in one currency.
    """

    id: str
    object_: Literal["preauthorization"]
    status: PreauthorizationStatus
    decision_version: int | None
    amount: PreauthorizationEventDataAmount

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        status = str(self.status)

        decision_version: int | None
        decision_version = self.decision_version

        amount = self.amount.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "status": status,
                "decision_version": decision_version,
                "amount": amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.preauthorization_event_data_amount import (
            PreauthorizationEventDataAmount,
        )

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["preauthorization"], d.pop("object"))
        if object_ != "preauthorization":
            raise ValueError(
                f"object must match const 'preauthorization', got '{object_}'"
            )

        status = PreauthorizationStatus(d.pop("status"))

        def _parse_decision_version(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        decision_version = _parse_decision_version(d.pop("decision_version"))

        amount = PreauthorizationEventDataAmount.from_dict(d.pop("amount"))

        preauthorization_event_data = cls(
            id=id,
            object_=object_,
            status=status,
            decision_version=decision_version,
            amount=amount,
        )

        return preauthorization_event_data
