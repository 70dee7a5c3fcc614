from enum import StrEnum


class BulkJobStatus(StrEnum):
    CANCELLED = "cancelled"
    COMPLETED = "completed"
    PAUSED = "paused"
    PENDING = "pending"
    RECEIVING = "receiving"
    RUNNING = "running"
    STOPPED = "stopped"

    @classmethod
    def _missing_(cls, value: object) -> "BulkJobStatus | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
