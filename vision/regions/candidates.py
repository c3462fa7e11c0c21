"""Which grids of a picture may be boards of coloured regions, and other readings of those grids.

These boards are ruled throughout: every cell ends at a line or at a step of colour. So a grid that was measured too
wide, with the title above the board or an advertisement below it as further rows, is cut down to what is ruled; and
one that was measured too narrow, with the crosses in the cells as further lines, is read with cells twice or three
times as wide. Where hairlines are too faint for the contrast at which the grid was found, the borders of the regions
must do. None of these readings is believed unless what it gives is a level with exactly one answer. No reading adds a
row that was not seen: the page beside a board makes a region like another, and the level has one answer all the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from vision.boards.cell_sides import SIDE_PRESENT
from vision.boards.grids import GridGuess
from vision.kind import Aids
from vision.pictures.flatten import cell_side_px
from vision.pictures.placement import FlatPlacement
from vision.regions.partition import Floats

SIZES = range(4, 17)
"""Rows of the boards that are published: 5 to 13, and a little more. Smaller ones have no solution."""

LEAST_SIDE_PX = 12
"""Side of a cell in the photo below which a line is no longer apart from the cells beside it."""

SIDES_PRESENT = 0.8
"""Share of the sides of cells at which an edge must show: these boards are ruled throughout, but black lines between
dimmed cells are faint."""

BORDERS_PRESENT = 0.3
"""The same where hairlines were lost or never drawn, and only the steps of colour between regions are left: half of all
sides on small boards, a third where 13 regions share 13 rows. Nothing but the proof that the board is a level speaks
for such a grid."""

RULED = 0.5
"""Share of the sides between its cells from which on an outer row is a part of the board."""

UNLIKE_SIDES = 2
"""Rows and columns of a cut-off board differ by so many at most; more is another game."""

THROUGHOUT = 0.9
"""Share of the sides around a part of a grid from which on that is a part of the board, and no board on a page."""

ALIGNED = 0.15
"""How far the corners of a part lie from crossings of the grid, in cells, at most."""

OTHERWISE = 0.8
"""What another reading of a grid counts against one that was seen directly."""

MOST_TRIED = 6
"""Grids of a picture whose colours are looked at."""

WEAK = 0.4
"""Grids that are so much weaker than the best one in the picture are parts of it or noise."""

NOT_SQUARE = 0.9
"""What a grid with unlike numbers of rows and columns counts against a square one: no board of this game is drawn so,
and a line of a button or a frame is easily taken for a row."""


def candidates(grids: Sequence[GridGuess], aids: Aids) -> list[GridGuess]:
    """The grids that may be boards, best first; what is not one of ``grids`` is another reading of one of them."""
    tried = [grid for grid in grids if _ruled(grid.upright, grid.level) >= SIDES_PRESENT]
    tried += [reading for grid in grids for reading in _other_readings(grid)]
    tried = [guess for guess in tried if not any(_is_part(guess, grid) for grid in grids)]
    fit = sorted((guess for guess in tried if _may_be_board(guess, aids)), key=rank, reverse=True)
    return [guess for guess in fit if rank(guess) >= WEAK * rank(fit[0])][:MOST_TRIED]


def rank(guess: GridGuess) -> float:
    """The score, less for a grid that is not square."""
    return guess.score * (1 if guess.rows == guess.cols else NOT_SQUARE)


def _may_be_board(guess: GridGuess, aids: Aids) -> bool:
    """Whether a board may have so many rows and columns, shows borders at least, and is large enough to read."""
    if aids.size is not None and sorted(aids.size) != sorted((guess.rows, guess.cols)):
        return False
    return (
        guess.rows in SIZES
        and guess.cols in SIZES
        and abs(guess.rows - guess.cols) <= UNLIKE_SIDES
        and _ruled(guess.upright, guess.level) >= BORDERS_PRESENT
        and cell_side_px(guess.placement) >= LEAST_SIDE_PX
    )


def _ruled(upright: Floats, level: Floats) -> float:
    """Share of the sides of cells at which an edge shows."""
    return float((np.concatenate([upright.ravel(), level.ravel()]) > SIDE_PRESENT).mean())


def _is_part(guess: GridGuess, grid: GridGuess) -> bool:
    """Whether a grid is ruled all around ``guess`` as well, which is a part of it: at the rim of a picture no line may
    close a board, and what lies within its outermost rows may be a level, too.
    """
    (left, top), (right, bottom) = grid.placement.to_board(guess.corners_px[[0, 2]])
    ends = [round(end) for end in (left, top, right, bottom)]
    aligned = float(np.abs(np.array([left, top, right, bottom]) - ends).max()) <= ALIGNED
    left, top, right, bottom = ends
    same_cells = (right - left, bottom - top) == (guess.cols, guess.rows)
    if not (aligned and same_cells and min(left, top) >= 0 and right <= grid.cols and bottom <= grid.rows):
        return False
    upright, level = grid.upright > SIDE_PRESENT, grid.level > SIDE_PRESENT
    around_v, around_h = np.ones(upright.shape, bool), np.ones(level.shape, bool)
    around_v[top:bottom, left : right + 1] = around_h[top : bottom + 1, left:right] = False
    around_v[:, [0, -1]] = around_h[[0, -1]] = False
    around = np.concatenate([upright[around_v], level[around_h]])
    return around.size > 0 and bool(around.mean() >= THROUGHOUT)


def _other_readings(grid: GridGuess) -> Iterator[GridGuess]:
    if _ruled(grid.upright, grid.level) < SIDES_PRESENT:
        yield replace(grid, score=grid.score * OTHERWISE)
    for times in (2, 3):
        if grid.rows % times == grid.cols % times == 0:
            yield _coarser(grid, times)
    parts = [part for closed in (False, True) if (part := _ruled_part(grid, closed)) is not None]
    yield from parts if len({(part.rows, part.cols) for part in parts}) == len(parts) else parts[:1]


def _coarser(guess: GridGuess, times: int) -> GridGuess:
    """The same grid with cells so many times as wide and high."""
    rows, cols = guess.rows // times, guess.cols // times
    upright = guess.upright[:, ::times].reshape(rows, times, cols + 1).mean(axis=1)
    level = guess.level[::times].reshape(rows + 1, cols, times).mean(axis=2)
    score = _ruled(upright, level) * OTHERWISE
    placement = FlatPlacement.from_corners(guess.corners_px, (cols, rows), score)
    return replace(guess, placement=placement, rows=rows, cols=cols, score=score, upright=upright, level=level)


def _ruled_part(guess: GridGuess, closed: bool) -> GridGuess | None:
    """The grid without the outer rows and columns that are not ruled; None where all of them are.

    With ``closed`` a line must also close each outer row: that of a board without a frame need not, but the text and
    pictures of an advertisement have edges between them as well.
    """
    upright, level = guess.upright > SIDE_PRESENT, guess.level > SIDE_PRESENT
    top, bottom, left, right = 0, guess.rows, 0, guess.cols
    while min(bottom - top, right - left) >= SIZES.start:
        across, down = upright[top:bottom, left + 1 : right].mean(axis=1), level[top + 1 : bottom, left:right]
        along = down.mean(axis=0)
        outline = (
            level[top, left:right],
            level[bottom, left:right],
            upright[top:bottom, left],
            upright[top:bottom, right],
        )
        ends = [bool(closed and line.mean() < RULED) for line in outline]
        if across[0] < RULED or ends[0]:
            top += 1
        elif across[-1] < RULED or ends[1]:
            bottom -= 1
        elif along[0] < RULED or ends[2]:
            left += 1
        elif along[-1] < RULED or ends[3]:
            right -= 1
        else:
            break
    rows, cols = bottom - top, right - left
    if (rows, cols) == (guess.rows, guess.cols) or min(rows, cols) < SIZES.start:
        return None
    corners = guess.placement.to_photo([(left, top), (right, top), (right, bottom), (left, bottom)])
    upright_part, level_part = guess.upright[top:bottom, left : right + 1], guess.level[top : bottom + 1, left:right]
    score = _ruled(upright_part, level_part) * OTHERWISE
    return replace(
        guess,
        placement=FlatPlacement.from_corners(corners, (cols, rows), score),
        rows=rows,
        cols=cols,
        score=score,
        upright=upright_part,
        level=level_part,
    )
