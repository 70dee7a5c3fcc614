"""consents: one function per operation. Generated; do not edit."""

from .get_consent import get_consent as get_consent
from .record_consent import record_consent as record_consent
