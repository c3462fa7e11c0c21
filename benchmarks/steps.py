"""Steps, checks and text forms: how far rules alone carry, how long a step takes, what begun boards are told.

``python -m benchmarks.steps`` prints a line a bar. The collections are those of a folder ``shared`` beside the
checkout; what is drawn by chance is drawn from fixed seeds.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np

from samples import balls as ball_boards
from samples import regions as region_screens
from samples import stitch as stitch_screens
from samples import triazzle
from samples.puzzles import balls, knight, regions, stitch
from samples.region_marks import QUEENS, State
from solvepic import solve
from solvepic.checking import Check, checked
from solvepic.registry import KINDS, Kind, by_name
from solvepic.texts import exported, imported
from solvers import kanoodle, pyramid
from solvers.ball_trays import EMPTY, all_lays
from solvers.board import Cell
from solvers.budget import Budget
from solvers.steps.step import CHOICE, TRYING, Placed, Standing
from solvers.stitch import Stitch
from vision.pictures.photo import Picture

SHARED = Path(__file__).resolve().parents[2] / "shared" / "puzzles"

LARGEST = 700
"""Cells of the largest Shikaku boards of which the bar speaks."""

BEGUN = 20
PLANTED = 10
PICTURED = ("queens", "pyramid", "kanoodle")
"""Kinds of which pictures are drawn on which something is placed wrongly."""

DRAWN = 60
DRAWN_SEED = 2612
PART_FILLED = (0.2, 0.6)
"""Part of the patches that are placed on a drawn screen."""

PATIENCE = 200
"""Draws until enough boards were found on which something can be placed wrongly."""


def collected(name: str) -> list[dict[str, Any]]:
    """The puzzles of a collection; none where the folder is absent."""
    path = SHARED / name
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def drawn(kind: Kind, seed: int) -> Any:
    """A puzzle of a kind, with one answer where it asks for that."""
    rng = Random(seed)
    makers: dict[str, Callable[[], Any]] = {
        "stitch": lambda: stitch.make(rng, rng.randrange(6, 12), rng.randrange(6, 10), unique=True)[0],
        "queens": lambda: regions.make(rng, rng.randrange(5, 10))[0],
        "pyramid": lambda: balls.make(rng, pyramid.RULES, given=6, unique=True)[0],
        "kanoodle": lambda: balls.make(rng, kanoodle.RULES, given=6, unique=True)[0],
        "triazzle": lambda: triazzle.random_puzzle(np.random.default_rng(seed)),
        "knight": lambda: knight.make(rng, 8, 8),
    }
    return makers[kind.name]()


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


def begun(kind: Kind, count: int = BEGUN) -> tuple[int, int]:
    """On how many boards of which a third is placed the hint is open and forced, and repeated leads to the answer."""
    well = 0
    for seed in range(count):
        puzzle, given = kind.guide.begun(drawn(kind, seed))
        whole = [step.placed for step in kind.guide.steps(puzzle, given, Budget())]
        some = whole[: len(whole) // 3] if not kind.asks_unique else Random(seed).sample(whole, len(whole) // 3)
        lying = [*given, *some]
        answers = [set(kind.guide.placings(puzzle, one)) for one in _two(kind, puzzle, lying)]
        forced = True
        while (step := next(kind.guide.steps(puzzle, lying, Budget()), None)) is not None:
            open_one = step.placed not in lying
            forced &= open_one and (not kind.asks_unique or all(step.placed in one for one in answers))
            lying.append(step.placed)
        well += forced and any(kind.guide.completions(puzzle, lying, Budget()))
    return well, count


def _two(kind: Kind, puzzle: Any, lying: Standing | list[Placed]) -> list[Any]:
    return list(islice(kind.guide.completions(puzzle, lying, Budget()), 2 if kind.asks_unique else 1))


def planted(kind: Kind, count: int = PLANTED) -> tuple[int, int]:
    """Of how many boards with one wrong placement a check names just that, or says that several could be meant."""
    named = found = 0
    for puzzle, right, wrong in plantings(kind, count):
        found += 1
        named += is_named(wrong, checked(kind, puzzle, (*right, wrong), Budget(seconds=60)))
    return named, found


def plantings(kind: Kind, count: int) -> Iterator[tuple[Any, list[Placed], Placed]]:
    """Boards of a kind, a third of what their answer places, and something that cannot be placed beside that."""
    found = 0
    for seed in range(PATIENCE):
        if found == count:
            return
        puzzle, given = kind.guide.begun(drawn(kind, seed))
        steps = [step.placed for step in kind.guide.steps(puzzle, given, Budget())]
        right = [*given, *steps[: len(steps) // 3]]
        wrong = _wrong(kind, puzzle, right, Random(seed))
        if wrong is not None:
            found += 1
            yield puzzle, right, wrong


def is_named(wrong: Placed, check: Check) -> bool:
    """Whether a check names just what is wrong, or that as one of several sets that could be meant."""
    return check.wrong == (wrong,) or any(rival == (wrong,) for rival in check.rivals)


def pictured(kind: Kind, puzzle: Any, lying: list[Placed], seed: int) -> Picture:
    """A drawn picture of a level of coloured regions or of a tray, on which some things are placed."""
    rng = np.random.default_rng(seed)
    if kind.name == "queens":
        [answer] = _two(kind, puzzle, [])
        state = State([cell for placed in lying for cell in placed.cells], [], str(rng.choice(QUEENS)), "x", 0.6)
        return region_screens.draw(rng, level=(puzzle, answer), state=state).picture
    there = {cell: placed.name for placed in lying for cell in placed.cells}
    rows = tuple("".join(there.get((r, c), EMPTY) for c in range(len(row))) for r, row in enumerate(puzzle.rows))
    style = replace(ball_boards.random_style(rng), square=False)  # nobody draws squares on their corners' lattice
    return ball_boards.picture(rng, kind.name, replace(puzzle, rows=rows), style).picture


def named_in_pictures(kind: Kind, count: int = PLANTED) -> tuple[int, int, int]:
    """Of how many drawn pictures with one wrong placement a check names just that, how many are not read, and how many
    there are; on the others something right is called wrong.
    """
    named = unread = 0
    for seed, (puzzle, right, wrong) in enumerate(plantings(kind, count)):
        check = solve(pictured(kind, puzzle, [*right, wrong], seed), kind=kind.name, check=True).checked
        unread += check is None
        named += check is not None and is_named(wrong, check)
    return named, unread, count


def _wrong(kind: Kind, puzzle: Any, right: list[Placed], rng: Random) -> Placed | None:
    """Something that a player could place on free cells, and that is in no answer; None where there is nothing."""
    taken = {cell for placed in right for cell in placed.cells}
    could = [placed for placed in _placeable(kind, puzzle, right) if taken.isdisjoint(placed.cells)]
    wrong = (placed for placed in rng.sample(could, len(could)) if not _two(kind, puzzle, [*right, placed]))
    return next(wrong, None)


def _placeable(kind: Kind, puzzle: Any, right: list[Placed]) -> list[Placed]:
    """All that may be placed by its form: rectangles round clues, queens on squares, pieces on pits."""
    if kind.name == "stitch":
        masks = puzzle.board.candidates({cell: puzzle.want(cell) for cell in puzzle.clue_cells})
        return [Placed(tuple(sorted(puzzle.board.block(mask).cells))) for found in masks for mask in found]
    cells = sorted(kind.rules.layout(puzzle).cells)
    if kind.name == "queens":
        return [Placed((cell,)) for cell in cells]
    tray = pyramid.TRAY if kind.name == "pyramid" else kanoodle.TRAY
    used = {placed.name for placed in right}
    lays = [(name, lay) for name, found in all_lays(tray, puzzle.pieces).items() if name not in used for lay in found]
    return [Placed(tuple(tray.cells_in(lay)), name) for name, lay in lays]


def told_from_pictures(count: int = DRAWN) -> tuple[int, int, int, int]:
    """On how many drawn screens just the placed patches are told, on how many something open is taken for placed, on
    how many something right is called wrong; and of how many. A screen that is not read tells nothing.
    """
    exact = beyond = miscalled = 0
    for seed in range(count):
        rng = np.random.default_rng([DRAWN_SEED, seed])
        sample = stitch_screens.draw(rng, filled=float(rng.uniform(*PART_FILLED)))
        laid = sample.truth["solution"]["rectangles"]
        placed = {Placed(_rectangle(one)) for one in laid if one["clue"] in sample.truth["filled_clues"]}
        outcome = solve(sample.picture, kind="stitch")
        exact += set(outcome.standing) == placed
        beyond += not placed.issuperset(outcome.standing)
        miscalled += not placed.isdisjoint(outcome.check().wrong)
    return exact, beyond, miscalled, count


def _rectangle(one: dict[str, int]) -> tuple[Cell, ...]:
    rows, cols = range(one["top"], one["top"] + one["height"]), range(one["left"], one["left"] + one["width"])
    return tuple((row, col) for row in rows for col in cols)


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
    for name in ("stitch", "queens", "pyramid", "kanoodle"):
        named, count = planted(by_name(name))
        print(f"{name}: wrong placements that a check names: {named} of {count}")
    for name in PICTURED:
        named, unread, count = named_in_pictures(by_name(name))
        print(f"{name}: the same from drawn pictures: {named} of {count}, {unread} not read")
    exact, beyond, miscalled, count = told_from_pictures()
    print(f"placed patches on drawn screens: all told and no more on {exact} of {count}, an open one taken for placed")
    print(f"  on {beyond}, a right one called wrong on {miscalled} (bar 0)")


def _letters(grid: list[list[int]]) -> list[str]:
    return ["".join("abcdefghijklmnopqrstuvwxyz"[region] for region in row) for row in grid]


if __name__ == "__main__":
    main()
