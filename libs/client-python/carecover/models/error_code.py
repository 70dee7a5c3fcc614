from enum import StrEnum


class ErrorCode(StrEnum):
    ADJUDICATION_LINES_MISMATCH = "adjudication_lines_mismatch"
    ADJUDICATION_UNBALANCED = "adjudication_unbalanced"
    ADVICE_SETTLED = "advice_settled"
    ADVICE_UNBALANCED = "advice_unbalanced"
    ALLOCATION_DUPLICATE = "allocation_duplicate"
    AMOUNT_EXCEEDS_REQUEST = "amount_exceeds_request"
    API_KEY_INVALID = "api_key_invalid"
    API_KEY_MISSING = "api_key_missing"
    AUTHORIZATION_REQUIRED = "authorization_required"
    BENEFIT_EXHAUSTED = "benefit_exhausted"
    BOOKING_NOT_COVERED = "booking_not_covered"
    CLAIM_NOT_ADJUDICATED = "claim_not_adjudicated"
    CONSENT_REQUIRED = "consent_required"
    CURRENCY_MISMATCH = "currency_mismatch"
    DUPLICATE_CLAIM_REFERENCE = "duplicate_claim_reference"
    DUPLICATE_REMITTANCE_REFERENCE = "duplicate_remittance_reference"
    DUPLICATE_SESSION_REFERENCE = "duplicate_session_reference"
    DUPLICATE_SETTLEMENT_REFERENCE = "duplicate_settlement_reference"
    ENDPOINT_DISABLED = "endpoint_disabled"
    ENDPOINT_LIMIT_REACHED = "endpoint_limit_reached"
    FUTURE_TIMESTAMP = "future_timestamp"
    HTTPS_REQUIRED = "https_required"
    IDEMPOTENCY_CONFLICT = "idempotency_conflict"
    INTERNAL_ERROR = "internal_error"
    INVALID_STATE = "invalid_state"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    NOT_ACCEPTABLE = "not_acceptable"
    NOT_ELIGIBLE = "not_eligible"
    OUTSIDE_AVAILABILITY = "outside_availability"
    OVER_ALLOCATION = "over_allocation"
    OVER_RECOVERY = "over_recovery"
    PAYLOAD_TOO_LARGE = "payload_too_large"
    PERMISSION_DENIED = "permission_denied"
    PREAUTHORIZATION_EXISTS = "preauthorization_exists"
    RATE_LIMITED = "rate_limited"
    RESOURCE_NOT_FOUND = "resource_not_found"
    SERVICE_MISMATCH = "service_mismatch"
    SERVICE_UNAVAILABLE = "service_unavailable"
    SESSION_ALREADY_CLAIMED = "session_already_claimed"
    SESSION_IN_PAST = "session_in_past"
    SESSION_NOT_DELIVERED = "session_not_delivered"
    SESSION_TOO_OLD = "session_too_old"
    SLOT_UNAVAILABLE = "slot_unavailable"
    SOURCE_VERSION_CONFLICT = "source_version_conflict"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    VALIDATION_FAILED = "validation_failed"
    VALID_UNTIL_IN_PAST = "valid_until_in_past"
    VALUATION_NOT_READY = "valuation_not_ready"
    WEBHOOK_URL_NOT_ALLOWED = "webhook_url_not_allowed"

    @classmethod
    def _missing_(cls, value: object) -> "ErrorCode | None":
        """Accepts a value that the service added after this release of the client."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member
