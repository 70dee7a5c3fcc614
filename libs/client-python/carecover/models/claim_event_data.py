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

from ..models.claim_status import ClaimStatus

if TYPE_CHECKING:
    from ..models.claim_event_data_amount import ClaimEventDataAmount


T = TypeVar("T", bound="ClaimEventData")


@_attrs_define
class ClaimEventData:
    """A claim at the time of the event.

    Attributes:
        id (str): The claim.
        object_ (Literal['claim']): Always `claim`.
        status (ClaimStatus): The status of a claim.
        submission_version (int): The number of submissions.
        adjudication_version (int | None): The current adjudication's version; null while there is none.
        amount (ClaimEventDataAmount): Amounts, in one currency.
    """

    id: str
    object_: Literal["claim"]
    status: ClaimStatus
    submission_version: int
    adjudication_version: int | None
    amount: ClaimEventDataAmount

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        status = str(self.status)

        submission_version = self.submission_version

        adjudication_version: int | None
        adjudication_version = self.adjudication_version

        amount = self.amount.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "status": status,
                "submission_version": submission_version,
                "adjudication_version": adjudication_version,
                "amount": amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.claim_event_data_amount import ClaimEventDataAmount

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["claim"], d.pop("object"))
        if object_ != "claim":
            raise ValueError(f"object must match const 'claim', got '{object_}'")

        status = ClaimStatus(d.pop("status"))

        submission_version = d.pop("submission_version")

        def _parse_adjudication_version(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        adjudication_version = _parse_adjudication_version(
            d.pop("adjudication_version")
        )

        amount = ClaimEventDataAmount.from_dict(d.pop("amount"))

        claim_event_data = cls(
            id=id,
            object_=object_,
            status=status,
            submission_version=submission_version,
            adjudication_version=adjudication_version,
            amount=amount,
        )

        return claim_event_data
