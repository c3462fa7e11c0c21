"""Begun boards and boards with something placed wrongly, by chance but from fixed seeds, as records."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

import numpy as np

from samples import triazzle
from samples.puzzles import balls, knight, regions, stitch
from solvepic.checking import Check, checked
from solvepic.registry import Kind
from solvers import kanoodle, pyramid
from solvers.ball_trays import all_lays
from solvers.budget import Budget
from solvers.queens import Puzzle as Queens
from solvers.steps.step import Placed, Standing

BEGUN = 20
PLANTED = 10

PLANTABLE = ("stitch", "queens", "pyramid", "kanoodle")
"""Kinds of which something is placed wrongly."""

PATIENCE = 200
"""Draws until enough boards were found on which something can be placed wrongly."""


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


def chequered(kind: Kind, seed: int) -> Any:
    """An empty chessboard for queens."""
    return Queens(Random(seed).choice((5, 6, 7, 8, 8, 9, 10)))


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
