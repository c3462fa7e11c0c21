"""A progress bar for batches: rate, time left, and how many were solved and refused so far."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from solvepic.batch import Advance
from solvepic.outcome import Status
from solvers.kind import Record


@contextmanager
def bar(total: int) -> Iterator[Advance]:
    """A bar on standard error; yields the function that counts a record."""
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[solved]} solved, {task.fields[refused]} refused, {task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task("", total=total, solved=0, refused=0, rate="")
        counts = {True: 0, False: 0}

        def advance(record: Record) -> None:
            counts[record["status"] == Status.SOLVED] += 1
            speed = progress.tasks[0].finished_speed or progress.tasks[0].speed
            progress.update(
                task,
                advance=1,
                solved=counts[True],
                refused=counts[False],
                rate=f"{speed:.1f} pictures/s" if speed else "",
            )

        yield advance
