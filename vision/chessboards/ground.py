"""The bare board under what stands on it: the colour of each square, and how far the picture is off that.

A square's colour is the median of the squares of its kind around it: most of them are bare.
"""

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards.chequers import ChequeredPlacement
from vision.pictures.flatten import cut_into_cells, flatten
from vision.pictures.lab import lab
from vision.pictures.medians import median, medians
from vision.pictures.photo import Photo, Picture

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]

SIDE_PX = 48
"""Side of a square on the flat picture."""

SLACK = 0.05
"""Part of a square along its border that is not looked at: there lie the errors of the placement."""

RIM = 0.14
"""How far in from its border a square's rim reaches: few pieces do."""

STANDS_OUT = 0.13
"""How far from its square's colour a thing is, of the difference of the two colours of squares; grey queens on black
squares have 0.25."""

GRAIN = 3.0
"""The same as a multiple of the usual spread of a rim: grain of wood, cloth of paper, noise."""

AROUND = 2
"""How many squares away the squares of the same kind are asked for their colour."""

SMOOTH_PX = 1.0
"""Spread of the filter that takes noise from what is compared with the bare board."""

LIT = 2.2
"""Side of the window, in squares, in which half of the pixels are taken to show neither a piece nor a highlight."""

DEEP = 0.1
"""Squares that are darker than this part of the light ones are black, and hardly show what light falls on them."""

LIGHT_STEPS = 48
"""Steps of light in a factor of two: bytes hold light and shade of up to six times more and less."""


@dataclass(frozen=True, eq=False)
class Ground:
    """A chequered board, laid flat.

    Attributes:
        flat: ``uint8 (rows * SIDE_PX, cols * SIDE_PX, 3)``, in even light.
        off: ``float32``, of the same shape: its difference to the bare board in CIE Lab, in least differences and
            compressed by :func:`compressed`.
        least: the least difference that counts, in units of CIE Lab.
        share: the same, of the distance of the two colours of squares.
    """

    flat: Picture
    off: Floats
    least: float
    share: float


def of_board(photo: Photo, placement: ChequeredPlacement) -> Ground:
    """The ground of the board at ``placement``."""
    rows, cols = placement.rows, placement.cols
    flat = flatten(photo, placement, SIDE_PX)
    dark = (np.add.outer(np.arange(rows), np.arange(cols)) % 2 == 0) == placement.dark_first
    if not placement.level:  # Screenshots are evenly lit.
        flat = np.clip(flat / _light(flat, dark)[..., None], 0, 255).astype(np.uint8)
    cells = cut_into_cells(flat, SIDE_PX)
    rim = lab(cells[:, :, _ring(SIDE_PX, SLACK, RIM)])
    own = medians(rim, axis=2)
    contrast = float(np.linalg.norm(medians(own[dark]) - medians(own[~dark])))
    grain = median(np.linalg.norm(rim - own[:, :, None], axis=3))
    least = max(STANDS_OUT * contrast, GRAIN * grain, float(np.finfo(np.float32).tiny))
    bare: Floats = np.kron(lab(_usual(cells, dark)), np.ones((SIDE_PX, SIDE_PX, 1), np.float32))
    smooth = np.asarray(cv2.GaussianBlur(flat, (0, 0), SMOOTH_PX), np.uint8)
    share = least / max(contrast, float(np.finfo(np.float32).tiny))
    return Ground(flat, compressed((lab(smooth) - bare) / least), least, share)


def compressed(differences: npt.NDArray[np.floating]) -> Floats:
    """Differences of colours, in least differences, of which the larger count less and less: ``float32``."""
    return np.asarray(np.arcsinh(differences) / 2, np.float32)


def _usual(cells: Picture, dark: Mask) -> Picture:
    """The colour of each square as the squares of its kind around it have it, ``uint8 (rows, cols, 3)``."""
    rows, cols = dark.shape
    own = medians(cells.reshape(rows, cols, -1, 3), axis=2)
    usual = np.empty_like(own)
    for r, c in product(range(rows), range(cols)):
        near = slice(max(0, r - AROUND), r + AROUND + 1), slice(max(0, c - AROUND), c + AROUND + 1)
        usual[r, c] = medians(own[near][dark[near] == dark[r, c]])
    return usual.astype(np.uint8)


def _light(flat: Picture, dark: Mask) -> Floats:
    """The light that falls on a flat board, ``float32 (H, W)``: the edge of a shadow crosses squares and is no piece.

    How much brighter each pixel is than its kind of squares is smoothed by a median over more than two squares: it
    keeps the edges of shadows and leaves out pieces and highlights, which cover less than half of that.
    """
    gray = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), dtype=np.float32) + 1
    kinds = np.kron(dark, np.ones((SIDE_PX, SIDE_PX), bool))
    blacks, whites = median(gray[kinds]), median(gray[~kinds])
    usual = np.where(kinds, blacks, whites)
    brighter = np.clip(LIGHT_STEPS * np.log2(gray / usual) + 128, 0, 255).astype(np.uint8)
    if blacks < DEEP * whites:
        # Black squares show haze and noise; the light that falls on them is that of the squares beside them.
        beside = np.hstack([brighter[:, SIDE_PX:], brighter[:, -2 * SIDE_PX : -SIDE_PX]])
        brighter = np.where(kinds, beside, brighter)
    # Along the outline of the board lies what is beside it: what is within is mirrored there.
    edge, reach = round(SLACK * SIDE_PX), round(LIT * SIDE_PX)
    within = brighter[edge:-edge, edge:-edge]
    wide = cv2.copyMakeBorder(within, *4 * (edge + reach,), cv2.BORDER_REFLECT)
    smooth = cv2.medianBlur(wide, reach // 2 * 2 + 1)[reach:-reach, reach:-reach]
    return np.exp2((np.asarray(smooth, dtype=np.float32) - 128) / LIGHT_STEPS)


def _ring(side: int, outer: float, inner: float) -> Mask:
    """The pixels of a square between two distances from its border, ``bool (side, side)``."""
    ring = np.zeros((side, side), bool)
    a, b = round(outer * side), round(inner * side)
    ring[a : side - a, a : side - a] = True
    ring[b : side - b, b : side - b] = False
    return ring
