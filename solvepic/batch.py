"""Many pictures: one plain function does one picture, and any executor may call it.

:func:`work` takes a job and returns its JSON record, always: what goes wrong with a picture is in its record. Workers
are spawned processes (a forked one hangs after Tesseract ran in its parent), each with an OCR engine of its own; a
picture that hangs or kills its worker costs that picture only. Only a few jobs are handed out ahead of time, so memory
does not grow with the number of pictures.
"""

import multiprocessing
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures import TimeoutError as WaitTimeoutError
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from solvepic.film import write_film
from solvepic.jobs import Job, plan
from solvepic.options import OptionError, Options
from solvepic.outcome import Outcome, Status
from solvepic.output import STANDARD_INPUT, OutputError, encoded, readback_name, write_whole
from solvepic.pipeline import solve
from solvepic.show import shown
from solvepic.threads import ask_for_one_each
from solvers.budget import Budget
from solvers.kind import Record
from vision.numbers.ocr_engines import EngineMissingError
from vision.pictures.loading import BadPictureError

AHEAD = 2
"""Jobs handed out for each worker: one under way and one waiting."""

FAR_AHEAD = 64
"""Jobs handed out to somebody else's executor, whose workers we cannot count."""

GRACE = 30.0
"""Seconds that a picture may take beyond its time limit (loading, drawing, a slow start) before its worker is ended."""

Submit = Callable[[Job], "Future[Record]"]

Advance = Callable[[Record], None]
"""Told of each record, for progress."""


def work(job: Job) -> Record:
    """Solve one picture, write it where it should go, and return its record; never raises for what is in a picture."""
    try:
        outcome = solve(job.data if job.data is not None else Path(job.image), job.options)
        if outcome.picture is not None and job.target is not None:
            outcome = _written(outcome, job.target)
        if outcome.picture is None and job.target is not None and job.options.read_picture:
            outcome = _with_readback(outcome, job.target)
        if outcome.picture is not None and job.film is not None:
            write_film(Path(job.film), outcome, Budget(seconds=job.options.time_limit))
    except (BadPictureError, OptionError) as error:
        outcome = Outcome(job.image, Status.BAD_INPUT, str(error).removeprefix(f"{job.image}: "))
    except EngineMissingError as error:
        outcome = Outcome(job.image, Status.UNREADABLE, f"no OCR engine reads the clues: {error}; see solvepic doctor")
    except OutputError as error:
        outcome = Outcome(job.image, Status.BAD_INPUT, f"solved, but {error}")
    except Exception as error:  # a fault of ours must not cost the other pictures
        return _failed(job, f"unexpected failure, please report it ({error!r})", traceback.format_exc())
    extra = {"shown": shown(outcome)} if job.show and outcome.picture is not None else {}
    return {**outcome.record(), "image": job.image, **extra}


def _written(outcome: Outcome, target: str) -> Outcome:
    assert outcome.picture is not None
    if target == STANDARD_INPUT:
        sys.stdout.buffer.write(encoded(outcome.picture, ".png"))
        sys.stdout.buffer.flush()
    else:
        write_whole(Path(target), encoded(outcome.picture, Path(target).suffix))
    return outcome.written_to(target)


def _with_readback(outcome: Outcome, target: str) -> Outcome:
    """The same, the picture of what was read written beside where the solved one would be."""
    picture = None if target == STANDARD_INPUT else outcome.read_picture()
    if picture is None:
        return outcome
    path = readback_name(Path(target))
    write_whole(path, encoded(picture, path.suffix))
    return replace(outcome, readback=str(path))


def _failed(job: Job, message: str, failure: str, status: Status = Status.BAD_INPUT) -> Record:
    return {**Outcome(job.image, status, message).record(), "failure": failure}


def solve_many(
    paths: Iterable["str | Path"],
    *,
    output: "str | Path | None" = None,
    options: Options | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
) -> Iterator[Record]:
    """Solve many pictures; yields the record of each as it is done, in no particular order.

    Args:
        paths: pictures and folders of pictures.
        output: folder for the solved pictures; None writes none.
        options: how pictures are solved.
        workers: processes; None for as many as there are processors.
        executor: runs the work in place of our own processes: anything that offers ``concurrent.futures.Executor``.
    """
    jobs, _ = plan([str(path) for path in paths], f"{output}/" if output else None, options or Options(), bool(output))
    with on(executor) if executor is not None else pool(workers) as submit:
        yield from run(jobs, submit, ahead=FAR_AHEAD if executor else AHEAD * (workers or multiprocessing.cpu_count()))


def run(jobs: Iterable[Job], submit: Submit, ahead: int) -> Iterator[Record]:
    """Hand out the jobs, at most ``ahead`` at a time, and yield each record as it comes."""
    waiting = iter(jobs)
    under_way: dict[Future[Record], Job] = {}
    while True:
        for job in waiting:
            under_way[submit(job)] = job
            if len(under_way) >= ahead:
                break
        if not under_way:
            return
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            yield _result(future, under_way.pop(future))


def _result(future: "Future[Record]", job: Job) -> Record:
    try:
        return future.result()
    except WaitTimeoutError:
        limit = job.options.time_limit + GRACE
        text = f"the picture kept its worker busy beyond all limits ({limit:g} s) and was given up"
        return _failed(job, text, "worker hung", Status.TIMEOUT)
    except Exception as error:  # the worker died: the error's type is the pool's own
        return _failed(
            job, "the picture ended its worker (out of memory?); reduce the picture and report it", repr(error)
        )


@contextmanager
def pool(workers: int | None, task: Callable[[Job], Record] = work) -> Iterator[Submit]:
    """Processes that run ``task`` and are replaced when a picture kills or hangs one."""
    from pebble import ProcessPool  # noqa: PLC0415  (a single picture needs no pool)

    ask_for_one_each()
    context = multiprocessing.get_context("spawn")
    processes: Any = ProcessPool(max_workers=workers or multiprocessing.cpu_count(), context=context)
    try:
        yield lambda job: processes.schedule(task, args=(job,), timeout=job.options.time_limit + GRACE)
    finally:
        # Whoever leaves has all the records wanted: what is still under way is not waited for.
        processes.stop()
        processes.join()


@contextmanager
def on(executor: Executor) -> Iterator[Submit]:
    """Somebody else's workers: threads, processes, a cluster."""
    yield lambda job: executor.submit(work, job)


@contextmanager
def in_process() -> Iterator[Submit]:
    """Runs each job at once, here: for one picture or a few, where starting processes costs more than it brings."""

    def submit(job: Job) -> "Future[Record]":
        future: Future[Record] = Future()
        future.set_result(work(job))
        return future

    yield submit
