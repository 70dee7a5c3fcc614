"""test_clocks: one function per operation. Generated; do not edit."""

from .advance_test_clock import advance_test_clock as advance_test_clock
from .create_test_clock import create_test_clock as create_test_clock
from .get_test_clock import get_test_clock as get_test_clock
