"""Which marks on a board of coloured regions are queens that stand there: looks say something, the rules the rest.

A mouse pointer may look like a queen, a queen of her cell's colour like a cross. A level has one answer, and somebody
who plays puts queens where they belong: a mark that may be one is one where the answer has one.
"""

from collections.abc import Collection, Mapping

from solvers.board import Cell
from vision.regions.crowns import HINT, SLIGHT, MarkGuess
from vision.regions.partition import Labels

SURE, LIKE = 0.9, 0.5
"""A mark that is a queen with less than the first is doubtful; with less than the second it is a pointer, and that it
hides a queen is considered only where no more than one is missing."""


def standing_on(
    labels: Labels, marks: Mapping[Cell, MarkGuess], given: Mapping[Cell, str], answer: Collection[Cell]
) -> set[Cell]:
    """Where queens stand beyond doubt on a board cut into the regions ``labels``.

    Args:
        labels: the regions.
        marks: what looks like a queen.
        given: what somebody said of cells: ``Q`` where a queen stands, anything else where none does.
        answer: the only answer that the regions have; empty where they have none or several.
    """
    surely = {cell for cell, mark in marks.items() if mark.queen > SURE and cell not in given}
    standing = surely | {cell for cell, name in given.items() if name == "Q"}
    # Somebody put a mark like a queen exactly where the only answer has one: it is one. Then one may be missing.
    # What is only faint, light or a stain may be nothing: the queen that it seems is drawn with the answer.
    for _ in range(2):
        seen = {
            cell for cell, mark in unsure_beside(standing, labels, marks, given, SLIGHT.queen).items() if mark != HINT
        }
        standing |= seen & set(answer)
    return standing


def unsure_beside(
    standing: Collection[Cell],
    labels: Labels,
    marks: Mapping[Cell, MarkGuess],
    given: Mapping[Cell, str],
    least: float = LIKE,
) -> dict[Cell, MarkGuess]:
    """The marks that may be queens besides those that are ``standing`` there, with no less than ``least``."""
    least = 0.0 if len(standing) == len(labels) - 1 else least
    return {
        cell: mark
        for cell, mark in marks.items()
        # What lies over a cell that a queen bars already is hardly a queen.
        if least <= mark.queen <= SURE and cell not in given and not _barred(cell, standing, labels)
    }


def _barred(cell: Cell, standing: Collection[Cell], labels: Labels) -> bool:
    """Whether one of the queens forbids another one on this cell."""
    r, c = cell
    return any(
        i == r or j == c or labels[i, j] == labels[r, c] or max(abs(i - r), abs(j - c)) == 1 for i, j in standing
    )
