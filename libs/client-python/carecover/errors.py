"""The errors that a call can raise."""

from .models import TestClock


class CarecoverError(Exception):
    """An API error. Branch on `code`, which is stable. The message is for people and can change.

    `retry_after_seconds` is the value of the response's Retry-After header; `request_id` is the ID of the request in Carecover's logs.
    Each is None if the response has none.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        docs: str,
        request_id: str | None,
        retry_after_seconds: int | None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.docs = docs
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Lets the error pass from one process to another."""
        return type(self), (self.status, self.code, self.message, self.docs, self.request_id, self.retry_after_seconds)


class CarecoverConnectionError(Exception):
    """The client received no valid response: the connection failed, the call timed out, or the response did not come from Carecover.

    The outcome is unknown. Repeat a write under the same idempotency key, so that it takes effect at most once.
    """


class CarecoverAdvanceError(Exception):
    """The advance of a test clock failed. The message has the instant at which the clock stands, and the reason. The next advance continues.

    `clock` stands at `now`, the last completed instant; the reason is in `failure`.
    """

    def __init__(self, clock: TestClock) -> None:
        super().__init__(f"the advance ended at {clock.now.isoformat()}: {clock.failure}")
        self.clock = clock

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Lets the error pass from one process to another."""
        return type(self), (self.clock,)
