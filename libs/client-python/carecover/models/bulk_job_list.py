from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.bulk_job import BulkJob


T = TypeVar("T", bound="BulkJobList")


@_attrs_define
class BulkJobList:
    """One page of a list, newest first.

    Attributes:
        object_ (Literal['list']): Always `list`.
        data (list[BulkJob]): The items of this page.
        has_more (bool): Whether there are more items. Get them with `starting_after` set to the last id of this page. A
            page of large items can have fewer of them than `limit`.
    """

    object_: Literal["list"]
    data: list[BulkJob]
    has_more: bool

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        data = []
        for data_item_data in self.data:
            data_item = data_item_data.to_dict()
            data.append(data_item)

        has_more = self.has_more

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "data": data,
                "has_more": has_more,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.bulk_job import BulkJob

        d = dict(src_dict)
        object_ = cast(Literal["list"], d.pop("object"))
        if object_ != "list":
            raise ValueError(f"object must match const 'list', got '{object_}'")

        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = BulkJob.from_dict(data_item_data)

            data.append(data_item)

        has_more = d.pop("has_more")

        bulk_job_list = cls(
            object_=object_,
            data=data,
            has_more=has_more,
        )

        return bulk_job_list
