"""How much of a picture lies beyond the sides of a board.

A part of a board can be a puzzle with one answer by itself, and is wrong all the same. Where the picture ends with the
board, nothing out there can be looked at; but a board that was cropped along its outline touches two opposite edges of
the picture, and one that was cut off only one.
"""

import numpy as np

from vision.pictures.photo import Photo
from vision.pictures.placement import Placement

SIDES = ("top", "right", "bottom", "left")

FARTHEST = 0.5
"""How far beyond a side is looked, in cells."""

STEPS = 26

NO_MARGIN = 0.03
"""A margin of less, in cells, is no more than the outer line: the picture ends with the board. A hand that crops a
whole board leaves 0.05 or more."""

MARGIN = 0.1
"""A margin of as much is one: the picture goes on beyond the board."""


def margins(photo: Photo, placement: Placement) -> dict[str, float]:
    """How far beyond each side of the board the picture goes, in cells, from 0 up to ``FARTHEST``.

    Args:
        photo: the picture.
        placement: of a board whose cells are one unit wide and high.
    """
    cols, rows = placement.size
    depths = np.linspace(0, FARTHEST, STEPS)
    found = {}
    for side, length in zip(SIDES, (cols, rows, cols, rows), strict=True):
        along, out = np.meshgrid(np.linspace(0.5, length - 0.5, 5), depths)
        points = {
            "top": (along, -out),
            "right": (cols + out, along),
            "bottom": (along, rows + out),
            "left": (-out, along),
        }[side]
        at = placement.to_photo(np.column_stack([axis.ravel() for axis in points]))
        within = ((at >= -0.5) & (at <= np.array([photo.width, photo.height]) - 0.5)).all(axis=1)
        reached = np.asarray(within.reshape(out.shape)).all(axis=1)
        found[side] = float(depths[reached].max(initial=0.0))
    return found


def cut_off_at(photo: Photo, placement: Placement) -> str | None:
    """The side at which the picture ends with the board, where it does not at the opposite one; else None."""
    found = margins(photo, placement)
    for side, opposite in (("top", "bottom"), ("bottom", "top"), ("left", "right"), ("right", "left")):
        if found[side] < NO_MARGIN and found[opposite] >= MARGIN:
            return side
    return None
