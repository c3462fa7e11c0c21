"""Many pictures: one plain function does one picture, and any executor may call it.

:func:`work` takes a job and returns its JSON record, always: what goes wrong with a picture is in its record;
:func:`attend` returns its outcome in the same way. Workers are fresh processes (a forked one hangs after Tesseract ran
in its parent), each with an OCR engine of its own; a picture that hangs or kills its worker costs that picture only.
Only a few jobs are handed out ahead of time, so memory does not grow with the number of pictures.
"""

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from concurrent.futures import TimeoutError as WaitTimeoutError
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from solvepic import sentences
from solvepic.answering import continued
from solvepic.errors import OptionError, UsageError
from solvepic.jobs import Job, permitted, plan
from solvepic.journal import proof
from solvepic.options import Options
from solvepic.outcome import Cause, Outcome, Status
from solvepic.output import (
    STANDARD_INPUT,
    Fingerprint,
    OutputError,
    Outputs,
    encoded,
    write_numbered,
    write_whole,
)
from solvepic.pipeline import solve
from solvepic.registry import KINDS
from solvepic.threads import ask_for_one_each
from solvers.budget import Budget
from solvers.kind import Record
from vision.numbers.ocr_engines import EngineMissingError
from vision.pictures.loading import BadPictureError, UnavailableError, megapixels_to_decode

AHEAD = 2
"""Jobs handed out for each worker: one under way and one waiting."""

FAR_AHEAD = 64
"""Jobs handed out to somebody else's executor, whose workers we cannot count."""

GRACE, LEAST_GRACE = 0.15, 0.3
"""How much longer than its time limit a picture may keep its worker, as a part of the limit, and seconds at least."""

TRIES = 2
"""How often a picture is handed out whose worker was ended by another's."""

DECODING = 0.05
"""Seconds that it takes to decode a million pixels of whatever format, which cannot be interrupted: 0.02 to 0.05 on one
core."""

T = TypeVar("T")

Submit = Callable[[Job], Future[T]]
"""Hands a job to a worker."""

Advance = Callable[[Record], None]
"""Told of each record, for progress."""


def work(job: Job) -> Record:
    """Solve one picture, write it where it should go, and return its record; never raises for what is in a picture."""
    source = Fingerprint.of(job.image) if job.journaled and job.data is None else None
    done = _done(job)
    extra = {} if done.export is None else {"export": done.export}
    if job.show:
        from solvepic.show import shown  # noqa: PLC0415  (most runs show nothing)

        extra["shown"] = shown(done.outcome)
    return _record_of(done.outcome, job, source, done.wrote) | extra


def attend(job: Job) -> Outcome:
    """The same, but return what came of the picture, without its pixels."""
    return _done(job).outcome.let_go()


@dataclass
class _Done:
    """A job that is done: what came of it, what was written, what it was told as."""

    outcome: Outcome
    wrote: Fingerprint | None = None
    export: str | None = None


def _done(job: Job) -> _Done:
    began = time.monotonic()
    done = _Done(Outcome(job.image, Status.BAD_INPUT, ""))
    try:
        outcome = done.outcome = replace(_solved(job), image=job.image)
        if job.export is not None and outcome.reading is not None:
            done.export = outcome.text(job.export)
        if outcome.picture is not None and job.target is not None:
            done.outcome, done.wrote = _write(outcome, job)
        if outcome.picture is not None and job.clipboard:
            from solvepic import clipboard  # noqa: PLC0415  (few pictures go there)

            clipboard.put(outcome.file(".png"))
            done.outcome = replace(done.outcome, notes=(*outcome.notes, "the picture is on the clipboard now"))
        refused = outcome.picture is None and outcome.status is not Status.SOLVED
        if refused and job.target is not None and job.options.read_picture:
            done.outcome = _with_readback(outcome, job)
        if outcome.picture is not None and job.film is not None:
            from solvepic.film import write_film  # noqa: PLC0415  (most pictures want none)

            left = max(1.0, job.options.time_limit - (time.monotonic() - began))
            write_film(Path(job.film), outcome, Budget(seconds=left), replace=job.film in job.replaceable)
    except (BadPictureError, OptionError) as error:
        cause = "input" if isinstance(error, UnavailableError) else None
        message = str(error).removeprefix(f"{job.image}: ")
        done.outcome = Outcome(job.image, Status.BAD_INPUT, message, failed=cause)
    except EngineMissingError as error:
        text = f"no OCR engine reads the clues: {error}; see solvepic doctor"
        done.outcome = Outcome(job.image, Status.UNREADABLE, text, failed="engine")
    except OutputError as error:
        done.outcome = Outcome(job.image, Status.BAD_INPUT, f"solved, but {error}", failed="output")
    except MemoryError:
        text = "not enough memory to solve it; reduce the picture first"
        done.outcome = Outcome(job.image, Status.BAD_INPUT, text, failed="memory")
    except BrokenPipeError:  # whoever read our output has gone
        raise
    except Exception as error:  # a fault of ours must not cost the other pictures
        text = f"unexpected failure, please report it ({error!r})"
        fault = Outcome(job.image, Status.BAD_INPUT, text, failed="internal", failure=traceback.format_exc())
        return _Done(fault)
    return done


