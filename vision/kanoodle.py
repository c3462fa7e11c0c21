"""Reads 5 x 11 boards of balls: Kanoodle, IQ Puzzler Pro, and programs that draw them as squares."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solvers import pyramid
from solvers.balls import Balls
from solvers.kanoodle import TRAY
from vision.balls import reader
from vision.boards.rectangles import rectangles
from vision.kind import Aids
from vision.pictures.bending import regrown, sheet_of
from vision.pictures.flatten import flatten
from vision.pictures.lab import lab
from vision.pictures.medians import medians
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement, turned
from vision.reading import NotFound, Reading

Floats = npt.NDArray[np.float64]

SHAPE = (len(TRAY.widths), TRAY.widths[0])

MOST_SPARE = 2
"""Rows or columns that a grid may go on beyond the board: one on either side."""

MIDDLE_PX = 8
"""Pixels of a cell, the middle ones of which tell its colour."""

NOTHING = 0.15
"""How much cells beside the board may differ from the tray, of what those on it do: light falls off."""


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """The places where such a board may lie, best first: lattices of balls, and else grids of 5 x 11 squares."""
    found = reader.find(photo, aids, TRAY, rivals=(pyramid.TRAY,))
    if reader.clearly_there(photo, aids, TRAY, pyramid.TRAY):
        return found
    laid = (_lying(photo, sheet_of(box)) for box in rectangles(photo))
    squares = [placement for placement in laid if placement is not None]
    if isinstance(found, NotFound):
        return squares or found
    return [*squares, *found]


def read(photo: Photo, placement: Placement, aids: Aids) -> Reading[Balls] | NotFound:
    """Which pieces lie on the board at ``placement``."""
    return reader.read(photo, placement, aids, TRAY)


def _lying(photo: Photo, box: FlatPlacement) -> FlatPlacement | None:
    """The place of a box of this shape; one that stands upright is laid on its side. None for one of another shape."""
    cols, rows = (round(length) for length in box.size)
    laid = box if rows <= cols else turned(box, 1)
    shape = (min(rows, cols), max(rows, cols))
    return laid if shape == SHAPE else _within(photo, laid, shape)


def _within(photo: Photo, placement: FlatPlacement, shape: tuple[int, int]) -> FlatPlacement | None:
    """The board in a grid that goes on to the rim of its tray, where cells show nothing but the tray."""
    spare = (shape[0] - SHAPE[0], shape[1] - SHAPE[1])
    if min(spare) < 0 or not 0 < max(spare) <= MOST_SPARE:
        return None
    off = _unlike_the_rim(flatten(photo, placement, MIDDLE_PX), shape)
    windows = [np.s_[r : r + SHAPE[0], c : c + SHAPE[1]] for r in range(spare[0] + 1) for c in range(spare[1] + 1)]
    board = max(windows, key=lambda window: float(off[window].sum()))
    within = float(off[board].mean())
    outside = float((off.sum() - off[board].sum()) / (off.size - off[board].size))
    if outside > NOTHING * within:
        return None
    top, left = (side.start for side in board)
    return regrown(placement, (-left, -top, left - spare[1], top - spare[0]))


def _unlike_the_rim(flat: Picture, shape: tuple[int, int]) -> npt.NDArray[np.float64]:
    """How far the colour of each cell is from that of the outermost ones, ``(rows, cols)``, in CIELAB steps."""
    inner = slice(MIDDLE_PX // 4, -(MIDDLE_PX // 4))
    cells = lab(flat).reshape(shape[0], MIDDLE_PX, shape[1], MIDDLE_PX, 3)[:, inner, :, inner].mean(axis=(1, 3))
    rim = np.ones(shape, bool)
    rim[1:-1, 1:-1] = False
    return np.asarray(np.linalg.norm(cells - medians(cells[rim]), axis=2), np.float64)
