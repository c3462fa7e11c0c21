"""The cells of a flat board cut out, and what a clue is drawn in."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from vision.pictures.flatten import cell_side_px, cut_into_cells, flatten
from vision.pictures.medians import medians, percentile
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement, box_corners

Floats = npt.NDArray[np.float64]

INNER = 0.16
"""Rim of a cell that is left out: lines, gaps between tiles and round corners reach this far in."""

STRONGEST = 97.0
"""Percentile of the differences that is a clue's: a 1 of a third of a cell's side covers 3 % of the inner part."""

CORNER = (0.08, 0.17)
"""Between these parts of a cell, in from each of its corners, lines have ended and badges have not begun."""

FLAT_PX = 40
"""Side of a cell in the flat board on which colours are measured: larger cells tell no more."""

CROP_PX = 96
"""Side of a cell in the flat board from which numbers are cut, at most; Tesseract wants less."""

MOST_PIXELS = 4_000_000
"""Pixels of a flat board at most: boards of 50 x 50 get smaller cells."""


def corners(cells: Picture) -> Picture:
    """The colour in the corners of each cell, ``uint8 (rows, cols, 3)``: there it is the ground's on a badge too."""
    side = cells.shape[2]
    start, end = (round(part * side) for part in CORNER)
    near, far = slice(start, end), slice(side - end, side - start)
    parts = [cells[:, :, rows, cols].reshape(*cells.shape[:2], -1, 3) for rows in (near, far) for cols in (near, far)]
    return np.asarray(medians(np.concatenate(parts, axis=2).transpose(2, 0, 1, 3)), dtype=np.uint8)


def flat_side(placement: Placement, wanted_px: int) -> int:
    """The side of a cell for a flat board: ``wanted_px``, less where the photo or the memory has not as much."""
    width, height = placement.size
    affordable = int((MOST_PIXELS / (width * height)) ** 0.5)
    return max(12, min(wanted_px, round(cell_side_px(placement)), affordable))


def crops(photo: Photo, placement: Placement, cells: Sequence[Cell]) -> list[Picture]:
    """The picture of each of ``cells`` alone, BGR, upright and square."""
    if not cells:
        return []
    if isinstance(placement, FlatPlacement) and _upright(placement):
        return [_cut(photo.bgr, placement, cell) for cell in cells]
    side = flat_side(placement, CROP_PX)
    cut = cut_into_cells(flatten(photo, placement, side), side)
    return [np.ascontiguousarray(cut[cell[0], cell[1]]) for cell in cells]


def _upright(placement: FlatPlacement) -> bool:
    """Whether the board's rows and columns run along those of the picture, to half a pixel."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = box_corners(placement)
    return bool(max(abs(y0 - y1), abs(y2 - y3), abs(x0 - x3), abs(x1 - x2)) < 0.5 and x1 > x0 and y3 > y0)


def _cut(bgr: Picture, placement: FlatPlacement, cell: Cell) -> Picture:
    """The pixels of a cell as they are: small digits suffer from being resampled. Large cells are reduced."""
    row, col = cell[0], cell[1]
    (x0, y0), (x1, y1) = placement.to_photo([(col, row), (col + 1, row + 1)]).round().astype(int).tolist()
    height, width = bgr.shape[:2]
    crop = bgr[min(max(0, y0), height - 1) : max(1, y1), min(max(0, x0), width - 1) : max(1, x1)]
    if min(crop.shape[:2]) > CROP_PX:
        crop = np.asarray(cv2.resize(crop, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return np.ascontiguousarray(crop)


def ink_colour(crop: Picture) -> tuple[int, int, int]:
    """The colour ``(red, green, blue)`` of what stands on a cell: the mean of what differs most from its ground."""
    rim_y, rim_x = (max(1, round(INNER * length)) for length in crop.shape[:2])
    inner = crop[rim_y:-rim_y, rim_x:-rim_x].reshape(-1, 3).astype(np.float64)
    differs = np.abs(inner - medians(inner)).max(axis=1)
    strong = inner[differs >= percentile(differs, STRONGEST)]
    blue, green, red = strong.mean(axis=0).round().astype(int).tolist()
    return red, green, blue
