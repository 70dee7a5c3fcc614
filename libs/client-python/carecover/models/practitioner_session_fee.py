from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="PractitionerSessionFee")


@_attrs_define
class PractitionerSessionFee:
    """The fee of one session.

    Attributes:
        amount (int): The fee. In minor units.
        currency (str): ISO 4217 code of the currency.
    """

    amount: int
    currency: str

    def to_dict(self) -> dict[str, Any]:
        amount = self.amount

        currency = self.currency

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "amount": amount,
                "currency": currency,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        amount = d.pop("amount")

        currency = d.pop("currency")

        practitioner_session_fee = cls(
            amount=amount,
            currency=currency,
        )

        return practitioner_session_fee
