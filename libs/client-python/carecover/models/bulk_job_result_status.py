from enum import StrEnum


class BulkJobResultStatus(StrEnum):
    REJECTED = "rejected"
    REPLAYED = "replayed"
    SUCCEEDED = "succeeded"
    WAITING = "waiting"

    @classmethod
    def _missing_(cls, value: object) -> "BulkJobResultStatus | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
