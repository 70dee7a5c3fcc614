from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ClaimLinksSettlementsItem")


@_attrs_define
class ClaimLinksSettlementsItem:
    """A settlement of the claim.

    Attributes:
        id (str): The settlement.
        amount (int): The amount of the claim that it settles, less what was taken back; 0 once it is reversed, and if
            it settles a recovery. In minor units.
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

        claim_links_settlements_item = cls(
            id=id,
            amount=amount,
        )

        return claim_links_settlements_item
