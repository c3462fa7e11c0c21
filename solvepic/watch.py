"""``solvepic watch FOLDER``: new captures are solved as they arrive.

The operating system tells which files changed (watchfiles); a file is taken when it has stopped changing, because a
phone's sync writes it bit by bit, and none waits for another. A picture that is replaced under its name is solved
again. Our own outputs are ignored, bad files are recorded and passed over, a worker that a picture ends or holds up is
replaced, and a folder that disappears (an unplugged disk, a sync being set up anew) is waited for: what is new there
when it comes back has arrived.
"""

import os
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from solvepic.batch import AHEAD, Submit, pool, result, work
from solvepic.jobs import Job, is_capture
from solvepic.options import Options
from solvepic.output import HINT, SOLVED, Fingerprint, free_name, is_folder, overlay_name
from solvers.kind import Record
from vision.trace import log

SETTLED_SECONDS = 0.5
"""A file that has not changed for so long is taken to be complete."""

PAUSE_SECONDS = 3.0
"""One that turns out to be none, such as the first half of a picture, is looked at again when it has not changed for so
long: a slow copy pauses."""

PATIENCE_SECONDS = 60.0
"""A file that is still empty after so long is passed over until it changes again."""

TICK_MS = 200
"""How often files that are arriving are looked at."""

RETRY_SECONDS = 1.0
"""How often a folder that disappeared is looked for."""

Look = tuple[int, int]
"""A file's size in bytes, and when it was last written, in nanoseconds since 1970."""


def watch(
    folder: Path,
    output: Path | None,
    options: Options,
    stop: threading.Event | None = None,
    workers: AbstractContextManager[Submit[Record]] | None = None,
    *,
    overwrite: bool = False,
) -> Iterator[Record]:
    """Solve what arrives in ``folder``; yields the record of each picture, until ``stop`` is set.

    Args:
        folder: where captures arrive; pictures that are there already are left alone.
        output: folder for the solved pictures; None for beside each.
        options: how pictures are solved.
        stop: ends the watch.
        workers: who solves; None for a process of its own.
        overwrite: whether solved pictures that are there already are replaced.
    """
    stop = stop or threading.Event()
    arrivals = _Arrivals(folder, output, options, overwrite)
    arrivals.known = arrivals.there()
    with workers or pool(1, work) as submit:
        while not stop.is_set():
            if not is_folder(folder):
                log.warning("%s is not there; waiting for it", folder)
                while not is_folder(folder) and not stop.wait(RETRY_SECONDS):
                    pass
                continue
            yield from _while_there(arrivals, submit, stop)


def _while_there(arrivals: "_Arrivals", submit: Submit[Record], stop: threading.Event) -> Iterator[Record]:
    import watchfiles  # noqa: PLC0415  (only a watch needs it)

    looked = False
    try:
        for changes in watchfiles.watch(
            arrivals.folder,
            debounce=TICK_MS,
            rust_timeout=TICK_MS,
            yield_on_timeout=True,
            stop_event=stop,
            ignore_permission_denied=True,
            raise_interrupt=True,
        ):
            if not looked:  # what came before the system was asked to tell
                arrivals.notice(arrivals.there())
                looked = True
            arrivals.notice(arrivals.named(path) for change, path in changes if change is not watchfiles.Change.deleted)
            yield from arrivals.solved(submit)
            if not is_folder(arrivals.folder):
                return
    except FileNotFoundError:
        return


@dataclass
class _Arriving:
    """A file that may still be growing: how it looked, since when, and when it was first seen."""

    look: Look | None
    since: float
    began: float
    settled: float = SETTLED_SECONDS


