"""Cases of the Python client without a service: invalid input of the caller, what errors print, and proxies. Prints `ok`."""

import base64
import logging
import os
import ssl
import time
import traceback
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from threading import Thread
from typing import Any

import httpx

from carecover import (
    Carecover,
    CarecoverConnectionError,
    CarecoverError,
    WebhookVerificationError,
    verify_webhook,
)
from carecover.api.api import get_api
from carecover.api.claims import create_claim
from carecover.api.tokens import create_token
from carecover.api.webhooks_and_events import rotate_webhook_secret
from carecover.models import ClaimInput, TokenInput
from carecover.proxy import find_environment_proxy

URL = "https://api.example/v1"
# Parts of a key that nothing can contain which the client raises, prints or logs. The wrong character is before, between or after them.
HEAD, TAIL = "sk_test_HeadOfTheKey", "TailOfTheKey1234567"

log = StringIO()
logging.basicConfig(stream=log, level=logging.DEBUG)


class Answers(httpx.BaseTransport):
    """Answers each request with the next answer: a response, or an error that it raises."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        # A variable as in the frames of an HTTP library, with the headers as they are sent.
        sent = request.headers.raw
        answer = self.answers.pop(0) if self.answers else httpx.Response(200, json={"id": "clm_1"})
        if isinstance(answer, Exception):
            try:
                raise OSError(f"connection of {len(sent)} headers was lost")
            except OSError as error:
                raise answer from error
        return answer


def raised(call: Callable[[], object]) -> Exception:
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def printed(error: BaseException) -> str:
    """Returns everything that a program can print of an error: the chain, its attributes, and the variables in the frames of the client."""
    texts: list[str] = []
    seen: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        each = pending.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        texts += [str(each), repr(each), repr(each.args), repr(vars(each)), repr(getattr(each, "__notes__", []))]
        request = getattr(each, "_request", None)
        texts.append(repr(request and request.headers.raw))
        shown = traceback.TracebackException.from_exception(each, capture_locals=True)
        # The frames of this program have the key, because the program created it.
        for frame in shown.stack:
            if frame.filename != __file__ or frame.name == "handle_request":
                texts.append(f"{frame.name} {frame.line} {frame.locals}")
        pending += [each.__cause__, each.__context__]
    return "\n".join(texts)


def check_without(error: BaseException, *secrets: str) -> None:
    text = printed(error)
    for secret in secrets:
        assert secret not in text, text


def client(key: Any = HEAD + TAIL, url: Any = URL, transport: httpx.BaseTransport | None = None, **options: Any) -> Carecover:
    return Carecover(url, key, transport=transport or Answers(), **options)


# A key with a wrong character fails at once, with the reason and without the key.
CHARACTERS = {
    "it has a line end": ["\n", "\r\n", "\r"],
    "it has a control character": ["\t", "\0", "\x1b", "\x7f", "\x85"],
    "it has a space": [" "],
    "it has a character that is not ASCII": ["\xa0", "é", "\u2028", "\ufeff", "€", "😀", "\ud800"],
}
for problem, characters in CHARACTERS.items():
    for character in characters:
        for key in (character + HEAD + TAIL, HEAD + character + TAIL, HEAD + TAIL + character):
            transport = Answers()
            error = raised(lambda: get_api(client(key, transport=transport)))
            assert type(error) is ValueError, error
            assert str(error) == f"api_key must be a secret key (sk_…) or a token (pt_…); {problem}", error
            check_without(error, HEAD, TAIL)
            assert transport.requests == []
for key, problem in (("", "it is empty"), (None, "it is None"), (b"sk_test_x", "it is of the type bytes")):
    assert str(raised(lambda: client(key))).endswith(f"; {problem}")

# A client prints no key.
good = client()
assert HEAD not in f"{good!r} {good} {vars(good)} {vars(good._http)}"

# A base URL that can't be one fails at once and is in no message.
for url, problem in (
    ("", "it is empty"),
    (None, "it is None"),
    ("/v1-secret", "it does not start with https:// or http://"),
    ("ftp://api.example/v1-secret", "it does not start with https:// or http://"),
    (HEAD + TAIL, "it does not start with https:// or http://"),
    ("https:///v1-secret", "it is no URL"),
    ("https://api.example:secret/v1", "it is no URL"),
    ("https://api.example/v1-secret\ud800", "it is no URL"),
    ("https://secret\ud800.example/v1", "it is no URL"),
    ("https://user:secret@api.example/v1", "it has a user or a password"),
    ("https://secret@api.example/v1", "it has a user or a password"),
    ("https://api.example/v1?key=secret", "it has a query or a fragment"),
    ("https://api.example/v1#secret", "it has a query or a fragment"),
    ("https://api.example/v1-secret#", "it has a query or a fragment"),
    ("https://api.example/v1-secret?", "it has a query or a fragment"),
    ("https://api.example/v1-secret\n", "it has a line end"),
    ("https://api.exa\tmple/v1-secret", "it has a control character"),
    (" https://api.example/v1-secret", "it has a space"),
):
    error = raised(lambda: client(url=url))
    prefix = "base_url must be the URL of the API with its version, such as https://localhost:8443/v1; "
    assert str(error) == prefix + problem, error
    check_without(error, "secret", HEAD, TAIL)

# An idempotency key that can't be a header fails at once.
claim = {
    "eligibility_check_id": "elig_1",
    "session_id": "ses_1",
    "provider_claim_reference": "INV-1",
    "lines": [{"code_system": "CPT", "service_code": "visit", "units": 1.1 * 3, "amount": 1}],
}
for character in ("\n", "\r", "\0", "\x7f", "é", "\ud800", "€"):
    transport = Answers()
    call = lambda: create_claim(
        client(transport=transport), body=ClaimInput.from_dict(claim), idempotency_key=f"of-a-claim{character}"
    )
    error = raised(call)
    assert type(error) is ValueError and str(error).startswith("the header Idempotency-Key must be "), error
    assert "of-a-claim" not in str(error) and transport.requests == []
assert "it starts or ends with a space" in str(
    raised(lambda: create_claim(client(), body=ClaimInput.from_dict(claim), idempotency_key="of-a-claim "))
)

# A body that is no JSON fails at once, and the error names the field.
cyclic: dict[str, Any] = {}
cyclic["lines"] = [{"parent": cyclic}]


class Body(ClaimInput):
    """A body whose JSON is given."""

    def __init__(self, json: dict[str, Any]) -> None:
        self.json = json

    def to_dict(self) -> dict[str, Any]:
        return self.json


for body, problem in (
    ({"lines": [{"units": float("nan")}]}, "/lines/0/units must be a finite number"),
    ({"lines": [{"units": float("inf")}]}, "/lines/0/units must be a finite number"),
    ({"a/b": b"secret"}, "/a~1b must be a JSON value, not of the type bytes"),
    ({"a": [{1: "secret"}]}, "/a/0 must have names that are texts without half a surrogate pair"),
    ({"name": "secret\ud800"}, "/name must be text without half a surrogate pair"),
    ({"secret\ud800": 1}, "it must have names that are texts without half a surrogate pair"),
    (cyclic, "/lines/0/parent contains itself"),
):
    transport = Answers()
    error = raised(lambda: create_claim(client(transport=transport), body=Body(body)))
    assert type(error) is ValueError, repr(error)
    assert str(error) == f"the body can't be sent as JSON: {problem}", error
    assert "secret" not in str(error) and transport.requests == []
nested = ClaimInput.from_dict(claim)
nested.lines[0].units = float("nan")
assert "/lines/0/units must be a finite number" in str(raised(lambda: create_claim(client(), body=nested)))

# A valid body is sent with its content type, and a double keeps its digits.
transport = Answers(httpx.Response(500, json={}))
raised(lambda: create_claim(client(transport=transport, max_retries=0), body=ClaimInput.from_dict(claim)))
assert transport.requests[0].headers["content-type"] == "application/json"
assert b'"units":3.3000000000000003' in transport.requests[0].content
assert transport.requests[0].headers["authorization"] == f"Bearer {HEAD}{TAIL}"

# No error of a valid key contains the key, also not the variables of the frames and the requests of its chain. A lost connection names its reason.
api_error = {"error": {"code": "invalid_state", "message": "m", "docs": "d"}}
for answer, kind in (
    (httpx.ConnectError("[Errno 111] Connection refused"), CarecoverConnectionError),
    (httpx.ReadTimeout(""), CarecoverConnectionError),
    (httpx.DecodingError("incorrect header check"), CarecoverConnectionError),
    (httpx.Response(502, text="<html>"), CarecoverConnectionError),
    (httpx.Response(302), CarecoverConnectionError),
    (httpx.Response(409, json=api_error), CarecoverError),
):
    error = raised(lambda: get_api(client(transport=Answers(answer), max_retries=0)))
    assert type(error) is kind, repr(error)
    check_without(error, HEAD, TAIL)
    if isinstance(answer, httpx.ConnectError):
        assert str(error) == "no response from api.example: [Errno 111] Connection refused", error
        assert isinstance(error.__cause__, httpx.ConnectError)
    if isinstance(answer, httpx.ReadTimeout):
        assert str(error) == "no response from api.example: ReadTimeout", error

# The same for a real connection that the server closes: no frame of an HTTP library is kept.
error = raised(lambda: get_api(Carecover("http://127.0.0.1:9/v1", HEAD + TAIL, max_retries=0)))
assert type(error) is CarecoverConnectionError and "refused" in str(error), error
check_without(error, HEAD, TAIL)

# An incomplete response with a new secret is in no error.
for text in ('{"token":"pt_test_OfAResponse"', '{"token":"pt_test_OfAResponse","expires_at":"pt_test_OfAResponse"}', '["pt_test_OfAResponse"]'):
    answer = Answers(httpx.Response(201, text=text))
    error = raised(lambda: create_token(client(transport=answer), body=TokenInput.from_dict({"scopes": [], "expires_in": 60})))
    assert type(error) is CarecoverConnectionError, repr(error)
    check_without(error, "OfAResponse")
error = raised(lambda: rotate_webhook_secret(client(transport=Answers(httpx.Response(200, text="whsec_OfAResponse"))), "whe_1"))
check_without(error, "OfAResponse")

# The secret of a webhook, whatever is wrong with it, is in no error.
secret = "whsec_" + base64.b64encode(b"a secret of twenty-four b").decode()
headers = {"webhook-id": "evt_1", "webhook-timestamp": "1000", "webhook-signature": "v1,AAAA"}
for wrong, problem in (
    (secret, "no signature matches"),
    (secret + "\n", "it has a line end"),
    (" " + secret, "it has a space"),
    (secret[:12] + "\0" + secret[12:], "it has a control character"),
    (secret + "é", "it has a character that is not ASCII"),
    (secret + "*", "it is no base64"),
    (None, "it is None"),
):
    error = raised(lambda: verify_webhook("{}", headers, wrong, 1000))  # type: ignore[arg-type]
    assert type(error) is WebhookVerificationError and problem in str(error), repr(error)
    check_without(error, secret[6:14], "a secret of")
for lacking in ({}, headers | {"webhook-timestamp": "1"}, headers | {"webhook-timestamp": "1" * 5000}, headers | {"webhook-id": "\ud800"}):
    error = raised(lambda: verify_webhook("{\ud800}", lacking, secret, 1000))
    assert type(error) is WebhookVerificationError, repr(error)
    check_without(error, secret[6:14])

assert HEAD not in log.getvalue() and TAIL not in log.getvalue()
assert "HTTP Request" in log.getvalue()


def proxy_of(url: str) -> str | None:
    """Returns the proxy that the environment names for a URL; None without one. Also creates a client, which must not fail."""
    Carecover(url, HEAD + TAIL, verify=ssl.create_default_context()).close()
    found = find_environment_proxy(httpx.URL(url))
    return None if found is None else found[1]


# NO_PROXY can have names, addresses and networks of both families, with or without brackets and ports.
os.environ["HTTPS_PROXY"] = "http://user:secret@proxy.example:3128"
os.environ["NO_PROXY"] = "localhost,127.0.0.1,10.0.0.0/8,fd00::/8, .internal ,[2001:db8::5],2001:db8::6,name:8443,2001:db8::/200,::1/,/,%"
for url, is_direct in (
    ("https://api.example/v1", False),
    ("https://localhost/v1", True),
    ("https://127.0.0.1:8443/v1", True),
    ("https://127.0.0.2:8443/v1", False),
    ("https://10.1.2.3/v1", True),
    ("https://11.1.2.3/v1", False),
    ("https://[fd00::5]:8443/v1", True),
    ("https://[fc00::5]/v1", False),
    ("https://[2001:db8::5]/v1", True),
    ("https://[2001:db8::6]:8443/v1", True),
    ("https://[2001:db8::7]/v1", False),
    ("https://api.internal/v1", True),
    ("https://name:8443/v1", True),
    ("https://name/v1", False),
    ("http://api.example/v1", True),
):
    assert proxy_of(url) == (None if is_direct else "http://user:secret@proxy.example:3128"), url
os.environ["NO_PROXY"] = "a.example,*"
assert proxy_of("https://api.example/v1") is None

os.environ["NO_PROXY"] = ""
os.environ["HTTPS_PROXY"] = "proxy.example:3128"
assert proxy_of(URL) == "http://proxy.example:3128"
os.environ["HTTPS_PROXY"] = ""
os.environ["ALL_PROXY"] = "http://all.example"
assert proxy_of(URL) == "http://all.example"
os.environ["ALL_PROXY"] = ""


class Proxy(BaseHTTPRequestHandler):
    """A proxy, and a service, which answers itself and counts the requests by their targets."""

    targets: list[str] = []

    def do_GET(self) -> None:
        Proxy.targets.append(self.path)
        body = b'{"object":"api","version":"v1","environment":"sandbox","resources":[]}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


# The environment names the proxy, or the client's own setting, or nothing does.
server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"


def targets_of(url: str, **options: Any) -> list[str]:
    """Returns the targets of the requests that reach the proxy when a client calls an operation."""
    Proxy.targets = []
    with Carecover(url, HEAD + TAIL, max_retries=0, **options) as carecover:
        get_api(carecover)
    return Proxy.targets


os.environ["HTTP_PROXY"] = address
assert targets_of("http://api.example/v1") == ["http://api.example/v1/"]
os.environ["HTTP_PROXY"] = "http://127.0.0.1:9"
os.environ["NO_PROXY"] = "api.example"
assert targets_of("http://api.example/v1", proxy=address) == ["http://api.example/v1/"]
assert targets_of(address + "/v1", trust_env=False) == ["/v1/"]
os.environ["NO_PROXY"] = "127.0.0.0/8"
assert targets_of(address + "/v1") == ["/v1/"]
os.environ["NO_PROXY"] = ""
assert "refused" in str(raised(lambda: targets_of(address + "/v1")))
os.environ["HTTP_PROXY"] = ""
server.shutdown()
server.server_close()

# A proxy that can't be one is named, without its value.
for proxy in ("ftp://user:secret@proxy", "http://user:secret@proxy:port", "http://user:secret@", "http://user:secret@proxy\n", ""):
    error = raised(lambda: Carecover(URL, HEAD + TAIL, proxy=proxy))
    assert str(error).startswith("proxy must be the URL of a proxy, such as http://proxy.example:3128; it "), error
    check_without(error, "secret", HEAD)
    if proxy != "":
        os.environ["HTTPS_PROXY"] = proxy
        error = raised(lambda: Carecover(URL, HEAD + TAIL))
        assert str(error).startswith("HTTPS_PROXY must be the URL of a proxy, such as "), error
        check_without(error, "secret", HEAD)
        Carecover(URL, HEAD + TAIL, trust_env=False).close()
os.environ["HTTPS_PROXY"] = ""
error = raised(lambda: Carecover(URL, HEAD + TAIL, proxy="http://proxy.example", transport=Answers()))
assert str(error) == "proxy has no effect on a transport: set the proxy of the transport", error

# All calls above that failed did so without a pause for a retry.
assert time.process_time() < 30
print("ok")
