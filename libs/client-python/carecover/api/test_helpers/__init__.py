"""test_helpers: one function per operation. Generated; do not edit."""

from .deliver_session import deliver_session as deliver_session
from .expire_preauthorization import expire_preauthorization as expire_preauthorization
