"""The log of a batch: a JSON record a line, appended as each picture is done, so that an interruption loses nothing.

Beside its fields for programs a record holds, under ``batch``, what proves that it still stands: which file the
picture was (path, size, time, hash), the options and the version it was solved with, and the file that was written. A
batch that goes on does again what changed since, what is missing, and what failed for reasons outside the picture.
"""

import contextlib
import json
import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvepic import __version__
from solvepic.errors import UsageError
from solvepic.options import Options
from solvepic.output import TEMPORARY, Fingerprint, OutputError, resolved, write_whole
from solvers.kind import Record

if TYPE_CHECKING:
    from solvepic.jobs import Job

NAME = "solvepic.jsonl"


def proof(job: "Job", source: Fingerprint | None, wrote: Fingerprint | None) -> Record:
    """What a record says under ``batch``.

    Args:
        job: what was done.
        source: the picture's file as it was before it was read, None where there was none.
        wrote: the solved picture as it was written, None where none was.
    """
    return {
        "version": __version__,
        "options": asked(job.options),
        "picture": {"path": os.path.realpath(job.image), **(vars(source) if source else {})},
        "target": job.target,
        "wrote": {"path": resolved(job.target), **vars(wrote)} if wrote and job.target else None,
    }


def asked(options: Options) -> Record:
    """The options that decide what comes of a picture, as JSON."""
    return {each.name: _plain(getattr(options, each.name)) for each in fields(options) if each.name != "debug"}


def _plain(value: Any) -> Any:
    match value:
        case Mapping():
            return sorted([_plain(key), _plain(one)] for key, one in value.items())
        case frozenset():
            return sorted(map(_plain, value))
        case tuple():
            return [_plain(one) for one in value]
        case _:
            return value


class Journal:
    """Records of a batch in a file of the folder that it writes into; one batch at a time works there."""

    def __init__(self, path: Path) -> None:
        """A journal at ``path``; nothing is opened yet."""
        self.path = path
        self._lock: int | None = None
        self._began = 0.0

    # --- what it says -------------------------------------------------------------------------------------------------

    def lines(self) -> list[Record]:
        """All objects written so far, a picture's last record for all of its; a line that was cut off is none."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be read ({error.strerror})") from None
        whole: dict[str, Record] = {}
        for line in lines[:-1]:  # what follows the last line break is empty or was cut off
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and ("image" in record or "file" in record):
                key = _identity(record)
                whole.pop(key, None)
                whole[key] = record
        return list(whole.values())

    def records(self) -> list[Record]:
        """The record of each picture."""
        return [line for line in self.lines() if "image" in line]

    def names(self) -> dict[str, str]:
        """The names that were given out, by the resolved path of their pictures."""
        batches = ((line.get("batch"), _identity(line)) for line in self.records())
        return {key: str(batch["target"]) for batch, key in batches if isinstance(batch, dict) and batch.get("target")}

    def proven(self) -> dict[str, Fingerprint]:
        """What batches wrote here, by resolved path."""
        written = [line.get("batch", {}).get("wrote") or line.get("file") for line in self.lines()]
        found = {}
        for one in written:
            if isinstance(one, dict):
                with contextlib.suppress(KeyError, TypeError):
                    found[str(one["path"])] = Fingerprint(one["size"], one["mtime_ns"], one["sha256"])
        return found

    def remaining(self, jobs: "Sequence[Job]") -> "tuple[list[Job], list[Record], Counter[str]]":
        """The jobs that are to be done, the records of the others, and how many are done again for which reason."""
        done = {_identity(record): record for record in self.records()}
        waiting, kept, again = [], [], Counter[str]()
        for job in jobs:
            record = done.get(os.path.realpath(job.image))
            why = "" if record is None else _outdated(record, job)
            if record is not None and not why:
                kept.append(record)
                continue
            waiting.append(job)
            again.update([why] if why else [])
        return waiting, kept, again

    # --- writing it ---------------------------------------------------------------------------------------------------

    def begin(self, *, anew: bool) -> None:
        """Take the folder for this batch, and begin anew or tidy up what is there.

        Raises:
            UsageError: another batch is at work there.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._unwritable(error, "choose another place with -o") from None
        self._take()
        self._began = time.time()
        self._rewrite([] if anew else self.lines())

    def append(self, record: Record) -> None:
        """Add a record and make sure that it is on the disk."""
        try:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
            with os.fdopen(os.open(self.path, flags, 0o666), "ab") as file:
                file.write(_line(record))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._unwritable(error, "the batch was stopped") from None

    def wrote(self, path: Path, now: Fingerprint) -> None:
        """Remember a file that was written for the batch as a whole."""
        self.append({"file": {"path": resolved(path), **vars(now)}})

    def end(self) -> None:
        """Leave one record a picture, and the folder to others."""
        try:
            with contextlib.suppress(OutputError):  # on a full disk the last record of a picture counts as well
                self._rewrite(self.lines())
            self._clear_away()
        finally:
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None

    def _clear_away(self) -> None:
        """Remove what processes that were killed before this batch began had not written to the end."""
        for path in self.path.parent.rglob(f"{TEMPORARY}*"):
            with contextlib.suppress(OSError):
                if path.lstat().st_mtime < self._began:
                    path.unlink()

    def _take(self) -> None:
        try:
            import fcntl  # noqa: PLC0415  (Windows has none)
        except ImportError:
            return
        handle = os.open(self.path.parent, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise UsageError(
                f"{self.path.parent}: another batch is at work here; wait for it, or name another"
            ) from None
        except OSError:  # a file system without locks
            os.close(handle)
        else:
            self._lock = handle

    def _rewrite(self, lines: Sequence[Record]) -> None:
        data = b"".join(_line(line) for line in lines)
        try:
            if self.path.is_symlink() or not self.path.exists() or self.path.read_bytes() != data:
                write_whole(self.path, data, replace=True)
        except OSError as error:
            raise self._unwritable(error, "choose another place with -o") from None

    def _unwritable(self, error: OSError, then: str) -> OutputError:
        return OutputError(f"{self.path}: cannot be written ({error.strerror}); {then}")


def _identity(record: Mapping[str, Any]) -> str:
    """The resolved path of the picture, or of the file of the batch, that a line is about."""
    source = record.get("file") or record.get("batch", {}).get("picture") or {}
    return str(source.get("path") or os.path.realpath(record["image"]))


def _outdated(record: Record, job: "Job") -> str:
    """Why a picture is to be done again, in a word or two; empty where its record stands."""
    batch = record.get("batch")
    if not isinstance(batch, dict):
        return "of an older log"
    before, now = dict(batch["options"]), asked(job.options)
    if record["status"] == "solved":
        before["time_limit"] = now["time_limit"]  # more time solves nothing twice
    picture = {key: value for key, value in batch["picture"].items() if key != "path"}
    reasons = {
        "failed": bool(record.get("failed")),
        "of another version": batch["version"] != __version__,
        "with other options": before != now,
        "changed": not picture or not Fingerprint(**picture).still(job.image),
        "missing": bool(job.target and record.get("overlay")) and not os.path.lexists(job.target or ""),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _line(record: Record) -> bytes:
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
    return text.encode(errors="backslashreplace")
