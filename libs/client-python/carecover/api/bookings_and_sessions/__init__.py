"""bookings_and_sessions: one function per operation. Generated; do not edit."""

from .cancel_booking import cancel_booking as cancel_booking
from .create_booking import create_booking as create_booking
from .create_session import create_session as create_session
from .get_booking import get_booking as get_booking
from .get_session import get_session as get_session
from .list_bookings import list_bookings as list_bookings
from .list_sessions import list_sessions as list_sessions
