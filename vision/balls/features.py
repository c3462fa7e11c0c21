"""What the cells of a ball board look like: the colour of each, and the colour of the tray between them.

All colours are CIELAB with the lightness shortened: two balls of one piece differ in how much light they get far more
than in hue. A cell's colour is the median over a ring about its middle: the middle itself may carry a printed letter, a
highlight or the dark bottom of a pit, the rim a shadow. The median does not mind a highlight of less than half of it.

Shading tells a white ball from a white pit: one is bright towards the lamp, the other away from it. On real and drawn
boards it spreads less than the colours do, so it counts as much.

Light falls unevenly, and two things may tell how. The tray between the cells is of one colour: what is darker there
lies in shadow, and so do the balls beside it. And once the balls are divided, each piece is of one colour, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY, LETTERS, Tray
from vision.pictures import lab
from vision.pictures.flatten import cut_into_cells, flatten
from vision.pictures.medians import known_medians, median, medians, percentile
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

SIDE_PX = 28
"""Pixels of a cell in the flat board: a ring of 0.16 cells has 4, enough for a median over some 200 pixels."""

RING = (0.13, 0.31)
"""The ring from which a cell's colour is taken, in cells from its middle: inside the smallest printed discs (0.32)."""

SMALL_RING = (0.08, 0.19)
"""The same in cells that show a rim within the other ring: programs draw pits as small as that."""

RIM_IN_RING, RIM_STEP = 3.0, 2.0
"""How many times more the bands of a ring differ than those of the small one, and by how much weighted lightness more,
where a rim lies between the two: on balls light falls off as well, twice to three times as much."""

TRAY_BEYOND, AS_PLAIN = 0.7, 0.25
"""Difference of what is beyond the rim to the tray, of the step at it, up to which it may be the tray; and that of two
cells up to which both show it."""

SMALLEST_PIECE, LARGEST_PIECE = 3, 5
"""Balls of the smallest and of the largest pieces: as many cells are enough to learn from, or none by chance."""

CORNER = 0.10
"""Half the side of the squares at the corners of a cell where the tray shows between four balls."""

BAND = 0.04
"""Width of the bands in which a rim or an outline is looked for."""

LIGHTNESS = 0.6
"""Weight of a step in lightness against one in colour."""

BLACK_LIGHT = -16.0 * LIGHTNESS
"""The weighted lightness that all looks fade to as light fades: CIELAB goes by the cube root of light, about, less a
constant."""

USUAL_STEPS = 2.0
"""Differences of light within a cell, in what is usual on the board, that are held for noise and for its even fall."""

LIGHTEST = 95
"""Percentile of a picture, or of a board's cells, that is its lightest."""

LIGHT_PX = 160
"""Longer side at which the light of a whole picture is looked at."""


EVEN = 0.87
"""Light on the dim side, of that on the bright one, from which it is even enough: colours differ less than shading."""

MOST_STEP = 0.15
"""Most that the light at a corner differs from the usual round it; at a shadow's edge it is that of either side."""

MOST_OUTLIERS = 0.12
"""Part of the corners where it may differ by more: on drawn boards and printed pages 0.08 do, on toys whose balls leave
no tray to be seen from 0.17 on."""

MOST_GAIN = 2.5
"""Most that a shadow takes: deeper ones hide what lies in them."""

WHITEST, BLEACHED = 255, 0.05
"""Grey level above which there is none, and part of a board that may reach it under an even light. What would be
lighter than white was not in the shadow that the tray tells of: white frames round printed pieces are no light."""

KNOWN = 15
"""Cells from which a field of light is fitted: three times as many as it has numbers."""

_y, _x = (np.mgrid[0:SIDE_PX, 0:SIDE_PX] + 0.5) / SIDE_PX - 0.5
_far = np.hypot(_x, _y)


def _within(inner: float, outer: float) -> Bools:
    return np.asarray((inner <= _far) & (_far < outer))


def _bands(inner: float, outer: float) -> list[Bools]:
    """Thin rings, one round the other."""
    return [_within(radius, radius + BAND) for radius in np.arange(inner, outer, BAND)]


def _sides(inner: float, outer: float) -> list[Bools]:
    """Of a ring what is right, left, below and above of its middle."""
    return [_within(inner, outer) & (side > outer / 3) for side in (_x, -_x, _y, -_y)]


