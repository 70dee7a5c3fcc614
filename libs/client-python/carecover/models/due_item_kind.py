from enum import StrEnum


class DueItemKind(StrEnum):
    CLAIM_INFORMATION_DUE = "claim.information_due"
    PREAUTHORIZATION_DECIDE_BY = "preauthorization.decide_by"
    PREAUTHORIZATION_VALID_UNTIL = "preauthorization.valid_until"
    REMITTANCE_DEADLINE = "remittance.deadline"
    SESSION_END = "session.end"
    SESSION_START = "session.start"
    WEBHOOK_RETRY = "webhook.retry"

    @classmethod
    def _missing_(cls, value: object) -> "DueItemKind | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
