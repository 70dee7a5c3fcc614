from __future__ import annotations

from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

T = TypeVar("T", bound="WebhookRecovery")


@_attrs_define
class WebhookRecovery:
    """The result of a recovery request.

    Attributes:
        object_ (Literal['webhook_recovery']): Always `webhook_recovery`.
        count (int): The number of events that are sent again. For a period with more than 50000 events, the number
            among the first 50000.
    """

    object_: Literal["webhook_recovery"]
    count: int

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        count = self.count

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "count": count,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        object_ = cast(Literal["webhook_recovery"], d.pop("object"))
        if object_ != "webhook_recovery":
            raise ValueError(
                f"object must match const 'webhook_recovery', got '{object_}'"
            )

        count = d.pop("count")

        webhook_recovery = cls(
            object_=object_,
            count=count,
        )

        return webhook_recovery
