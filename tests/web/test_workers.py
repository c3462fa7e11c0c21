"""Workers hang, end, or want too much memory; the server and the other worker go on."""

import asyncio
import os
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'solvepic[web]'")

from loky import cpu_count

from solvepic.threads import share_processors
from solvepic.web.limits import Limits
from solvepic.web.sessions import MOST, MOST_BYTES, Sessions
from solvepic.web.wire import packed, unpacked
from solvepic.web.workers import BusyError, KilledError, Worker, Workers


def echo(connection: Connection, limits: Limits, workers: int) -> None:
    """A worker that does what it is told: answer, sleep, end."""
    connection.send_bytes(packed({"kinds": {"toy": 4}}))
    while True:
        head, body = unpacked(connection.recv_bytes())
        if head["verb"] == "sleep":
            time.sleep(head["seconds"])
        if head["verb"] == "end":
            os._exit(1)
        connection.send_bytes(packed({"status": 200, "pid": os.getpid(), "rss_mb": head.get("rss_mb", 0)}, body))


def test_a_message_comes_back_as_it_was(with_workers: Callable[..., Any]) -> None:
    async def work(workers: Workers) -> tuple[Any, Any, dict[str, int]]:
        _, head, body = await workers.read({"verb": "say"}, b"\x00\n\xff")
        return head["status"], body, await workers.kinds()

    assert with_workers(work, echo) == (200, b"\x00\n\xff", {"toy": 4})


def test_one_that_hangs_is_killed_at_its_deadline_and_replaced(with_workers: Callable[..., Any]) -> None:
    lost: list[Worker] = []

    async def work(workers: Workers) -> tuple[float, float]:
        await workers.read({"verb": "say"}, b"")
        began = time.monotonic()
        with pytest.raises(KilledError) as killed:
            await workers.read({"verb": "sleep", "seconds": 60}, b"")
        assert killed.value.late
        ended = time.monotonic() - began
        while workers.alive < 1:
            await asyncio.sleep(0.02)
        await workers.read({"verb": "say"}, b"")
        return ended, time.monotonic() - began

    ended, back = with_workers(work, echo, 1, lost.append, deadline=0.5)
    assert 0.5 <= ended < 1.0
    assert back < 10
    assert len(lost) == 1


def test_while_one_hangs_the_other_answers(with_workers: Callable[..., Any]) -> None:
    async def work(workers: Workers) -> float:
        while workers.alive < 2:
            await asyncio.sleep(0.02)
        hanging = asyncio.ensure_future(workers.read({"verb": "sleep", "seconds": 60}, b""))
        await asyncio.sleep(0.1)
        began = time.monotonic()
        await workers.read({"verb": "say"}, b"")
        answered = time.monotonic() - began
        with pytest.raises(KilledError):
            await hanging
        return answered

    assert with_workers(work, echo, 2, deadline=2.0) < 1.0


def test_one_that_ends_is_told_from_one_that_is_late(with_workers: Callable[..., Any]) -> None:
    async def work(workers: Workers) -> bool:
        with pytest.raises(KilledError) as killed:
            await workers.read({"verb": "end"}, b"")
        return killed.value.late

    assert with_workers(work, echo) is False


def test_more_than_the_queue_takes_is_turned_away_at_once(with_workers: Callable[..., Any]) -> None:
    async def work(workers: Workers) -> list[str]:
        await workers.kinds()
        asked = [asyncio.ensure_future(workers.read({"verb": "sleep", "seconds": 0.2}, b"")) for _ in range(50)]
        done = await asyncio.gather(*asked, return_exceptions=True)
        return ["busy" if isinstance(each, BusyError) else "answered" for each in done]

    ended = with_workers(work, echo, waiting=3)
    assert ended == ["answered"] * 4 + ["busy"] * 46


@pytest.mark.parametrize(
    ("limits", "head", "processes"), [({"pictures": 2}, {}, 2), ({"resident_mb": 500}, {"rss_mb": 501}, 4)]
)
def test_workers_are_replaced_before_they_grow(
    limits: dict[str, int], head: dict[str, int], processes: int, with_workers: Callable[..., Any]
) -> None:
    async def work(workers: Workers) -> set[int]:
        return {(await workers.read({"verb": "say", **head}, b""))[1]["pid"] for _ in range(4)}

    assert len(with_workers(work, echo, **limits)) == processes


def test_who_goes_away_leaves_no_reply_behind(with_workers: Callable[..., Any]) -> None:
    async def work(workers: Workers) -> bytes:
        await workers.kinds()
        gone = asyncio.ensure_future(workers.read({"verb": "sleep", "seconds": 0.3}, b"theirs"))
        await asyncio.sleep(0.1)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        return (await workers.read({"verb": "say"}, b"ours"))[2]

    assert with_workers(work, echo) == b"ours"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def kept(count: int, size: int, clock: Clock) -> Sessions:
    sessions = Sessions(clock)
    for number in range(count):
        sessions.keep(str(number), None, size)  # type: ignore[arg-type]
    return sessions


def test_the_oldest_pictures_go_when_there_are_too_many() -> None:
    sessions = kept(MOST + 2, 1, Clock())
    assert sessions.find("0")
    assert list(sessions.surplus()) == ["1", "2"]


def test_the_oldest_pictures_go_when_they_are_too_large() -> None:
    sessions = kept(3, MOST_BYTES // 2, Clock())
    assert list(sessions.surplus()) == ["0"]


def test_pictures_nobody_asks_about_are_forgotten() -> None:
    clock = Clock()
    sessions = kept(2, 1, clock)
    clock.now = 600
    assert sessions.find("0")
    clock.now = 1_000
    assert sessions.find("0")
    assert sessions.find("1") is None
    clock.now = 5_000
    assert list(sessions.surplus()) == ["0"]
    assert len(sessions) == 0


def test_names_of_pictures_cannot_be_guessed() -> None:
    names = {Sessions.name() for _ in range(1_000)}
    assert len(names) == 1_000
    assert min(map(len, names)) >= 16


@pytest.mark.parametrize("beside", [1, 2])
def test_workers_share_the_processors(monkeypatch: pytest.MonkeyPatch, beside: int) -> None:
    given: list[int] = []
    monkeypatch.setattr("cv2.setNumThreads", given.append)
    share_processors(int(cpu_count()) * beside)
    share_processors(1)
    assert given == [1, int(cpu_count())]
