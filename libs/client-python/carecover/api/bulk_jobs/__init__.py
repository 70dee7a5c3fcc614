"""bulk_jobs: one function per operation. Generated; do not edit."""

from .cancel_bulk_job import cancel_bulk_job as cancel_bulk_job
from .continue_bulk_job import continue_bulk_job as continue_bulk_job
from .create_bulk_job import create_bulk_job as create_bulk_job
from .get_bulk_job import get_bulk_job as get_bulk_job
from .list_bulk_job_results import list_bulk_job_results as list_bulk_job_results
from .list_bulk_jobs import list_bulk_jobs as list_bulk_jobs
from .pause_bulk_job import pause_bulk_job as pause_bulk_job
