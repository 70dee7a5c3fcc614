"""Calls operations over HTTP.

A call is retried after a 429, a 5xx or a lost connection, up to `max_retries` times under the same idempotency key, after the Retry-After or
a backoff. Then it raises the last error. The three operations that create a new secret each time, one of them with a project, have no
idempotency key and are retried only after a 429.
"""

import copy
import math
import random
import re
import ssl
import time
import uuid
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

import httpx

from .caller_input import (
    find_base_url_problem,
    find_key_problem,
    find_proxy_problem,
    require_header,
    serialize_body,
)
from .errors import CarecoverConnectionError, CarecoverError
from .groups import (
    Api,
    Bookings,
    BulkJobs,
    Claims,
    Consents,
    Coverages,
    EligibilityChecks,
    Events,
    PaymentAdvices,
    Practitioners,
    Preauthorizations,
    Receivables,
    Remittances,
    Sessions,
    Settlements,
    TestClock,
    TestClocks,
    TestHelpers,
    Tokens,
    ValuationRuns,
    WebhookEndpoints,
)
from .proxy import find_environment_proxy

T = TypeVar("T")

_FIRST_DELAY_SECONDS = 0.25
_MAX_DELAY_SECONDS = 8.0
# The longest Retry-After in seconds for which the client waits. After a response with a longer one, the call raises its error at once.
_MAX_RETRY_AFTER_SECONDS = 120


def _seconds_since_1970(date: str) -> float | None:
    try:
        seconds: float = parsedate_to_datetime(date).timestamp()
        return seconds
    except ValueError:
        return None


def _retry_after_seconds(headers: httpx.Headers) -> int | None:
    """Returns the Retry-After in seconds (RFC 9110, section 10.2.3). Compares a date with the response's own Date header."""
    value: str = headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]+", value) is not None:
        return int(value)
    until = _seconds_since_1970(value) if value.endswith(" GMT") else None
    if until is None:
        return None
    sent = _seconds_since_1970(headers.get("date", ""))
    return max(0, math.ceil(until - (time.time() if sent is None else sent)))


def _retry_delay_seconds(attempt: int, requested_seconds: int | None) -> float | None:
    """Returns the longer one of an exponential backoff with jitter and the Retry-After; None if the Retry-After is longer than two minutes."""
    if requested_seconds is not None and requested_seconds > _MAX_RETRY_AFTER_SECONDS:
        return None
    jitter = random.random()
    backoff = min(_MAX_DELAY_SECONDS, _FIRST_DELAY_SECONDS * 2.0**attempt) * (0.5 + jitter / 2)
    return max(backoff, (requested_seconds or 0) * (1 + jitter / 10))


def _invalid_response(response: httpx.Response) -> CarecoverConnectionError:
    return CarecoverConnectionError(f"the response with status {response.status_code} is not from the service")


def _to_error(response: httpx.Response) -> CarecoverError | CarecoverConnectionError:
    """Converts an error response to an API error, or to a connection error if it is not from Carecover, such as a proxy's page."""
    try:
        error = response.json()["error"]
        members = [error["code"], error["message"], error["docs"]]
    except (ValueError, KeyError, TypeError):
        return _invalid_response(response)
    if not all(isinstance(each, str) for each in members):
        return _invalid_response(response)
    code, message, docs = members
    request_id = response.headers.get("x-request-id")
    return CarecoverError(
        response.status_code, code, message, docs, request_id, _retry_after_seconds(response.headers)
    )


def _without_request(error: httpx.RequestError, url: httpx.URL) -> httpx.RequestError:
    """Removes from an error and those that caused it what has the key: the request, and the frames in which the headers are variables."""
    pending: list[BaseException] = [error]
    while pending:
        each = pending.pop()
        each.__traceback__ = None
        if isinstance(each, httpx.RequestError):
            each.request = httpx.Request("GET", url)
        causes = [each.__cause__, each.__context__]
        pending += [cause for cause in causes if cause is not None and cause.__traceback__ is not None]
    return error


class _Connection(NamedTuple):
    """The valid settings of a connection, in types whose `repr` has no secret."""

    url: httpx.URL
    headers: httpx.Headers
    proxy: httpx.Proxy | None


def _find_connection(
    base_url: str, api_key: str, proxy: str | None, trust_env: bool
) -> tuple[_Connection | None, str | None]:
    """Returns the settings and None, or None and what is wrong with them."""
    problem = find_base_url_problem(base_url) or find_key_problem(api_key)
    if problem is not None:
        return None, problem
    url = httpx.URL(base_url)
    found = ("proxy", proxy) if proxy is not None else find_environment_proxy(url) if trust_env else None
    problem = None if found is None else find_proxy_problem(*found)
    if problem is not None:
        return None, problem
    headers = httpx.Headers({"authorization": f"Bearer {api_key}"})
    return _Connection(url, headers, None if found is None else httpx.Proxy(found[1])), None


