from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.scope import Scope
from ..types import UNSET, Unset

T = TypeVar("T", bound="TokenInput")


@_attrs_define
class TokenInput:
    """A request for a token for a public client.

    Attributes:
        scopes (list[Scope]): The token's scopes: a subset of the key's.
        expires_in (int): Lifetime in seconds.
        resource_ids (list[str] | Unset): If present, the token can use only these resources and cannot create any.
    """

    scopes: list[Scope]
    expires_in: int
    resource_ids: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        scopes = []
        for scopes_item_data in self.scopes:
            scopes_item = str(scopes_item_data)
            scopes.append(scopes_item)

        expires_in = self.expires_in

        resource_ids: list[str] | Unset = UNSET
        if not isinstance(self.resource_ids, Unset):
            resource_ids = self.resource_ids

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "scopes": scopes,
                "expires_in": expires_in,
            }
        )
        if resource_ids is not UNSET:
            field_dict["resource_ids"] = resource_ids

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        scopes = []
        _scopes = d.pop("scopes")
        for scopes_item_data in _scopes:
            scopes_item = Scope(scopes_item_data)

            scopes.append(scopes_item)

        expires_in = d.pop("expires_in")

        resource_ids = cast(list[str], d.pop("resource_ids", UNSET))

        if d:
            raise ValueError(f"unknown fields: {', '.join(d)}")

        token_input = cls(
            scopes=scopes,
            expires_in=expires_in,
            resource_ids=resource_ids,
        )

        return token_input
