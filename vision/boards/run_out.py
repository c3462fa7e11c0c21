"""Boards of which the sides of cells run on to where the picture ends, within a cell beyond what was made out.

A whole row out there would be seen and counted with the board; of a row that the picture cuts, the lines that lead away
from the board are seen, and nothing that closes it. Beyond a whole board there is nothing in their places that is not
half-way between them as well.
"""

import numpy as np
import numpy.typing as npt

from vision.pictures.bending import BentPlacement, regrown
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.margins import SIDES
from vision.pictures.medians import median
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

SIDE_PX = 48
"""Side of a cell at which it is looked at, at most."""

OUTLINE = 0.12
"""What lies so near the board, in cells, may be its outline or the glow of it."""

LEAST_LONG = 0.2
"""From the board to where the picture ends a line is as long at least, in cells, to be seen."""

THICK, ASIDE = 0.06, 0.2
"""Half a line's width at most, and where its surroundings are looked at, in cells."""

STANDS_OUT = 3.0
"""How many times as much differs at the lines as half-way between them, at least: beyond whole boards it was 1.4 at
most, and 7 and more where boards were cut off."""

NOISE = 1.0
"""Grey levels of 255 that differ half-way between lines wherever the picture is perfectly even."""

FEWEST = 2
"""Places between lines that must be seen, at least."""


def runs_out_at(photo: Photo, placement: FlatPlacement | BentPlacement, cells: Bools) -> str | None:
    """A side at which the picture ends within a cell beyond the board, and the lines on both sides of some cells there
    run on up to there; else None.

    Args:
        photo: where the board is seen.
        placement: of the box round the board.
        cells: ``bool (rows, cols)``, the places of the box that are cells.
    """
    cols, rows = placement.size
    # With a cell more at both ends, so that the outer sides have surroundings.
    next_rows = ((1, 1, 1, -rows), (-cols, 1, 1, 1), (1, -rows, 1, 1), (1, 1, -cols, 1))
    for turns, (side, more) in enumerate(zip(SIDES, next_rows, strict=True)):
        row = regrown(placement, more)
        if not _inside(photo, row, 1).all() and _sides_run_on(photo, row, turns, np.rot90(cells, turns)[0]):
            return side
    return None


def _sides_run_on(photo: Photo, placement: FlatPlacement | BentPlacement, turns: int, outermost: Bools) -> bool:
    """Whether two lines with nothing but cells between them are seen in the row beside the outermost cells, which the
    picture cuts: that at the top when it is turned by so many quarters.
    """
    side = min(SIDE_PX, round(cell_side_px(placement)))
    # Row 0 is what lies next to the board.
    strip = np.asarray(np.rot90(flatten(photo, placement, side).mean(axis=2), turns)[::-1])
    inside = np.asarray(np.rot90(_inside(photo, placement, side), turns)[::-1])
    cells = range(1, len(outermost) + 1)
    on = [_difference(strip, inside, side, round(k * side - 0.5)) for k in (*cells, cells.stop)]
    off = [_difference(strip, inside, side, round((k + 0.5) * side)) for k in cells]
    between = [seen for seen in off if seen is not None]
    if len(between) < FEWEST:
        return False
    least = STANDS_OUT * max(NOISE, median(np.array(between)))
    runs = [seen is not None and seen >= least for seen in on]
    begun = False
    for cell, this, following in zip(outermost, runs[:-1], runs[1:], strict=True):
        # A patch hides the lines between its cells.
        begun = bool(cell) and (begun or this)
        if begun and following:
            return True
    return False


def _difference(strip: Floats, inside: Bools, side: int, x: int) -> float | None:
    """How much a line at a place in a strip differs from what lies beside it, as far as the picture goes; None where
    that is too short, or all the way.
    """
    thick, aside = max(1, round(THICK * side)), round(ASIDE * side)
    part = np.s_[x - aside - thick : x + aside + thick + 1]
    seen = np.asarray(inside[:, part].all(axis=1))
    near, end = round(OUTLINE * side), len(seen) if seen.all() else int(seen.argmin())
    if end == len(seen) or end - 1 < max(near + 1, LEAST_LONG * side):
        return None
    profiles = [half.mean(axis=0) for half in np.array_split(strip[near : end - 1, part], min(2, end - 1 - near))]
    beside = [(profile[: 2 * thick + 1].mean() + profile[-2 * thick - 1 :].mean()) / 2 for profile in profiles]
    # A line runs through both halves of the way; a caption stands somewhere on it.
    differences = [
        np.abs(profile[aside : aside + 2 * thick + 1] - b) for profile, b in zip(profiles, beside, strict=True)
    ]
    return float(np.min(differences, axis=0).max())


def _inside(photo: Photo, placement: FlatPlacement | BentPlacement, side: int) -> Bools:
    """``bool (rows * side, cols * side)``: which pixels of the flat board lie in the picture."""
    cols, rows = (round(length) * side for length in placement.size)
    x, y = np.meshgrid((np.arange(cols) + 0.5) / side, (np.arange(rows) + 0.5) / side)
    at = placement.to_photo(np.column_stack([x.ravel(), y.ravel()]))
    return photo.holds(at).reshape(rows, cols)
