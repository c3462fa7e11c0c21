"""Rows of buttons that lie just where the next row of a board would: as wide as the board, but not divided into cells.

On an open board lines are seen between all cells. Where one outermost row or column shows none of them, at a contrast
at which every other row does, it is something else that is framed. A patch that fills a whole row hides its lines as
well, and so a row that has a clue of its own is a row of the board.
"""

from collections.abc import Sequence

from solvers.board import Cell
from vision.boards.cell_sides import SIDE_SEEN, Floats
from vision.clues.placed import Sides

UNRULED = 0.35
"""Part of the sides between the cells of a row of buttons that may show an edge: the ends of a button or two."""

RULED = 0.65
"""Part of those that every other row shows, at least."""

LEAST_ROWS = 4
"""Fewer rows have too few others to speak against one of them."""

Ends = tuple[int, int, int, int]
"""1 or 0 for the outermost column or row at the left, top, right and bottom."""


def unruled_ends(sides: Sequence[Sides]) -> Ends:
    """1 where the outermost row or column is not divided into cells as all others are."""
    found = [
        (*_odd((seen.down > SIDE_SEEN).mean(axis=0)), *_odd((seen.across > SIDE_SEEN).mean(axis=1))) for seen in sides
    ]
    left, right, top, bottom = (int(any(ends)) for ends in zip(*found, strict=True))
    return left, top, right, bottom


def _odd(shares: Floats) -> tuple[bool, bool]:
    """Whether the first and the last of these shares are small and all between them are not."""
    if len(shares) < LEAST_ROWS or shares[1:-1].min() < RULED:
        return False, False
    return bool(shares[0] <= UNRULED), bool(shares[-1] <= UNRULED)


def cells_of(ends: Ends, rows: int, cols: int) -> set[Cell]:
    """The cells of these outermost rows and columns of a board."""
    left, top, right, bottom = ends
    every: set[Cell] = {(r, c) for r in range(rows) for c in range(cols)}
    return every - {(r, c) for r in range(top, rows - bottom) for c in range(left, cols - right)}
