"""Steps, checks and text forms: how far rules alone carry, how long a step takes, what begun boards are told.

``python -m benchmarks.steps`` prints a line a bar. The collections are those of a folder ``shared`` beside the
checkout; what is drawn by chance is drawn from fixed seeds.
"""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.begun import BEGUN, PLANTABLE, PLANTED, begun, chequered, drawn, planted
from benchmarks.begun_pictures import AGREEMENTS, PATIENTLY, led, named_in_pictures, read_from_screens
from samples.stitch import draw
from solvepic import solve
from solvepic.registry import KINDS, Kind, by_name
from solvepic.texts import exported, imported
from solvers.budget import Budget
from solvers.steps.step import CHOICE, TRYING
from solvers.stitch import Stitch

SHARED = Path(__file__).resolve().parents[2] / "shared" / "puzzles"

LARGEST = 700
"""Cells of the largest Shikaku boards of which the bar speaks."""

SCREENS: dict[str, tuple[float | tuple[float, float], int, int]] = {
    "a fifth to three fifths": ((0.2, 0.6), 60, 2612),
    "nine tenths": (0.9, 50, 777),
    "all": (1.0, 25, 778),
    "none": (0.0, 25, 779),
}
"""Parts of the patches of drawn screens that are placed, how many screens, and the seed."""


def collected(name: str) -> list[dict[str, Any]]:
    """The puzzles of a collection; none where the folder is absent."""
    path = SHARED / name
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def by_rules(kind: Kind, puzzles: Iterator[Any]) -> tuple[int, int, list[float]]:
    """How many puzzles rules alone solve, of how many, and the seconds of each step."""
    solved = count = 0
    seconds: list[float] = []
    for puzzle in puzzles:
        began = time.perf_counter()
        tried = False
        for step in kind.guide.steps(puzzle, (), Budget()):
            seconds.append(time.perf_counter() - began)
            tried |= step.rule in (TRYING, CHOICE)
            began = time.perf_counter()
        count += 1
        solved += not tried
    return solved, count, seconds


def round_trips() -> tuple[int, int]:
    """How many of the collected Shikaku boards come back equal from every form."""
    kind = by_name("stitch")
    boards = [Stitch(tuple(map(tuple, one["clues"]))) for one in collected("shikaku.jsonl")]
    forms = ("text", "puzzlink", "sgt")
    equal = sum(all(imported(exported(kind, board, form))[1] == board for form in forms) for board in boards)
    return equal, len(boards)


def main() -> None:
    """Print the bars."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    boards = [one for one in collected("shikaku.jsonl") if one["unique"] and one["rows"] * one["cols"] <= LARGEST]
    levels = [one for one in collected("queens_regions.jsonl") if one["id"].startswith("linkedin")]
    sets = {
        "stitch": ("Shikaku boards", (Stitch(tuple(map(tuple, one["clues"]))) for one in boards), 537),
        "queens": (
            "LinkedIn levels",
            (by_name("queens").rules.parse("/".join(_letters(one["regions"]))) for one in levels),
            706,
        ),
    }
    for name, (what, puzzles, bar) in sets.items():
        solved, count, seconds = by_rules(by_name(name), puzzles)
        if count:
            print(f"{what} solved by rules alone: {solved} of {count} (bar {bar})")
            print(f"  median of a step: {1000 * median(seconds):.2f} ms (bar 10), longest {1000 * max(seconds):.0f} ms")
    equal, count = round_trips()
    print(f"Shikaku boards equal after every text form: {equal} of {count}")
    for kind in KINDS:
        well, count = begun(kind)
        print(f"{kind.name}: begun boards whose hints are open and forced and lead to the answer: {well} of {count}")
    for name in PLANTABLE:
        named, count = planted(by_name(name))
        print(f"{name}: wrong placements that a check names: {named} of {count}")
    print_pictures()
    print_corrections()


def print_pictures() -> None:
    """Print the same bars from drawn pictures."""
    boards = [(kind.name, kind, drawn) for kind in KINDS] + [("queens on chequers", by_name("queens"), chequered)]
    for name, kind, make in boards:
        hints = led(kind, BEGUN, make)
        counts = f"{hints.well} of {hints.count}, {hints.unread} refused"
        print(f"{name}: drawn pictures whose hints do so: {counts}", flush=True)
    for name in PLANTABLE:
        named, unread, count = named_in_pictures(by_name(name), PLANTED)
        print(
            f"{name}: wrong placements in pictures that a check names: {named} of {count}, {unread} refused", flush=True
        )
    for what, (part, count, seed) in SCREENS.items():
        ways = read_from_screens(part, count, seed)
        said = ", ".join(f"{how} {ways[how]}" for how in AGREEMENTS)
        print(f"Stitch screens with {what} of the patches placed, how these are told: {said}", flush=True)


def print_corrections() -> None:
    """Print how long corrections take."""
    sample = draw(np.random.default_rng(14), rows=14, cols=8, style="game", filled=0.0)
    outcome = solve(sample.picture, kind="stitch", time_limit=PATIENTLY)
    cells = list(outcome.puzzle.clue_cells) if outcome.puzzle is not None else []
    seconds = []
    for cell in cells:
        began = time.perf_counter()
        outcome.corrected({cell: outcome.words()[cell]})
        seconds.append(time.perf_counter() - began)
    if seconds:
        print(f"corrected on 14 x 8: 95th percentile {1000 * np.quantile(seconds, 0.95):.1f} ms (bar 100)")


def _letters(grid: list[list[int]]) -> list[str]:
    return ["".join("abcdefghijklmnopqrstuvwxyz"[region] for region in row) for row in grid]


if __name__ == "__main__":
    main()
