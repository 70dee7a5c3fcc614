from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant
from ..models.currency import Currency
from ..types import UNSET, Unset

T = TypeVar("T", bound="EligibilityCheckInput")


@_attrs_define
class EligibilityCheckInput:
    """A session whose cover is checked: a future one, or with `retrospective` also one of the past.

    Attributes:
        member_reference (str): The payer's reference of the member. No response contains it.
        service_code (str): The service.
        scheduled_at (datetime.datetime): Start of the session; in the future, unless the check is retrospective. RFC
            3339 with an offset, without a leap second (:60); floored to milliseconds.
        amount (int): The price of the session. In minor units.
        currency (Currency): A currency: its ISO 4217 code.
        retrospective (bool | Unset): Whether scheduled_at can be in the past. Such a check is decided on the coverage
            as it took effect at scheduled_at and as it is known now. The remaining sessions are those of now. Default:
            False.
    """

    member_reference: str
    service_code: str
    scheduled_at: datetime.datetime
    amount: int
    currency: Currency
    retrospective: bool | Unset = False

    def to_dict(self) -> dict[str, Any]:
        member_reference = self.member_reference

        service_code = self.service_code

        scheduled_at = to_instant(self.scheduled_at)

        amount = self.amount

        currency = str(self.currency)

        retrospective = self.retrospective

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "member_reference": member_reference,
                "service_code": service_code,
                "scheduled_at": scheduled_at,
                "amount": amount,
                "currency": currency,
            }
        )
        if retrospective is not UNSET:
            field_dict["retrospective"] = retrospective

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        member_reference = d.pop("member_reference")

        service_code = d.pop("service_code")

        scheduled_at = datetime.datetime.fromisoformat(d.pop("scheduled_at"))

        amount = d.pop("amount")

        currency = Currency(d.pop("currency"))

        retrospective = d.pop("retrospective", UNSET)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        eligibility_check_input = cls(
            member_reference=member_reference,
            service_code=service_code,
            scheduled_at=scheduled_at,
            amount=amount,
            currency=currency,
            retrospective=retrospective,
        )

        return eligibility_check_input
