from enum import StrEnum


class DevelopmentMeasure(StrEnum):
    ADJUSTMENT = "adjustment"
    BILLED = "billed"
    CLAIM_COUNT = "claim_count"
    OUTSTANDING = "outstanding"
    PATIENT_RESPONSIBILITY = "patient_responsibility"
    PAYER_LIABILITY = "payer_liability"
    REMITTED = "remitted"
    SETTLED = "settled"

    @classmethod
    def _missing_(cls, value: object) -> "DevelopmentMeasure | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
