from enum import StrEnum


class ValuationRunInputKind(StrEnum):
    DEVELOPMENT = "development"
    TOTALS = "totals"

    @classmethod
    def _missing_(cls, value: object) -> "ValuationRunInputKind | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
