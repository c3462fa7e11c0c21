"""On which of the lattices in a picture boards of cells lie (:mod:`vision.boards.states`)."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from vision.boards import phases, states
from vision.boards.phases import Grid, lattices
from vision.boards.states import board_at, boards_on
from vision.kind import Aids
from vision.pictures.bending import BentPlacement
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, box_corners

ALIKE = 0.03
"""Grids lie alike when their corners are no further apart, in cells: what stands on them is seen as well on both."""


def likely_places(photo: Photo, aids: Aids) -> list[Grid]:
    """The lattices on which boards lie, the best seen first; of the size that the user named, if any."""
    found = lattices(photo)
    boards = boards_on(photo, found if aids.size is None else _sized(photo, found, aids.size))
    for grid in dict.fromkeys([*boards, *found]):
        aids.trace.picture("phases", partial(phases.drawn, photo, grid))
        name = "lattice" if grid in boards else "lattice-beaten"
        aids.trace.picture(name, partial(states.drawn, photo, grid))
    return boards


def _sized(photo: Photo, found: Sequence[Grid], size: tuple[int, int]) -> list[Grid]:
    """The lattices, or the boards on them, of this size; where there are none, the first cut into so many."""
    boards = [board.placement for grid in found if (board := photo.derive_at(board_at, grid)) is not None]
    fitting = [grid for grid in [*found, *boards] if {*grid.size} == {*size}]
    return fitting or [_resized(grid, size) for grid in [*boards, *found][:1]]


def _resized(grid: Grid, size: tuple[int, int]) -> Grid:
    """The same place cut into as many rows and columns as the user says, whichever way they fit better."""
    wide, high = grid.size
    rows, cols = min(size, size[::-1], key=lambda rc: abs(np.log(high / rc[0] * rc[1] / wide)))
    scale = np.diag([wide / cols, high / rows, 1.0])
    if isinstance(grid, BentPlacement):
        return replace(grid, board=grid.board @ scale, size=(cols, rows))
    return FlatPlacement.from_corners(box_corners(grid), (cols, rows), grid.score)
