"""The command line: options in, lines or JSON out, an exit status at the end.

Standard output carries results only; progress, warnings and sentences about mistakes go to standard error.
"""

import contextlib
import io
import json
import logging
import multiprocessing
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from overlay.paint import MoveStyle
from solvepic import batch, sentences
from solvepic.arguments import SOLVE, parsed, parsers
from solvepic.completion import script
from solvepic.jobs import Job, UsageError, check_targets, plan
from solvepic.journal import NAME, Journal
from solvepic.options import Options
from solvepic.output import STANDARD_INPUT, OutputError
from solvepic.registry import by_name
from solvers.board import Cell
from solvers.kind import Record
from vision.trace import log

FEW = 4
"""From this many pictures on, worker processes are worth starting."""

SUMMED_UP = ("image", "status", "overlay", "message", "failure")
"""The fields of a record that the summaries of a batch look at."""

INTERRUPTED = 130
"""What shells expect of a program that was stopped by Ctrl-C."""


def run() -> NoReturn:
    """Run the command and leave with its exit status."""
    for stream in (sys.stdout, sys.stderr):
        # A file's name may hold bytes that are no text; they are shown, and in JSON are valid, as escapes.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(_called(sys.argv[1:]))
    except (UsageError, OutputError) as error:
        _leave(str(error), sentences.USAGE)
    except KeyboardInterrupt:
        _leave("stopped; what was done is kept", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has gone; nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(sentences.OK)


def _called(words: Sequence[str]) -> int:
    """Do what the command line says; the exit status."""
    name, said = parsed(words)
    if name == "watch":
        return watch(**said)
    if name == "doctor":
        return doctor()
    if name == "completion":
        _say(script(said["shell"], parsers(), SOLVE))
        return sentences.OK
    return solve(**said)


def _leave(message: str, status: int) -> NoReturn:
    print(f"solvepic: {message}", file=sys.stderr)  # noqa: T201
    sys.exit(status)


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def solve(
    *,
    pictures: list[str],
    output: str | None,
    kind: str | None,
    as_json: bool,
    debug: Path | None,
    time_limit: float,
    overwrite: bool,
    size: str | None,
    correct: list[str] | None,
    corners: str | None,
    closed: bool,
    style: MoveStyle,
    hint: bool,
    show: bool,
    animate: Path | None,
    ocr: str,
    workers: int | None,
    resume: bool,
    fail_fast: bool,
    dry_run: bool,
    sheet: Path | None,
    report: Path | None,
    dask: str | None,
    max_megapixels: float,
    quiet: bool,
    verbose: bool,
) -> int:
    """Solve the puzzles in pictures and write the pictures back with the solutions drawn on them."""
    _set_up_log(verbose, debug)
    options = Options(
        kind=_kind(kind),
        seconds=time_limit,
        ocr=ocr,
        size=_size(size),
        corners_px=_corners(corners),
        given=dict(_given(one) for one in correct or ()),
        wishes=frozenset({"closed"} if closed else ()),
        style=style,
        hint=hint,
        max_megapixels=max_megapixels,
        debug=debug,
    )
    jobs, folder = plan(pictures, output, options)
    if animate is not None:
        jobs = [_filmed(jobs, animate)]
    if show:
        jobs = [replace(job, show=True) for job in jobs]
    if dry_run:
        for job in jobs:
            _say(f"{job.image} -> {job.target}")
        return sentences.OK
    journal = Journal(folder / NAME) if folder is not None else None
    work = _Work(jobs, journal, workers, fail_fast, dask)
    work.prepare(overwrite, resume)
    records = []
    with _progress(len(work.jobs), quiet) as advance:
        for record in work.records():
            # Only what the summaries need, so that memory does not grow with the size of the answers.
            records.append({key: record[key] for key in SUMMED_UP if key in record})
            advance(record)
            _print(record, as_json, quiet)
    if len(records) > 1 and not quiet and not as_json:
        _say(sentences.summary(records))
    _write_summaries([*work.kept, *records], sheet, report)
    sys.stdout.flush()
    return sentences.exit_status([*work.kept, *records])


def watch(
    *, folder: Path, output: Path | None, kind: str | None, as_json: bool, time_limit: float, verbose: bool
) -> int:
    """Solve new captures as they arrive in a folder, until Ctrl-C."""
    from solvepic.watch import watch as arrivals  # noqa: PLC0415  (solving needs none of it)

    _set_up_log(verbose, None)
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; name the one where captures arrive")
    print(f"solvepic: watching {folder}; Ctrl-C stops", file=sys.stderr, flush=True)  # noqa: T201
    for record in arrivals(folder, output, Options(kind=_kind(kind), seconds=time_limit)):
        _print(record, as_json, quiet=False)
    return sentences.OK


def doctor() -> int:
    """Say which OCR engines, data and versions are here, and what to install if something is missing."""
    from solvepic.doctor import report  # noqa: PLC0415  (solving needs none of it)

    lines, well = report()
    for line in lines:
        _say(line)
    return sentences.OK if well else sentences.UNEXPECTED


def _filmed(jobs: Sequence[Job], target: Path) -> Job:
    if len(jobs) > 1:
        raise UsageError("--animate makes a film of one picture; name a single one")
    if target.suffix.lower() not in (".gif", ".png"):
        raise UsageError(f"--animate {target}: name a file that ends in .gif or .png")
    return replace(jobs[0], film=str(target))


@dataclass
class _Work:
    """The jobs of one call of the command, with the journal of a batch where there is one."""

    jobs: list[Job]
    journal: Journal | None
    workers: int | None
    fail_fast: bool
    dask: str | None = None
    kept: Sequence[Record] = ()

    def prepare(self, overwrite: bool, resume: bool) -> None:
        """Make sure nothing is lost, and leave out what an interrupted batch has done already."""
        if resume and self.journal is None:
            raise UsageError("--resume goes on with a batch: name its folder with -o")
        if self.jobs and self.jobs[0].image == STANDARD_INPUT:
            self.jobs = [replace(self.jobs[0], data=sys.stdin.buffer.read())]
        if resume and self.journal is not None:
            self.jobs, self.kept = self.journal.remaining(self.jobs)
            # A picture that was written but not recorded is solved again: its record must not be lost.
            check_targets(self.jobs, overwrite=True)
            self.journal.restart(self.kept)
        else:
            check_targets(self.jobs, overwrite)
            if self.journal is not None and self.journal.path.exists() and not overwrite:
                raise UsageError(f"{self.journal.path}: an earlier batch's log; go on with --resume or use --overwrite")
            if self.journal is not None:
                self.journal.restart()

    def records(self) -> Iterator[Record]:
        """The record of each picture as it is done; each is in the journal before it is yielded."""
        few = len(self.jobs) < FEW and self.workers is None
        workers = self.workers or multiprocessing.cpu_count()
        ahead = batch.FAR_AHEAD if self.dask else 1 if few else batch.AHEAD * workers
        with self._workers(few, workers) as submit:
            for record in batch.run(self.jobs, submit, ahead):
                if self.journal is not None:
                    self.journal.append({key: value for key, value in record.items() if key != "shown"})
                yield record
                if self.fail_fast and sentences.exit_status([record]) != sentences.OK:
                    return

    def _workers(self, few: bool, workers: int) -> contextlib.AbstractContextManager[batch.Submit]:
        if self.dask is not None:
            from solvepic.cluster import cluster  # noqa: PLC0415  (an extra)

            return cluster(self.dask)
        return batch.in_process() if few else batch.pool(workers)


def _write_summaries(records: Sequence[Record], sheet: Path | None, report: Path | None) -> None:
    if sheet is None and report is None:
        return
    from solvepic.report import write_report, write_sheet  # noqa: PLC0415  (most runs want neither)

    if sheet is not None:
        write_sheet(sheet, records)
    if report is not None:
        write_report(report, records)


def _print(record: Record, as_json: bool, quiet: bool) -> None:
    board = record.pop("shown", "")
    if board:
        print(board, file=sys.stderr, flush=True)  # noqa: T201
    if as_json:
        _say(json.dumps(record, ensure_ascii=False))
    elif record["status"] == "solved":
        if not quiet:
            _say(sentences.line(record))
    else:
        print(f"solvepic: {sentences.line(record)}", file=sys.stderr, flush=True)  # noqa: T201
    if "failure" in record:
        log.debug("%s", record["failure"])


@contextlib.contextmanager
def _progress(total: int, quiet: bool) -> "Iterator[batch.Advance]":
    """A bar on standard error for many pictures, where a person looks at it."""
    if quiet or total < FEW or not sys.stderr.isatty():
        yield lambda record: None
        return
    from solvepic.progress import bar  # noqa: PLC0415  (rich is worth loading for many pictures only)

    with bar(total) as advance:
        yield advance


def _set_up_log(verbose: bool, debug: Path | None) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.DEBUG if verbose else logging.WARNING)
    handler.setFormatter(logging.Formatter("solvepic: %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    if debug is not None:
        debug.mkdir(parents=True, exist_ok=True)
        file = logging.FileHandler(debug / "solvepic.log", encoding="utf-8")
        file.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        log.addHandler(file)


def _kind(name: str | None) -> str | None:
    try:
        return by_name(name).name if name is not None else None
    except ValueError as error:
        raise UsageError(f"--kind: {error}") from None


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,3})[xX×](\d{1,3})", text.strip())
    if match is None or not (int(match[1]) and int(match[2])):
        raise UsageError(f"--size {text}: write it as rows x columns, such as 14x8")
    return int(match[1]), int(match[2])


def _given(text: str) -> tuple[Cell, str]:
    match = re.fullmatch(r"[rR](\d{1,3})[cC](\d{1,3})=(\w*)", text.strip())
    if match is None or not (int(match[1]) and int(match[2])):
        raise UsageError(f"--set {text}: write it as row, column and what stands there, such as r3c4=12")
    return (int(match[1]) - 1, int(match[2]) - 1), match[3]


def _corners(text: str | None) -> tuple[tuple[float, float], ...] | None:
    if text is None:
        return None
    try:
        points = [tuple(float(part) for part in point.split(",")) for point in text.split()]
    except ValueError:
        points = []
    if len(points) not in (3, 4) or any(len(point) != 2 for point in points):
        raise UsageError(
            f'--corners {text}: write three or four points in pixels, such as "10,20 300,22 302,400 8,398"'
        )
    return tuple((point[0], point[1]) for point in points)
