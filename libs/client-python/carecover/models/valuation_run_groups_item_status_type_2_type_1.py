from enum import StrEnum


class ValuationRunGroupsItemStatusType2Type1(StrEnum):
    APPROVED = "approved"
    CANCELLED = "cancelled"
    DENIED = "denied"
    DRAFT = "draft"
    PARTIALLY_APPROVED = "partially_approved"
    QUERIED = "queried"
    REVERSED = "reversed"
    SETTLED = "settled"
    SUBMITTED = "submitted"

    @classmethod
    def _missing_(
        cls, value: object
    ) -> "ValuationRunGroupsItemStatusType2Type1 | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
