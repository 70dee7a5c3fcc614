from enum import StrEnum


class ListOrder(StrEnum):
    ASC = "asc"
    DESC = "desc"

    @classmethod
    def _missing_(cls, value: object) -> "ListOrder | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
