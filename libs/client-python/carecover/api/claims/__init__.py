"""claims: one function per operation. Generated; do not edit."""

from .adjudicate_claim import adjudicate_claim as adjudicate_claim
from .cancel_claim import cancel_claim as cancel_claim
from .create_claim import create_claim as create_claim
from .create_valuation_run import create_valuation_run as create_valuation_run
from .get_claim import get_claim as get_claim
from .get_claim_links import get_claim_links as get_claim_links
from .get_claim_valuation import get_claim_valuation as get_claim_valuation
from .get_receivables import get_receivables as get_receivables
from .get_valuation_run import get_valuation_run as get_valuation_run
from .list_claims import list_claims as list_claims
from .list_valuation_run_claims import (
    list_valuation_run_claims as list_valuation_run_claims,
)
from .list_valuation_runs import list_valuation_runs as list_valuation_runs
from .request_claim_information import (
    request_claim_information as request_claim_information,
)
from .reverse_claim import reverse_claim as reverse_claim
from .submit_claim_evidence import submit_claim_evidence as submit_claim_evidence
