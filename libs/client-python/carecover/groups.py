"""The groups of operations: `carecover.claims.submit(…)` calls `carecover.api.claims.create_claim`. Names as in the client for TypeScript."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from .api.api import get_api
from .api.benefits import (
    cancel_preauthorization,
    create_eligibility_check,
    create_preauthorization,
    decide_preauthorization,
    get_eligibility_check,
    get_preauthorization,
    list_preauthorizations,
)
from .api.bookings_and_sessions import (
    cancel_booking,
    create_booking,
    create_session,
    get_booking,
    get_session,
    list_bookings,
    list_sessions,
)
from .api.bulk_jobs import (
    cancel_bulk_job,
    continue_bulk_job,
    get_bulk_job,
    list_bulk_job_results,
    list_bulk_jobs,
    pause_bulk_job,
)
from .api.bulk_jobs.create_bulk_job import _build_request as _build_upload
from .api.bulk_jobs.create_bulk_job import _parse_response as _parse_upload
from .api.claims import (
    adjudicate_claim,
    cancel_claim,
    create_claim,
    create_valuation_run,
    get_claim,
    get_claim_links,
    get_claim_valuation,
    get_receivables,
    get_valuation_run,
    list_claims,
    list_valuation_run_claims,
    list_valuation_runs,
    request_claim_information,
    reverse_claim,
    submit_claim_evidence,
)
from .api.consents import get_consent, record_consent
from .api.coverage import create_coverage, create_coverage_batch, get_coverage
from .api.practitioners import (
    get_practitioner,
    get_practitioner_availability,
    list_practitioner_slots,
    list_practitioners,
)
from .api.remittances_and_settlements import (
    create_payment_advice,
    create_remittance,
    create_settlement,
    get_payer_balances,
    get_payment_advice,
    get_remittance,
    get_remittance_reconciliation,
    get_settlement,
    list_payment_advices,
    list_remittances,
    list_settlements,
    replace_payment_advice,
    reverse_settlement,
    withdraw_payment_advice,
)
from .api.test_clocks import advance_test_clock, create_test_clock, get_test_clock
from .api.test_helpers import deliver_session, expire_preauthorization
from .api.tokens import create_token
from .api.webhooks_and_events import (
    create_webhook_endpoint,
    disable_webhook_endpoint,
    get_event,
    get_webhook_endpoint,
    list_events,
    list_webhook_deliveries,
    list_webhook_endpoints,
    recover_webhook_endpoint,
    redeliver_event,
    rotate_webhook_secret,
    test_webhook_endpoint,
    update_webhook_endpoint,
)
from .errors import CarecoverAdvanceError
from .types import UNSET, Unset

if TYPE_CHECKING:
    from . import models
    from .client import Carecover
    from .models import BulkJob, BulkJobKind, BulkJobOnError

# For how many seconds the first response waits for the end of the advance of a test clock, and how often the clock is read after it.
_FIRST_WAIT_SECONDS = 1
_POLL_SECONDS = 1.0

P = ParamSpec("P")
R = TypeVar("R")


class _Group:
    def __init__(self, carecover: Carecover) -> None:
        self._carecover = carecover


def _method(
    operation: Callable[Concatenate[Carecover, P], R],
) -> Callable[Concatenate[_Group, P], R]:
    """Returns a method that calls an operation with the client of its group."""

    @wraps(operation)
    def method(group: _Group, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return operation(group._carecover, *args, **kwargs)

    return method


class Api(_Group):
    retrieve = _method(get_api)


class Bookings(_Group):
    list = _method(list_bookings)
    create = _method(create_booking)
    retrieve = _method(get_booking)
    cancel = _method(cancel_booking)


class BulkJobs(_Group):
    list = _method(list_bulk_jobs)
    retrieve = _method(get_bulk_job)
    results = _method(list_bulk_job_results)
    pause = _method(pause_bulk_job)
    resume = _method(continue_bulk_job)
    cancel = _method(cancel_bulk_job)

    def create(
        self,
        content: bytes | str,
        *,
        kind: BulkJobKind | str,
        media_type: str = "application/x-ndjson",
        on_error: BulkJobOnError | str | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | Unset = UNSET,
    ) -> BulkJob:
        """Executes the lines of a file: JSON lines, or CSV with the media type text/csv.

        Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
        """
        request = _build_upload(
            kind=kind,
            on_error=on_error,
            dry_run="true" if dry_run else "false",
            idempotency_key=idempotency_key,
        )
        request["content"] = content.encode() if isinstance(content, str) else content
        request["headers"]["Content-Type"] = media_type
        return self._carecover.call(request, _parse_upload, is_idempotent=True)


class Claims(_Group):
    list = _method(list_claims)
    submit = _method(create_claim)
    retrieve = _method(get_claim)
    links = _method(get_claim_links)
    valuation = _method(get_claim_valuation)
    request_information = _method(request_claim_information)
    submit_evidence = _method(submit_claim_evidence)
    adjudicate = _method(adjudicate_claim)
    cancel = _method(cancel_claim)
    reverse = _method(reverse_claim)


class Consents(_Group):
    record = _method(record_consent)
    retrieve = _method(get_consent)


class Coverages(_Group):
    record = _method(create_coverage)
    record_batch = _method(create_coverage_batch)
    retrieve = _method(get_coverage)


class EligibilityChecks(_Group):
    create = _method(create_eligibility_check)
    retrieve = _method(get_eligibility_check)


class Events(_Group):
    list = _method(list_events)
    retrieve = _method(get_event)


class PaymentAdvices(_Group):
    list = _method(list_payment_advices)
    create = _method(create_payment_advice)
    retrieve = _method(get_payment_advice)
    withdraw = _method(withdraw_payment_advice)
    replace = _method(replace_payment_advice)
    balances = _method(get_payer_balances)


class Practitioners(_Group):
    list = _method(list_practitioners)
    retrieve = _method(get_practitioner)
    availability = _method(get_practitioner_availability)
    slots = _method(list_practitioner_slots)


class Preauthorizations(_Group):
    list = _method(list_preauthorizations)
    create = _method(create_preauthorization)
    retrieve = _method(get_preauthorization)
    decide = _method(decide_preauthorization)
    cancel = _method(cancel_preauthorization)


class Receivables(_Group):
    retrieve = _method(get_receivables)


class Remittances(_Group):
    list = _method(list_remittances)
    create = _method(create_remittance)
    retrieve = _method(get_remittance)
    reconciliation = _method(get_remittance_reconciliation)


class Sessions(_Group):
    list = _method(list_sessions)
    record = _method(create_session)
    retrieve = _method(get_session)


class Settlements(_Group):
    list = _method(list_settlements)
    create = _method(create_settlement)
    retrieve = _method(get_settlement)
    reverse = _method(reverse_settlement)


class TestClock(_Group):
    retrieve = _method(get_test_clock)
    advance = _method(advance_test_clock)

    def advance_and_wait(
        self,
        to: datetime | str,
        *,
        on_progress: Callable[[models.TestClock], object] | None = None,
        idempotency_key: str | Unset = UNSET,
    ) -> models.TestClock:
        """Moves the clock forward to an instant, or to the next due item ("next"), and returns it when it is ready.

        `on_progress` is called with the clock each time it was read, also at the end; `completed` and `remaining` are numbers of due items. What
        it raises ends the wait; the advance continues in the service.

        Raises CarecoverAdvanceError if the advance failed: it has the reason, and the clock as it stands. Raises CarecoverError for an API
        error, such as `invalid_state` if the instant is before the clock's time.

        Example: `carecover.test_clock.advance_and_wait("2026-01-01T00:00:00Z", on_progress=lambda clock: print(clock.now))`
        """
        body = {"to": to, "wait_seconds": _FIRST_WAIT_SECONDS}
        clock = self.advance(body, idempotency_key=idempotency_key)
        while True:
            if on_progress is not None:
                on_progress(clock)
            if clock.status == "failed":
                raise CarecoverAdvanceError(clock)
            if clock.status != "advancing":
                return clock
            time.sleep(_POLL_SECONDS)
            clock = self.retrieve()


class TestClocks(_Group):
    create = _method(create_test_clock)


class TestHelpers(_Group):
    deliver_session = _method(deliver_session)
    expire_preauthorization = _method(expire_preauthorization)


class Tokens(_Group):
    create = _method(create_token)


class ValuationRuns(_Group):
    list = _method(list_valuation_runs)
    create = _method(create_valuation_run)
    retrieve = _method(get_valuation_run)
    claims = _method(list_valuation_run_claims)


class WebhookEndpoints(_Group):
    list = _method(list_webhook_endpoints)
    create = _method(create_webhook_endpoint)
    retrieve = _method(get_webhook_endpoint)
    update = _method(update_webhook_endpoint)
    disable = _method(disable_webhook_endpoint)
    test = _method(test_webhook_endpoint)
    rotate_secret = _method(rotate_webhook_secret)
    deliveries = _method(list_webhook_deliveries)
    redeliver = _method(redeliver_event)
    recover = _method(recover_webhook_endpoint)
