"""Badges beyond the edge of a board that was made out: where its lines fade in glare, its clues still stand in rows.

What stands beside a whole board, a legend or buttons, has places and sizes of its own. What stands alone in the middle
of a cell by which the board would go on, as large as its badges and nearly as clear, is one of them, though glare may
have taken its middle. Where a grid was laid askew the edge of the board may even run through a badge.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from solvers.board import Cell
from vision.clues.badges import LEAST_SIDE, LEAST_SOLID, RIM, Badge, differences, unrest
from vision.clues.ink import crops
from vision.pictures.bending import OnSheet, regrown
from vision.pictures.medians import median
from vision.pictures.photo import Photo, Picture

AS_LARGE = 0.2
"""Part by which the longer side of such a badge differs from the usual one's at most; those of one board by 0.1."""

AS_CLEAR = 0.4
"""How much it stands out at least, of what the faintest badge on the board does."""

SPECKS = 0.1
"""Area of all else that stands out there, at most, of its own."""

CENTRED = 0.12
"""How far its middle may lie from its cell's, in cells: a bit more than on the board, whose grid ends before."""

LEFT_OF_IT = 0.6
"""What a side of its cell leaves of a badge that it cuts, at least, of the usual one's longer side."""

LEAST_LEFT = LEAST_SIDE / 2
"""The shorter side of what it leaves, in cells, at least: the border of a patch has less."""

Box = tuple[float, float, float, float]
"""Left, top, width and height in the picture of a cell, in cells."""


def badges_beyond(photo: Photo, placement: OnSheet, badges: Sequence[Badge]) -> list[Cell]:
    """The cells beside a board that carry a badge as its own do, counted from the board's first row and column."""
    cols, rows = (round(length) for length in placement.size)
    around = [(row, col) for row in range(rows) for col in (-1, cols)]
    around += [(row, col) for row in (-1, rows) for col in range(cols)]
    around = [cell for cell in around if _is_in_view(photo, placement, cell)]
    usual, least = _usual(badges)
    cut = crops(photo, regrown(placement, (1, 1, 1, 1)), [(row + 1, col + 1) for row, col in around])
    return [cell for cell, crop in zip(around, cut, strict=True) if _is_badge(_mark(crop, least), usual)]


def is_cut(crop: Picture, badges: Sequence[Badge]) -> bool:
    """Whether a side of a cell seems to cut what stands alone on it, about as large and clear as the board's badges."""
    usual, least = _usual(badges)
    mark = _mark(crop, least)
    if mark is None or _off_centre(mark) <= CENTRED:
        return False
    x, y, width, height = mark
    large = LEFT_OF_IT * usual <= max(width, height) <= (1 + AS_LARGE) * usual and min(width, height) >= LEAST_LEFT
    return large and min(x, y, 1 - x - width, 1 - y - height) < RIM


def _usual(badges: Sequence[Badge]) -> tuple[float, float]:
    """The longer side of a board's badges, in cells, and the grey levels by which one stands out at least."""
    usual = median([max(right - left, bottom - top) for left, top, right, bottom in (one.box for one in badges)])
    return usual, AS_CLEAR * min(one.contrast for one in badges)


def _is_badge(mark: Box | None, usual: float) -> bool:
    """Whether a mark stands in the middle of its cell and is as large as badges are."""
    if mark is None or _off_centre(mark) > CENTRED:
        return False
    return abs(max(mark[2:]) - usual) <= AS_LARGE * usual


def _off_centre(mark: Box) -> float:
    """How far a mark's middle lies from its cell's, in cells."""
    x, y, width, height = mark
    return max(abs(x + width / 2 - 0.5), abs(y + height / 2 - 0.5))


def _mark(crop: Picture, least: float) -> Box | None:
    """The box round what stands alone in a cell, so many grey levels off its ground; None where that is nothing, a
    wisp, or more than one thing: noise, or the edge of a page.
    """
    differs = np.asarray(differences(crop) > max(least, unrest(crop)), np.uint8)
    contours, _ = cv2.findContours(differs, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hulls = sorted((cv2.convexHull(contour) for contour in contours), key=cv2.contourArea)
    areas = [cv2.contourArea(hull) for hull in hulls]
    if not areas or sum(areas[:-1]) > SPECKS * areas[-1]:
        return None
    x, y, width, height = (length / len(differs) for length in cv2.boundingRect(hulls[-1]))
    return (x, y, width, height) if areas[-1] >= LEAST_SOLID * width * height * differs.size else None


def _is_in_view(photo: Photo, placement: OnSheet, cell: Cell) -> bool:
    """Whether the picture shows all of a cell."""
    row, col = cell
    corners = placement.to_photo([(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)])
    return bool(photo.holds(corners).all())
