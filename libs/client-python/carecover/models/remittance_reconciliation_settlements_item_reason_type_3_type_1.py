from enum import StrEnum


class RemittanceReconciliationSettlementsItemReasonType3Type1(StrEnum):
    ALLOCATION_UNMATCHED = "allocation_unmatched"
    AMOUNT_EXCEEDS_ADVICE = "amount_exceeds_advice"
    CURRENCY_MISMATCH = "currency_mismatch"

    @classmethod
    def _missing_(
        cls, value: object
    ) -> "RemittanceReconciliationSettlementsItemReasonType3Type1 | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