RING_MASK: Bools = _within(*RING)
CORE_MASK: Bools = _far < 0.15
RIM_MASK: Bools = _within(0.36, 0.44)
BELT_MASK: Bools = _within(0.36, 0.52) & (np.minimum(np.abs(_x), np.abs(_y)) > 0.2)
OUTLINES: list[Bools] = _bands(0.28, 0.5)
CORNERS: Bools = (np.abs(_x) > 0.5 - CORNER) & (np.abs(_y) > 0.5 - CORNER)
SMALL_RING_MASK: Bools = _within(*SMALL_RING)
SIDES, SMALL_SIDES = _sides(*RING), _sides(*SMALL_RING)
BANDS: list[Bools] = _bands(SMALL_RING[0], RING[1])
"""Parts of a cell of the flat board, each ``bool (SIDE_PX, SIDE_PX)``."""


@dataclass(frozen=True, eq=False)
class Features:
    """The looks of a board's cells, in the order of ``tray.cells``.

    Attributes:
        colours: ``float64 (cells, 3)``, weighted CIELAB ``(0.6 L, a, b)``.
        shading: ``float64 (cells, 4)``: how much lighter the cell is on its right than on its left, below than above,
            and at its rim than in its ring; and how much darker (so never above 0) a ring round it is than both the
            cell and the tray: its outline.
        gaps: ``float64 (cells, 3)``, the colour of the tray at each cell's corners.
        belts: ``float64 (cells, 3)``, the colour where cells end, towards their corners: a mean, which a thin outline
            darkens however blurred it is.
        marks: ``float64 (cells,)``, how much darker the very middle is than the ring round it, in weighted lightness: a
            mean as well, for letters are thin.
        edges: ``float64 (cells,)``, by what part the light on the tray differs from one corner of a cell to another,
            beyond what is usual on this board: the edge of a shadow runs there, and its light is any between.
        white: weighted lightness of the lightest things in the whole picture.
        flat: the flat board, ``uint8``.
    """

    colours: Floats
    shading: Floats
    gaps: Floats
    belts: Floats
    marks: Floats
    edges: Floats
    white: float
    flat: Picture

    @property
    def bgr(self) -> npt.NDArray[np.uint8]:
        """The colours for drawing, ``uint8 (cells, 3)``."""
        return np.rint(weighted_bgr(self.colours)).astype(np.uint8)

    @property
    def signature(self) -> Floats:
        """Colours and shading side by side, ``(cells, 7)``."""
        return np.hstack([self.colours, self.shading])

    @property
    def relief(self) -> Floats:
        """How much lighter each cell is on one side than on the other, in weighted lightness, ``(cells,)``.

        What is printed is flat, balls and pits are lit from somewhere.
        """
        return np.hypot(self.shading[:, 0], self.shading[:, 1])

    def of_pieces(self, rows: Sequence[str]) -> dict[str, Floats]:
        """The colour of each piece, ``(3,)``, if ``rows``, a letter for each cell, says where pieces lie."""
        letters = sorted(set(rows) & set(LETTERS))
        return {a: medians(self.colours[[k for k, b in enumerate(rows) if b == a]]) for a in letters}


def lattice_placement(placement: FlatPlacement, tray: Tray) -> FlatPlacement:
    """The board's lattice as a grid of unit squares, each with a pit in its middle."""
    points = np.array([tray.point(cell) for cell in tray.cells], np.float64) + 0.5
    board = np.array(tray.centres)
    affine, *_ = np.linalg.lstsq(np.column_stack([points, np.ones(len(points))]), board, rcond=None)
    to_board = np.vstack([affine.T, (0, 0, 1)])
    width, height = np.ceil(points.max(axis=0))
    return FlatPlacement(np.asarray(placement.matrix @ to_board, np.float64), (float(width), float(height)))


def units(patches: npt.NDArray[Any]) -> Floats:
    """Patches ``(N, pixels)`` without their means, each of length 1: what is alike has a product of 1."""
    apart = patches - patches.mean(axis=1, keepdims=True)
    return np.asarray(apart / np.maximum(1e-6, np.linalg.norm(apart, axis=1, keepdims=True)), np.float64)


def in_cells(flat: npt.NDArray[Any], tray: Tray) -> npt.NDArray[Any]:
    """The pixels of each cell, ``(cells, SIDE_PX, SIDE_PX, 3)``."""
    by_point = cut_into_cells(flat, SIDE_PX)
    x, y = np.array([tray.point(cell) for cell in tray.cells]).T
    return np.asarray(by_point[y, x])


def weighted_lab(bgr: Picture) -> npt.NDArray[np.float32]:
    """Colours as they are compared: CIELAB with the lightness shortened."""
    return lab.lab(bgr) * np.array((LIGHTNESS, 1, 1), np.float32)


def weighted_bgr(colours: Floats) -> Floats:
    """Such colours ``(..., 3)`` as blue, green and red, 0..255."""
    return np.asarray(lab.bgr(colours / (LIGHTNESS, 1, 1)), np.float64)


