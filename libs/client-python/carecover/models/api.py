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

from ..models.environment import Environment

T = TypeVar("T", bound="Api")


@_attrs_define
class Api:
    """The version of the API and the environment of the key.

    Attributes:
        object_ (Literal['api']): Always `api`.
        version (Literal['v1']): The version in the path.
        environment (Environment): The environment of a key.
        resources (list[str]): The resource areas.
    """

    object_: Literal["api"]
    version: Literal["v1"]
    environment: Environment
    resources: list[str]

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        version = self.version

        environment = str(self.environment)

        resources = self.resources

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "version": version,
                "environment": environment,
                "resources": resources,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        object_ = cast(Literal["api"], d.pop("object"))
        if object_ != "api":
            raise ValueError(f"object must match const 'api', got '{object_}'")

        version = cast(Literal["v1"], d.pop("version"))
        if version != "v1":
            raise ValueError(f"version must match const 'v1', got '{version}'")

        environment = Environment(d.pop("environment"))

        resources = cast(list[str], d.pop("resources"))

        api = cls(
            object_=object_,
            version=version,
            environment=environment,
            resources=resources,
        )

        return api
