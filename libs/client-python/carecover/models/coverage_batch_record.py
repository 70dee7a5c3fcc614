from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..caller_input import to_instant
from ..models.coverage_status import CoverageStatus
from ..models.currency import Currency

T = TypeVar("T", bound="CoverageBatchRecord")


@_attrs_define
class CoverageBatchRecord:
    """The observation of one coverage in a batch.

    Attributes:
        coverage_reference (str): The payer's reference of the coverage.
        record_version (str): The payer's version of this observation.
        tenant_reference (str): The payer's reference of the insured group.
        member_reference (str): The payer's reference of the member. No response contains it.
        service_code (str): The service that is covered.
        plan_name (str): The plan's name.
        status (CoverageStatus): The status of a coverage at the payer.
        currency (Currency): A currency: its ISO 4217 code.
        amount_limit (int): The maximum covered amount per session. In minor units.
        remaining_sessions (int): The number of remaining sessions at the payer.
        authorization_required (bool): Whether a claim for a session requires a pre-authorization.
        coordination_priority (int | None): Rank among the coverages of a member who is insured by more than one payer:
            1 is primary; null is last.
        valid_from (datetime.datetime): Start of the cover. RFC 3339 with an offset, without a leap second (:60);
            floored to milliseconds.
        valid_until (datetime.datetime): End of the cover, exclusive; after its start. RFC 3339 with an offset, without
            a leap second (:60); floored to milliseconds.
    """

    coverage_reference: str
    record_version: str
    tenant_reference: str
    member_reference: str
    service_code: str
    plan_name: str
    status: CoverageStatus
    currency: Currency
    amount_limit: int
    remaining_sessions: int
    authorization_required: bool
    coordination_priority: int | None
    valid_from: datetime.datetime
    valid_until: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        coverage_reference = self.coverage_reference

        record_version = self.record_version

        tenant_reference = self.tenant_reference

        member_reference = self.member_reference

        service_code = self.service_code

        plan_name = self.plan_name

        status = str(self.status)

        currency = str(self.currency)

        amount_limit = self.amount_limit

        remaining_sessions = self.remaining_sessions

        authorization_required = self.authorization_required

        coordination_priority: int | None
        coordination_priority = self.coordination_priority

        valid_from = to_instant(self.valid_from)

        valid_until = to_instant(self.valid_until)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "coverage_reference": coverage_reference,
                "record_version": record_version,
                "tenant_reference": tenant_reference,
                "member_reference": member_reference,
                "service_code": service_code,
                "plan_name": plan_name,
                "status": status,
                "currency": currency,
                "amount_limit": amount_limit,
                "remaining_sessions": remaining_sessions,
                "authorization_required": authorization_required,
                "coordination_priority": coordination_priority,
                "valid_from": valid_from,
                "valid_until": valid_until,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        coverage_reference = d.pop("coverage_reference")

        record_version = d.pop("record_version")

        tenant_reference = d.pop("tenant_reference")

        member_reference = d.pop("member_reference")

        service_code = d.pop("service_code")

        plan_name = d.pop("plan_name")

        status = CoverageStatus(d.pop("status"))

        currency = Currency(d.pop("currency"))

        amount_limit = d.pop("amount_limit")

        remaining_sessions = d.pop("remaining_sessions")

        authorization_required = d.pop("authorization_required")

        def _parse_coordination_priority(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        coordination_priority = _parse_coordination_priority(
            d.pop("coordination_priority")
        )

        valid_from = datetime.datetime.fromisoformat(d.pop("valid_from"))

        valid_until = datetime.datetime.fromisoformat(d.pop("valid_until"))

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        coverage_batch_record = cls(
            coverage_reference=coverage_reference,
            record_version=record_version,
            tenant_reference=tenant_reference,
            member_reference=member_reference,
            service_code=service_code,
            plan_name=plan_name,
            status=status,
            currency=currency,
            amount_limit=amount_limit,
            remaining_sessions=remaining_sessions,
            authorization_required=authorization_required,
            coordination_priority=coordination_priority,
            valid_from=valid_from,
            valid_until=valid_until,
        )

        return coverage_batch_record
