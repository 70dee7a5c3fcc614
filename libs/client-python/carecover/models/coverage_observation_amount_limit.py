from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="CoverageObservationAmountLimit")


@_attrs_define
class CoverageObservationAmountLimit:
    """The maximum covered amount per session.

    Attributes:
        currency (str): ISO 4217 code of the currency.
        value (int): The amount. In minor units.
    """

    currency: str
    value: int

    def to_dict(self) -> dict[str, Any]:
        currency = self.currency

        value = self.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "currency": currency,
                "value": value,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        currency = d.pop("currency")

        value = d.pop("value")

        coverage_observation_amount_limit = cls(
            currency=currency,
            value=value,
        )

        return coverage_observation_amount_limit
