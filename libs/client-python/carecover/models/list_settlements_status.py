from enum import StrEnum


class ListSettlementsStatus(StrEnum):
    MATCHED = "matched"
    REVERSED = "reversed"
    UNMATCHED = "unmatched"

    @classmethod
    def _missing_(cls, value: object) -> "ListSettlementsStatus | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
