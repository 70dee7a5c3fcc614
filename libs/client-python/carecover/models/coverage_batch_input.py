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

if TYPE_CHECKING:
    from ..models.coverage_batch_record import CoverageBatchRecord


T = TypeVar("T", bound="CoverageBatchInput")


@_attrs_define
class CoverageBatchInput:
    """Observations of many coverages. Either all are recorded or none.

    Attributes:
        contract_version (Literal['2026-08-01']): The version of this format.
        batch_reference (str): The payer's reference of the batch.
        source_contract_reference (str): The payer's contract. Amounts by payer are grouped by it.
        batch_version (str): The payer's version of the batch.
        generated_at (datetime.datetime): When the payer created the batch; the `observed_at` of its observations. RFC
            3339 with an offset, without a leap second (:60); floored to milliseconds.
        records (list[CoverageBatchRecord]): The observations.
    """

    contract_version: Literal["2026-08-01"]
    batch_reference: str
    source_contract_reference: str
    batch_version: str
    generated_at: datetime.datetime
    records: list[CoverageBatchRecord]

    def to_dict(self) -> dict[str, Any]:
        contract_version = self.contract_version

        batch_reference = self.batch_reference

        source_contract_reference = self.source_contract_reference

        batch_version = self.batch_version

        generated_at = to_instant(self.generated_at)

        records = []
        for records_item_data in self.records:
            records_item = records_item_data.to_dict()
            records.append(records_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "contract_version": contract_version,
                "batch_reference": batch_reference,
                "source_contract_reference": source_contract_reference,
                "batch_version": batch_version,
                "generated_at": generated_at,
                "records": records,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.coverage_batch_record import CoverageBatchRecord

        d = dict(src_dict)
        contract_version = cast(Literal["2026-08-01"], d.pop("contract_version"))
        if contract_version != "2026-08-01":
            raise ValueError(
                f"contract_version must match const '2026-08-01', got '{contract_version}'"
            )

        batch_reference = d.pop("batch_reference")

        source_contract_reference = d.pop("source_contract_reference")

        batch_version = d.pop("batch_version")

        generated_at = datetime.datetime.fromisoformat(d.pop("generated_at"))

        records = []
        _records = d.pop("records")
        for records_item_data in _records:
            records_item = CoverageBatchRecord.from_dict(records_item_data)

            records.append(records_item)

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        coverage_batch_input = cls(
            contract_version=contract_version,
            batch_reference=batch_reference,
            source_contract_reference=source_contract_reference,
            batch_version=batch_version,
            generated_at=generated_at,
            records=records,
        )

        return coverage_batch_input
