from enum import StrEnum


class ReconciliationReason(StrEnum):
    ADVICE_WITHDRAWN = "advice_withdrawn"
    ALLOCATION_UNMATCHED = "allocation_unmatched"
    AMOUNT_EXCEEDS_ADVICE = "amount_exceeds_advice"
    AWAITING_FUNDS = "awaiting_funds"
    CURRENCY_MISMATCH = "currency_mismatch"
    DEADLINE_PASSED = "deadline_passed"
    PARTIAL_FUNDS = "partial_funds"

    @classmethod
    def _missing_(cls, value: object) -> "ReconciliationReason | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
