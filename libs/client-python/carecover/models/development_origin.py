from enum import StrEnum


class DevelopmentOrigin(StrEnum):
    SERVICE_MONTH = "service_month"
    SERVICE_QUARTER = "service_quarter"
    SERVICE_YEAR = "service_year"

    @classmethod
    def _missing_(cls, value: object) -> "DevelopmentOrigin | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
