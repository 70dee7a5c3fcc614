"""benefits: one function per operation. Generated; do not edit."""

from .cancel_preauthorization import cancel_preauthorization as cancel_preauthorization
from .create_eligibility_check import (
    create_eligibility_check as create_eligibility_check,
)
from .create_preauthorization import create_preauthorization as create_preauthorization
from .decide_preauthorization import decide_preauthorization as decide_preauthorization
from .get_eligibility_check import get_eligibility_check as get_eligibility_check
from .get_preauthorization import get_preauthorization as get_preauthorization
from .list_preauthorizations import list_preauthorizations as list_preauthorizations
