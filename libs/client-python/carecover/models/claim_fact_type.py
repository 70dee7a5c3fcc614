from enum import StrEnum


class ClaimFactType(StrEnum):
    APPROVED = "approved"
    CANCELLED = "cancelled"
    CREATED = "created"
    DENIED = "denied"
    EVIDENCE_ADDED = "evidence_added"
    PARTIALLY_APPROVED = "partially_approved"
    QUERIED = "queried"
    RECONCILED = "reconciled"
    REMITTANCE_RECORDED = "remittance_recorded"
    RESUBMITTED = "resubmitted"
    REVERSED = "reversed"
    SETTLED = "settled"
    SUBMITTED = "submitted"
    VALIDATED = "validated"

    @classmethod
    def _missing_(cls, value: object) -> "ClaimFactType | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
