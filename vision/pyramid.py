"""Reads the Lonpos pyramid's flat side: 55 balls in a triangle."""

from collections.abc import Sequence

import numpy as np

from solvers import kanoodle
from solvers.balls import Balls
from solvers.pyramid import TRAY
from vision.balls import reader
from vision.kind import Aids
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement
from vision.reading import NotFound, Reading

EXACT_DEG = 0.4
"""A leg within this angle of the picture's axis was drawn along it: nobody lays a tray that straight at 45 degrees."""

NO_PERSPECTIVE = 0.01
"""Most that the far side of a drawing is smaller than the near one."""


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """The places where such a board may lie, best first."""
    found = reader.find(photo, aids, TRAY, rivals=(kanoodle.TRAY,))
    return found if isinstance(found, NotFound) else [_numbered(placement) for placement in found]


def read(photo: Photo, placement: Placement, aids: Aids) -> Reading[Balls] | NotFound:
    """Which pieces lie on the board at ``placement``."""
    return reader.read(photo, placement, aids, TRAY)


def _numbered(placement: FlatPlacement) -> FlatPlacement:
    """The place with the cells of each row counted from the side people count from.

    A tray that lies before a camera is turned until its apex is on top. Programs draw the triangle as half a matrix,
    its legs along the picture's axes, and then neither leg is the left one: rows are counted from the upright leg. So
    the board may have to be seen in a mirror; the legal pieces are the same there.
    """
    apex, right, left = placement.to_photo(TRAY.layout.corners)
    legs = [end - apex for end in (right, left)]
    upright = [abs(np.degrees(np.arctan2(dx, dy))) for dx, dy in legs]
    tilts = [min(angle % 90, 90 - angle % 90) for angle in upright]
    lengths = np.hypot(*np.array(legs).T)
    drawn = max(tilts) < EXACT_DEG and abs(lengths[0] / lengths[1] - 1) < NO_PERSPECTIVE
    right_is_upright = min(upright[0], 180 - upright[0]) < 45
    if not (drawn and right_is_upright):
        return placement
    mirror = np.array([(-1, 0, placement.size[0]), (0, 1, 0), (0, 0, 1)], np.float64)
    return FlatPlacement(placement.matrix @ mirror, placement.size, placement.score)
