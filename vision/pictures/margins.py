"""How much of a picture lies beyond the sides of a board.

A part of a board can be a puzzle with one answer by itself, and is wrong all the same. Where the picture ends with the
board, nothing out there can be looked at; but a board that was cropped along its outline touches two opposite edges of
the picture, and one that was cut off only one.
"""

import numpy as np
import numpy.typing as npt

from vision.pictures.photo import Photo
from vision.pictures.placement import Placement

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

SIDES = ("top", "right", "bottom", "left")

FARTHEST = 0.5
"""How far beyond a side is looked, in cells."""

DEPTHS = np.linspace(0, FARTHEST, 26)

NO_MARGIN = 0.03
"""A margin of less, in cells, is no more than the outer line: the picture ends with the board. A hand that crops a
whole board leaves 0.05 or more."""

MARGIN = 0.1
"""A margin of as much is one: the picture goes on beyond the board."""

CUT_SHORT = 0.15
"""A board of whose outermost cells the picture lacks as much, in cells, was cut off, whatever is seen at the opposite
side. A hand that crops along an outline is less than a tenth of a cell off."""


def margins(photo: Photo, placement: Placement) -> dict[str, float]:
    """How far beyond each side of the board the picture goes, in cells, from 0 up to ``FARTHEST``.

    Args:
        photo: the picture.
        placement: of a board whose cells are one unit wide and high.
    """
    cols, rows = (round(length) for length in placement.size)
    return _margins(photo, placement, np.ones((rows, cols), dtype=np.bool_))


def _margins(photo: Photo, placement: Placement, cells: Bools) -> dict[str, float]:
    """The same of a board of these cells."""
    seen = _seen_at(photo, placement, cells, DEPTHS)
    return {side: float(DEPTHS[one].max(initial=0.0)) for side, one in seen.items()}


def _seen_at(photo: Photo, placement: Placement, cells: Bools, depths: Floats) -> dict[str, Bools]:
    """For each side of the board, whether all its outermost cells are in the picture at these depths beyond it, in
    cells.
    """
    rows, cols = cells.shape
    found: dict[str, Bools] = {}
    for turns, side in enumerate(SIDES):
        along, out = np.meshgrid(np.flatnonzero(np.rot90(cells, turns)[0]) + 0.5, depths)
        points = {
            "top": (along, -out),
            "right": (cols + out, along),
            "bottom": (cols - along, rows + out),
            "left": (-out, rows - along),
        }[side]
        at = placement.to_photo(np.column_stack([axis.ravel() for axis in points]))
        found[side] = np.logical_and.reduce(photo.holds(at, beyond=0.5).reshape(out.shape), axis=1)
    return found


def cut_off_at(photo: Photo, placement: Placement, cells: Bools) -> str | None:
    """A side at which the picture ends within the outermost cells, or with the board, where it does not at the opposite
    side; else None.

    Args:
        photo: the picture.
        placement: of the box round the board.
        cells: ``bool (rows, cols)``, the places of the box that are cells.
    """
    shorter = _seen_at(photo, placement, cells, np.array([-CUT_SHORT]))
    if not all(shorter.values()):
        return next(side for side, seen in shorter.items() if not seen)
    found = _margins(photo, placement, cells)
    for side, opposite in (("top", "bottom"), ("bottom", "top"), ("left", "right"), ("right", "left")):
        if found[side] < NO_MARGIN and found[opposite] >= MARGIN:
            return side
    return None
