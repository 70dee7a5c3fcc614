from enum import StrEnum


class SessionInputPaymentSource(StrEnum):
    COVERED = "covered"
    SELF_PAY = "self_pay"

    @classmethod
    def _missing_(cls, value: object) -> "SessionInputPaymentSource | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
