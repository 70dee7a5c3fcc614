"""The client of the Carecover API: `Carecover` has one method per operation, and `carecover.models` the types of their bodies."""

from .client import Carecover
from .errors import CarecoverConnectionError, CarecoverError
from .pagination import iterate
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "Carecover",
    "CarecoverConnectionError",
    "CarecoverError",
    "WebhookVerificationError",
    "iterate",
    "verify_webhook",
]
