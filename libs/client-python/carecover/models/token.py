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
from ..models.scope import Scope

T = TypeVar("T", bound="Token")


@_attrs_define
class Token:
    """A token with scopes. Only this response contains it. It becomes invalid with the key that created it.

    Attributes:
        object_ (Literal['token']): Always `token`.
        token (str): The token itself.
        scopes (list[Scope]): The scopes of the token.
        expires_at (datetime.datetime): When the token expires, by the real time. UTC, in milliseconds.
    """

    object_: Literal["token"]
    token: str
    scopes: list[Scope]
    expires_at: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        token = self.token

        scopes = []
        for scopes_item_data in self.scopes:
            scopes_item = str(scopes_item_data)
            scopes.append(scopes_item)

        expires_at = to_instant(self.expires_at)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "object": object_,
                "token": token,
                "scopes": scopes,
                "expires_at": expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        object_ = cast(Literal["token"], d.pop("object"))
        if object_ != "token":
            raise ValueError(f"object must match const 'token', got '{object_}'")

        token = d.pop("token")

        scopes = []
        _scopes = d.pop("scopes")
        for scopes_item_data in _scopes:
            scopes_item = Scope(scopes_item_data)

            scopes.append(scopes_item)

        expires_at = datetime.datetime.fromisoformat(d.pop("expires_at"))

        token = cls(
            object_=object_,
            token=token,
            scopes=scopes,
            expires_at=expires_at,
        )

        return token
