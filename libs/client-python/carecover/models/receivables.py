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

if TYPE_CHECKING:
    from ..models.receivables_currencies_item import ReceivablesCurrenciesItem


T = TypeVar("T", bound="Receivables")


@_attrs_define
class Receivables:
    """The outstanding amounts of the project's claims as they were known at an instant: the sums of the claims'
    valuations.

        Attributes:
            object_ (Literal['receivables']): Always `receivables`.
            at (datetime.datetime): The instant, inclusive. UTC, in milliseconds.
            currencies (list[ReceivablesCurrenciesItem]): One item per currency with an outstanding amount, in alphabetical
                order.
    """

    object_: Literal["receivables"]
    at: datetime.datetime
    currencies: list[ReceivablesCurrenciesItem]

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        at = to_instant(self.at)

        currencies = []
        for currencies_item_data in self.currencies:
            currencies_item = currencies_item_data.to_dict()
            currencies.append(currencies_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "at": at,
                "currencies": currencies,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.receivables_currencies_item import ReceivablesCurrenciesItem

        d = dict(src_dict)
        object_ = cast(Literal["receivables"], d.pop("object"))
        if object_ != "receivables":
            raise ValueError(f"object must match const 'receivables', got '{object_}'")

        at = datetime.datetime.fromisoformat(d.pop("at"))

        currencies = []
        _currencies = d.pop("currencies")
        for currencies_item_data in _currencies:
            currencies_item = ReceivablesCurrenciesItem.from_dict(currencies_item_data)

            currencies.append(currencies_item)

        receivables = cls(
            object_=object_,
            at=at,
            currencies=currencies,
        )

        return receivables
