"""Whether the numbers on a grid are those of another game: a Sudoku, a path of numbers in order, counts of mines.

For each game the likelihood of the numbers is written down as if it drew them one by one; the numbers of a Stitch board
are areas, which add up to its cells. What cannot be so in a game counts as a misread number. Bayes' rule decides.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import inf, isqrt, log
from typing import Any

from solvers.board import Cell
from solvers.stitch import UNKNOWN, Stitch, clue_sum

MISREAD = log(0.02)
"""Log-likelihood that a number that was read for certain is another, or a clue was not seen."""

PRIOR = log(0.02)
"""That a picture handed to solvepic shows a certain other game on a grid of squares, against Stitch."""

CLEARLY = log(100)
"""How much likelier another game must be than Stitch, prior included, to be named."""

NAMELESS = log(0.3)
"""That the other game is none of those that are known by name."""

WITH_ONES = log(0.006)
"""That a Stitch board has clues of a single cell at all: 4 of 645 collected ones have."""

LEAST_MEAN = 2.2
"""Cells a clue, at least, on boards that are any fun."""

AN_ERROR = 1.5
"""How many times the mean area one misread number changes the sum, at most; one that is lacking may be as large as the
largest."""

SUDOKU_SIDES = (4, 6, 8, 9, 12, 16)

LEAST_NUMBERS = 4
"""Fewer tell no game."""


@dataclass(frozen=True)
class _Numbers:
    """What stands on a grid."""

    at: Mapping[Any, int]
    rows: int
    cols: int
    cells: int
    unread: int

    @property
    def values(self) -> list[int]:
        return list(self.at.values())


def another_game(puzzle: Stitch, unsure: Collection[Cell]) -> str:
    """The game that the numbers are plainly from; empty where they may be a Stitch board's.

    Args:
        puzzle: the board as it was read.
        unsure: cells of which it is not known what stands there.
    """
    clues = {cell: puzzle.clue(cell) or 0 for cell in puzzle.clue_cells if cell not in unsure}
    total, _, cells = clue_sum(puzzle)
    if len(clues) < LEAST_NUMBERS or min(clues.values()) == UNKNOWN or cells in (total, sum(clues.values())):
        return ""
    numbers = _Numbers(clues, puzzle.rows, puzzle.cols, cells, len(unsure))
    likely = {
        "a Sudoku": _sudoku(numbers),
        "a game of numbers in order, such as Zip": _in_order(numbers),
        "2048": _powers(numbers),
        "a game of counts, such as Minesweeper": _counts(numbers),
        "a number puzzle of another kind": _sizes(numbers, smallest=1) + NAMELESS,
    }
    best = max(likely, key=lambda game: likely[game])
    return best if likely[best] + PRIOR > _areas(numbers) + CLEARLY else ""


def _areas(numbers: _Numbers) -> float:
    """Stitch: sizes from 2 on, on few boards from 1; some are misread where they are no areas that add up so."""
    misfits = sum(not _is_area(value, numbers) for value in numbers.values)
    told = _sizes(numbers, smallest=2) if min(numbers.values) > 1 else WITH_ONES + _sizes(numbers, smallest=1)
    return told + max(misfits, _errors(numbers)) * MISREAD


def _errors(numbers: _Numbers) -> int:
    """How many numbers must be others, or are lacking, for all to add up to the cells."""
    lacking, errors = numbers.cells - sum(numbers.values), 0
    for value in sorted(numbers.values, reverse=True):
        if lacking >= errors:
            break
        lacking, errors = lacking + value, errors + 1
    if errors:
        return errors
    mean = max(numbers.cells / (len(numbers.at) + numbers.unread), LEAST_MEAN)
    most = max(AN_ERROR * mean, *numbers.values)
    return -int(-max(0.0, lacking - 2 * mean * numbers.unread) // most)


def _sizes(numbers: _Numbers, smallest: int) -> float:
    """Sizes from the smallest on, the more the rarer: a geometric distribution."""
    mean = max(numbers.cells / (len(numbers.at) + numbers.unread), smallest + 0.2)
    stop = 1 / (mean - smallest + 1)
    return sum(log(stop) + (value - smallest) * log(1 - stop) for value in numbers.values)


def _is_area(value: int, numbers: _Numbers) -> bool:
    """Whether a rectangle of so many cells fits on the grid."""
    short, long = sorted((numbers.rows, numbers.cols))
    sides = range(1, min(isqrt(value), short) + 1)
    return any(value % side == 0 and value // side <= long for side in sides)


def _sudoku(numbers: _Numbers) -> float:
    """None twice in a row or column: each number is drawn from those that are left there."""
    side = numbers.rows
    if side != numbers.cols or side not in SUDOKU_SIDES:
        return -inf
    told, taken = 0.0, set[tuple[str, int, int]]()
    for (r, c), value in numbers.at.items():
        lines = {("row", r, value), ("column", c, value)}
        left = sum(("row", r, v) not in taken and ("column", c, v) not in taken for v in range(1, side + 1))
        told += MISREAD if value > side or lines & taken else -log(left)
        taken |= lines
    return told


def _in_order(numbers: _Numbers) -> float:
    """1, 2, 3 and so on, each once: nearly all of them up to the largest."""
    values, last = numbers.values, max(numbers.values)
    if len(set(values)) < len(values) or last > 2 * len(values):
        return -inf
    return -sum(log(last - k) for k in range(len(values)))


def _powers(numbers: _Numbers) -> float:
    """Powers of two from 2 on, each half as often as the one before, on a small square."""
    if numbers.rows != numbers.cols or any(value < 2 or value & (value - 1) for value in numbers.values):
        return -inf
    return sum((value.bit_length() - 1) * log(0.5) for value in numbers.values)


def _counts(numbers: _Numbers) -> float:
    """How many of up to eight neighbours are something: each count half as often as the one before."""
    return sum(value * log(0.5) for value in numbers.values) if max(numbers.values) <= 8 else -inf
