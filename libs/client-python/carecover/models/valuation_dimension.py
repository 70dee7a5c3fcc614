from enum import StrEnum


class ValuationDimension(StrEnum):
    AGE_BAND = "age_band"
    PAYER_REFERENCE = "payer_reference"
    PLAN = "plan"
    PRACTITIONER_ID = "practitioner_id"
    SERVICE_MONTH = "service_month"
    STATUS = "status"
    SUBMISSION_MONTH = "submission_month"

    @classmethod
    def _missing_(cls, value: object) -> "ValuationDimension | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
