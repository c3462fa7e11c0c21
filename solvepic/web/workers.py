"""Worker processes that read pictures: asked one request at a time, ended at the deadline, and started anew.

A worker keeps what it read, so later requests about a picture go to the worker that read it. A process that hangs in a
C library can only be killed; then its pictures are lost, and a new one takes its place.
"""

import asyncio
import multiprocessing
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from solvepic.web.limits import Limits
from solvepic.web.wire import Head, packed, unpacked

T = TypeVar("T")

START_SECONDS = 60.0
"""A worker that is not ready by then will never be."""


class BusyError(Exception):
    """Too many pictures wait already."""


class KilledError(Exception):
    """The worker was killed at its deadline, or its process ended."""

    def __init__(self, late: bool) -> None:
        """With whether it was ``late``."""
        super().__init__("the worker took too long" if late else "the worker ended")
        self.late = late


Target = Callable[[Connection, Limits, int], None]
"""What runs in a worker: :func:`solvepic.web.reader.run`, which is named here so that the server need not load it."""


def _read(connection: Connection, limits: Limits, workers: int) -> None:
    from solvepic.web.reader import run  # noqa: PLC0415  (loads OpenCV, in the worker alone)

    run(connection, limits, workers)


@dataclass(eq=False)
class Worker:
    """One process; ``ready`` holds what it told when it was."""

    process: BaseProcess
    connection: Connection
    ready: Head
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    pictures: int = 0
    rss_mb: int = 0

    def exchange(self, message: bytes, seconds: float) -> tuple[Head, bytes]:
        """Ask and wait for the reply; blocks.

        Raises:
            KilledError: there was none in time, or the process ended; it has ended now.
        """
        try:
            self.connection.send_bytes(message)
            if not self.connection.poll(seconds):
                self.end()
                raise KilledError(late=True)
            return unpacked(self.connection.recv_bytes())
        except (OSError, EOFError, ValueError):
            self.end()
            raise KilledError(late=False) from None

    def end(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class Workers:
    """A fixed number of workers."""

    def __init__(
        self,
        count: int,
        limits: Limits | None = None,
        lost: Callable[[Worker], None] | None = None,
        target: Target = _read,
    ) -> None:
        """Workers that are started by :meth:`start`.

        Args:
            count: of processes.
            limits: for each.
            lost: told of a worker whose process has ended.
            target: what runs in them.
        """
        self.limits = limits or Limits()
        self.lost = lost or (lambda worker: None)
        self._count, self._target = count, target
        self._waiting = 0
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._all: set[Worker] = set()
        self._unready: set[BaseProcess] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._started = asyncio.Event()
        self._closed = False

    @property
    def alive(self) -> int:
        """Workers that are ready."""
        return len(self._all)

    @property
    def processes(self) -> Sequence[int]:
        """Their process identifiers."""
        return [worker.process.pid or 0 for worker in self._all]

    def start(self) -> None:
        """Begin to start all; who asks waits until one is ready."""
        for _ in range(self._count):
            self._start_one()

    def _start_one(self) -> None:
        task = asyncio.get_running_loop().create_task(self._started_one())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _started_one(self) -> None:
        with suppress(KilledError):
            worker = await asyncio.to_thread(self._spawn)
            if self._closed:
                worker.end()
                return
            self._all.add(worker)
            self._idle.put_nowait(worker)
            self._started.set()

    def _spawn(self) -> Worker:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        arguments = (theirs, self.limits, self._count)
        process = context.Process(target=self._target, args=arguments, daemon=True, name="solvepic-reader")
        process.start()
        self._unready.add(process)
        theirs.close()
        worker = Worker(process, ours, {})
        try:
            if not ours.poll(START_SECONDS):
                raise EOFError
            worker.ready = unpacked(ours.recv_bytes())[0]
        except (OSError, EOFError):
            worker.end()
            raise KilledError(late=False) from None
        finally:
            self._unready.discard(process)
        return worker

    async def kinds(self) -> dict[str, int]:
        """The kinds of puzzles that are solved, with how many corners may be pointed at, once a worker is ready."""
        await self._started.wait()
        return {name: count for worker in list(self._all)[:1] for name, count in worker.ready.get("kinds", {}).items()}

    async def read(self, head: Head, data: bytes) -> tuple[Worker, Head, bytes]:
        """Give a picture to the first worker that is free.

        Returns:
            The worker, which may keep the picture, and its reply.

        Raises:
            BusyError: too many wait already.
            KilledError: the worker took too long or ended; another takes its place.
        """
        if self._waiting >= self.limits.waiting + self._count:
            raise BusyError
        self._waiting += 1
        try:
            worker = await self._idle.get()
            while worker not in self._all:
                worker = await self._idle.get()
            try:
                worker.pictures += 1
                reply = await self._ask(worker, head, data)
            finally:
                if worker in self._all:
                    self._idle.put_nowait(worker)
            return worker, *reply
        finally:
            self._waiting -= 1

    async def ask(self, worker: Worker, head: Head) -> tuple[Head, bytes]:
        """Ask the worker that keeps a picture.

        Raises:
            KilledError: as :meth:`read`.
        """
        return await self._ask(worker, head, b"")

    async def _ask(self, worker: Worker, head: Head, data: bytes) -> tuple[Head, bytes]:
        async with worker.lock:
            if worker not in self._all:
                raise KilledError(late=False)
            try:
                # Shielded: who asked may go away, but the reply has to be taken before the next one is asked.
                reply = await _whole(asyncio.to_thread(worker.exchange, packed(head, data), self.limits.deadline))
            except KilledError:
                self._replace(worker)
                raise
            worker.rss_mb = int(reply[0].get("rss_mb", 0))
            if worker.pictures >= self.limits.pictures or worker.rss_mb > self.limits.resident_mb:
                await asyncio.to_thread(worker.end)
                self._replace(worker)
            return reply

    def _replace(self, worker: Worker) -> None:
        self._all.discard(worker)
        self.lost(worker)
        if not self._closed:
            self._start_one()

    async def close(self) -> None:
        """End all."""
        self._closed = True
        for process in list(self._unready):
            process.kill()
        for task in list(self._starting):
            task.cancel()
        for worker in list(self._all):
            await asyncio.to_thread(worker.end)
        self._all.clear()


async def _whole(work: "Coroutine[Any, Any, T]") -> "T":
    """The result of ``work``, which goes on to its end even where whoever waits is cancelled."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with suppress(KilledError):
            await task
        raise
