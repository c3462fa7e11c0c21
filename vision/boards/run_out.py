"""Boards that go on where the picture ends, within half a cell beyond what was made out of them.

A whole row out there would be counted with the board. Of a row that the picture cuts, the network of
:mod:`vision.boards.phases` tells that what is left of it lies on cells.
"""

import math

import numpy as np
import numpy.typing as npt

from vision.boards.phases import Grid, odds_of_cells
from vision.pictures.margins import DEPTHS, PLACES, SIDES, beyond, margins, opposite
from vision.pictures.photo import Photo

Bools = npt.NDArray[np.bool_]

NARROW = 0.13
"""Margins, in cells, from which on cells are told from outlines: narrower ones are a place of the network wide."""

GOES_ON = math.log(50)
"""Nats of all cells together that lie farthest beyond a side, at least, where a board goes on: so it is on 49 of 60
boards that were cut off, and on 1 of 179 whole ones whose picture was cropped within half a cell of them."""


def runs_out_at(photo: Photo, placement: Grid, cells: Bools) -> str | None:
    """A side beyond which the picture ends with cells, sooner than beyond the opposite side; else None.

    Args:
        photo: where the board is seen.
        placement: of the box round the board.
        cells: ``bool (rows, cols)``, the places of the box that are cells.
    """
    found = margins(photo, placement, cells)
    for side in SIDES:
        if found[side] >= found[opposite(side)]:
            continue
        points = beyond(placement, cells, side, DEPTHS)
        depths = np.where(photo.holds(points, beyond=0.5).reshape(len(DEPTHS), -1), DEPTHS[:, None], 0.0)
        farthest = points.reshape(*depths.shape, 2)[depths.argmax(axis=0), np.arange(depths.shape[1])]
        deep = depths.max(axis=0) >= NARROW
        if not deep.any():
            continue
        odds = odds_of_cells(photo, placement, farthest) * deep
        if odds.reshape(-1, PLACES).mean(axis=1).clip(min=0.0).sum() >= GOES_ON:
            return side
    return None
