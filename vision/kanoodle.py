"""Reads 5 x 11 boards of balls: Kanoodle, IQ Puzzler Pro, and programs that draw them as squares."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from solvers import pyramid
from solvers.balls import Balls
from solvers.kanoodle import TRAY
from vision.balls import reader
from vision.balls.features import SIDE_PX, weighted_lab
from vision.balls.lattice import robust_homography
from vision.boards.rectangles import rectangles
from vision.kind import Aids
from vision.pictures.bending import regrown, sheet_of
from vision.pictures.flatten import flatten
from vision.pictures.lab import lab
from vision.pictures.medians import medians, percentile
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


AROUND = 0.75
"""How far round the middle of a cell is looked for the rim of what stands there, in cells."""

SMALLEST = 0.3
"""Side of the smallest things that stand in cells."""

BACKGROUND = 80
"""Percentile of the differences to a cell's middle that is the difference to the tray: pits take up half at most."""

CONTRAST = 6.0
"""Least difference to the tray, in weighted CIELAB steps, for a rim to be told from noise."""

OFF = 0.12
"""Most that a middle may lie off the others, in cells."""


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """The places where such a board may lie, best first: lattices of balls, and else grids of 5 x 11 squares."""
    found = reader.find(photo, aids, TRAY, rivals=(pyramid.TRAY,))
    if reader.clearly_there(photo, aids, TRAY, pyramid.TRAY):
        return found
    laid = (_lying(photo, sheet_of(box)) for box in rectangles(photo))
    squares = [centred(photo, placement) for placement in laid if placement is not None]
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


def centred(photo: Photo, placement: FlatPlacement) -> FlatPlacement:
    """The placement with its cells on the middles of what stands free in them; as it was where too little does.

    A finder of ruled boards takes the rims of square pits for lines: on one side of the board their left rims, on the
    other their right ones. The cells of such a grid lie beside the pits, by up to a third of a cell.
    """
    pixels = weighted_lab(flatten(photo, regrown(placement, (1, 1, 1, 1)), SIDE_PX))
    centres = np.array(TRAY.centres)
    middles = [_middle(pixels, (centre + 1) * SIDE_PX) for centre in centres]
    free = [k for k, middle in enumerate(middles) if middle is not None]
    found = np.array([middle for middle in middles if middle is not None]).reshape(-1, 2) / SIDE_PX - 1
    onto = robust_homography(centres[free], found, OFF)
    return placement if onto is None else replace(placement, matrix=placement.matrix @ onto)


def _middle(pixels: npt.NDArray[np.float32], centre: Floats) -> Floats | None:
    """The middle ``(x, y)`` of what stands at a point and ends on all sides not far from it; None where nothing does.

    Args:
        pixels: weighted CIELAB of the flat board, ``(H, W, 3)``.
        centre: the point, in pixels.
    """
    reach = round(AROUND * SIDE_PX)
    left, top = (round(float(part)) - reach for part in centre)
    window = pixels[top : top + 2 * reach, left : left + 2 * reach]
    own = medians(window[reach - 2 : reach + 2, reach - 2 : reach + 2].reshape(-1, 3))
    apart = np.linalg.norm(window - own, axis=2)
    tray = percentile(apart, BACKGROUND)
    if tray < CONTRAST:
        return None
    _, part, boxes, _ = cv2.connectedComponentsWithStats((apart < tray / 2).astype(np.uint8), connectivity=4)
    x, y, wide, high = boxes[part[reach, reach]][:4].tolist()
    free = part[reach, reach] > 0 and min(x, y) > 0 and max(x + wide, y + high) < 2 * reach
    if not free or min(wide, high) < SMALLEST * SIDE_PX:
        return None
    return np.array((left + x + wide / 2, top + y + high / 2))
