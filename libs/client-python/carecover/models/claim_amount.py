from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="ClaimAmount")


@_attrs_define
class ClaimAmount:
    """Amounts, in one currency.

    Attributes:
        currency (str): ISO 4217 code of the currency.
        billed (int): The sum of the lines. In minor units.
        approved (int | None): The payer's total, 0 if denied; null while there is no adjudication. In minor units.
        remitted (int | None): The total of remittances less recoveries; null until the first. A valuation has 0 until
            then. In minor units.
        settled (int | None): The total of observed settlements; null until the first. A valuation has 0 until then. In
            minor units.
    """

    currency: str
    billed: int
    approved: int | None
    remitted: int | None
    settled: int | None

    def to_dict(self) -> dict[str, Any]:
        currency = self.currency

        billed = self.billed

        approved: int | None
        approved = self.approved

        remitted: int | None
        remitted = self.remitted

        settled: int | None
        settled = self.settled

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "currency": currency,
                "billed": billed,
                "approved": approved,
                "remitted": remitted,
                "settled": settled,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        currency = d.pop("currency")

        billed = d.pop("billed")

        def _parse_approved(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        approved = _parse_approved(d.pop("approved"))

        def _parse_remitted(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        remitted = _parse_remitted(d.pop("remitted"))

        def _parse_settled(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        settled = _parse_settled(d.pop("settled"))

        claim_amount = cls(
            currency=currency,
            billed=billed,
            approved=approved,
            remitted=remitted,
            settled=settled,
        )

        return claim_amount
