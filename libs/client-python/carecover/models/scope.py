from enum import StrEnum


class Scope(StrEnum):
    AVAILABILITYREAD = "availability:read"
    BENEFITSDECIDE = "benefits:decide"
    BENEFITSREAD = "benefits:read"
    BENEFITSWRITE = "benefits:write"
    BOOKINGSREAD = "bookings:read"
    BOOKINGSWRITE = "bookings:write"
    CLAIMSADJUDICATE = "claims:adjudicate"
    CLAIMSREAD = "claims:read"
    CLAIMSWRITE = "claims:write"
    CLOCKREAD = "clock:read"
    CLOCKWRITE = "clock:write"
    CONSENTSREAD = "consents:read"
    CONSENTSWRITE = "consents:write"
    COVERAGESREAD = "coverages:read"
    COVERAGESWRITE = "coverages:write"
    PRACTITIONERSREAD = "practitioners:read"
    REMITTANCESREAD = "remittances:read"
    REMITTANCESWRITE = "remittances:write"
    SESSIONSREAD = "sessions:read"
    SESSIONSWRITE = "sessions:write"
    SETTLEMENTSWRITE = "settlements:write"
    VALUE_23 = "*"
    WEBHOOKSREAD = "webhooks:read"
    WEBHOOKSWRITE = "webhooks:write"

    @classmethod
    def _missing_(cls, value: object) -> "Scope | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
