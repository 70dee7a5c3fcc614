from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.age_band import AgeBand
from ..models.claim_status import ClaimStatus

if TYPE_CHECKING:
    from ..models.valuation_run_groups_item_amount import ValuationRunGroupsItemAmount


T = TypeVar("T", bound="ValuationRunGroupsItem")


@_attrs_define
class ValuationRunGroupsItem:
    """The claims with equal values of all dimensions of group_by.

    Attributes:
        currency (str): ISO 4217 code of the currency.
        status (ClaimStatus | None): The status of the claims at the cutoffs. Null if not grouped by it.
        practitioner_id (None | str): The practitioner of the claims. Null if not grouped by it.
        payer_reference (None | str): The source_contract_reference that the coverage had when the claim was submitted.
            Null if not grouped by it.
        plan (None | str): The name of the coverage's plan when the claim was submitted. Null if not grouped by it.
        service_month (None | str): The month in which the service starts. In UTC. Null if not grouped by it.
        submission_month (None | str): The month in which the claim was submitted. In UTC. Null if not grouped by it.
        age_band (AgeBand | None): The number of whole days from the submission to effective_through. Null if not
            grouped by it.
        claim_count (int): The number of claims.
        amount (ValuationRunGroupsItemAmount): Sums of the amounts of the claims' valuations. A claim without an
            adjudication adds 0.
    """

    currency: str
    status: ClaimStatus | None
    practitioner_id: None | str
    payer_reference: None | str
    plan: None | str
    service_month: None | str
    submission_month: None | str
    age_band: AgeBand | None
    claim_count: int
    amount: ValuationRunGroupsItemAmount

    def to_dict(self) -> dict[str, Any]:
        currency = self.currency

        status: None | str
        if isinstance(self.status, ClaimStatus):
            status = str(self.status)
        else:
            status = self.status

        practitioner_id: None | str
        practitioner_id = self.practitioner_id

        payer_reference: None | str
        payer_reference = self.payer_reference

        plan: None | str
        plan = self.plan

        service_month: None | str
        service_month = self.service_month

        submission_month: None | str
        submission_month = self.submission_month

        age_band: None | str
        if isinstance(self.age_band, AgeBand):
            age_band = str(self.age_band)
        else:
            age_band = self.age_band

        claim_count = self.claim_count

        amount = self.amount.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "currency": currency,
                "status": status,
                "practitioner_id": practitioner_id,
                "payer_reference": payer_reference,
                "plan": plan,
                "service_month": service_month,
                "submission_month": submission_month,
                "age_band": age_band,
                "claim_count": claim_count,
                "amount": amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.valuation_run_groups_item_amount import (
            ValuationRunGroupsItemAmount,
        )

        d = dict(src_dict)
        currency = d.pop("currency")

        def _parse_status(data: object) -> ClaimStatus | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                status_type_0 = ClaimStatus(data)

                return status_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ClaimStatus | None, data)

        status = _parse_status(d.pop("status"))

        def _parse_practitioner_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        practitioner_id = _parse_practitioner_id(d.pop("practitioner_id"))

        def _parse_payer_reference(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        payer_reference = _parse_payer_reference(d.pop("payer_reference"))

        def _parse_plan(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        plan = _parse_plan(d.pop("plan"))

        def _parse_service_month(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        service_month = _parse_service_month(d.pop("service_month"))

        def _parse_submission_month(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        submission_month = _parse_submission_month(d.pop("submission_month"))

        def _parse_age_band(data: object) -> AgeBand | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                age_band_type_0 = AgeBand(data)

                return age_band_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(AgeBand | None, data)

        age_band = _parse_age_band(d.pop("age_band"))

        claim_count = d.pop("claim_count")

        amount = ValuationRunGroupsItemAmount.from_dict(d.pop("amount"))

        valuation_run_groups_item = cls(
            currency=currency,
            status=status,
            practitioner_id=practitioner_id,
            payer_reference=payer_reference,
            plan=plan,
            service_month=service_month,
            submission_month=submission_month,
            age_band=age_band,
            claim_count=claim_count,
            amount=amount,
        )

        return valuation_run_groups_item
