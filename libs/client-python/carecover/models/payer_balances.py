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

if TYPE_CHECKING:
    from ..models.payer_balances_data_item import PayerBalancesDataItem


T = TypeVar("T", bound="PayerBalances")


@_attrs_define
class PayerBalances:
    """What payers will deduct from later payments, by payer and currency, at the time of the request.

    Attributes:
        object_ (Literal['payer_balances']): Always `payer_balances`.
        data (list[PayerBalancesDataItem]): The balances above zero, by payer and currency.
    """

    object_: Literal["payer_balances"]
    data: list[PayerBalancesDataItem]

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        data = []
        for data_item_data in self.data:
            data_item = data_item_data.to_dict()
            data.append(data_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.payer_balances_data_item import PayerBalancesDataItem

        d = dict(src_dict)
        object_ = cast(Literal["payer_balances"], d.pop("object"))
        if object_ != "payer_balances":
            raise ValueError(
                f"object must match const 'payer_balances', got '{object_}'"
            )

        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = PayerBalancesDataItem.from_dict(data_item_data)

            data.append(data_item)

        payer_balances = cls(
            object_=object_,
            data=data,
        )

        return payer_balances
