from enum import StrEnum


class AgeBand(StrEnum):
    DAYS_0_30 = "days_0_30"
    DAYS_31_60 = "days_31_60"
    DAYS_61_90 = "days_61_90"
    DAYS_OVER_90 = "days_over_90"

    @classmethod
    def _missing_(cls, value: object) -> "AgeBand | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
