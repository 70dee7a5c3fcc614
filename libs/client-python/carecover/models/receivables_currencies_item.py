from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.receivables_currencies_item_outstanding import (
        ReceivablesCurrenciesItemOutstanding,
    )
    from ..models.receivables_currencies_item_payers_item import (
        ReceivablesCurrenciesItemPayersItem,
    )
    from ..models.receivables_currencies_item_practitioners_item import (
        ReceivablesCurrenciesItemPractitionersItem,
    )


T = TypeVar("T", bound="ReceivablesCurrenciesItem")


@_attrs_define
class ReceivablesCurrenciesItem:
    """The outstanding amounts in one currency.

    Attributes:
        currency (str): ISO 4217 code of the currency.
        claim_count (int): The number of claims with an outstanding amount.
        outstanding (ReceivablesCurrenciesItemOutstanding): Outstanding amounts by age: the number of whole days from
            the claim's submitted_at to the instant.
        practitioners (list[ReceivablesCurrenciesItemPractitionersItem]): The same amounts by practitioner. Largest
            total first; at most 1000. If there are more, a last item contains the sum of the others.
        payers (list[ReceivablesCurrenciesItemPayersItem]): The same amounts by payer. Largest total first; at most
            1000. If there are more, a last item contains the sum of the others.
    """

    currency: str
    claim_count: int
    outstanding: ReceivablesCurrenciesItemOutstanding
    practitioners: list[ReceivablesCurrenciesItemPractitionersItem]
    payers: list[ReceivablesCurrenciesItemPayersItem]

    def to_dict(self) -> dict[str, Any]:
        currency = self.currency

        claim_count = self.claim_count

        outstanding = self.outstanding.to_dict()

        practitioners = []
        for practitioners_item_data in self.practitioners:
            practitioners_item = practitioners_item_data.to_dict()
            practitioners.append(practitioners_item)

        payers = []
        for payers_item_data in self.payers:
            payers_item = payers_item_data.to_dict()
            payers.append(payers_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "currency": currency,
                "claim_count": claim_count,
                "outstanding": outstanding,
                "practitioners": practitioners,
                "payers": payers,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.receivables_currencies_item_outstanding import (
            ReceivablesCurrenciesItemOutstanding,
        )
        from ..models.receivables_currencies_item_payers_item import (
            ReceivablesCurrenciesItemPayersItem,
        )
        from ..models.receivables_currencies_item_practitioners_item import (
            ReceivablesCurrenciesItemPractitionersItem,
        )

        d = dict(src_dict)
        currency = d.pop("currency")

        claim_count = d.pop("claim_count")

        outstanding = ReceivablesCurrenciesItemOutstanding.from_dict(
            d.pop("outstanding")
        )

        practitioners = []
        _practitioners = d.pop("practitioners")
        for practitioners_item_data in _practitioners:
            practitioners_item = ReceivablesCurrenciesItemPractitionersItem.from_dict(
                practitioners_item_data
            )

            practitioners.append(practitioners_item)

        payers = []
        _payers = d.pop("payers")
        for payers_item_data in _payers:
            payers_item = ReceivablesCurrenciesItemPayersItem.from_dict(
                payers_item_data
            )

            payers.append(payers_item)

        receivables_currencies_item = cls(
            currency=currency,
            claim_count=claim_count,
            outstanding=outstanding,
            practitioners=practitioners,
            payers=payers,
        )

        return receivables_currencies_item
