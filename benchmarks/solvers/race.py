"""A race: one task, our way to do it and that of others, timed by turns."""

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median

Task = Callable[[], object]
"""Does the whole task, from the puzzle to the result, and returns the result. Importing is not part of a turn."""


@dataclass(frozen=True)
class Race:
    """One task and those who do it.

    Attributes:
        title: the task, in the words of a table.
        ours: our way.
        peers: others by name; one that raises ModuleNotFoundError is reported as missing. All results must be equal to
            ours.
        bar_ms: the time that we want to stay below, in milliseconds.
    """

    title: str
    ours: Task
    peers: Mapping[str, Task] = field(default_factory=dict)
    bar_ms: float | None = None


@dataclass(frozen=True)
class Time:
    """What a runner took, in milliseconds: its first turn, imports included, and the median of the later ones."""

    first: float
    usual: float
    turns: int


@dataclass(frozen=True)
class Lap:
    """A runner's times, or why there are none."""

    name: str
    time: Time | None
    note: str = ""


def run(race: Race, *, turns: int = 15, patience: float = 3.0) -> list[Lap]:
    """Let all runners of a race take turns; ours comes first in the list.

    Args:
        race: the race.
        turns: turns of each runner after the first.
        patience: seconds after which a runner takes no further turn (it has at least one after the first, unless that
            alone took longer).
    """
    runners = {"ours": race.ours, **race.peers}
    first: dict[str, float] = {}
    notes: dict[str, str] = {}
    expected: object = None
    for name, task in runners.items():
        try:
            first[name], result = _timed(task)
        except ModuleNotFoundError as missing:
            notes[name] = f"missing: {missing.name} is not installed"
            continue
        if name == "ours":
            expected = result
        elif result != expected:
            notes[name] = f"found {result}, not {expected}"
    # Once here, not before each turn: a collection also empties the interpreter's stores of small objects.
    gc.collect()
    times: dict[str, list[float]] = {name: [] for name in first}
    for _ in range(turns):
        # By turns, so that a slow minute of the machine is slow for all.
        for name, alone in first.items():
            if sum(times[name], alone) < patience * 1e3:
                times[name].append(_timed(runners[name])[0])
    return [
        Lap(name, Time(first[name], median(times[name] or [first[name]]), len(times[name])), notes.get(name, ""))
        if name in first
        else Lap(name, None, notes[name])
        for name in runners
    ]


def _timed(task: Task) -> tuple[float, object]:
    """Milliseconds and result of one turn, undisturbed by the garbage collector."""
    gc.disable()
    try:
        # The processor's time, all threads together: on a busy machine the wall clock measures the others.
        began = time.process_time()
        result = task()
        return (time.process_time() - began) * 1e3, result
    finally:
        gc.enable()


def table(race: Race, laps: list[Lap]) -> str:
    """The outcome of a race in plain columns."""
    lines = [race.title]
    ours = laps[0].time
    for lap in laps:
        if lap.time is None:
            lines.append(f"  {lap.name:<24} {lap.note}")
            continue
        ratio = "" if ours is None or lap.name == "ours" else f"{lap.time.usual / ours.usual:8.1f} x ours"
        bar = ""
        if lap.name == "ours" and race.bar_ms is not None:
            bar = f"  (bar {race.bar_ms:g} ms: {'kept' if lap.time.usual <= race.bar_ms else 'MISSED'})"
        note = f"  {lap.note}" if lap.note else ""
        lines.append(f"  {lap.name:<24} {lap.time.usual:10.3f} ms  first {lap.time.first:10.2f} ms {ratio}{bar}{note}")
    return "\n".join(lines)
