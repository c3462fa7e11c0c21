"""The Lonpos pyramid's flat side: fill a triangle of 55 balls with twelve pieces, some of which lie there already.

Row ``i`` has ``i + 1`` pits, and pit ``(i, j)`` touches ``(i + 1, j)`` and ``(i + 1, j + 1)``: the square lattice
standing on its corner. Everything else is in :mod:`solvers.balls`.
"""

from math import sqrt

from solvers.ball_trays import Tray
from solvers.balls import BallRules
from solvers.board import Cell, Layout, Point

ROWS = 10
HALF = sqrt(0.5)
"""Half the diagonal of a cell of side 1: the distance of neighbouring rows."""


def _triangle() -> Layout:
    """Unit squares standing on a corner. The board's corners are the middles of its three outermost pits."""
    pits = [(i, j) for i in range(ROWS) for j in range(i + 1)]

    def middle(i: int, j: int) -> Point:
        return (ROWS - i + 2 * j) * HALF, (i + 1) * HALF

    def across(i: int, j: int) -> Cell | None:
        return (i, j) if 0 <= j <= i < ROWS else None

    outlines: dict[Cell, tuple[Point, ...]] = {}
    for pit in pits:
        x, y = middle(*pit)
        outlines[pit] = ((x, y - HALF), (x + HALF, y), (x, y + HALF), (x - HALF, y))
    return Layout(
        cells=outlines,
        neighbours={
            # Top, right, bottom and left of the lattice look up right, down right, down left and up left.
            (i, j): (across(i - 1, j), across(i + 1, j + 1), across(i + 1, j), across(i - 1, j - 1))
            for i, j in pits
        },
        size=(2 * ROWS * HALF, (ROWS + 1) * HALF),
        corners=(middle(0, 0), middle(ROWS - 1, ROWS - 1), middle(ROWS - 1, 0)),
    )


TRAY = Tray("triangle of 55 balls", tuple(range(1, ROWS + 1)), _triangle(), slanted=True)

RULES = BallRules(TRAY)

parse, write, put = RULES.parse, RULES.write, RULES.put
word, choices = RULES.word, RULES.choices
title, layout = RULES.title, RULES.layout
faults, explain = RULES.faults, RULES.explain
answers, count, holds = RULES.answers, RULES.count, RULES.holds
contents, marks, rehearse = RULES.contents, RULES.marks, RULES.rehearse
given = RULES.given
puzzle_record, answer_record = RULES.puzzle_record, RULES.answer_record