def _solved(job: Job) -> Outcome:
    if job.text is not None:
        from solvepic.texts import solve_text  # noqa: PLC0415  (pictures need none)

        outcome = solve_text(job.text, job.options)
    else:
        outcome = solve(job.data if job.data is not None else Path(job.image), job.options)
    if outcome.hints and job.earlier and outcome.photo is not None:
        from solvepic.hinted import steps_shown  # noqa: PLC0415  (answers need none)

        before = steps_shown(job.earlier, outcome.photo.bgr)
        return continued(outcome, before) if before > outcome.shown - len(outcome.hints) else outcome
    return outcome


def _write(outcome: Outcome, job: Job) -> tuple[Outcome, Fingerprint | None]:
    """The same, its picture written; and what was written, where that is kept in a log."""
    target = job.target or STANDARD_INPUT
    if target != STANDARD_INPUT:
        data = outcome.file(Path(target).suffix)
        if there := next((name for name in job.earlier if Path(name).read_bytes() == data), None):
            return outcome.written_to(there), None
        write_whole(Path(target), data, replace=target in job.replaceable)
        return outcome.written_to(target), Fingerprint.written(Path(target), data) if job.journaled else None
    if sys.stdout is None:
        raise OutputError("standard output is closed")
    try:
        sys.stdout.buffer.write(outcome.file(".png"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"standard output cannot be written ({error.strerror})") from None
    return outcome.written_to(target), None


def _with_readback(outcome: Outcome, job: Job) -> Outcome:
    """The same, the picture of what was read written beside where the solved one would be."""
    path = job.readback
    picture = None if path is None else outcome.read_picture()
    if picture is None or path is None:
        return outcome
    written = write_numbered(Path(path), encoded(picture, Path(path).suffix), replace=path in job.replaceable)
    return replace(outcome, readback=str(written))


def _record_of(outcome: Outcome, job: Job, source: Fingerprint | None, wrote: Fingerprint | None) -> Record:
    """The record of a job that is done, with what proves it where it is kept in a log."""
    record: Record = dict(outcome.record())
    if outcome.failure:
        record["failure"] = outcome.failure
    return record | ({"batch": proof(job, source, wrote)} if job.journaled else {})


def solve_many(
    paths: "str | os.PathLike[str] | Iterable[str | os.PathLike[str]]",
    *,
    output: "str | os.PathLike[str] | None" = None,
    options: Options | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    overwrite: bool = False,
) -> Iterator[Outcome]:
    """Solve many pictures; yields what came of each as it is done, in no particular order.

    Whatever is wrong with a picture is told by its outcome. Outcomes hold no pixels: where ``outcome.picture`` is asked
    for, the file is opened again, and has to show what it showed.

    Args:
        paths: pictures and folders of pictures, or a single one.
        output: folder for the solved pictures; None writes none.
        options: how pictures are solved.
        workers: processes; None for as many as there are processors. No more are started than there are pictures.
        executor: runs the work in place of our own processes: anything that offers ``concurrent.futures.Executor``.
        overwrite: whether files in ``output`` may be replaced; a picture that is read never is.

    Raises:
        ValueError: what is asked for cannot be, or a file would be lost; before anything is done.
    """
    names = [os.fspath(paths)] if isinstance(paths, str | os.PathLike) else [os.fspath(path) for path in paths]
    if workers is not None and not (isinstance(workers, int) and workers >= 1):
        raise UsageError(f"{workers!r} workers: give a number from 1, or None for one a processor")
    jobs, _ = plan(names, f"{os.fspath(output)}/" if output else None, options or Options(), bool(output))
    jobs = permitted(jobs, Outputs([job.image for job in jobs], overwrite))

    def outcomes() -> Iterator[Outcome]:
        ahead = FAR_AHEAD if executor is not None else AHEAD * usable(workers, len(jobs))
        with on(executor, attend) if executor is not None else pool(workers, attend, len(jobs)) as submit:
            yield from (_outcome(future, job) for job, future in _ended(jobs, submit, ahead))

    return outcomes()


def run(jobs: Iterable[Job], submit: Submit[Record], ahead: int) -> Iterator[Record]:
    """Hand out the jobs, at most ``ahead`` at a time, and yield each record as it comes."""
    return (result(future, job) for job, future in _ended(jobs, submit, ahead))


def _ended(jobs: Iterable[Job], submit: Submit[T], ahead: int) -> "Iterator[tuple[Job, Future[T]]]":
    waiting = ((job, 1) for job in jobs)
    under_way: dict[Future[T], tuple[Job, int]] = {}
    while True:
        for job, tries in waiting:
            under_way[_handed_out(submit, job)] = job, tries
            if len(under_way) >= ahead:
                break
        if not under_way:
            return
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            job, tries = under_way.pop(future)
            if isinstance(future.exception(), BrokenExecutor) and tries < TRIES:
                under_way[_handed_out(submit, job)] = job, tries + 1
            else:
                yield job, future


def grace(time_limit: float) -> float:
    """Seconds that a picture may keep its worker beyond its time limit."""
    return max(LEAST_GRACE, GRACE * time_limit)


def is_light(job: Job) -> bool:
    """Whether a picture, by its header, is opened within its grace: then it needs no process that can be ended."""
    return megapixels_to_decode(job.data or Path(job.image)) * DECODING <= grace(job.options.time_limit)


def _handed_out(submit: Submit[T], job: Job) -> "Future[T]":
    try:
        return submit(job)
    except BrokenExecutor as error:
        broken: Future[T] = Future()
        broken.set_exception(error)
        return broken


def result(future: "Future[Record]", job: Job) -> Record:
    """The record of a job that is done, however it ended."""
    try:
        return future.result()
    except BrokenPipeError:
        raise
    except Exception as error:  # the worker's end: the error's type is the pool's own
        lost = _lost(error, job)
        return _record_of(lost, job, _known(job) if lost.status is Status.TIMEOUT else None, None)


def _outcome(future: "Future[Outcome]", job: Job) -> Outcome:
    """The same as an outcome."""
    try:
        return future.result()
    except Exception as error:
        return _lost(error, job)


def _lost(error: Exception, job: Job) -> Outcome:
    """What came of a picture whose worker did not come back."""
    if isinstance(error, WaitTimeoutError):
        text = sentences.timeout(job.options.time_limit, "what could not be interrupted")
        spent = job.options.time_limit + grace(job.options.time_limit)
        return Outcome(job.image, Status.TIMEOUT, text, seconds={"total": spent}, cause=Cause.NO_TIME)
    ended = "the picture ended its worker (out of memory?); reduce the picture and report it"
    return Outcome(job.image, Status.BAD_INPUT, ended, failed="worker", failure=repr(error))


def _known(job: Job) -> Fingerprint | None:
    return Fingerprint.of(job.image) if job.journaled and job.data is None else None


def usable(workers: int | None, most: int | None) -> int:
    """How many processes to start: as many as asked for, or one a processor, and no more than there are pictures."""
    from loky import cpu_count  # noqa: PLC0415  (it knows what a container may use; a single picture needs none)

    wanted = workers or int(cpu_count())
    return max(1, wanted if most is None else min(wanted, most))


@contextmanager
def pool(workers: int | None, task: Callable[[Job], T], most: int | None = None) -> Iterator[Submit[T]]:
    """Processes that run ``task`` and are replaced when a picture kills or hangs one.

    They are loky's, which do not run the caller's script again: one without ``if __name__ == "__main__"`` works.

    Args:
        workers: how many; None for one a processor.
        task: what they do: :func:`work` or :func:`attend`.
        most: how many pictures there are.
    """
    from loky.backend import get_context  # noqa: PLC0415  (a single picture needs no pool)
    from pebble import ProcessPool  # noqa: PLC0415

    ask_for_one_each()
    count, context = usable(workers, most), get_context("loky")
    processes: Any = ProcessPool(max_workers=count, initializer=_warm_up, context=context)

    def submit(job: Job) -> "Future[T]":
        nonlocal processes
        allowed = job.options.time_limit + grace(job.options.time_limit)
        try:
            future = processes.schedule(task, args=(job,), timeout=allowed)
        except RuntimeError:  # all of them were ended from outside while none was at work
            processes = ProcessPool(max_workers=count, initializer=_warm_up, context=context)
            future = processes.schedule(task, args=(job,), timeout=allowed)
        return cast("Future[T]", future)

    try:
        yield submit
    finally:
        # Whoever leaves has all the records wanted: what is still under way is not waited for.
        processes.stop()
        processes.join()


def _warm_up() -> None:
    """Load what pictures need, which is no picture's time, and end at once where asked to.

    Pebble's own handler is Python and would wait until a C library, such as one that decodes, comes back.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for kind in KINDS:
        _ = kind.rules, kind.reader


@contextmanager
def on(executor: Executor, task: Callable[[Job], T]) -> Iterator[Submit[T]]:
    """Somebody else's workers: threads, processes, a cluster."""
    yield lambda job: executor.submit(task, job)


@contextmanager
def in_process() -> Iterator[Submit[Record]]:
    """Runs each job at once, here: for one picture or a few, where starting processes costs more than it brings."""

    def submit(job: Job) -> "Future[Record]":
        future: Future[Record] = Future()
        future.set_result(work(job))
        return future

    yield submit
