from enum import StrEnum


class TestClockStatus(StrEnum):
    ADVANCING = "advancing"
    FAILED = "failed"
    READY = "ready"

    @classmethod
    def _missing_(cls, value: object) -> "TestClockStatus | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
