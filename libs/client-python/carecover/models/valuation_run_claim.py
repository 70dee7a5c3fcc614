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

from ..models.age_band import AgeBand
from ..models.claim_status import ClaimStatus

if TYPE_CHECKING:
    from ..models.valuation_run_claim_amount import ValuationRunClaimAmount


T = TypeVar("T", bound="ValuationRunClaim")


@_attrs_define
class ValuationRunClaim:
    """A claim that a valuation run counted, at the cutoffs of the run. If both cutoffs are equal, status and amounts are
    those of the claim's valuation.

        Attributes:
            id (str): The claim.
            object_ (Literal['valuation_run_claim']): Always `valuation_run_claim`.
            currency (str): ISO 4217 code of the currency.
            status (ClaimStatus): The status of a claim.
            practitioner_id (str): The practitioner of the claims.
            payer_reference (str): The source_contract_reference that the coverage had when the claim was submitted.
            plan (str): The name of the coverage's plan when the claim was submitted.
            service_month (str): The month in which the service starts. In UTC.
            submission_month (str): The month in which the claim was submitted. In UTC.
            age_band (AgeBand): The age of a claim: whole days from its submission.
            amount (ValuationRunClaimAmount): Amounts at the cutoffs.
    """

    id: str
    object_: Literal["valuation_run_claim"]
    currency: str
    status: ClaimStatus
    practitioner_id: str
    payer_reference: str
    plan: str
    service_month: str
    submission_month: str
    age_band: AgeBand
    amount: ValuationRunClaimAmount

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        currency = self.currency

        status = str(self.status)

        practitioner_id = self.practitioner_id

        payer_reference = self.payer_reference

        plan = self.plan

        service_month = self.service_month

        submission_month = self.submission_month

        age_band = str(self.age_band)

        amount = self.amount.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "currency": currency,
                "status": status,
                "practitioner_id": practitioner_id,
                "payer_reference": payer_reference,
                "plan": plan,
                "service_month": service_month,
                "submission_month": submission_month,
                "age_band": age_band,
                "amount": amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.valuation_run_claim_amount import ValuationRunClaimAmount

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["valuation_run_claim"], d.pop("object"))
        if object_ != "valuation_run_claim":
            raise ValueError(
                f"object must match const 'valuation_run_claim', got '{object_}'"
            )

        currency = d.pop("currency")

        status = ClaimStatus(d.pop("status"))

        practitioner_id = d.pop("practitioner_id")

        payer_reference = d.pop("payer_reference")

        plan = d.pop("plan")

        service_month = d.pop("service_month")

        submission_month = d.pop("submission_month")

        age_band = AgeBand(d.pop("age_band"))

        amount = ValuationRunClaimAmount.from_dict(d.pop("amount"))

        valuation_run_claim = cls(
            id=id,
            object_=object_,
            currency=currency,
            status=status,
            practitioner_id=practitioner_id,
            payer_reference=payer_reference,
            plan=plan,
            service_month=service_month,
            submission_month=submission_month,
            age_band=age_band,
            amount=amount,
        )

        return valuation_run_claim
