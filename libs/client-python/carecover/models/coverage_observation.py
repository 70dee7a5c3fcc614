from __future__ import annotations

import datetime
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

from ..caller_input import to_instant
from ..models.coverage_source import CoverageSource
from ..models.coverage_status import CoverageStatus

if TYPE_CHECKING:
    from ..models.coverage_observation_amount_limit import (
        CoverageObservationAmountLimit,
    )


T = TypeVar("T", bound="CoverageObservation")


@_attrs_define
class CoverageObservation:
    """One version of a coverage as the payer observed it. Observations never change. The one with the latest observed_at
    is the snapshot.

        Attributes:
            id (str): The observation's identifier.
            object_ (Literal['coverage_observation']): Always `coverage_observation`.
            coverage_id (str): The observed coverage.
            source (CoverageSource): How the service received an observation of a coverage.
            source_contract_reference (str): The payer's contract. Amounts by payer are grouped by it.
            external_coverage_reference (str): The payer's reference of the coverage.
            source_version (str): The payer's version of the observation.
            snapshot_version (int): The snapshot's version. It increases when a later observation replaces the snapshot.
            status (CoverageStatus): The status of a coverage at the payer.
            service_code (str): The service that is covered.
            amount_limit (CoverageObservationAmountLimit): The maximum covered amount per session.
            remaining_sessions (int): The number of remaining sessions at the payer.
            authorization_required (bool): Whether a claim for a session requires a pre-authorization.
            coordination_priority (int | None): Rank among the coverages of a member who is insured by more than one payer:
                1 is primary; null is last.
            valid_from (datetime.datetime): Start of the cover. UTC, in milliseconds.
            valid_until (datetime.datetime): End of the cover, exclusive. UTC, in milliseconds.
            observed_at (datetime.datetime): When the payer observed this state. UTC, in milliseconds.
    """

    id: str
    object_: Literal["coverage_observation"]
    coverage_id: str
    source: CoverageSource
    source_contract_reference: str
    external_coverage_reference: str
    source_version: str
    snapshot_version: int
    status: CoverageStatus
    service_code: str
    amount_limit: CoverageObservationAmountLimit
    remaining_sessions: int
    authorization_required: bool
    coordination_priority: int | None
    valid_from: datetime.datetime
    valid_until: datetime.datetime
    observed_at: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        coverage_id = self.coverage_id

        source = str(self.source)

        source_contract_reference = self.source_contract_reference

        external_coverage_reference = self.external_coverage_reference

        source_version = self.source_version

        snapshot_version = self.snapshot_version

        status = str(self.status)

        service_code = self.service_code

        amount_limit = self.amount_limit.to_dict()

        remaining_sessions = self.remaining_sessions

        authorization_required = self.authorization_required

        coordination_priority: int | None
        coordination_priority = self.coordination_priority

        valid_from = to_instant(self.valid_from)

        valid_until = to_instant(self.valid_until)

        observed_at = to_instant(self.observed_at)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "object": object_,
                "coverage_id": coverage_id,
                "source": source,
                "source_contract_reference": source_contract_reference,
                "external_coverage_reference": external_coverage_reference,
                "source_version": source_version,
                "snapshot_version": snapshot_version,
                "status": status,
                "service_code": service_code,
                "amount_limit": amount_limit,
                "remaining_sessions": remaining_sessions,
                "authorization_required": authorization_required,
                "coordination_priority": coordination_priority,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "observed_at": observed_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.coverage_observation_amount_limit import (
            CoverageObservationAmountLimit,
        )

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["coverage_observation"], d.pop("object"))
        if object_ != "coverage_observation":
            raise ValueError(
                f"object must match const 'coverage_observation', got '{object_}'"
            )

        coverage_id = d.pop("coverage_id")

        source = CoverageSource(d.pop("source"))

        source_contract_reference = d.pop("source_contract_reference")

        external_coverage_reference = d.pop("external_coverage_reference")

        source_version = d.pop("source_version")

        snapshot_version = d.pop("snapshot_version")

        status = CoverageStatus(d.pop("status"))

        service_code = d.pop("service_code")

        amount_limit = CoverageObservationAmountLimit.from_dict(d.pop("amount_limit"))

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

        observed_at = datetime.datetime.fromisoformat(d.pop("observed_at"))

        coverage_observation = cls(
            id=id,
            object_=object_,
            coverage_id=coverage_id,
            source=source,
            source_contract_reference=source_contract_reference,
            external_coverage_reference=external_coverage_reference,
            source_version=source_version,
            snapshot_version=snapshot_version,
            status=status,
            service_code=service_code,
            amount_limit=amount_limit,
            remaining_sessions=remaining_sessions,
            authorization_required=authorization_required,
            coordination_priority=coordination_priority,
            valid_from=valid_from,
            valid_until=valid_until,
            observed_at=observed_at,
        )

        return coverage_observation
