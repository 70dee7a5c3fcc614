from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="PayerBalancesDataItem")


@_attrs_define
class PayerBalancesDataItem:
    """What one payer will deduct in one currency.

    Attributes:
        payer (None | str): The name of the payer, as its latest such advice has it; null for the advices without one.
        currency (str): ISO 4217 code of the currency.
        to_deduct (int): The sum of the balances that later advices have not deducted. In minor units.
        advices (int): The number of payment advices whose balance is not deducted, or a part of it.
    """

    payer: None | str
    currency: str
    to_deduct: int
    advices: int

    def to_dict(self) -> dict[str, Any]:
        payer: None | str
        payer = self.payer

        currency = self.currency

        to_deduct = self.to_deduct

        advices = self.advices

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "payer": payer,
                "currency": currency,
                "to_deduct": to_deduct,
                "advices": advices,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_payer(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        payer = _parse_payer(d.pop("payer"))

        currency = d.pop("currency")

        to_deduct = d.pop("to_deduct")

        advices = d.pop("advices")

        payer_balances_data_item = cls(
            payer=payer,
            currency=currency,
            to_deduct=to_deduct,
            advices=advices,
        )

        return payer_balances_data_item
