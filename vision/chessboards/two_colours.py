"""Boards on screens, by the two colours of their squares.

On a screen all squares of a kind have one colour to the grey level. A highlighted square spoils the four crossings at
its corners, which on a small board are most of them; all other squares still have their kind's colour, next to one
another in turn, and so has what is more of the board beyond a line of crossings that are spoilt.
"""

import numpy as np
import numpy.typing as npt

from vision.chessboards.crossings import dark_cells
from vision.pictures.bending import regrown
from vision.pictures.flatten import cut_into_cells, flatten
from vision.pictures.medians import median, medians
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Sides = tuple[int, int, int, int]

SIDE_PX = 20
"""Side of a square on the flat picture."""

RIM_PX = 2, 5
"""What of it is the rim, from where to where, from the border inwards: beyond stand pieces, dots and numbers."""

EXACT = 0.15
"""How far the colour of a square may be off its kind's, of the difference of the two kinds."""

APART = 6.0
"""Grey levels between the two kinds at least: less may be what a JPEG made of one colour."""

OWN = 0.75
"""Part of a rim that has the colour of the kind; that of a cell of three by three squares has two thirds."""

LINE = 0.7
"""Part of the squares of a line beyond the rim that have their kind's colour if that is a line of the board."""

SQUARER = 0.35
"""The same where the line makes the board more of a square: some of its squares may be highlighted."""

ROOM = 3
"""Lines that are looked at beyond each side."""


def seen(photo: Photo, placed: FlatPlacement, dark_first: bool) -> tuple[Sides, float]:
    """How many lines more the board at ``placed`` has at its left, top, right and bottom, by the colours of squares.

    Args:
        photo: its pixels are grey, ``uint8 (H, W)``.
        placed: where a board lies, or part of it.
        dark_first: whether the cell (0, 0) is one of the darker ones.

    Returns:
        The lines, and the part of the squares of all of the board that have exactly the colour of their kind.
    """
    wide = regrown(placed, (ROOM,) * 4)
    own = _own(photo, wide, dark_first)
    rows, cols = own.shape
    dark = dark_cells(rows, cols, dark_first)  # As many lines are added at the top as at the left.
    top, left = ROOM, ROOM
    bottom, right = own.shape[0] - ROOM, own.shape[1] - ROOM
    grown = True
    while grown:
        before = left, top, right, bottom
        across, down = np.s_[left:right], np.s_[top:bottom]
        wider, higher = right - left < bottom - top, right - left > bottom - top
        left -= int(left > 0 and _is_line(own[down, left - 1], dark[down, left - 1], wider))
        right += int(right < own.shape[1] and _is_line(own[down, right], dark[down, right], wider))
        top -= int(top > 0 and _is_line(own[top - 1, across], dark[top - 1, across], higher))
        bottom += int(bottom < own.shape[0] and _is_line(own[bottom, across], dark[bottom, across], higher))
        grown = before != (left, top, right, bottom)
    more = ROOM - left, ROOM - top, right - (own.shape[1] - ROOM), bottom - (own.shape[0] - ROOM)
    return more, float(own[top:bottom, left:right].mean())


def _is_line(own: Mask, dark: Mask, squarer: bool) -> bool:
    """Whether squares are a line of the board, by which of them have the colour of their kind."""
    both = own[dark].any() and own[~dark].any()  # The page beside the board may have one of its colours.
    return bool(both and own.mean() > (SQUARER if squarer else LINE))


def _own(photo: Photo, wide: FlatPlacement, dark_first: bool) -> Mask:
    """Which cells have the colour of their kind, ``bool (rows, cols)``; none where there are no two colours.

    The kinds' colours are taken from the cells without :data:`ROOM` at each side.
    """
    cols, rows = (round(length) for length in wide.size)
    dark = dark_cells(rows, cols, dark_first)
    flat = np.asarray(flatten(photo, wide, SIDE_PX), dtype=np.float32)
    rim = np.zeros((SIDE_PX, SIDE_PX), bool)
    outer, inner = RIM_PX
    rim[outer:-outer, outer:-outer] = True
    rim[inner:-inner, inner:-inner] = False
    rims = cut_into_cells(flat, SIDE_PX)[:, :, rim]
    levels = medians(rims, axis=2)[ROOM:-ROOM, ROOM:-ROOM]
    kinds = dark[ROOM:-ROOM, ROOM:-ROOM]
    near = EXACT * max(APART, median(levels[~kinds]) - median(levels[kinds]))
    blacks, whites = _most_frequent(levels[kinds], near), _most_frequent(levels[~kinds], near)
    if whites - blacks < APART:
        return np.zeros((rows, cols), bool)
    off = np.abs(rims - np.where(dark, blacks, whites)[..., None])
    x, y = np.meshgrid(np.arange(cols) + 0.5, np.arange(rows) + 0.5)
    at = wide.to_photo(np.column_stack([x.ravel(), y.ravel()])).reshape(rows, cols, 2)
    inside = (at >= 0).all(axis=2) & (at[..., 0] < photo.width) & (at[..., 1] < photo.height)
    return np.asarray(((off < EXACT * (whites - blacks)).mean(axis=2) > OWN) & inside)


def _most_frequent(levels: Floats, near: float) -> float:
    """The level that most others are near to; on a board of 4 x 4 half of the squares of a kind may be spoilt."""
    close = np.abs(levels[:, None] - levels[None]) < near
    return median(levels[close[int(close.sum(axis=1).argmax())]])
