"""webhooks_and_events: one function per operation. Generated; do not edit."""

from .create_webhook_endpoint import create_webhook_endpoint as create_webhook_endpoint
from .disable_webhook_endpoint import (
    disable_webhook_endpoint as disable_webhook_endpoint,
)
from .get_event import get_event as get_event
from .get_webhook_endpoint import get_webhook_endpoint as get_webhook_endpoint
from .list_events import list_events as list_events
from .list_webhook_deliveries import list_webhook_deliveries as list_webhook_deliveries
from .list_webhook_endpoints import list_webhook_endpoints as list_webhook_endpoints
from .recover_webhook_endpoint import (
    recover_webhook_endpoint as recover_webhook_endpoint,
)
from .redeliver_event import redeliver_event as redeliver_event
from .rotate_webhook_secret import rotate_webhook_secret as rotate_webhook_secret
from .test_webhook_endpoint import test_webhook_endpoint as test_webhook_endpoint
from .update_webhook_endpoint import update_webhook_endpoint as update_webhook_endpoint
