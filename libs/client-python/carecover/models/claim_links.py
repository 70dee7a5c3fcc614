from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.claim_links_remittances_item import ClaimLinksRemittancesItem
    from ..models.claim_links_session_recorded_type_0 import (
        ClaimLinksSessionRecordedType0,
    )
    from ..models.claim_links_settlements_item import ClaimLinksSettlementsItem


T = TypeVar("T", bound="ClaimLinks")


@_attrs_define
class ClaimLinks:
    """The resources that a claim is connected with, with the amounts of its remittances and settlements.

    Attributes:
        object_ (Literal['claim_links']): Always `claim_links`.
        claim_id (str): The claim.
        session_id (str): The session that it claims.
        booking_id (str): The booking of the session.
        session_recorded (ClaimLinksSessionRecordedType0 | None): Who recorded the session outside the booking calendar,
            and when; null if it was booked in a slot.
        practitioner_id (str): The practitioner of the session.
        eligibility_check_id (str): The eligibility check that it relies on.
        preauthorization_id (None | str): The pre-authorization that it uses; null if it uses none.
        currency (str): ISO 4217 code of the currency.
        remittances (list[ClaimLinksRemittancesItem]): The remittances that are not taken back in full, in the order in
            which they were recorded. Their sum is the claim's remitted amount.
        settlements (list[ClaimLinksSettlementsItem]): The settlements that were matched to the claim, in the order in
            which they were recorded. Their sum is the claim's settled amount.
    """

    object_: Literal["claim_links"]
    claim_id: str
    session_id: str
    booking_id: str
    session_recorded: ClaimLinksSessionRecordedType0 | None
    practitioner_id: str
    eligibility_check_id: str
    preauthorization_id: None | str
    currency: str
    remittances: list[ClaimLinksRemittancesItem]
    settlements: list[ClaimLinksSettlementsItem]

    def to_dict(self) -> dict[str, Any]:
        from ..models.claim_links_session_recorded_type_0 import (
            ClaimLinksSessionRecordedType0,
        )

        object_ = self.object_

        claim_id = self.claim_id

        session_id = self.session_id

        booking_id = self.booking_id

        session_recorded: dict[str, Any] | None
        if isinstance(self.session_recorded, ClaimLinksSessionRecordedType0):
            session_recorded = self.session_recorded.to_dict()
        else:
            session_recorded = self.session_recorded

        practitioner_id = self.practitioner_id

        eligibility_check_id = self.eligibility_check_id

        preauthorization_id: None | str
        preauthorization_id = self.preauthorization_id

        currency = self.currency

        remittances = []
        for remittances_item_data in self.remittances:
            remittances_item = remittances_item_data.to_dict()
            remittances.append(remittances_item)

        settlements = []
        for settlements_item_data in self.settlements:
            settlements_item = settlements_item_data.to_dict()
            settlements.append(settlements_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "claim_id": claim_id,
                "session_id": session_id,
                "booking_id": booking_id,
                "session_recorded": session_recorded,
                "practitioner_id": practitioner_id,
                "eligibility_check_id": eligibility_check_id,
                "preauthorization_id": preauthorization_id,
                "currency": currency,
                "remittances": remittances,
                "settlements": settlements,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.claim_links_remittances_item import ClaimLinksRemittancesItem
        from ..models.claim_links_session_recorded_type_0 import (
            ClaimLinksSessionRecordedType0,
        )
        from ..models.claim_links_settlements_item import ClaimLinksSettlementsItem

        d = dict(src_dict)
        object_ = cast(Literal["claim_links"], d.pop("object"))
        if object_ != "claim_links":
            raise ValueError(f"object must match const 'claim_links', got '{object_}'")

        claim_id = d.pop("claim_id")

        session_id = d.pop("session_id")

        booking_id = d.pop("booking_id")

        def _parse_session_recorded(
            data: object,
        ) -> ClaimLinksSessionRecordedType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                session_recorded_type_0 = ClaimLinksSessionRecordedType0.from_dict(data)

                return session_recorded_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ClaimLinksSessionRecordedType0 | None, data)

        session_recorded = _parse_session_recorded(d.pop("session_recorded"))

        practitioner_id = d.pop("practitioner_id")

        eligibility_check_id = d.pop("eligibility_check_id")

        def _parse_preauthorization_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        preauthorization_id = _parse_preauthorization_id(d.pop("preauthorization_id"))

        currency = d.pop("currency")

        remittances = []
        _remittances = d.pop("remittances")
        for remittances_item_data in _remittances:
            remittances_item = ClaimLinksRemittancesItem.from_dict(
                remittances_item_data
            )

            remittances.append(remittances_item)

        settlements = []
        _settlements = d.pop("settlements")
        for settlements_item_data in _settlements:
            settlements_item = ClaimLinksSettlementsItem.from_dict(
                settlements_item_data
            )

            settlements.append(settlements_item)

        claim_links = cls(
            object_=object_,
            claim_id=claim_id,
            session_id=session_id,
            booking_id=booking_id,
            session_recorded=session_recorded,
            practitioner_id=practitioner_id,
            eligibility_check_id=eligibility_check_id,
            preauthorization_id=preauthorization_id,
            currency=currency,
            remittances=remittances,
            settlements=settlements,
        )

        return claim_links
