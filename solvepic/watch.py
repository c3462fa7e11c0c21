"""``solvepic watch FOLDER``: new captures are solved as they arrive.

The operating system tells which files changed (watchfiles); a file is taken when it has stopped changing, because a
phone's sync writes it bit by bit, and none waits for another. A picture that is replaced under its name is solved
again. Our own outputs are ignored, bad files are recorded and passed over, a worker that a picture ends or holds up is
replaced, and a folder that disappears (an unplugged disk, a sync being set up anew) is waited for: what is new there
when it comes back has arrived.
"""

import math
import os
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from solvepic.batch import AHEAD, Submit, pool, result, work
from solvepic.errors import UsageError
from solvepic.jobs import Job, is_capture
from solvepic.options import Options
from solvepic.output import HINT, SOLVED, Fingerprint, Outputs, free_name, is_folder, overlay_name
from solvers.kind import Record
from vision.pictures.loading import SUFFIXES
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

REPORTED = ("image", "status", "overlay", "read_picture", "remedy", "message")
"""The fields of a record that the report shows."""

Stat = tuple[int, int]
"""A file's size in bytes, and when it was last written, in nanoseconds since 1970."""


def watch(
    folder: Path,
    output: Path | None,
    options: Options,
    stop: threading.Event | None = None,
    workers: AbstractContextManager[Submit[Record]] | None = None,
    *,
    overwrite: bool = False,
    since: float | None = None,
) -> Iterator[Record]:
    """Solve what arrives in ``folder``; yields the record of each picture, until ``stop`` is set.

    Args:
        folder: where captures arrive; pictures that are there already are left alone, but see ``since``.
        output: folder for the solved pictures; None for beside each.
        options: how pictures are solved.
        stop: ends the watch.
        workers: who solves; None for a process of its own.
        overwrite: whether solved pictures that are there already are replaced.
        since: pictures that came to lie there within so many seconds before have arrived, too; None for none.
    """
    stop = stop or threading.Event()
    arrivals = _Arrivals(folder, output, options, overwrite)
    newest = time.time() - since if since is not None else math.inf
    arrivals.known = {path: stat for path, stat in arrivals.there().items() if _came(path) < newest}
    with workers or pool(1, work) as submit:
        while not stop.is_set():
            if not is_folder(folder):
                log.warning("%s is not there; waiting for it", folder)
                while not is_folder(folder) and not stop.wait(RETRY_SECONDS):
                    pass
                continue
            yield from _while_there(arrivals, submit, stop)


class Report:
    """The HTML page of a watch, written anew with every picture."""

    def __init__(self, target: Path, overwrite: bool) -> None:
        """The page at ``target``.

        Raises:
            solvepic.errors.UsageError: something is there, and may not be replaced, or the name is a picture's.
        """
        if target.suffix.lower() in SUFFIXES:  # it might be a capture
            raise UsageError(f"{target}: the report is an HTML page; end the name in .html")
        self._target = target
        self._replaces = Outputs((), overwrite).register(target, "the report")
        self._wrote: Fingerprint | None = None
        self._records: dict[str, Record] = {}

    def add(self, record: Record) -> None:
        """Write it with one more picture, or with what came of one that was solved again.

        Raises:
            solvepic.output.OutputError: it cannot be written, or somebody changed it.
        """
        from solvepic.report import write_report  # noqa: PLC0415  (most watches want none)

        self._records[record["image"]] = {key: record[key] for key in REPORTED if key in record}
        own = self._wrote is not None and self._wrote.still(self._target)
        data = write_report(self._target, list(self._records.values()), replace=self._replaces or own)
        self._wrote = Fingerprint.written(self._target, data)


def _while_there(arrivals: "_Arrivals", submit: Submit[Record], stop: threading.Event) -> Iterator[Record]:
    import watchfiles  # noqa: PLC0415  (only a watch needs it)

    scanned = False
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
            if not scanned:  # what came before the system was asked to tell
                arrivals.notice(arrivals.there())
                scanned = True
            arrivals.notice(arrivals.named(path) for change, path in changes if change is not watchfiles.Change.deleted)
            yield from arrivals.solved(submit)
            if not is_folder(arrivals.folder):
                return
    except FileNotFoundError:
        return


@dataclass
class _Arriving:
    """A file that may still be growing: how it looked, since when, and when it was first seen."""

    stat: Stat | None
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
    known: dict[Path, Stat] = field(default_factory=dict)
    _arriving: dict[Path, _Arriving] = field(default_factory=dict)
    _under_way: "dict[Future[Record], tuple[Job, Path, _Arriving]]" = field(default_factory=dict)
    _names: dict[Path, str] = field(default_factory=dict)
    _wrote: dict[Path, Fingerprint] = field(default_factory=dict)

    def there(self) -> dict[Path, Stat]:
        """The captures below the folder, and how they look."""
        found = {}
        for parent, folders, files in os.walk(self.folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for path in (Path(parent, name) for name in files):
                if self._is_ours(path) and (stat := _stat(path)) is not None:
                    found[path] = stat
        return found

    def named(self, path: str) -> Path:
        """The path as it is spelt below the folder as the user named it."""
        return self.folder / os.path.relpath(os.path.realpath(path), os.path.realpath(self.folder))

    def notice(self, paths: Iterable[Path]) -> None:
        """Files that may have changed."""
        now = time.monotonic()
        for path in paths:
            stat = _stat(path)
            if stat is not None and stat != self.known.get(path) and path not in self._arriving and self._is_ours(path):
                self._arriving[path] = _Arriving(stat, now, now)

    def solved(self, submit: Submit[Record]) -> Iterator[Record]:
        """Hand out what has settled, and yield what is done."""
        for path in self._settled():
            if len(self._under_way) >= AHEAD:
                break
            arriving = self._arriving.pop(path)
            assert arriving.stat is not None
            self.known[path] = arriving.stat
            job = self._job(path)
            if job is not None:
                self._under_way[submit(job)] = job, path, arriving
        for future in [future for future in self._under_way if future.done()]:
            job, path, arriving = self._under_way.pop(future)
            record = result(future, job)
            if record["status"] == "bad_input" and arriving.settled < PAUSE_SECONDS:
                again = _Arriving(_stat(path), time.monotonic(), arriving.began, PAUSE_SECONDS)
                self._arriving.setdefault(path, again)
                continue
            if record["overlay"] and (wrote := Fingerprint.of(record["overlay"])) is not None:
                self._wrote[path] = wrote
            yield record

    def _settled(self) -> list[Path]:
        now, settled = time.monotonic(), []
        for path, arriving in list(self._arriving.items()):
            stat = _stat(path)
            if stat is None or (not stat[0] and now - arriving.began > PATIENCE_SECONDS):
                del self._arriving[path]
                if stat is not None:
                    self.known[path] = stat
            elif stat != arriving.stat:
                arriving.stat, arriving.since = stat, now
            elif stat[0] and now - arriving.since >= arriving.settled:
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


def _stat(path: Path) -> Stat | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_size, info.st_mtime_ns


def _came(path: Path) -> float:
    """When a file came to lie where it does, or was last written, in seconds since 1970; 0 where it is gone."""
    try:
        info = path.stat()
    except OSError:
        return 0.0
    return max(info.st_mtime, info.st_ctime)


def _is_newer(solved: Path, path: Path) -> bool:
    """Whether a solved picture was written after the capture came to lie where it does."""
    try:
        return solved.stat().st_mtime >= _came(path)
    except OSError:
        return False
