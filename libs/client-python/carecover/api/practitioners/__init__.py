"""practitioners: one function per operation. Generated; do not edit."""

from .get_practitioner import get_practitioner as get_practitioner
from .get_practitioner_availability import (
    get_practitioner_availability as get_practitioner_availability,
)
from .list_practitioner_slots import list_practitioner_slots as list_practitioner_slots
from .list_practitioners import list_practitioners as list_practitioners
