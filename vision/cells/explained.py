"""Whether all that stands on a board is explained: what a kind does not know is a doubt, and so is an empty board that
is not seen to be empty.
"""

from collections.abc import Collection, Mapping

import numpy as np

from solvers.board import Cell
from vision.cells.reader import LEAST, MARKS, Cells, Mark
from vision.reading import Doubt

NOTHING: tuple[Mark, ...] = ("empty", "note")
"""What may stand where a kind sees nothing: its players' notes mean nothing to it."""

NUMBERED = 1 / 3
"""Part of its cells up to which numbers are notes on a board that has none of its own: hints, counts of attacks. More
are the numbers of another puzzle, or a tour's moves."""

BARE = 0.5
"""Probability of being empty that each cell has of a board that is taken for an empty one."""

WHY = "something stands there that this puzzle does not have, or that cannot be read"


def unexplained(
    cells: Cells, known: Mapping[Cell, Collection[Mark]], nothing: Collection[Mark] = NOTHING, least: float = LEAST
) -> tuple[Doubt, ...]:
    """Doubts about cells on which none of the marks seems to stand that a kind sees there.

    Args:
        cells: what stands on the board.
        known: the marks for which the kind takes what stands on a cell; on the others it sees nothing.
        nothing: the marks that stand where it sees nothing.
        least: probability that these have together, at least.
    """
    doubts = []
    for row, col in np.ndindex(cells.likely.shape[:2]):
        likely = cells.likely[row, col]
        chance = float(sum(likely[MARKS.index(mark)] for mark in known.get((row, col), nothing)))
        if chance < least:
            doubts.append(Doubt((row, col), MARKS[int(likely.argmax())], chance, WHY))
    return tuple(doubts)


def nothing_on(cells: Cells) -> tuple[Mark, ...]:
    """What stands where nothing is seen on a board that has no numbers of its own: a few of them are notes."""
    return NOTHING if are_numbered(cells) else (*NOTHING, "number")


def are_numbered(cells: Cells) -> bool:
    """Whether more cells carry a number than notes would."""
    return float((cells.likely.argmax(axis=-1) == MARKS.index("number")).mean()) > NUMBERED
