"""``solvepic watch FOLDER``: new captures are solved as they arrive.

The operating system tells which files changed (watchfiles); a file is taken when its size has stopped changing, because
a phone's sync writes it bit by bit. Our own outputs are ignored, bad files are recorded and passed over, and a folder
that disappears (an unplugged disk, a sync being set up anew) is waited for.
"""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

from solvepic.batch import work
from solvepic.jobs import Job, is_capture
from solvepic.options import Options
from solvepic.output import overlay_name
from solvers.kind import Record
from vision.trace import log

SETTLED_SECONDS = 0.5
"""A file whose size has not changed for so long is complete."""

PATIENCE_SECONDS = 60.0
"""A file that is still growing after so long is passed over until it changes again."""

RETRY_SECONDS = 1.0
"""How often a folder that disappeared is looked for."""


def watch(folder: Path, output: Path | None, options: Options, stop: threading.Event | None = None) -> Iterator[Record]:
    """Solve what arrives in ``folder``; yields the record of each picture, until ``stop`` is set.

    Args:
        folder: where captures arrive; pictures that are there already are left alone.
        output: folder for the solved pictures; None for beside each.
        options: how pictures are solved.
        stop: ends the watch.
    """
    import watchfiles  # noqa: PLC0415  (only a watch needs it)

    stop = stop or threading.Event()
    while not stop.is_set():
        if not folder.is_dir():
            log.warning("%s is not there; waiting for it", folder)
            _wait_for(folder, stop)
            continue
        try:
            for batch in watchfiles.watch(folder, stop_event=stop, ignore_permission_denied=True, raise_interrupt=True):
                arrived = sorted({Path(path) for change, path in batch if change is not watchfiles.Change.deleted})
                yield from _solved(arrived, output, options, stop)
                if not folder.is_dir():
                    break
        except FileNotFoundError:
            continue


def _solved(arrived: list[Path], output: Path | None, options: Options, stop: threading.Event) -> Iterator[Record]:
    for path in arrived:
        target = (output or path.parent) / overlay_name(path)
        if stop.is_set() or not is_capture(path) or target.exists():
            continue
        if output is not None and output.resolve() in path.resolve().parents:
            continue
        if _complete(path, stop):
            yield work(Job(str(path), str(target), options))


def _complete(path: Path, stop: threading.Event) -> bool:
    """Wait until the file has stopped growing; False when it vanished or never does."""
    began, last, since = time.monotonic(), -1, time.monotonic()
    while not stop.is_set() and time.monotonic() - began < PATIENCE_SECONDS:
        try:
            size = path.stat().st_size
        except OSError:
            return False
        if size != last:
            last, since = size, time.monotonic()
        elif size > 0 and time.monotonic() - since >= SETTLED_SECONDS:
            return True
        stop.wait(SETTLED_SECONDS / 5)
    return False


def _wait_for(folder: Path, stop: threading.Event) -> None:
    while not folder.is_dir() and not stop.is_set():
        stop.wait(RETRY_SECONDS)