def white_in(photo: Photo) -> float:
    """Weighted lightness of the lightest things in a picture."""
    return percentile(weighted_lab(photo.reduced(LIGHT_PX).bgr)[..., 0], LIGHTEST)


def measured(flat: Picture, tray: Tray, white: float) -> Features:
    """The cells of a flat board, and the lightness of the lightest things in its picture."""
    pixels = weighted_lab(flat)
    cells = in_cells(pixels, tray)
    light = cells[..., 0]
    gaps = medians(cells[:, CORNERS], axis=1).astype(np.float64)
    small = _shows_rim(light, gaps[:, 0])
    colours = _medians(cells, RING_MASK, SMALL_RING_MASK, small).astype(np.float64)
    right, left, below, above = (_medians(light, *both, small) for both in zip(SIDES, SMALL_SIDES, strict=True))
    rim = medians(light[:, RIM_MASK], axis=1)
    darkest = np.min([medians(light[:, one], axis=1) for one in OUTLINES], axis=0)
    # A ring that is no darker than both sides only says how far the cell reaches.
    outline = np.minimum(0, darkest - np.minimum(colours[:, 0], gaps[:, 0]))
    shading = np.column_stack([right - left, below - above, rim - colours[:, 0], outline]).astype(np.float64)
    belts = cells[:, BELT_MASK].mean(axis=1).astype(np.float64)
    marks = colours[:, 0] - light[:, CORE_MASK].mean(axis=1)
    return Features(colours, shading, gaps, belts, marks, _shadow_edges(light, tray), white, flat)


def _shadow_edges(light: npt.NDArray[np.float32], tray: Tray) -> Floats:
    """By what part the light differs within each cell beyond what is usual, ``(cells,)``; ``light`` of their pixels."""
    x, y = np.array([tray.point(cell) for cell in tray.cells]).T
    corners = _tray_at_corners(light, tray) - BLACK_LIGHT
    around = np.stack([corners[y + down, x + right] for down, right in np.ndindex(2, 2)])
    steps = np.ptp(around, axis=0) / around.mean(axis=0)
    return np.asarray(np.maximum(0, steps - USUAL_STEPS * median(steps)))


def _tray_at_corners(light: npt.NDArray[np.floating], tray: Tray) -> Floats:
    """How light the tray is where the corners of cells meet, ``(rows + 1, cols + 1)``; NaN where no cell is.

    Only what lies in the cells is looked at, ``light`` of their pixels: what lies beside the board is no tray.
    """
    x, y = np.array([tray.point(cell) for cell in tray.cells]).T
    half = round(CORNER * SIDE_PX)
    ends = slice(half), slice(-half, None)
    corners = np.full((4, y.max() + 2, x.max() + 2), np.nan)
    for corner, (down, right) in zip(corners, np.ndindex(2, 2), strict=True):
        corner[y + down, x + right] = medians(light[:, ends[down], ends[right]].reshape(len(light), -1), axis=1)
    return known_medians(corners)


def _shows_rim(light: npt.NDArray[np.float32], tray: Floats) -> Bools:
    """Which cells show their rim in their ring, ``(cells,)``: half in and half out, it would be of neither colour.

    The lightness of the ``tray`` beside each is that beyond its rim or, where that is a line, within.
    """
    bands = np.stack([light[:, band].mean(axis=1) for band in BANDS], axis=1)
    middle, step = bands[:, :3], np.ptp(bands, axis=1)
    beyond = np.minimum(np.abs(bands[:, -1] - tray), np.abs(middle.mean(axis=1) - tray))
    small = (step > RIM_IN_RING * np.ptp(middle, axis=1) + RIM_STEP) & (beyond < TRAY_BEYOND * step)
    if small.sum() < SMALLEST_PIECE:
        return np.zeros_like(small)
    # All pits of a board are of one size: what looks like one that shows its rim shows it as well.
    apart = np.abs(bands[:, None] - bands[small]).max(axis=2)
    return np.asarray((apart < AS_PLAIN * step[small]).any(axis=1))


def _medians(cells: npt.NDArray[Any], mask: Bools, small_mask: Bools, small: Bools) -> npt.NDArray[Any]:
    """The median of each cell over a part of it, or over another one where it is ``small``."""
    found = medians(cells[:, mask], axis=1)
    if small.any():
        found[small] = medians(cells[small][:, small_mask], axis=1)
    return np.asarray(found)


@cache
def neighbours(tray: Tray) -> npt.NDArray[np.intp]:
    """Each two neighbouring cells by their numbers, the smaller first: ``(pairs, 2)``; found once for each tray."""
    number = {cell: k for k, cell in enumerate(tray.cells)}
    beside = {(k, number[other]) for cell, k in number.items() for other in tray.layout.neighbours[cell] if other}
    return np.array(sorted(pair for pair in beside if pair[0] < pair[1]), np.intp)


