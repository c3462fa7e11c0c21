"""A board whose corners the user pointed at: how many cells lie between them, and where exactly."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from vision.boards.phases import Grid, lattices, moved
from vision.pictures.bending import regrown, rotated, scored
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, box_corners

Floats = npt.NDArray[np.float64]

OFF = 0.6
"""A lattice is the one that was meant when its corners are no further off, in cells: fingers are thick."""

PARTS, PART_PX = 20, 32
"""Parts of the longer side in which what lies between the corners is laid flat, and pixels of each."""

POINTED_SCORE = 1.0
"""How sure it is that a board lies where the user says so."""


def board_between(
    photo: Photo, corners_px: Sequence[tuple[float, float]], size: tuple[int, int] | None = None
) -> Grid | None:
    """The board with these four corners, clockwise from its top left one: the lattice that is seen there. Where none of
    that size is seen, cells of one size; None where no size is known.

    Args:
        photo: where it is seen.
        corners_px: in its pixels.
        size: the grid's rows and columns, in either order, where they are known.
    """
    corners = np.array(corners_px, dtype=np.float64)
    pointed = None if size is None else FlatPlacement.from_corners(corners, _fitting(corners, size), POINTED_SCORE)
    for grid in _candidates(photo, corners):
        meant = np.abs(box_corners(grid) - corners).max() <= OFF * cell_side_px(grid)
        if meant and (pointed is None or grid.size == pointed.size):
            return scored(grid, POINTED_SCORE)
    return pointed


def _candidates(photo: Photo, corners: Floats) -> Iterator[Grid]:
    """Lattices in the photo, and in what lies between the corners from straight above, with each side up."""
    for grid in lattices(photo):
        yield from (rotated(grid, quarters) for quarters in range(4))
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    across, down = (max(1, round(PARTS * side / sides.max())) for side in sides[:2])
    sheet = regrown(FlatPlacement.from_corners(corners, (across, down)), (1, 1, 1, 1))
    part = 1 / PART_PX  # pixel i covers i .. i + 1 of these
    to_photo = sheet.matrix @ np.array([(part, 0, part / 2), (0, part, part / 2), (0, 0, 1)])
    yield from (moved(grid, to_photo) for grid in lattices(photo.like(flatten(photo, sheet, PART_PX))))


def _fitting(corners: Floats, size: tuple[int, int]) -> tuple[int, int]:
    """The size as columns and rows, whichever way cells are more nearly square."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    shape = np.log((sides[1] + sides[3]) / (sides[0] + sides[2]))
    rows, cols = min(size, size[::-1], key=lambda rc: abs(shape - np.log(rc[0] / rc[1])))
    return cols, rows
