from enum import StrEnum


class EligibilityReasonCode(StrEnum):
    AMOUNT_EXCEEDS_BENEFIT = "amount_exceeds_benefit"
    BENEFIT_EXHAUSTED = "benefit_exhausted"
    COORDINATION_REQUIRED = "coordination_required"
    COVERAGE_INACTIVE = "coverage_inactive"
    COVERAGE_NOT_FOUND = "coverage_not_found"
    ELIGIBLE = "eligible"
    OUTSIDE_COVERAGE_PERIOD = "outside_coverage_period"

    @classmethod
    def _missing_(cls, value: object) -> "EligibilityReasonCode | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
