"""Boards whose lines are not seen, by their outline: a square heap of edges, and the number of rows that makes a level.

Boards without lines, under crosses, in the dark or of nearly the page's colour show too few of their lines to find
their rows. But they end all around, and what makes a level with exactly one answer at one number of rows makes none at
any other, where cells hold parts of several regions.
"""

from functools import partial

import numpy as np

from vision.boards.boxes import Box, boxes_of_edges, halved_edges
from vision.boards.edges import edge_strength
from vision.boards.grids import STRENGTHS, WORK_PX
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement
from vision.regions.candidates import LEAST_SIDE_PX, SIZES
from vision.regions.cut import FLAT, FLAT_SHARE, flat_cells
from vision.regions.levels import SIDE_PX, cut_at, like_level
from vision.regions.looks import MOST, in_colours, ring_mask

SQUARE = 0.03
"""By what part of itself a board may be wider than high, or the other way: a handle may stand out at a side."""

BESIDE = 0.02
"""How far from the end of a heap of edges, as a part of its side, the side itself is looked for."""

MOST_SQUARES = 3
"""Square heaps of a picture that are looked at, the largest first."""

BORDERS = 0.75
"""Of the steps from cell to cell so many are no larger than those between regions: a third of all lie between regions
where 12 regions share 12 rows, and more on smaller boards."""

PLAIN_CELLS = 0.9
"""Share of the cells that show nothing but one colour outside of their middle at the right number of rows; at others
most cells do as well, for they lie within one region."""

SAME = 0.5
"""How far the corners of the same board may be apart in two heaps, in cells."""

LEAST_SIZE = 6
"""Rows from which on exactly one answer is a proof by itself."""


def outlined(photo: Photo, size: int | None) -> FlatPlacement | None:
    """The only board that has ``size`` rows, or any number of them, and fills the outline of a square; None where there
    is none, or more than one.
    """
    found: list[FlatPlacement] = []
    for left, top, right, bottom in photo.derive(_squares):
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        for rows in SIZES if size is None else [size]:
            place = FlatPlacement.from_corners(corners, (rows, rows))
            if rows >= LEAST_SIZE and cell_side_px(place) >= LEAST_SIDE_PX and _is_level(photo, place):
                found.append(place)
    return found[0] if found and all(_same(found[0], other) for other in found[1:]) else None


def _same(one: FlatPlacement, other: FlatPlacement) -> bool:
    """Whether two boards have the same cells."""
    corners = [(0, 0), one.size]
    return one.size == other.size and bool(np.abs(other.to_board(one.to_photo(corners)) - corners).max() < SAME)


def _is_level(photo: Photo, place: FlatPlacement) -> bool:
    """Whether the board makes a level with exactly one answer, each cell of one colour."""
    flat = flatten(photo, place, SIDE_PX)
    if not (in_colours(flat, SIDE_PX) and _in_plain_cells(flat)) or like_level(photo, place, 1.0, prove=True) == 0:
        return False
    return bool(flat_cells(cut_at(photo, place)).mean() >= FLAT_SHARE)


def _in_plain_cells(flat: Picture) -> bool:
    """Whether most cells of a flat board are of one colour, beside what regions differ: a first look, made quickly, at
    whether it is cut where its cells end.
    """
    rows = flat.shape[0] // SIDE_PX
    cells = flat.reshape(rows, SIDE_PX, rows, SIDE_PX, 3).swapaxes(1, 2)[:, :, ring_mask(SIDE_PX)].astype(np.int16)
    colours = np.partition(cells, cells.shape[2] // 2, axis=2)[:, :, cells.shape[2] // 2]
    uneven = np.quantile(np.abs(cells - colours[:, :, None]).max(axis=-1), MOST, axis=2)
    steps = np.concatenate([np.abs(np.diff(colours, axis=k)).max(axis=-1).ravel() for k in (0, 1)])
    return bool((uneven <= FLAT * np.quantile(steps, BORDERS)).mean() >= PLAIN_CELLS)


def _squares(photo: Photo) -> list[tuple[float, ...]]:
    """Left, top, right and bottom of the square heaps of edges, in pixels of the photo, the largest first."""
    work = photo.reduced(WORK_PX)
    upright, level = edge_strength(work.bgr)
    halved, near = halved_edges(upright, level), partial(_nearest_side, upright, level)
    boxes = (box for strength in STRENGTHS for box in boxes_of_edges(halved, upright.shape, strength))
    squares = {near(box) for box in boxes if _is_square(box)}
    factor = photo.scale / work.scale
    largest = sorted(squares, key=lambda square: (square[0] - square[2], square))[:MOST_SQUARES]
    return [tuple(end * factor for end in square) for square in largest]


def _is_square(box: Box) -> bool:
    """Whether a box is about as wide as high."""
    width, height = box[2] - box[0], box[3] - box[1]
    return abs(width - height) <= SQUARE * max(width, height)


def _nearest_side(upright: Picture, level: Picture, box: Box) -> Box:
    """The box with its ends where the strongest edges are nearby."""
    x0, y0, x1, y1 = box
    near = max(1, round(BESIDE * (x1 - x0)))
    (left, right), (top, bottom) = (
        [_strongest(edges, end, near) for end in ends]
        for edges, ends in ((upright[y0:y1], (x0, x1)), (level[:, x0:x1].T, (y0, y1)))
    )
    return left, top, right, bottom


def _strongest(edges: Picture, end: int, near: int) -> int:
    """The column with the strongest edges near an end."""
    low, high = max(0, end - near), min(edges.shape[1], end + near + 1)
    return low + int(np.argmax(edges[:, low:high].mean(axis=0)))
