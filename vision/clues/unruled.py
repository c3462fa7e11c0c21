"""What lies just where the next rows of a board would: buttons as wide as the board, a box with a legend below.

On an open board lines are seen between all cells. Where the outermost rows or columns show none of them, at a contrast
at which every other row does, it is something else that is framed. A patch that fills a whole row hides its lines as
well, and so a row that has a clue of its own is a row of the board.
"""

from collections.abc import Sequence

import numpy as np

from solvers.board import Cell
from solvers.stitch import UNKNOWN, Stitch
from vision.boards.beyond import goes_on
from vision.boards.cell_sides import SIDE_SEEN, Floats
from vision.boards.line_sides import BEYOND, line_sides
from vision.clues.beliefs import NO_CLUE
from vision.clues.placed import Sides
from vision.pictures.bending import BentPlacement, OnSheet, regrown
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement
from vision.reading import Reading

UNRULED = 0.35
"""Part of the sides between the cells of a row of buttons that may show an edge: the ends of a button or two."""

RULED = 0.65
"""Part of those that every other row shows, at least."""

LEAST_ROWS, LEAST_PART = 4, 0.5
"""So many rows, and this part of all, must be divided to speak against the others."""

STRIPS = (
    *((-1, 0, 0, 0), (0, -1, 0, 0), (0, 0, -1, 0), (0, 0, 0, -1)),
    *((-1, 0, -1, 0), (0, -1, 0, -1), (-1, -1, -1, -1)),
)
"""A row or a column less, at the left, top, right or bottom, at two opposite ones, or all round: the margin of a page,
which along a long board is wide enough at its ends alone.
"""

NEARLY = 0.1
"""Of a place's cells, how many more or less its clues may make, as they were read with a strip beside it."""

Ends = tuple[int, int, int, int]
"""How many columns or rows at the left, top, right and bottom; fewer where negative."""


def unruled(photo: Photo, placement: Placement, sides: Sequence[Sides]) -> Ends:
    """How many outermost columns and rows of the board at ``placement`` are not divided into cells as all others are,
    its lines over the noise beside them: in a shadow they have less contrast and are as plain.
    """
    ends = unruled_ends(sides)
    if not any(ends) or not isinstance(placement, FlatPlacement | BentPlacement):
        return ends
    seen, within, inner = line_sides(photo, placement).plain, slice(BEYOND, -BEYOND), slice(BEYOND + 1, -BEYOND - 1)
    down, across = seen.level[inner, within].mean(axis=0), seen.upright[within, inner].mean(axis=1)
    parts = ((down, ends[0]), (across, ends[1]), (down[::-1], ends[2]), (across[::-1], ends[3]))
    left, top, right, bottom = (0 if _is_ruled(shares, end) else end for shares, end in parts)
    return left, top, right, bottom


def _is_ruled(shares: Floats, end: int) -> bool:
    """Whether so many of the first rows show as much of their sides as the others do, but for a part."""
    return end > 0 and float(shares[:end].min()) >= RULED * float(shares[end:].mean())


def unruled_ends(sides: Sequence[Sides]) -> Ends:
    """How many outermost columns and rows are not divided into cells as all others are, in whatever light."""
    found = [
        (*_undivided((seen.down > SIDE_SEEN).mean(axis=0)), *_undivided((seen.across > SIDE_SEEN).mean(axis=1)))
        for seen in sides
    ]
    left, right, top, bottom = (max(counts) for counts in zip(*found, strict=True))
    return left, top, right, bottom


def _undivided(shares: Floats) -> tuple[int, int]:
    """How many of the first and of the last of these shares lie beyond one that is small, seen from most that are not.

    Letters of a legend may stand where its rows would be divided; the gap above it shows nothing.
    """
    runs = np.split(np.arange(len(shares)), np.flatnonzero(np.diff(shares >= RULED)) + 1)
    board = max((run for run in runs if shares[run[0]] >= RULED), key=len, default=runs[0][:0])
    if len(board) < max(LEAST_ROWS, LEAST_PART * len(shares)):
        return 0, 0
    first, last = int(board[0]), int(board[-1])
    before = first if first > 0 and shares[first - 1] <= UNRULED else 0
    after = len(shares) - 1 - last if last + 1 < len(shares) and shares[last + 1] <= UNRULED else 0
    return before, after


