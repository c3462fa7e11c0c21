"""What a worker with a real reader is kept from: writing files, huge pictures, all of the memory, keeping for ever."""

import asyncio
import os
import struct
import sys
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'solvepic[web]'")

from solvepic.web import app
from solvepic.web.app import Service
from solvepic.web.guard import Keys
from solvepic.web.limits import Limits
from solvepic.web.sessions import Sessions
from solvepic.web.wire import packed, unpacked
from solvepic.web.workers import Worker, Workers

SHOT = (Path(__file__).resolve().parents[2] / "samples" / "stitch" / "phone-light.png").read_bytes()
PROBE = "probe"
MAKING = ("os.mkdir", "os.rename", "os.link", "os.symlink", "os.truncate")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC


class Watched:
    """A worker's connection that adds to each reply what the process opened for writing, and its limit of memory."""

    def __init__(self, connection: Connection, written: list[str]) -> None:
        self.connection, self.written = connection, written

    def recv_bytes(self) -> bytes:
        return self.connection.recv_bytes()

    def send_bytes(self, message: bytes) -> None:
        import resource  # noqa: PLC0415  (not everywhere)

        head, body = unpacked(message)
        memory = resource.getrlimit(resource.RLIMIT_DATA)[0]
        self.connection.send_bytes(packed({**head, "written": self.written, "memory": memory}, body))


def watched(connection: Connection, limits: Limits, workers: int) -> None:
    """A worker as any other, whose every opening for writing is heard of: one of its own to begin with."""
    written: list[str] = []

    def heard(event: str, arguments: tuple[Any, ...]) -> None:
        if event in MAKING or (event == "open" and arguments[2] & WRITING):
            written.append(str(arguments[0]))

    sys.dont_write_bytecode = True
    os.chdir(os.environ["HOME"])
    sys.addaudithook(heard)
    Path(PROBE).write_text("heard?")
    Path(PROBE).unlink()

    from solvepic.web.reader import run  # noqa: PLC0415  (all that it loads is watched)

    run(Watched(connection, written), limits, workers)  # type: ignore[arg-type]


@contextmanager
def at_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Processes started within have folders of their own for work, for temporary files, and for what they remember."""
    for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME"):
        (folder / name).mkdir()
        monkeypatch.setenv(name, str(folder / name))
    yield


def bomb(width: int, height: int) -> bytes:
    """A PNG of few bytes and many pixels."""
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"")),
        (b"IEND", b""),
    ]
    parts = [
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone")
def test_a_worker_writes_no_file_and_keeps_to_its_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_workers: Callable[..., Any]
) -> None:
    async def work(workers: Workers) -> list[dict[str, Any]]:
        options: dict[str, str] = {}
        worker, read, _ = await workers.read({"verb": "read", "id": "a", "options": options, "reveal": True}, SHOT)
        requests: list[dict[str, Any]] = [
            {"verb": "picture", "id": "a", "what": "solution", "suffix": ".png"},
            {"verb": "picture", "id": "a", "what": "read", "suffix": ".jpg"},
            {"verb": "step", "id": "a", "number": 0, "lang": "en"},
            {"verb": "set", "id": "a", "cells": {"r1c6": "11"}},
            {"verb": "check", "id": "a"},
            {"verb": "drop", "id": "a"},
        ]
        heads = [read, *[(await workers.ask(worker, request))[0] for request in requests]]
        for data in (b"no picture", SHOT[: len(SHOT) // 2], bomb(9_000, 7_000)):
            solve = {"verb": "solve", "options": options, "suffix": ".png"}
            heads.append((await workers.read(solve, data))[1])
        return heads

    with at_home(tmp_path, monkeypatch):
        heads = with_workers(work, watched, memory_mb=2_500)
    assert [head["status"] for head in heads] == [201, 200, 200, 200, 200, 200, 204, 415, 415, 415]
    assert "megapixel" in heads[-1]["body"]["error"]
    assert heads[-1]["written"] == [PROBE]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert heads[-1]["memory"] == 2_500 * 2**20


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def keeping(connection: Connection, limits: Limits, workers: int) -> None:
    """A worker that tells which pictures it keeps."""
    kept: list[str] = []
    connection.send_bytes(packed({}))
    while True:
        head, _ = unpacked(connection.recv_bytes())
        if head["verb"] == "read":
            kept.append(head["id"])
        if head["verb"] == "drop":
            kept.remove(head["id"])
        connection.send_bytes(packed({"status": 201, "body": {"bytes": 1, "kept": kept}}))


async def kept(service: Service, name: str) -> list[str]:
    head, _ = await service.ask(name, "kept", "en")
    return list(head["body"]["kept"])


def with_service(work: Callable[[Service, Clock], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        clock = Clock()
        service = Service(Workers(1, target=keeping), Keys("code"), sessions=Sessions(clock))
        service.workers.start()
        try:
            return await work(service, clock)
        finally:
            await service.workers.close()

    return asyncio.run(main())


async def sent(service: Service) -> str:
    await service.keep(b"picture", "en", {}, reveal=False)
    return list(service.sessions._open)[-1]


def test_a_worker_forgets_the_oldest_picture_when_there_are_more_than_32() -> None:
    async def work(service: Service, clock: Clock) -> tuple[list[str], list[str]]:
        names = [await sent(service) for _ in range(34)]
        return names, await kept(service, names[-1])

    names, left = with_service(work)
    assert left == names[2:]


def test_a_worker_forgets_a_picture_after_15_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "SWEEP_SECONDS", 0.01)

    async def work(service: Service, clock: Clock) -> list[list[str]]:
        first = await sent(service)
        sweeping = asyncio.ensure_future(service.sweep())
        clock.now = 15 * 60 - 1
        second = await sent(service)
        await asyncio.sleep(0.2)
        before = await kept(service, second)
        clock.now = 15 * 60 + 1
        await asyncio.sleep(0.2)
        after = await kept(service, second)
        sweeping.cancel()
        return [before, after, [first, second]]

    before, after, names = with_service(work)
    assert before == names
    assert after == names[1:]


def test_what_a_worker_kept_is_gone_with_it() -> None:
    async def work(service: Service, clock: Clock) -> int:
        await sent(service)
        [worker] = service.workers._all
        assert isinstance(worker, Worker)
        worker.process.kill()
        with pytest.raises(app.RefusalError):
            await service.ask(next(iter(service.sessions._open)), "kept", "en")
        return len(service.sessions)

    assert with_service(work) == 0
