"""The client of the Carecover API: `Carecover` has one method per operation, and `carecover.models` the types of their bodies."""

from .client import Carecover
from .errors import CarecoverAdvanceError, CarecoverConnectionError, CarecoverError
from .pagination import iterate
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "Carecover",
    "CarecoverAdvanceError",
    "CarecoverConnectionError",
    "CarecoverError",
    "WebhookVerificationError",
    "iterate",
    "verify_webhook",
]
