from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..caller_input import to_instant

T = TypeVar("T", bound="WebhookRecoveryInput")


@_attrs_define
class WebhookRecoveryInput:
    """A period whose undelivered events are sent again.

    Attributes:
        since (datetime.datetime): Start of the period, inclusive. RFC 3339 with an offset, without a leap second (:60);
            floored to milliseconds.
        until (datetime.datetime): End of the period, exclusive; after `since` and at most 30 days later. RFC 3339 with
            an offset, without a leap second (:60); floored to milliseconds.
    """

    since: datetime.datetime
    until: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        since = to_instant(self.since)

        until = to_instant(self.until)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "since": since,
                "until": until,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        since = datetime.datetime.fromisoformat(d.pop("since"))

        until = datetime.datetime.fromisoformat(d.pop("until"))

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        webhook_recovery_input = cls(
            since=since,
            until=until,
        )

        return webhook_recovery_input
