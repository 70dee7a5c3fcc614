from enum import StrEnum


class EventType(StrEnum):
    BULK_JOB_COMPLETED = "bulk_job.completed"
    CLAIM_APPROVED = "claim.approved"
    CLAIM_CANCELLED = "claim.cancelled"
    CLAIM_DENIED = "claim.denied"
    CLAIM_INFORMATION_REQUESTED = "claim.information_requested"
    CLAIM_PARTIALLY_APPROVED = "claim.partially_approved"
    CLAIM_RESUBMITTED = "claim.resubmitted"
    CLAIM_REVERSED = "claim.reversed"
    CLAIM_SETTLED = "claim.settled"
    CLAIM_SUBMITTED = "claim.submitted"
    PREAUTHORIZATION_APPROVED = "preauthorization.approved"
    PREAUTHORIZATION_CANCELLED = "preauthorization.cancelled"
    PREAUTHORIZATION_DENIED = "preauthorization.denied"
    PREAUTHORIZATION_EXPIRED = "preauthorization.expired"
    PREAUTHORIZATION_REQUESTED = "preauthorization.requested"
    REMITTANCE_EXCEPTION = "remittance.exception"
    REMITTANCE_RECONCILED = "remittance.reconciled"
    SANDBOX_PING = "sandbox.ping"

    @classmethod
    def _missing_(cls, value: object) -> "EventType | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
