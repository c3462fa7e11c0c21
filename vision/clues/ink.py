"""Which cells of a flat board carry something, and what it is drawn in.

An empty cell is even: one colour, a gentle gradient, a placed patch's tint, cloth. A cell with a clue has a minority of
pixels that differ much from the rest. So each cell's inner part is compared with its own median colour, and the
strongest few per cent of the differences are its *contrast*: enough for the thinnest 1, too many for a speck. What
counts as much is measured on the board itself, whose empty cells show how restless an empty cell is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.medians import medians, percentile
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

INNER = 0.16
"""Rim of a cell that is left out: lines, gaps between tiles and round corners reach this far in."""

STRONGEST = 97.0
"""Percentile of the differences that is taken: a 1 of a third of a cell's side covers 3 % of the inner part."""

LEAST_CONTRAST = 14.0
"""Grey levels (of 255) that a clue differs from its cell at least; compression and paper stay below."""

OVER_UNREST = 1.7
"""A clue's contrast over that of an empty cell of its colour: cloth, rope and noise are restless themselves."""

FAINTLY_OVER_UNREST = 1.35
"""The same for what may be a clue: one of 350 empty cells of cloth and rope had 1.2, small clues on rope have 1.5."""

EMPTY_SHARE = 40.0
"""Percentile of the cells' contrasts that stands for an empty cell: on the densest boards four cells of ten are so."""

SAME_GROUND = 30
"""Grey levels in each channel within which grounds are of one kind: open cloth, or the rope of one colour."""

FEW = 5
"""Of fewer cells of a kind, nothing can be said about an empty one: then all cells of the board speak."""

CORNER = (0.08, 0.17)
"""Between these parts of a cell, in from each of its corners, lines have ended and badges have not begun."""

DOT = 0.2
"""How far a dot in the middle of a cell reaches, of the side of the cell's inner part, at most."""

FLAT_PX = 40
"""Side of a cell in the flat board on which contrasts are measured: larger cells tell no more."""

CROP_PX = 96
"""Side of a cell in the flat board from which numbers are cut, at most; Tesseract wants less."""

MOST_PIXELS = 4_000_000
"""Pixels of a flat board at most: boards of 50 x 50 get smaller cells."""


@dataclass(frozen=True, eq=False)
class CellInk:
    """What differs from the ground in each cell of a board.

    Attributes:
        contrast: ``float64 (rows, cols)``, grey levels by which the strongest few per cent of a cell's inner part
            differ from its median colour.
        ground: ``uint8 (rows, cols, 3)``, that median colour, BGR.
        unrest: ``float64 (rows, cols)``, the contrast that an empty cell like this one would have.
    """

    contrast: Floats
    ground: Picture
    unrest: Floats

    @property
    def empty_contrast(self) -> float:
        """The contrast that an empty cell commonly has."""
        return percentile(self.contrast, EMPTY_SHARE)

    @property
    def carrying(self) -> Bools:
        """``bool (rows, cols)``: the cells that carry something."""
        return self._over(OVER_UNREST)

    @property
    def faint(self) -> Bools:
        """``bool (rows, cols)``: other cells that may carry something, those alone in their colour among them.

        A cell unlike all four cells beside it is a patch of one, and its clue stands on it.
        """
        return np.asarray((self._over(FAINTLY_OVER_UNREST) | self._alone) & ~self.carrying)

    @property
    def _alone(self) -> Bools:
        colours = self.ground.astype(np.int64)
        down = np.abs(np.diff(colours, axis=0)).max(axis=2) > SAME_GROUND
        across = np.abs(np.diff(colours, axis=1)).max(axis=2) > SAME_GROUND
        down, across = (
            np.pad(down, ((1, 1), (0, 0)), constant_values=True),
            np.pad(across, ((0, 0), (1, 1)), constant_values=True),
        )
        return np.asarray(down[:-1] & down[1:] & across[:, :-1] & across[:, 1:])

    def _over(self, unrest: float) -> Bools:
        return np.asarray(self.contrast >= np.maximum(LEAST_CONTRAST, unrest * self.unrest))


def cells_of(flat: Picture, rows: int, cols: int) -> Picture:
    """A flat board cut into its cells: ``uint8 (rows, cols, side, side, 3)``, a view where possible."""
    side = flat.shape[0] // rows
    return flat.reshape(rows, side, cols, side, 3).transpose(0, 2, 1, 3, 4)