@dataclass
class _Arrivals:
    """What is known of a folder: the files that are there, those that arrive, and those that are being solved."""

    folder: Path
    output: Path | None
    options: Options
    overwrite: bool = False
    known: dict[Path, Look] = field(default_factory=dict)
    _arriving: dict[Path, _Arriving] = field(default_factory=dict)
    _under_way: "dict[Future[Record], tuple[Job, Path, _Arriving]]" = field(default_factory=dict)
    _names: dict[Path, str] = field(default_factory=dict)
    _wrote: dict[Path, Fingerprint] = field(default_factory=dict)

    def there(self) -> dict[Path, Look]:
        """The captures below the folder, and how they look."""
        found = {}
        for parent, folders, files in os.walk(self.folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for path in (Path(parent, name) for name in files):
                if self._is_ours(path) and (look := _look(path)) is not None:
                    found[path] = look
        return found

    def named(self, path: str) -> Path:
        """The path as it is spelt below the folder as the user named it."""
        return self.folder / os.path.relpath(os.path.realpath(path), os.path.realpath(self.folder))

    def notice(self, paths: Iterable[Path]) -> None:
        """Files that may have changed."""
        now = time.monotonic()
        for path in paths:
            look = _look(path)
            if look is not None and look != self.known.get(path) and path not in self._arriving and self._is_ours(path):
                self._arriving[path] = _Arriving(look, now, now)

    def solved(self, submit: Submit[Record]) -> Iterator[Record]:
        """Hand out what has settled, and yield what is done."""
        for path in self._settled():
            if len(self._under_way) >= AHEAD:
                break
            arriving = self._arriving.pop(path)
            assert arriving.look is not None
            self.known[path] = arriving.look
            job = self._job(path)
            if job is not None:
                self._under_way[submit(job)] = job, path, arriving
        for future in [future for future in self._under_way if future.done()]:
            job, path, arriving = self._under_way.pop(future)
            record = result(future, job)
            if record["status"] == "bad_input" and arriving.settled < PAUSE_SECONDS:
                again = _Arriving(_look(path), time.monotonic(), arriving.began, PAUSE_SECONDS)
                self._arriving.setdefault(path, again)
                continue
            if record["overlay"] and (wrote := Fingerprint.of(record["overlay"])) is not None:
                self._wrote[path] = wrote
            yield record

    def _settled(self) -> list[Path]:
        now, settled = time.monotonic(), []
        for path, arriving in list(self._arriving.items()):
            look = _look(path)
            if look is None or (not look[0] and now - arriving.began > PATIENCE_SECONDS):
                del self._arriving[path]
                if look is not None:
                    self.known[path] = look
            elif look != arriving.look:
                arriving.look, arriving.since = look, now
            elif look[0] and now - arriving.since >= arriving.settled:
                settled.append(path)
        return settled

    def _job(self, path: Path) -> Job | None:
        """What to do with a capture; None where an earlier watch has solved it."""
        if path not in self._names:
            word = HINT if self.options.hint else SOLVED
            wanted = (self.output or path.parent) / overlay_name(path, word)
            taken = {name.casefold() for name in self._names.values()}
            if not self.overwrite and str(wanted).casefold() not in taken and _is_newer(wanted, path):
                log.warning("%s: %s is there already and is newer; left alone", path, wanted)
                return None
            free = free_name(wanted, taken, word)
            while os.path.lexists(free) and not self.overwrite:
                free = free_name(wanted, taken, word)
            self._names[path] = str(free)
        target = self._names[path]
        wrote = self._wrote.get(path)
        own = self.overwrite or (wrote is not None and wrote.still(target))
        replaceable = frozenset([target] if own else [])
        return Job(str(path), target, self.options, replaceable=replaceable)

    def _is_ours(self, path: Path) -> bool:
        beside = self.output is None or self.output.resolve() not in path.resolve().parents
        return is_capture(path) and beside


def _look(path: Path) -> Look | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_size, info.st_mtime_ns


def _is_newer(solved: Path, path: Path) -> bool:
    """Whether a solved picture was written after the capture came to lie where it does."""
    try:
        return solved.stat().st_mtime_ns >= max(path.stat().st_mtime_ns, path.stat().st_ctime_ns)
    except OSError:
        return False
