from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..caller_input import to_instant

T = TypeVar("T", bound="WebhookDeliveryRecordHistoryItem")


@_attrs_define
class WebhookDeliveryRecordHistoryItem:
    """One attempt.

    Attributes:
        at (datetime.datetime): When the attempt started. UTC, in milliseconds.
        response_status (int | None): The HTTP status of the receiver's response; null without a response.
        duration_ms (int): The real duration of the attempt, in milliseconds.
        error (None | str): The error of the attempt; null if there was none.
        response_excerpt (None | str): The start of the response's body; null if there is none.
    """

    at: datetime.datetime
    response_status: int | None
    duration_ms: int
    error: None | str
    response_excerpt: None | str

    def to_dict(self) -> dict[str, Any]:
        at = to_instant(self.at)

        response_status: int | None
        response_status = self.response_status

        duration_ms = self.duration_ms

        error: None | str
        error = self.error

        response_excerpt: None | str
        response_excerpt = self.response_excerpt

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "at": at,
                "response_status": response_status,
                "duration_ms": duration_ms,
                "error": error,
                "response_excerpt": response_excerpt,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        def _parse_response_status(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        response_status = _parse_response_status(d.pop("response_status"))

        duration_ms = d.pop("duration_ms")

        def _parse_error(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        error = _parse_error(d.pop("error"))

        def _parse_response_excerpt(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        response_excerpt = _parse_response_excerpt(d.pop("response_excerpt"))

        webhook_delivery_record_history_item = cls(
            at=at,
            response_status=response_status,
            duration_ms=duration_ms,
            error=error,
            response_excerpt=response_excerpt,
        )

        return webhook_delivery_record_history_item
