"""How much of a picture lies beyond the sides of a board.

A part of a board can be a puzzle with one answer by itself, and is wrong all the same. Where the picture ends with the
board, nothing out there can be looked at; but a board that was cropped along its outline touches two opposite edges of
the picture, and one that was cut off only one.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.pictures.flatten import cell_side_px
from vision.pictures.lab import lab
from vision.pictures.medians import medians
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import Placement

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Lab = npt.NDArray[np.floating]

SIDES = ("top", "right", "bottom", "left")

FARTHEST = 0.5
"""How far beyond a side is looked, in cells."""

DEPTHS = np.linspace(0, FARTHEST, 26)

NO_MARGIN = 0.03
"""A margin of less, in cells, is no more than the outer line: the picture ends with the board. A hand that crops a
whole board leaves 0.05 or more."""

MARGIN = 0.1
"""A margin of as much is one: the picture goes on beyond the board."""

PLACES, VARIES, SAME = 5, 12.0, 3.0
"""Places along each cell at which a page is looked at; the distance in CIELAB within which it keeps its colour, and
within which colours are one: dark tiles and a dark page are 10 apart.
"""

WITHIN = 0.2
"""How far within a side its cells are looked at, in cells: beyond a frame and a gap."""

CORNER = 0.2
"""How far beyond its corners a page is looked at, along a side of a board, in cells."""

OFF = 0.06
"""How far a side may be off, in cells: what is seen so much nearer or farther may lie as far beyond it."""

CUT_SHORT = 0.15
"""A board of whose outermost cells the picture lacks as much, in cells, was cut off, whatever is seen at the opposite
side. A hand that crops along an outline is less than a tenth of a cell off."""


def opposite(side: str) -> str:
    """The side across the board."""
    return SIDES[SIDES.index(side) - 2]


def margins(photo: Photo, placement: Placement, cells: Bools | None = None) -> dict[str, float]:
    """How far beyond each side of the board the picture goes, in cells, from 0 up to ``FARTHEST``.

    Args:
        photo: the picture.
        placement: of a board whose cells are one unit wide and high.
        cells: ``bool (rows, cols)``, the places of its box that are cells; all of them where there is none.
    """
    if cells is None:
        cols, rows = (round(length) for length in placement.size)
        cells = np.ones((rows, cols), dtype=np.bool_)
    in_view = _in_view_at(photo, placement, cells, DEPTHS)
    return {side: float(DEPTHS[one].max(initial=0.0)) for side, one in in_view.items()}


def _in_view_at(photo: Photo, placement: Placement, cells: Bools, depths: Floats) -> dict[str, Bools]:
    """For each side of the board, whether all its outermost cells are in the picture at these depths beyond it, in
    cells.
    """
    found: dict[str, Bools] = {}
    for side in SIDES:
        at = beyond(placement, cells, side, depths, 1)
        found[side] = np.logical_and.reduce(photo.holds(at, beyond=0.5).reshape(len(depths), -1), axis=1)
    return found


def _outermost(cells: Bools, side: str, places: int) -> Floats:
    """So many places along each of the outermost cells at a side, in cells, clockwise."""
    outermost = np.flatnonzero(np.rot90(cells, SIDES.index(side))[0])
    return (outermost[:, None] + (np.arange(places) + 0.5) / places).ravel()


def beyond(placement: Placement, cells: Bools, side: str, depths: Floats, places: int = PLACES) -> Floats:
    """The pixels at these depths beyond so many places along each of the outermost cells at a side, in cells,
    ``float64 (depths * places, 2)``.
    """
    return _beyond(placement, cells, side, _outermost(cells, side, places), depths)


def _beyond(placement: Placement, cells: Bools, side: str, places: Floats, depths: Floats) -> Floats:
    """The pixels at these depths beyond places along a side, ``float64 (depths * places, 2)``."""
    rows, cols = cells.shape
    along, out = np.meshgrid(places, depths)
    points = {
        "top": (along, -out),
        "right": (cols + out, along),
        "bottom": (cols - along, rows + out),
        "left": (-out, rows - along),
    }[side]
    return placement.to_photo(np.column_stack([axis.ravel() for axis in points]))


def ends_alike(
    photo: Photo, placement: Placement, cells: Bools, side: str, depth: float, *, least: float = 0.5
) -> bool:
    """Whether ``least`` of what lies ``depth`` cells beyond a side has the page's colour, as seen further along the
    side where there are no cells, or that of what lies as far beyond the opposite side, and not rather that of the
    cells; and not the page's where on the opposite side there is an outline.
    """
    here = _Strip(photo, placement, cells, side, depth)
    depths = (depth - OFF, depth, depth + OFF)
    before, there, after = (_Strip(photo, placement, cells, opposite(side), out) for out in depths)
    page, outline = here.share_of(here.further), [medians(strip.along) for strip in (before, there, after)]
    both = here.share_of([*here.further, *outline])
    bare = depth < MARGIN and here.further and there.further and page >= least > there.share_of(there.further)
    return both >= least and not bare


def across(photo: Photo, placement: Placement, cells: Bools, side: str, depths: Floats) -> tuple[Lab, Bools]:
    """What is seen at depths beyond a side, in cells, along its outermost cells.

    Returns:
        CIELAB, ``(depths, places, 3)``, and which depths lie in the picture all along.
    """
    at = beyond(placement, cells, side, depths)
    inside = photo.holds(at, beyond=0.5).reshape(len(depths), -1).all(axis=1)
    return lab(_pixels(photo, at)).reshape(len(depths), -1, 3), np.asarray(inside)


class _Strip:
    """What lies so far beyond a side: along its outermost cells, and further along beyond the board's corners."""

    def __init__(self, photo: Photo, placement: Placement, cells: Bools, side: str, depth: float) -> None:
        depths, length = np.array([depth]), cells.shape[1 - SIDES.index(side) % 2]
        places, ends = _outermost(cells, side, PLACES), np.array([-CORNER, length + CORNER])
        corners = _beyond(placement, cells, side, ends, depths)
        inside = photo.holds(corners, beyond=NO_MARGIN * cell_side_px(placement))
        further = lab(_pixels(photo, corners)).astype(np.float64)
        (self.along, self.cells), _ = across(photo, placement, cells, side, np.array([depth, -WITHIN]))
        # A page may be shaded from one corner to the other.
        part = ((places + CORNER) / (length + 2 * CORNER))[:, None]
        shaded = [further[0] + part * (further[1] - further[0])] if inside.all() else []
        self.further = [*shaded, *further[inside]]

    def share_of(self, colours: Sequence[Lab]) -> float:
        """The part along the cells that has one of some colours, ``(3,)``, or ``(places, 3)`` of each place its own,
        rather than that of the cells.
        """
        most = np.minimum(VARIES, np.linalg.norm(self.along - self.cells, axis=-1) + SAME)
        near = [np.linalg.norm(self.along - colour, axis=-1) < most for colour in colours]
        return float(np.any(near, axis=0).mean()) if near else 0.0


def _pixels(photo: Photo, at: Floats) -> Picture:
    """The nearest pixels to points, ``uint8 (N, 3)``."""
    x, y = np.rint(at).astype(int).T
    return np.asarray(photo.bgr[y.clip(0, photo.height - 1), x.clip(0, photo.width - 1)])


def cut_off_at(photo: Photo, placement: Placement, cells: Bools) -> str | None:
    """A side at which the picture ends within the outermost cells, or with the board, where it does not at the opposite
    side, or soon beyond it with something else than lies as far beyond the opposite side; else None.

    Args:
        photo: the picture.
        placement: of the box round the board.
        cells: ``bool (rows, cols)``, the places of the box that are cells.
    """
    shorter = _in_view_at(photo, placement, cells, np.array([-CUT_SHORT]))
    if not all(shorter.values()):
        return next(side for side, in_view in shorter.items() if not in_view)
    found = margins(photo, placement, cells)
    for side in ("top", "bottom", "left", "right"):
        there = found[opposite(side)]
        if found[side] < NO_MARGIN and there >= MARGIN:
            return side
        ends_here = found[side] < min(FARTHEST, there)
        if ends_here and not ends_alike(photo, placement, cells, side, found[side]):
            return side
    return None
