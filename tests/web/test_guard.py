"""Each row of the security table: who may ask, and how much."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'solvepic[web]'")

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from solvepic.web import guard
from solvepic.web.guard import COOKIE, MOST_BYTES, PICTURES_A_MINUTE, WRONG_A_MINUTE, Guard, Keys

TOKEN = "a-code-for-these-tests"
HOST = "192.0.2.7:8765"
NAMED = "laptop.local:8765"
URL = f"http://{HOST}"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
MINE = {"Origin": URL, "Cookie": f"{COOKIE}={TOKEN}"}
KINDS = "/api/v1/kinds"
PICTURES = "/api/v1/pictures"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def heard(request: Request) -> Response:
    return Response(str(len(await request.body())))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(clock: Clock) -> TestClient:
    app = Starlette(routes=[Route("/{rest:path}", heard, methods=["GET", "POST", "PATCH", "DELETE"])])
    return TestClient(Guard(app, Keys(TOKEN, clock), [HOST, NAMED], clock=clock), URL)


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8765", "192.0.2.7", "192.0.2.7:80", "192.0.2.7:8765.evil.example"),
        *("evil.example#192.0.2.7:8765", "192.0.2.7:8765@evil.example", " 192.0.2.7:8765x", "192.0.2.7:08765"),
        *("localhost", "[::1]:8765", "0xC0000207:8765"),
    ],
)
def test_other_hosts_are_turned_away(client: TestClient, host: str) -> None:
    reply = client.get("/", headers={"Host": host})
    assert reply.status_code == 421
    assert "address" in reply.text


def test_the_own_host_is_heard_in_capitals_too(client: TestClient) -> None:
    assert client.get("/", headers={"Host": NAMED.upper()}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"https://{HOST}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
def test_other_sites_change_nothing(client: TestClient, method: str, headers: dict[str, str]) -> None:
    cookie = {"Cookie": f"{COOKIE}={TOKEN}"}
    assert client.request(method, PICTURES, headers=cookie | headers).status_code == 403


def test_even_with_the_code_another_origin_is_turned_away(client: TestClient) -> None:
    assert client.post(PICTURES, headers=BEARER | {"Origin": "http://evil.example"}).status_code == 403


def test_no_page_of_another_site_may_read_answers(client: TestClient) -> None:
    reply = client.get(KINDS, headers=BEARER | {"Origin": "http://evil.example"})
    assert not [name for name in reply.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": "Bearer "},
        {"Cookie": f"{COOKIE}=wrong"},
        {"Cookie": f"other={TOKEN}"},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": f"Bearer {TOKEN}ü".encode("latin-1")},
    ],
)
def test_without_the_code_nothing_is_told(client: TestClient, headers: dict[str, Any]) -> None:
    reply = client.get(KINDS, headers=headers)
    assert reply.status_code == 401
    assert "QR" in reply.json()["error"]


@pytest.mark.parametrize("headers", [BEARER, {"Cookie": f"{COOKIE}={TOKEN}"}])
def test_with_the_code_all_is_open(client: TestClient, headers: dict[str, str]) -> None:
    assert client.get(KINDS, headers=headers).status_code == 200


@pytest.mark.parametrize("path", ["/", "/api", "/healthz", "/static/page.css"])
def test_the_page_itself_is_open(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 200


def test_the_code_cannot_be_guessed_for_long(client: TestClient, clock: Clock) -> None:
    tries = [client.get(KINDS, headers={"Authorization": f"Bearer {n}"}).status_code for n in range(WRONG_A_MINUTE + 5)]
    assert tries == [401] * WRONG_A_MINUTE + [429] * 5
    assert client.get(KINDS, headers=BEARER).status_code == 429
    clock.now += 61
    assert client.get(KINDS, headers=BEARER).status_code == 200


def test_pictures_are_counted_by_the_minute(client: TestClient, clock: Clock) -> None:
    sent = [client.post(PICTURES, headers=MINE, content=b"x").status_code for _ in range(PICTURES_A_MINUTE + 3)]
    assert sent == [200] * PICTURES_A_MINUTE + [429] * 3
    clock.now += 61
    assert client.post(PICTURES, headers=MINE, content=b"x").status_code == 200


def test_a_body_is_handed_on_whole(client: TestClient) -> None:
    assert client.post(PICTURES, headers=MINE, content=b"x" * 100_000).text == "100000"


def test_a_body_that_says_it_is_too_large_is_not_read(client: TestClient) -> None:
    reply = client.post(PICTURES, headers=MINE | {"Content-Length": str(25 * 2**20 + 1)}, content=b"x")
    assert reply.status_code == 413


def test_a_body_that_is_larger_than_it_says_is_cut_off(client: TestClient) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(26):
            yield b"x" * 2**20

    assert client.post(PICTURES, headers=MINE, content=chunks()).status_code == 413
    lying = MINE | {"Content-Length": "5"}
    assert client.post(PICTURES, headers=lying, content=b"x" * (MOST_BYTES + 1)).status_code == 413


@pytest.mark.parametrize("length", ["-1", "many", "1e3", ""])
def test_a_length_that_is_none_is_refused(client: TestClient, length: str) -> None:
    assert client.post(PICTURES, headers=MINE | {"Content-Length": length}, content=b"x").status_code == 400


def asked(app: Any, messages: AsyncIterator[dict[str, Any]]) -> int:
    """The status that an app answers a request with whose body comes as ``messages``."""
    status = []

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            status.append(message["status"])

    headers = [(b"host", HOST.encode()), (b"authorization", f"Bearer {TOKEN}".encode())]
    scope = {"type": "http", "method": "POST", "path": PICTURES, "headers": headers, "client": ("192.0.2.9", 1)}

    async def main() -> None:
        await app(scope, lambda: anext(messages), send)

    asyncio.run(main())
    return int(status[0])


def test_a_body_that_comes_too_slowly_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.05)

    async def slowly() -> AsyncIterator[dict[str, Any]]:
        for more in [True] * 50 + [False]:  # it ends in the end: a guard that waits for it must not hang the test
            yield {"type": "http.request", "body": b"x", "more_body": more}
            await asyncio.sleep(0.02)

    assert asked(Guard(Starlette(), Keys(TOKEN), [HOST]), slowly()) == 408


def test_a_body_that_breaks_off_is_no_body() -> None:
    async def broken() -> AsyncIterator[dict[str, Any]]:
        yield {"type": "http.request", "body": b"x", "more_body": True}
        yield {"type": "http.disconnect"}

    assert asked(Guard(Starlette(), Keys(TOKEN), [HOST]), broken()) == 400


def test_every_answer_forbids_what_the_page_does_not_need(client: TestClient) -> None:
    own, none = ["'self'"], ["'none'"]
    for reply in (client.get("/"), client.get(KINDS), client.get("/", headers={"Host": "evil.example"})):
        policy = {
            name: sources for name, *sources in map(str.split, reply.headers["content-security-policy"].split(";"))
        }
        assert policy == {
            **{"default-src": none, "base-uri": none, "frame-ancestors": none, "img-src": [*own, "blob:"]},
            **dict.fromkeys(("script-src", "style-src", "connect-src", "manifest-src", "form-action"), own),
        }
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"
        assert reply.headers["cross-origin-opener-policy"] == "same-origin"
        assert reply.headers["cache-control"] == "no-store"


def test_web_sockets_reach_nothing() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("asked")

    scope = {"type": "websocket", "path": "/", "headers": [(b"host", HOST.encode())]}
    assert asyncio.run(Guard(app, Keys(TOKEN), [HOST])(scope, anext, anext)) is None  # type: ignore[arg-type]


def test_addresses_are_not_remembered_without_end() -> None:
    rate = guard.Rate(3, Clock())
    for number in range(guard.MOST_ADDRESSES + 50):
        rate.count(str(number))
    assert len(rate._times) == guard.MOST_ADDRESSES
