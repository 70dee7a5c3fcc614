from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ClaimLinksRemittancesItem")


@_attrs_define
class ClaimLinksRemittancesItem:
    """A remittance that pays for the claim.

    Attributes:
        id (str): The remittance.
        amount (int): The amount that it allocates to the claim, less what was taken back. In minor units.
    """

    id: str
    amount: int

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        amount = self.amount

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "amount": amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        amount = d.pop("amount")

        claim_links_remittances_item = cls(
            id=id,
            amount=amount,
        )

        return claim_links_remittances_item
