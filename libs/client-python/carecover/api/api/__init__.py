"""api: one function per operation. Generated; do not edit."""

from .get_api import get_api as get_api
