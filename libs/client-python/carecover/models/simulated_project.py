from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

from ..caller_input import to_instant

T = TypeVar("T", bound="SimulatedProject")


@_attrs_define
class SimulatedProject:
    """A new sandbox project whose time is simulated, with a first key that has all scopes.

    Attributes:
        object_ (Literal['simulated_project']): Always `simulated_project`.
        project_id (str): The project's identifier.
        key_id (str): The key's identifier.
        secret_key (str): The secret of the key. Only this response contains it.
        now (datetime.datetime): The project's time. UTC, in milliseconds.
    """

    object_: Literal["simulated_project"]
    project_id: str
    key_id: str
    secret_key: str
    now: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        project_id = self.project_id

        key_id = self.key_id

        secret_key = self.secret_key

        now = to_instant(self.now)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "project_id": project_id,
                "key_id": key_id,
                "secret_key": secret_key,
                "now": now,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        object_ = cast(Literal["simulated_project"], d.pop("object"))
        if object_ != "simulated_project":
            raise ValueError(
                f"object must match const 'simulated_project', got '{object_}'"
            )

        project_id = d.pop("project_id")

        key_id = d.pop("key_id")

        secret_key = d.pop("secret_key")

        now = datetime.datetime.fromisoformat(d.pop("now"))

        simulated_project = cls(
            object_=object_,
            project_id=project_id,
            key_id=key_id,
            secret_key=secret_key,
            now=now,
        )

        return simulated_project