def cells_of(ends: Ends, rows: int, cols: int) -> set[Cell]:
    """The cells of these outermost rows and columns of a board."""
    left, top, right, bottom = ends
    every: set[Cell] = {(r, c) for r in range(rows) for c in range(cols)}
    return every - {(r, c) for r in range(top, rows - bottom) for c in range(left, cols - right)}


def shortened(photo: Photo, placement: OnSheet, found: Reading[Stitch]) -> list[OnSheet]:
    """The placement without outermost rows and columns that may be none of the board's, as it was ``found``."""
    strips = [*less_strips(placement, found), *less_unlined(photo, placement, found)]
    return [regrown(placement, strip) for strip in dict.fromkeys(strips)]


def less_strips(placement: OnSheet, found: Reading[Stitch]) -> list[Ends]:
    """A row or a column less, or several, wherever what is left may be all of the board."""
    return [strip for strip in STRIPS if _may_be_all(regrown(placement, strip), found)]


def less_unlined(photo: Photo, placement: OnSheet, found: Reading[Stitch]) -> list[Ends]:
    """Those rows or columns less in which no lines are seen though the noise is taken away, where nothing that was
    ``found`` is sure and no border of a patch is seen: a legend stands out as much as faint lines do.
    """
    seen, within, inner = line_sides(photo, placement).plain, slice(BEYOND, -BEYOND), slice(BEYOND + 1, -BEYOND - 1)
    left, right = _undivided(seen.level[inner, within].mean(axis=0))
    top, bottom = _undivided(seen.upright[within, inner].mean(axis=1))
    strip = (-left, -top, -right, -bottom)
    less = regrown(placement, strip)
    doubted = any(strip) and _inside(less, found) is not None
    return [strip] if doubted and not goes_on(photo, less, filled=True) else []


def _inside(place: Placement, found: Reading[Stitch]) -> list[Cell] | None:
    """The clues that lie at a place; None where others were read without doubt."""
    clues = found.puzzle.clue_cells
    doubted = {doubt.cell for doubt in found.doubts} | {repair.cell for repair in found.repairs}
    at = place.to_board(found.placement.to_photo([(col + 0.5, row + 0.5) for row, col in clues]))
    inside = [cell for cell, point in zip(clues, at, strict=True) if ((point > 0) & (point < place.size)).all()]
    return inside if doubted.issuperset(set(clues) - set(inside)) else None


def _may_be_all(place: Placement, found: Reading[Stitch]) -> bool:
    """Whether all clues that were read without doubt lie at a place, and those there add up to its cells or nearly so:
    nothing is put right there.
    """
    inside = _inside(place, found)
    if inside is None:
        return False
    read = {repair.cell: int(repair.read) for repair in found.repairs if repair.read.isdigit()}
    numbers = [read.get(cell, found.puzzle.clue(cell) or NO_CLUE) for cell in inside]
    total, cells = sum(number for number in numbers if number > NO_CLUE), place.size[0] * place.size[1]
    lacking = cells if UNKNOWN in numbers else NEARLY * cells
    return total - NEARLY * cells <= cells <= total + lacking


def trimmed_to(placement: Placement, puzzle: Stitch) -> Placement | None:
    """The placement of the smallest box round the board's cells; None where it is that already.

    A grid may go on beyond the board where an edge of a button or of cloth happens to lie.
    """
    (top, left), (bottom, right) = (tuple(f(c[axis] for c in puzzle.cells) for axis in (0, 1)) for f in (min, max))
    more = (-left, -top, right + 1 - puzzle.cols, bottom + 1 - puzzle.rows)
    if not any(more) or not isinstance(placement, FlatPlacement | BentPlacement):
        return None
    return regrown(placement, more)
