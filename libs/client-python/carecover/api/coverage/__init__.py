"""coverage: one function per operation. Generated; do not edit."""

from .create_coverage import create_coverage as create_coverage
from .create_coverage_batch import create_coverage_batch as create_coverage_batch
from .get_coverage import get_coverage as get_coverage