def cell_ink(photo: Photo, placement: Placement) -> CellInk:
    """Look at every cell of the board."""
    cols, rows = (round(length) for length in placement.size)
    side = flat_side(placement, FLAT_PX)
    cells = cells_of(flatten(photo, placement, side), rows, cols)
    rim = round(INNER * side)
    inner = np.ascontiguousarray(cells[:, :, rim : side - rim, rim : side - rim]).reshape(rows, cols, -1, 3)
    ground = np.partition(inner, inner.shape[2] // 2, axis=2)[:, :, inner.shape[2] // 2]
    differs = cv2.absdiff(inner.reshape(rows, -1, 3), np.repeat(ground, inner.shape[2], axis=1).reshape(rows, -1, 3))
    most = np.asarray(differs).reshape(rows, cols, -1, 3).max(axis=3)
    contrast = _strongest(most)
    if percentile(contrast, EMPTY_SHARE) >= LEAST_CONTRAST:  # else nothing stands in the cells that are common
        contrast = _strongest(most[:, :, ~_dot(most, side - 2 * rim)])
    return CellInk(contrast, ground, _unrest(contrast, corners(cells)))


def _strongest(differs: npt.NDArray[np.uint8]) -> Floats:
    """What the strongest few per cent of the pixels of each cell differ by, of ``uint8 (rows, cols, pixels)``."""
    rank = min(differs.shape[2] - 1, int(differs.shape[2] * STRONGEST / 100))
    return np.asarray(np.partition(differs, rank, axis=2)[:, :, rank], dtype=np.float64)


def _dot(differs: npt.NDArray[np.uint8], side: int) -> Bools:
    """Where in a cell most cells have a dot in their middle, ``bool (side * side,)``: nowhere on most boards."""
    rows, cols, pixels = differs.shape
    half = rows * cols // 2
    usual = np.partition(differs.reshape(rows * cols, pixels), half, axis=0)[half]
    dot = usual >= LEAST_CONTRAST
    row, col = np.divmod(np.arange(pixels), side)
    far = np.hypot(row - (side - 1) / 2, col - (side - 1) / 2) > DOT * side
    return np.zeros_like(dot) if (dot & far).any() else np.asarray(dot)


def corners(cells: Picture) -> Picture:
    """The colour in the corners of each cell, ``uint8 (rows, cols, 3)``: there it is the ground's on a badge too."""
    side = cells.shape[2]
    start, end = (round(part * side) for part in CORNER)
    near, far = slice(start, end), slice(side - end, side - start)
    parts = [cells[:, :, rows, cols].reshape(*cells.shape[:2], -1, 3) for rows in (near, far) for cols in (near, far)]
    return np.asarray(medians(np.concatenate(parts, axis=2).transpose(2, 0, 1, 3)), dtype=np.uint8)


def _unrest(contrast: Floats, corners: Picture) -> Floats:
    """What contrast an empty cell of each cell's colour has, from the cells of that colour."""
    flat, colours = contrast.ravel(), corners.reshape(-1, 3).astype(np.float64)
    if percentile(flat, EMPTY_SHARE) * OVER_UNREST < LEAST_CONTRAST:
        return np.zeros_like(contrast)  # an even board: nothing to allow for
    alike = np.abs(colours[:, None] - colours[None]).max(axis=2) <= SAME_GROUND
    alike[alike.sum(axis=1) < FEW] = True
    unrest = [percentile(flat[peers], EMPTY_SHARE) for peers in alike]
    return np.array(unrest, dtype=np.float64).reshape(contrast.shape)


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
    cols, rows = (round(length) for length in placement.size)
    cut = cells_of(flatten(photo, placement, flat_side(placement, CROP_PX)), rows, cols)
    return [np.ascontiguousarray(cut[cell[0], cell[1]]) for cell in cells]


def _upright(placement: FlatPlacement) -> bool:
    """Whether the board's rows and columns run along those of the picture, to half a pixel."""
    width, height = placement.size
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = placement.to_photo([(0, 0), (width, 0), (width, height), (0, height)])
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


def ink_colour(crop: Picture, ground_bgr: npt.NDArray[np.uint8]) -> tuple[int, int, int]:
    """The colour ``(red, green, blue)`` of what stands on a cell: the mean of what differs most from its ground."""
    rim_y, rim_x = (max(1, round(INNER * length)) for length in crop.shape[:2])
    inner = crop[rim_y:-rim_y, rim_x:-rim_x].reshape(-1, 3).astype(np.float64)
    differs = np.abs(inner - ground_bgr.astype(np.float64)).max(axis=1)
    strong = inner[differs >= percentile(differs, STRONGEST)]
    blue, green, red = strong.mean(axis=0).round().astype(int).tolist()
    return red, green, blue
