"""Finds what is wrong with the values that a program passes to the client, before a request is sent.

No retry corrects an invalid value, so the call fails at once. The functions return the problem and do not raise it: a value can be a secret, and
the variables of a frame that raises are printed by some formatters of tracebacks. No problem contains the value.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

import httpx

_Rule = tuple[re.Pattern[str], str]

_LINE_END: _Rule = (re.compile(r"[\r\n]"), "it has a line end")
_CONTROL: _Rule = (re.compile(r"[\x00-\x1f\x7f-\x9f]"), "it has a control character")
_SPACE: _Rule = (re.compile(" "), "it has a space")
_OUTER_SPACE: _Rule = (re.compile(r"\A | \Z"), "it starts or ends with a space")
_NOT_ASCII: _Rule = (re.compile(r"[^\x00-\x7f]"), "it has a character that is not ASCII")


def _find_problem(value: object, *rules: _Rule) -> str | None:
    """Returns what is wrong with a text of one line; None if nothing is."""
    if value is None:
        return "it is None"
    if not isinstance(value, str):
        return f"it is of the type {type(value).__name__}"
    if value == "":
        return "it is empty"
    for pattern, problem in (_LINE_END, _CONTROL, *rules):
        if pattern.search(value) is not None:
            return problem
    return None


def find_secret_problem(secret: object) -> str | None:
    """Returns what is wrong with the text of a secret, such as a line end from the file that contains it; None if nothing is."""
    return _find_problem(secret, _NOT_ASCII, _SPACE)


def find_key_problem(key: object) -> str | None:
    """Returns the message for a value that can't be a key or a token; None if it can be one."""
    problem = find_secret_problem(key)
    return problem and f"api_key must be a secret key (sk_…) or a token (pt_…); {problem}"


def _find_url_problem(text: str) -> str | None:
    try:
        url = httpx.URL(text)
    except (ValueError, httpx.InvalidURL):
        return "it is no URL"
    if url.scheme not in ("http", "https"):
        return "it does not start with https:// or http://"
    if url.host == "":
        return "it is no URL"
    if url.userinfo != b"":
        return "it has a user or a password"
    # A URL that ends in ? or # has an empty query or fragment.
    return "it has a query or a fragment" if re.search("[?#]", text) else None


def find_base_url_problem(base_url: object) -> str | None:
    """Returns the message for a value that is not the URL of an API; None if it is one."""
    problem = _find_problem(base_url, _SPACE) or _find_url_problem(str(base_url))
    expected = "base_url must be the URL of the API with its version, such as https://localhost:8443/v1"
    return problem and f"{expected}; {problem}"


def find_proxy_problem(name: str, proxy: object) -> str | None:
    """Returns the message for a value that is not the URL of a proxy; None if it is one. `name` is the name of the setting."""
    problem = _find_problem(proxy, _SPACE)
    if problem is None:
        try:
            problem = None if httpx.Proxy(str(proxy)).url.host != "" else "it has no host"
        except (ValueError, httpx.InvalidURL):
            problem = "it is no URL that starts with http://, https:// or socks5://"
    return problem and f"{name} must be the URL of a proxy, such as http://proxy.example:3128; {problem}"


def require_header(name: str, value: object) -> None:
    """Raises ValueError if the value can't be sent as a header (RFC 9110, section 5.5), in ASCII only."""
    problem = _find_problem(value, _NOT_ASCII, _OUTER_SPACE)
    if problem is not None:
        expected = "must be visible ASCII characters, with spaces only between them"
        raise ValueError(f"the header {name} {expected}; {problem}")


def _is_unicode(text: str) -> bool:
    """Returns whether a text can be encoded: it has no half of a surrogate pair."""
    return re.search("[\ud800-\udfff]", text) is None


def _find_json_problem(value: object, pointer: str, parents: Sequence[object]) -> str | None:
    """Returns the first problem of a value with its JSON pointer; None if JSON can represent the value. `parents` contain the value."""
    problem: str | None = None
    members: Iterable[tuple[object, object]] = ()
    if isinstance(value, str):
        problem = None if _is_unicode(value) else "must be text without half a surrogate pair"
    elif isinstance(value, float):
        problem = None if math.isfinite(value) else "must be a finite number"
    elif any(value is parent for parent in parents):
        problem = "contains itself"
    elif isinstance(value, dict):
        members = value.items()
        if not all(isinstance(name, str) and _is_unicode(name) for name in value):
            problem = "must have names that are texts without half a surrogate pair"
    elif isinstance(value, (list, tuple)):
        members = enumerate(value)
    elif isinstance(value, datetime):
        problem = None if value.utcoffset() is not None else "must be an instant with a time zone"
    elif value is not None and not isinstance(value, int):
        problem = f"must be a JSON value, not of the type {type(value).__name__}"
    if problem is not None:
        return f"{pointer or 'it'} {problem}"
    for name, member in members:
        step = str(name).replace("~", "~0").replace("/", "~1")
        problem = _find_json_problem(member, f"{pointer}/{step}", [*parents, value])
        if problem is not None:
            return problem
    return None


def serialize_body(body: Any) -> bytes:
    """Converts the body of a request to JSON. Raises ValueError that names the first field without a JSON value."""
    problem = _find_json_problem(body, "", [])
    if problem is not None:
        raise ValueError(f"the body can't be sent as JSON: {problem}")
    # The only values that JSON does not have are instants.
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=datetime.isoformat).encode()


# The identifiers that a path can contain. Other characters, such as a slash, could change the path of the request.
_IDENTIFIER = re.compile(r"[A-Za-z0-9_-]+")


def path_parameter(name: str, value: str) -> str:
    """Returns an identifier for a path. Raises ValueError if it has characters that could change the path."""
    if not isinstance(value, str) or _IDENTIFIER.fullmatch(value) is None:
        raise ValueError(f"{name} must be an identifier such as clm_0199f2a4")
    return value


def to_instant(value: datetime | str) -> str:
    """Returns an instant as RFC 3339. Text is sent as it is. Raises ValueError for an instant without a time zone."""
    if isinstance(value, str):
        return value
    if value.utcoffset() is None:
        raise ValueError("an instant must have a time zone, such as datetime.now(timezone.utc)")
    return value.isoformat()


class _Model(Protocol):
    def to_dict(self) -> dict[str, Any]: ...


def body_to_json(body: Mapping[str, Any] | _Model) -> dict[str, Any]:
    """Returns the JSON value of a body. A dictionary is sent as it is, so that the service names its unknown and missing fields.

    Raises ValueError if the body is neither a dictionary nor a model.
    """
    if isinstance(body, Mapping):
        return dict(body)
    if not hasattr(body, "to_dict"):
        raise ValueError(f"the body must be a dictionary or a model, not of the type {type(body).__name__}")
    return body.to_dict()
