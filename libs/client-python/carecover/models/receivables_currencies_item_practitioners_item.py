from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.receivables_currencies_item_practitioners_item_outstanding import (
        ReceivablesCurrenciesItemPractitionersItemOutstanding,
    )


T = TypeVar("T", bound="ReceivablesCurrenciesItemPractitionersItem")


@_attrs_define
class ReceivablesCurrenciesItemPractitionersItem:
    """The outstanding amounts of one practitioner.

    Attributes:
        practitioner_id (None | str): The practitioner; null for the others.
        claim_count (int): The number of claims with an outstanding amount.
        outstanding (ReceivablesCurrenciesItemPractitionersItemOutstanding): Outstanding amounts by age: the number of
            whole days from the claim's submitted_at to the instant.
    """

    practitioner_id: None | str
    claim_count: int
    outstanding: ReceivablesCurrenciesItemPractitionersItemOutstanding

    def to_dict(self) -> dict[str, Any]:
        practitioner_id: None | str
        practitioner_id = self.practitioner_id

        claim_count = self.claim_count

        outstanding = self.outstanding.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "practitioner_id": practitioner_id,
                "claim_count": claim_count,
                "outstanding": outstanding,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.receivables_currencies_item_practitioners_item_outstanding import (
            ReceivablesCurrenciesItemPractitionersItemOutstanding,
        )

        d = dict(src_dict)

        def _parse_practitioner_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        practitioner_id = _parse_practitioner_id(d.pop("practitioner_id"))

        claim_count = d.pop("claim_count")

        outstanding = ReceivablesCurrenciesItemPractitionersItemOutstanding.from_dict(
            d.pop("outstanding")
        )

        receivables_currencies_item_practitioners_item = cls(
            practitioner_id=practitioner_id,
            claim_count=claim_count,
            outstanding=outstanding,
        )

        return receivables_currencies_item_practitioners_item
