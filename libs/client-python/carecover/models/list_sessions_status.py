from enum import StrEnum


class ListSessionsStatus(StrEnum):
    CANCELLED = "cancelled"
    CONFIRMED = "confirmed"
    DELIVERED = "delivered"
    IN_PROGRESS = "in_progress"
    RESERVED = "reserved"

    @classmethod
    def _missing_(cls, value: object) -> "ListSessionsStatus | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
