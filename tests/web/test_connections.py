"""What the server allows a connection: real sockets, and an app that only says who asked."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPResponse

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'solvepic[web]'")

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from solvepic.web import serve
from solvepic.web.serve import MOST_CONNECTIONS, MOST_HEADER_BYTES, Settings, limited

WAIT_SECONDS = 30.0
"""For what comes at once on a machine that does nothing else."""

ASKING = b"GET / HTTP/1.1\r\nHost: localhost\r\n"

Connect = Callable[[], socket.socket]


async def who(request: Request) -> PlainTextResponse:
    assert request.client is not None
    return PlainTextResponse(f"{request.url.scheme} {request.client.host}")


async def slow(request: Request) -> PlainTextResponse:
    await asyncio.sleep(WAIT_SECONDS)
    return PlainTextResponse("late")


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connect]:
    """Connects to a server that is limited as the page's is; its waiting is as short as it can be."""
    monkeypatch.setattr(serve, "KEEP_ALIVE_SECONDS", 1)
    server = uvicorn.Server(limited(Starlette(routes=[Route("/", who), Route("/slow", slow)]), Settings()))
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        running = threading.Thread(target=server.run, args=([listener],), daemon=True)

        def connected() -> socket.socket:
            return stack.enter_context(socket.create_connection(listener.getsockname(), WAIT_SECONDS))

        running.start()
        while not server.started:
            time.sleep(0.01)
        yield connected
        server.should_exit = True
        running.join(WAIT_SECONDS / 2)
        assert not running.is_alive(), "the server does not end while something is being answered"


def answer(connection: socket.socket, request: bytes) -> tuple[int, bytes]:
    connection.sendall(request)
    with HTTPResponse(connection) as response:
        response.begin()
        return response.status, response.read()


def test_who_asks_is_who_connected(connect: Connect) -> None:
    forwarded = b"X-Forwarded-For: 192.0.2.9\r\nX-Forwarded-Proto: https\r\n\r\n"
    assert answer(connect(), ASKING + forwarded) == (200, b"http 127.0.0.1")


def test_headers_that_never_end_are_not_waited_for(connect: Connect) -> None:
    assert answer(connect(), ASKING + b"X: " + b"x" * MOST_HEADER_BYTES)[0] == 400
    assert answer(connect(), ASKING + b"X: " + b"x" * (MOST_HEADER_BYTES // 2) + b"\r\n\r\n")[0] == 200


def test_a_connection_that_asks_nothing_more_is_closed(connect: Connect) -> None:
    connection = connect()
    assert answer(connection, ASKING + b"\r\n")[0] == 200
    began = time.monotonic()
    assert connection.recv(1) == b""
    assert time.monotonic() - began < 4  # left alone, uvicorn waits for 5


def test_more_connections_than_a_household_has_are_turned_away(connect: Connect) -> None:
    open_ones = [connect() for _ in range(MOST_CONNECTIONS)]
    for connection in open_ones:
        connection.sendall(ASKING)  # its headers are not at their end
    time.sleep(0.2)
    assert answer(connect(), ASKING + b"\r\n")[0] == 503
    for connection in open_ones:
        connection.close()
    time.sleep(0.2)
    assert answer(connect(), ASKING + b"\r\n")[0] == 200


def test_the_server_ends_while_something_is_being_answered(connect: Connect) -> None:
    connect().sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
    time.sleep(0.2)  # the fixture ends the server, and asserts that it has ended
    assert answer(connect(), ASKING + b"\r\n")[0] == 200
