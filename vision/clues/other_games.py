"""Whether the numbers on a grid are those of another game: a Sudoku, a path of numbers in order, counts of mines.

For each game the likelihood of the numbers is written down as if it drew them one by one; the numbers of a Stitch board
are areas, which add up to its cells. What cannot be so in a game counts as a misread number. Bayes' rule decides.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, exp, factorial, inf, log
from typing import Any

import numpy as np

from solvers.board import Cell
from solvers.stitch import UNKNOWN, Stitch, areas_possible

MISREAD = log(0.01)
"""Log-likelihood that a number that was read for certain is another, or a clue was not seen."""

PRIOR = log(0.02)
"""That a picture handed to solvepic shows a certain other game on a grid of squares, against Stitch."""

CLEARLY = log(100)
"""How much likelier another game must be than Stitch, prior included, to be named."""

NAMELESS = log(0.3)
"""That the other game is none of those that are known by name."""

WITH_ONES = 0.006
"""That a Stitch board has clues of a single cell at all: 4 of 645 collected ones have."""

HALVINGS = 40
"""Of the interval in which the rate of a distribution is looked for: its doubles tell no more."""

SHARES = np.arange(1, 20) / 20
"""Of the cells that are something, over which a game of counts is averaged."""

LEAST_MEAN = 2.2
"""Cells a clue, at least, on boards that are any fun."""

OUTLINE = 0.25
"""Part of the cells by which the outline of an irregular board may be wrong."""

SUDOKU_SIDES = (4, 6, 8, 9, 12, 16)


@dataclass(frozen=True)
class _Numbers:
    """What stands on a grid."""

    at: Mapping[Any, int]
    board: Stitch
    unread: int
    misread: int

    @property
    def values(self) -> list[int]:
        return list(self.at.values())

    @property
    def cells(self) -> int:
        return len(self.board.cells)

    @property
    def is_whole(self) -> bool:
        """Whether every place of the box is a cell."""
        return self.cells == self.board.rows * self.board.cols

    @property
    def area(self) -> int:
        """What the areas add up to: all cells; where the outline may be wrong, what they say."""
        return self.cells if self.is_whole else sum(self.values)

    @cached_property
    def mean(self) -> float:
        """Cells for each number, as if all were areas."""
        return max(self.area / (len(self.at) + self.unread), LEAST_MEAN)


def another_game(puzzle: Stitch, unsure: Collection[Cell], misread: int = 0) -> str:
    """The game that the numbers are plainly from; empty where they may be a Stitch board's, or more are unsure.

    Args:
        puzzle: the board as it was read.
        unsure: cells of which it is not known what stands there.
        misread: how many numbers at least must be others for the board to have an answer.
    """
    clues = {cell: puzzle.clue(cell) or 0 for cell in puzzle.clue_cells if cell not in unsure}
    if len(clues) <= len(unsure) or min(clues.values()) == UNKNOWN:
        return ""
    numbers = _Numbers(clues, puzzle, len(unsure), misread)
    likely = {
        "a Sudoku": _sudoku(numbers),
        "a game of numbers in order, such as Zip": _in_order(numbers),
        "2048": _powers(numbers),
        "a game of counts, such as Minesweeper": _counts(numbers),
        "a number puzzle of another kind": sum(_some(value, numbers) for value in numbers.values) + NAMELESS,
    }
    best = max(likely, key=lambda game: likely[game])
    return best if likely[best] + PRIOR > _areas(numbers) + CLEARLY else ""


def _areas(numbers: _Numbers) -> float:
    """Stitch: areas of rectangles, few boards having any of 1; some are misread where they do not add up so."""
    likely = _likely_areas(numbers)
    log_likelihood = log(1 - WITH_ONES) if min(numbers.values) > 1 else log(WITH_ONES)
    room = areas_possible(numbers.board, numbers.at) if numbers.is_whole else {}
    areas = {cell: value for cell, value in numbers.at.items() if value in room.get(cell, likely) and value in likely}
    misfits = [value for cell, value in numbers.at.items() if cell not in areas]
    log_likelihood += sum(log(likely[value]) for value in areas.values())
    log_likelihood += sum(MISREAD + _some(value, numbers) for value in misfits)
    if numbers.is_whole:
        return log_likelihood + _adding_up(numbers, likely, list(areas.values()))
    # It may be the outline that is wrong, which counts as one number.
    return log_likelihood + MISREAD * (abs(sum(numbers.values) - numbers.cells) > OUTLINE * numbers.cells)


def _adding_up(numbers: _Numbers, likely: Mapping[int, float], areas: Sequence[int]) -> float:
    """Log-likelihood that the areas add up to all cells, some numbers being misread, whichever they are, and clues
    lacking, as many as a Poisson distribution has; to that of so many numbers as they are.
    """
    cells, count = numbers.cells, len(numbers.at)
    area = np.zeros(cells + 1)
    area[list(likely)] = list(likely.values())
    # By how many are misread or lacking, and by what the others add up to.
    ways = np.zeros((count + 1, cells + 1))
    ways[:, 0] = [(count * exp(MISREAD)) ** errors / factorial(errors) for errors in range(count + 1)]
    for value in areas:
        more = np.zeros_like(ways)
        more[:, value:] = ways[:, : cells + 1 - value]
        more[1:] += ways[:-1] * exp(MISREAD + _some(value, numbers)) / likely[value]
        ways = more
    misfits = count - len(areas)
    ways[misfits:], ways[:misfits] = ways[: len(areas) + 1].copy(), 0.0
    rest = np.eye(1, cells + 1)[0]
    for _ in range(numbers.unread):
        rest = np.convolve(rest, area)[: cells + 1]
    chance = 0.0
    for errors, sums in enumerate(ways):
        chance += sums @ rest[::-1] * (errors >= numbers.misread)
        sum_of_all, rest = rest[-1], np.convolve(rest, area)[: cells + 1]
    return log(chance / sum_of_all) if chance > 0 else -inf


def _likely_areas(numbers: _Numbers) -> dict[int, float]:
    """The probability of each area: of all distributions with this mean the one of most entropy over the shapes of
    rectangles that the grid has room for, exp(-rate * area) for each shape [1]_.

    .. [1] E. T. Jaynes, "Information theory and statistical mechanics", Physical Review 106, 1957.
    """
    short, long = sorted((numbers.board.rows, numbers.board.cols))
    smallest = min(2, *numbers.values)
    shapes = np.bincount([h * w * (h * w >= smallest) for h in range(1, short + 1) for w in range(1, long + 1)])
    shapes[0] = 0
    areas = np.flatnonzero(shapes)
    low, high = -1.0, 10.0
    for _ in range(HALVINGS):
        rate = (low + high) / 2
        weights = shapes[areas] * np.exp(-rate * (areas - areas[0]))
        low, high = (rate, high) if weights @ areas > numbers.mean * weights.sum() else (low, rate)
    return dict(zip(areas.tolist(), (weights / weights.sum()).tolist(), strict=True))


def _some(value: int, numbers: _Numbers) -> float:
    """Any number from 1 on, the more the rarer: a geometric distribution."""
    return -log(numbers.mean) + (value - 1) * log(1 - 1 / numbers.mean)


def _sudoku(numbers: _Numbers) -> float:
    """None twice in a row or column: each number is drawn from those that are left there."""
    side = numbers.board.rows
    if side != numbers.board.cols or side not in SUDOKU_SIDES:
        return -inf
    log_likelihood, taken = 0.0, set[tuple[str, int, int]]()
    for (r, c), value in numbers.at.items():
        lines = {("row", r, value), ("column", c, value)}
        left = sum(("row", r, v) not in taken and ("column", c, v) not in taken for v in range(1, side + 1))
        log_likelihood += MISREAD if value > side or lines & taken else -log(left)
        taken |= lines
    return log_likelihood


def _in_order(numbers: _Numbers) -> float:
    """1, 2, 3 and so on, each once: nearly all of them up to the largest."""
    values, last = numbers.values, max(numbers.values)
    if len(set(values)) < len(values) or last > 2 * len(values):
        return -inf
    return -sum(log(last - k) for k in range(len(values)))


def _powers(numbers: _Numbers) -> float:
    """Powers of two from 2 on, each half as often as the one before, on a small square."""
    if numbers.board.rows != numbers.board.cols or any(value < 2 or value & (value - 1) for value in numbers.values):
        return -inf
    return sum((value.bit_length() - 1) * log(0.5) for value in numbers.values)


def _counts(numbers: _Numbers) -> float:
    """How many of the cells around are something, which each is with the same probability, and one at least: binomial
    distributions, the probability being as likely as any other.
    """
    log_likelihood = np.zeros(len(SHARES))
    for (r, c), value in numbers.at.items():
        around = [(r + dr, c + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]
        count = sum(0 <= row < numbers.board.rows and 0 <= col < numbers.board.cols for row, col in around)
        if value > count:
            return -inf
        ways = comb(count, value) * SHARES**value * (1 - SHARES) ** (count - value)
        log_likelihood += np.log(ways / (1 - (1 - SHARES) ** count))
    return float(np.logaddexp.reduce(log_likelihood)) - log(len(SHARES))
