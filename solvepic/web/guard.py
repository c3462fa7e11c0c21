"""Who may ask, and how much: everything that is checked before a request reaches a route.

A home network is not trusted, nor are the pages that its browsers show. Hosts are compared with an exact list (DNS
rebinding), origins on every request that changes something (other sites), a secret of 96 bits on all but the page
itself (neighbours); bodies and rates are bounded, and answers forbid whatever the page does not need.
"""

import asyncio
import hmac
import time
from collections import deque
from collections.abc import Callable, Collection
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from solvepic.web.strings import language, refusal

COOKIE = "solvepic"

MOST_BYTES = 25 * 2**20
"""Of a body."""

BODY_SECONDS = 30.0
"""For sending a body."""

MINUTE = 60.0
WRONG_A_MINUTE = 10
"""Wrong tokens of an address; more are not looked at."""
PICTURES_A_MINUTE = 30
"""Pictures of an address."""
MOST_ADDRESSES = 1_000
"""Addresses that are remembered; the longest silent is forgotten."""

OPEN = ("/", "/api", "/healthz", "/static/")
"""What anybody may get: nothing of anybody's picture."""

POLICY = (
    "default-src 'none'; img-src 'self' blob:; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}

SENTENCES = {
    400: "the request cannot be understood",
    401: "the code is missing or wrong; open the link, or scan the QR code, that solvepic serve shows",
    403: "this came from another site; open the page itself",
    408: "the picture took too long to arrive; try again closer to the router",
    411: "say how long the body is",
    413: "the picture is too large; 25 MB is the most",
    421: "this is not the address that solvepic serve shows; open that one",
    429: "too many tries; wait a minute",
}


class Rate:
    """How often something happened in the last minute, by address."""

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        """At most ``most`` times a minute."""
        self._most, self._clock = most, clock
        self._times: dict[str, deque[float]] = {}

    def is_spent(self, address: str) -> bool:
        """Whether no more is allowed now."""
        times = self._times.get(address, deque())
        while times and self._clock() - times[0] > MINUTE:
            times.popleft()
        return len(times) >= self._most

    def count(self, address: str) -> None:
        """It happened once more."""
        times = self._times.pop(address, deque(maxlen=self._most))
        times.append(self._clock())
        self._times[address] = times
        if len(self._times) > MOST_ADDRESSES:
            del self._times[next(iter(self._times))]


class Keys:
    """The secret, and how often it may be tried."""

    def __init__(self, token: str, clock: Callable[[], float] = time.monotonic) -> None:
        """With the secret ``token``."""
        self._token = token.encode()
        self._wrong = Rate(WRONG_A_MINUTE, clock)

    def refusal(self, candidate: str | None, address: str) -> int | None:
        """401 or 429 where the candidate is not the secret or the address tried too often, else None."""
        if self._wrong.is_spent(address):
            return 429
        if candidate is not None and hmac.compare_digest(candidate.encode(), self._token):
            return None
        if candidate is not None:
            self._wrong.count(address)
        return 401


class Guard:
    """Stands before the app."""

    def __init__(
        self,
        app: ASGIApp,
        keys: Keys,
        hosts: Collection[str],
        scheme: str = "http",
        *,
        clock: Callable[[], float] = time.monotonic,
        pictures: int = PICTURES_A_MINUTE,
    ) -> None:
        """Guards ``app``.

        Args:
            app: what is asked in the end.
            keys: the secret.
            hosts: what the header ``Host`` may say, ports included, in small letters.
            scheme: ``http`` or ``https``, of the origins that may ask.
            clock: tells seconds.
            pictures: that an address may send a minute.
        """
        self._app, self._keys, self._hosts = app, keys, frozenset(hosts)
        self._origins = frozenset(f"{scheme}://{host}" for host in hosts)
        self._pictures = Rate(pictures, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI interface."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        status = self._refusal(scope)
        if status is None and scope["method"] not in ("GET", "HEAD"):
            body = await _body(scope, receive)
            if isinstance(body, int):
                status = body
            else:
                receive = _replayed(body, receive)
        if status is not None:
            lang = language(Headers(scope=scope).get("accept-language", ""))
            await refused(scope["path"], status, lang=lang)(scope, receive, sent)
        else:
            await self._app(scope, receive, sent)

    def _refusal(self, scope: Scope) -> int | None:
        headers, path = Headers(scope=scope), scope["path"]
        address = (scope.get("client") or ("",))[0]
        if [host.lower() for host in headers.getlist("host")] not in [[host] for host in self._hosts]:
            return 421
        bearer = _bearer(headers)
        if scope["method"] not in ("GET", "HEAD") and (status := self._foreign(headers, bearer)):
            return status
        opened = path in OPEN or any(path.startswith(each) for each in OPEN if each != "/" and each.endswith("/"))
        if not opened and (status := self._keys.refusal(bearer or cookie(headers), address)):
            return status
        if scope["method"] == "POST" and path in ("/", "/api/v1/pictures", "/solve.png", "/solve.jpg"):
            if self._pictures.is_spent(address):
                return 429
            self._pictures.count(address)
        return None

    def _foreign(self, headers: Headers, bearer: str | None) -> int | None:
        """403 where a page of another site may be behind a request.

        A browser always says where a request comes from that changes something; a program with the secret in a header
        of its own need not, since no page of another site can set that.
        """
        origin = headers.get("origin")
        if origin is not None:
            return None if origin.lower() in self._origins else 403
        site = headers.get("sec-fetch-site")
        if site is not None:
            return None if site == "same-origin" else 403
        return None if bearer is not None else 403


def refused(path: str, status: int, sentence: str = "", lang: str = "en", **headers: str) -> Response:
    """The answer to a request that is refused: a sentence in the language, as JSON where a program asked."""
    sentence = refusal(lang, status, sentence or SENTENCES[status])
    if path.startswith("/api/"):
        return JSONResponse({"error": sentence}, status, headers)
    return PlainTextResponse(f"{sentence}\n", status, headers)


def cookie(headers: Headers) -> str | None:
    """The secret as the browser keeps it."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel is not None else None


def _bearer(headers: Headers) -> str | None:
    word, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if word.lower() == "bearer" else None


async def _body(scope: Scope, receive: Receive) -> bytes | int:
    """The whole body, counted as it arrives; a status where it is too large, too slow, or broken off."""
    said = Headers(scope=scope).get("content-length", "0")
    if not said.isdecimal():
        return 400
    if int(said) > MOST_BYTES:
        return 413
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return 400
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > MOST_BYTES:
                    return 413
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        return 408


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Gives the body once, then whatever comes after it."""
    waiting = [body]

    async def again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return again
