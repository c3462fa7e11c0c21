"""A board whose corners the user pointed at: how many cells lie between them, and where its lines run exactly."""

from collections.abc import Sequence

import numpy as np

from vision.boards.fitting import GridGuess
from vision.boards.grids import straight_search
from vision.boards.quads import MARGIN, Floats
from vision.boards.ruling import laid_on_lines
from vision.pictures.flatten import cell_side_px
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, box_corners

OFF = 0.6
"""A grid is the one that was meant when its corners are no further off, in cells: fingers are thick."""

POINTED_SCORE = 1.0
"""How sure it is that a board lies where the user says so."""


def board_between(
    photo: Photo, corners_px: Sequence[tuple[float, float]], size: tuple[int, int] | None = None
) -> FlatPlacement | None:
    """The board with these four corners, clockwise from its top left one; None where no grid is seen between them.

    Args:
        photo: where it is seen.
        corners_px: in its pixels.
        size: the grid's rows and columns, in either order, where they are known.
    """
    corners = np.array(corners_px, dtype=np.float64)
    rows_cols = _counted(photo, corners) if size is None else _fitting(corners, size)
    if rows_cols is None:
        return None
    rows, cols = rows_cols
    pointed = FlatPlacement.from_corners(corners, (cols, rows), POINTED_SCORE)
    laid = laid_on_lines(photo, pointed)
    moved = np.abs(box_corners(laid) - corners).max()
    return laid if moved <= OFF * cell_side_px(pointed) else pointed


def _counted(photo: Photo, corners: Floats) -> tuple[int, int] | None:
    """Rows and columns of the grid that is seen between the corners."""
    for guess in sorted(straight_search(photo, corners, MARGIN), key=_score, reverse=True):
        off = np.abs(box_corners(guess.placement) - corners).max()
        if off <= OFF * cell_side_px(guess.placement):
            return guess.rows, guess.cols
    return None


def _score(guess: GridGuess) -> float:
    return guess.score


def _fitting(corners: Floats, size: tuple[int, int]) -> tuple[int, int]:
    """The size as rows and columns, whichever way cells are more nearly square."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    shape = np.log((sides[1] + sides[3]) / (sides[0] + sides[2]))
    return min(size, size[::-1], key=lambda rc: abs(shape - np.log(rc[0] / rc[1])))