class Carecover:
    """A client of the Carecover API: one property per resource and one method per operation. It can be used from several threads.

    `base_url` ends in `/v1`. `timeout_seconds` limits the connection and each wait for data, per attempt. `verify` is the TLS setting of httpx,
    for example an SSL context that trusts a private certificate. `proxy` is the URL of a proxy for all requests. Without it, the environment
    names the proxy (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY), unless `trust_env` is False, which also ignores SSL_CERT_FILE.
    `transport` replaces the connection, for example in tests.

    Raises ValueError if a setting is invalid. The message says what is wrong with the value, and does not contain it.

    Example: `claim = Carecover("https://localhost:8443/v1", "sk_test_…").claims.retrieve("clm_0199f2a4")`
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout_seconds: float = 30,
        max_retries: int = 4,
        verify: ssl.SSLContext | bool = True,
        proxy: str | None = None,
        trust_env: bool = True,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._timeout_seconds = timeout_seconds
        self._max_retries = max_retries
        found, problem = _find_connection(base_url, api_key, proxy, trust_env and transport is None)
        if transport is not None and proxy is not None:
            problem = "proxy has no effect on a transport: set the proxy of the transport"
        # A formatter of tracebacks can print the variables of this frame.
        del base_url, api_key, proxy
        if found is None or problem is not None:
            raise ValueError(problem)
        self._http = httpx.Client(
            base_url=found.url,
            headers=found.headers,
            transport=transport
            or httpx.HTTPTransport(verify=verify, trust_env=trust_env, proxy=found.proxy),
            trust_env=False,
        )

    def with_options(self, *, timeout_seconds: float | None = None, max_retries: int | None = None) -> Self:
        """Returns a client with other options and the same connections."""
        other = copy.copy(self)
        other._timeout_seconds = self._timeout_seconds if timeout_seconds is None else timeout_seconds
        other._max_retries = self._max_retries if max_retries is None else max_retries
        return other

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def api(self) -> Api:
        return Api(self)

    @property
    def bookings(self) -> Bookings:
        return Bookings(self)

    @property
    def bulk_jobs(self) -> BulkJobs:
        return BulkJobs(self)

    @property
    def claims(self) -> Claims:
        return Claims(self)

    @property
    def consents(self) -> Consents:
        return Consents(self)

    @property
    def coverages(self) -> Coverages:
        return Coverages(self)

    @property
    def eligibility_checks(self) -> EligibilityChecks:
        return EligibilityChecks(self)

    @property
    def events(self) -> Events:
        return Events(self)

    @property
    def payment_advices(self) -> PaymentAdvices:
        return PaymentAdvices(self)

    @property
    def practitioners(self) -> Practitioners:
        return Practitioners(self)

    @property
    def preauthorizations(self) -> Preauthorizations:
        return Preauthorizations(self)

    @property
    def receivables(self) -> Receivables:
        return Receivables(self)

    @property
    def remittances(self) -> Remittances:
        return Remittances(self)

    @property
    def sessions(self) -> Sessions:
        return Sessions(self)

    @property
    def settlements(self) -> Settlements:
        return Settlements(self)

    @property
    def test_clock(self) -> TestClock:
        return TestClock(self)

    @property
    def test_clocks(self) -> TestClocks:
        return TestClocks(self)

    @property
    def test_helpers(self) -> TestHelpers:
        return TestHelpers(self)

    @property
    def tokens(self) -> Tokens:
        return Tokens(self)

    @property
    def valuation_runs(self) -> ValuationRuns:
        return ValuationRuns(self)

    @property
    def webhook_endpoints(self) -> WebhookEndpoints:
        return WebhookEndpoints(self)

    def call(
        self,
        request: dict[str, Any],
        parse: Callable[[httpx.Response], T | None],
        *,
        is_idempotent: bool,
    ) -> T:
        """Sends a request and parses its response. The functions of `carecover.api` call it.

        `parse` returns None for a response that is not a documented success. A write without idempotency key gets one if `is_idempotent`.

        Raises CarecoverError for an API error, CarecoverConnectionError without a valid response, and ValueError for an invalid header and a
        body that is not JSON.
        """
        headers = dict(request.pop("headers", {}))
        if is_idempotent:
            headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        for name, value in headers.items():
            require_header(name, value)
        if "json" in request:
            request["content"] = serialize_body(request.pop("json"))
            headers["Content-Type"] = "application/json"
        is_repeatable = is_idempotent or request["method"] == "get"
        attempt = 0
        while True:
            error: CarecoverError | CarecoverConnectionError
            retry_after = None
            can_retry = is_repeatable
            try:
                response = self._http.request(**request, headers=headers, timeout=self._timeout_seconds)
            except httpx.RequestError as cause:
                url = self._http.base_url
                error = CarecoverConnectionError(f"no response from {url.host}: {str(cause) or type(cause).__name__}")
                error.__cause__ = _without_request(cause, url)
            else:
                body = self._parse(response, parse)
                if body is not None:
                    return body
                error = _to_error(response)
                if response.status_code < 400:
                    raise error
                retry_after = _retry_after_seconds(response.headers)
                is_server_error = is_repeatable and response.status_code >= 500
                can_retry = response.status_code == 429 or is_server_error
            delay = _retry_delay_seconds(attempt, retry_after)
            if not can_retry or attempt >= self._max_retries or delay is None:
                raise error
            time.sleep(delay)
            attempt += 1

    @staticmethod
    def _parse(response: httpx.Response, parse: Callable[[httpx.Response], T | None]) -> T | None:
        try:
            return parse(response)
        except (ValueError, KeyError, TypeError, AttributeError):
            # A 502 can be the documented response or a proxy's page.
            if response.status_code >= 400:
                return None
        # This is outside the handler, so that the parser's error is not the context: it can quote the response, which can contain a token.
        raise _invalid_response(response)
