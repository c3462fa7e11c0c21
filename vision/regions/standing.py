"""Which marks on a board of coloured regions are queens that stand there: looks say something, the rules the rest.

A mouse pointer may look like a queen, a queen of her cell's colour like a cross. A level has one answer, and somebody
who plays puts queens where they belong: a mark that may be one is one where the answer has one. Where queens are seen
there that are beyond doubt, it must look like them (:mod:`vision.regions.same_mark`).
"""

from collections.abc import Collection, Mapping

import numpy as np

from solvers.board import Cell
from vision.regions.crowns import ALIKE, HINT, SLIGHT, MarkGuess
from vision.regions.looks import Looks
from vision.regions.partition import Labels
from vision.regions.same_mark import Shown

SURE, LIKE = 0.9, 0.5
"""A mark that is a queen with less than the first is doubtful; with less than the second it is a pointer, and that it
hides a queen is considered only where no more than one is missing."""


def by_answer(looks: Looks, marks: Mapping[Cell, MarkGuess], answer: Collection[Cell]) -> dict[Cell, MarkGuess]:
    """What may be a queen, told by the only answer: the cells that it names show one mark, if several do, and the other
    cells others. Large or blurred crosses are then none that look like queens.
    """
    surely = {cell for cell, mark in marks.items() if mark.queen > SURE}
    if not answer or surely <= set(answer):
        return {**marks}
    shown = Shown(looks)
    there, elsewhere = shown.marked.intersection(answer), shown.marked.difference(answer)
    queens = {cell for cell in there if shown.same(cell, there - {cell}, elsewhere)}
    queens = surely.intersection(answer) | (queens if len(queens) >= ALIKE else set())
    crosses = {cell for cell in surely.difference(answer) if queens and shown.same(cell, elsewhere - surely, queens)}
    told = {cell: mark for cell, mark in marks.items() if cell not in crosses}
    return {**told, **{cell: MarkGuess(1.0) for cell in queens}}


def standing_on(
    looks: Looks,
    labels: Labels,
    marks: Mapping[Cell, MarkGuess],
    given: Mapping[Cell, str],
    answer: Collection[Cell],
) -> set[Cell]:
    """Where queens stand beyond doubt on a board cut into the regions ``labels``.

    Args:
        looks: the board.
        labels: the regions.
        marks: what looks like a queen.
        given: what somebody said of cells: ``Q`` where a queen stands, anything else where none does.
        answer: the only answer that the regions have; empty where they have none or several.
    """
    surely = {cell for cell, mark in marks.items() if mark.queen > SURE and cell not in given}
    standing = surely | {cell for cell, name in given.items() if name == "Q"}
    open_ones = set(answer) - standing - given.keys()
    alike, unlike = _beside(looks, standing, open_ones, answer)
    # Somebody put a mark like a queen exactly where the only answer has one: it is one. Then one may be missing.
    # What is only faint, light or a stain may be nothing: the queen that it seems is drawn with the answer.
    for _ in range(2):
        seen = {
            cell for cell, mark in unsure_beside(standing, labels, marks, given, SLIGHT.queen).items() if mark != HINT
        }
        standing |= seen & (open_ones - unlike)
    return standing | alike


def _beside(
    looks: Looks, standing: Collection[Cell], cells: Collection[Cell], answer: Collection[Cell]
) -> tuple[set[Cell], set[Cell]]:
    """The cells that show the mark of the queens that stand right, and those that surely show another or none."""
    right = set(answer).intersection(standing)
    if not right or not cells:
        return set(), set()
    shown = Shown(looks)
    others = shown.marked.difference(answer)
    alike = {cell for cell in cells if shown.same(cell, right, others)}
    return alike, {cell for cell in cells if -np.inf < shown.explained(cell, right) <= 0}


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
