from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.receivables_currencies_item_payers_item_outstanding import (
        ReceivablesCurrenciesItemPayersItemOutstanding,
    )


T = TypeVar("T", bound="ReceivablesCurrenciesItemPayersItem")


@_attrs_define
class ReceivablesCurrenciesItemPayersItem:
    """The outstanding amounts of one payer.

    Attributes:
        payer_reference (None | str): The source_contract_reference that the coverage had when the claim was submitted;
            null for the others.
        claim_count (int): The number of claims with an outstanding amount.
        outstanding (ReceivablesCurrenciesItemPayersItemOutstanding): Outstanding amounts by age: the number of whole
            days from the claim's submitted_at to the instant.
    """

    payer_reference: None | str
    claim_count: int
    outstanding: ReceivablesCurrenciesItemPayersItemOutstanding

    def to_dict(self) -> dict[str, Any]:
        payer_reference: None | str
        payer_reference = self.payer_reference

        claim_count = self.claim_count

        outstanding = self.outstanding.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "payer_reference": payer_reference,
                "claim_count": claim_count,
                "outstanding": outstanding,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.receivables_currencies_item_payers_item_outstanding import (
            ReceivablesCurrenciesItemPayersItemOutstanding,
        )

        d = dict(src_dict)

        def _parse_payer_reference(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        payer_reference = _parse_payer_reference(d.pop("payer_reference"))

        claim_count = d.pop("claim_count")

        outstanding = ReceivablesCurrenciesItemPayersItemOutstanding.from_dict(
            d.pop("outstanding")
        )

        receivables_currencies_item_payers_item = cls(
            payer_reference=payer_reference,
            claim_count=claim_count,
            outstanding=outstanding,
        )

        return receivables_currencies_item_payers_item