# --- light ------------------------------------------------------------------------------------------------------------


def lights(photo: Photo, placement: FlatPlacement, tray: Tray) -> list[Features]:
    """The cells of a board at ``placement`` as they are and, where light falls unevenly, as if it did not."""
    flat = flatten(photo, lattice_placement(placement, tray), SIDE_PX)
    white = photo.derive(white_in)
    evened = _evened(flat, tray)
    plain = measured(flat, tray, white)
    # Between the corners where the light was seen its edges are as unknown as before.
    return [plain] if evened is None else [plain, replace(measured(evened, tray, white), edges=plain.edges)]


def relit(features: Features, rows: str, tray: Tray) -> Features | None:
    """The cells under an even light, as the pieces tell if ``rows``, a letter for each cell, is right.

    None where that is nothing else: then the light is even, or there are too few balls to tell.
    """
    if sum(letter != EMPTY for letter in rows) < KNOWN:
        return None
    light = np.maximum(1.0, features.colours[:, 0])
    points = np.array([tray.point(cell) for cell in tray.cells], np.float64)
    pieces = np.array(list(rows))[:, None] == np.array(sorted(set(rows)))
    # Each piece has its own lightness, and the light on all of them changes slowly: their logarithms add up.
    terms = np.hstack([pieces, _slopes(points[:, 0], points[:, 1], tray)])
    solution, *_ = np.linalg.lstsq(terms * light[:, None], np.log(light) * light, rcond=None)
    slopes = solution[pieces.shape[1] :]
    uneven = terms[:, pieces.shape[1] :] @ slopes
    dim, bright = (np.exp(percentile(uneven, share)) for share in (10, 90))
    if dim > EVEN * bright:
        return None
    height, width = features.flat.shape[:2]
    y, x = np.mgrid[0:height, 0:width] / SIDE_PX - 0.5
    gains = np.clip(bright / np.exp(_slopes(x, y, tray) @ slopes), 1 / MOST_GAIN, MOST_GAIN)
    return replace(measured(_times(features.flat, gains), tray, features.white), edges=features.edges)


def _slopes(x: Floats, y: Floats, tray: Tray) -> Floats:
    """The terms of a quadratic field over the lattice without its constant, ``(..., 5)``."""
    x, y = (part / max(tray.widths) - 0.5 for part in (x, y))
    return np.stack([x, y, x * x, x * y, y * y], axis=-1)


def _times(flat: Picture, gains: Floats) -> Picture:
    return np.asarray(np.clip(flat * gains[..., None], 0, 255), np.uint8)


def _evened(flat: Picture, tray: Tray) -> Picture | None:
    """The flat board under an even light, as the tray between its cells tells; None where that is no other picture.

    A shadow takes the same part of a colour from the tray and from the balls beside it, and the tray is of one colour.
    """
    gaps = _smoothed(_tray_at_corners(in_cells(flat, tray).mean(axis=3), tray))
    if gaps is None:
        return None
    dim, bright = (percentile(gaps[np.isfinite(gaps)], share) for share in (5, 95))
    if dim > EVEN * bright:
        return None
    gains = np.clip(bright / np.maximum(1.0, np.nan_to_num(gaps, nan=bright)), 1 / MOST_GAIN, MOST_GAIN)
    step = 1 / SIDE_PX
    to_corners = np.array([(step, 0, step / 2), (0, step, step / 2)])
    spread = cv2.warpAffine(gains, to_corners, flat.shape[1::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    evened = _times(flat, np.asarray(spread, np.float64))
    return None if ((evened == WHITEST) & (flat < WHITEST)).mean() > BLEACHED else evened


def _smoothed(gaps: Floats) -> Floats | None:
    """The numbers with outliers replaced by the median round them: a ball may reach into a gap [1]_.

    None where many are: then it is no plain tray that is seen there.

    .. [1] F. R. Hampel, "The influence curve and its role in robust estimation", JASA 69(346), 1974.
    """
    rows, cols = gaps.shape
    padded = np.pad(gaps, 1, constant_values=np.nan)
    around = np.stack([padded[y : y + rows, x : x + cols] for y in range(3) for x in range(3)])
    usual = gaps.copy()
    known = np.isfinite(gaps)
    usual[known] = known_medians(around[:, known])
    off = np.abs(gaps - usual) > MOST_STEP * usual
    return None if off.sum() > MOST_OUTLIERS * known.sum() else np.where(off, usual, gaps)
