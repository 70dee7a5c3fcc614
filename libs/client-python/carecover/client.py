"""Calls operations over HTTP.

A call is retried after a 429, a 5xx or a lost connection, up to `max_retries` times under the same idempotency key, after the Retry-After or
a backoff. Then it raises the last error. The two operations that create a new secret each time have no idempotency key and are retried
only after a 429.
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
from typing import Any, Self, TypeVar

import httpx

from .errors import CarecoverConnectionError, CarecoverError

T = TypeVar("T")

_FIRST_DELAY_SECONDS = 0.25
_MAX_DELAY_SECONDS = 8.0
# The longest Retry-After in seconds for which the client waits. After a response with a longer one, the call raises its error at once.
_MAX_RETRY_AFTER_SECONDS = 120
# The identifiers that a path can contain. Other characters, such as a slash, could change the path of the request.
_IDENTIFIER = re.compile(r"[A-Za-z0-9_-]+")


def path_parameter(name: str, value: str) -> str:
    """Returns an identifier for a path. Raises ValueError if it has characters that could change the path."""
    if _IDENTIFIER.fullmatch(value) is None:
        raise ValueError(f"{name} must be an identifier such as clm_0199f2a4")
    return value


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


class Carecover:
    """A client of the Carecover API, for the functions of `carecover.api`. It can be used from several threads.

    `base_url` ends in `/v1`. `timeout_seconds` limits the connection and each wait for data, per attempt. `verify` is the TLS setting of httpx,
    for example an SSL context that trusts a private certificate. `transport` replaces the connection, for example in tests.

    Example: `claim = get_claim(Carecover("https://localhost:8443/v1", "sk_test_…"), "clm_0199f2a4")`
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout_seconds: float = 30,
        max_retries: int = 4,
        verify: ssl.SSLContext | bool = True,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._timeout_seconds = timeout_seconds
        self._max_retries = max_retries
        self._http = httpx.Client(
            base_url=base_url,
            headers={"authorization": f"Bearer {api_key}"},
            verify=verify,
            transport=transport,
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

    def call(
        self,
        request: dict[str, Any],
        parse: Callable[[httpx.Response], T | None],
        *,
        is_idempotent: bool,
    ) -> T:
        """Sends a request and parses its response. The functions of `carecover.api` call it.

        `parse` returns None for a response that is not a documented success. A write without idempotency key gets one if `is_idempotent`.

        Raises CarecoverError for an API error, and CarecoverConnectionError without a valid response.
        """
        headers = dict(request.pop("headers", {}))
        if is_idempotent:
            headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        is_repeatable = is_idempotent or request["method"] == "get"
        attempt = 0
        while True:
            error: CarecoverError | CarecoverConnectionError
            retry_after = None
            can_retry = is_repeatable
            try:
                response = self._http.request(**request, headers=headers, timeout=self._timeout_seconds)
            except httpx.TransportError as cause:
                error = CarecoverConnectionError(f"no response from {self._http.base_url.host}")
                error.__cause__ = cause
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
        except (ValueError, KeyError, TypeError, AttributeError) as cause:
            # A 502 can be the documented response or a proxy's page.
            if response.status_code >= 400:
                return None
            raise _invalid_response(response) from cause
