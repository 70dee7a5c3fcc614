from enum import StrEnum


class BulkJobKind(StrEnum):
    ADJUDICATIONS = "adjudications"
    CLAIMS = "claims"
    ELIGIBILITY_CHECKS = "eligibility_checks"
    REMITTANCES = "remittances"
    SESSIONS = "sessions"
    SETTLEMENTS = "settlements"

    @classmethod
    def _missing_(cls, value: object) -> "BulkJobKind | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
