"""What differs from an empty square of a chequered board that was photographed.

A square's own rim tells its colour; where something covers too much of the rim, the colour of the other squares of its
kind does, as it varies over the board. What is farther from that colour than grain and noise is foreground.
"""

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards.chequers import ChequeredPlacement
from vision.pictures.flatten import cut_into_cells, flatten
from vision.pictures.lab import converted
from vision.pictures.medians import median, medians
from vision.pictures.photo import Photo, Picture

Mask = npt.NDArray[np.bool_]
Lab = npt.NDArray[np.float32]

SIDE_PX = 48
"""Side of a square on the flat picture."""

SLACK = 0.05
"""Part of a square along its border that is not looked at: there lie the errors of the placement."""

RIM = 0.14
"""How far in from its border a square's rim reaches: few pieces do."""

AGREE = 0.6
"""Part of the rim that has to share a colour before that is the square's own."""

WHOLLY = 0.85
"""Part of the rim that agrees on a colour where there is no piece: light and wood differ from square to square."""

AS_USUAL = 0.2
"""Part of the rim that, having the usual colour, says that the rest of the rim is a large piece and no highlight."""

STANDS_OUT = 0.13
"""How far from its square's colour a thing is, of the difference of the two colours of squares; grey queens on black
squares have 0.25."""

LIT = 2.2
"""Side of the window, in squares, in which half of the pixels are taken to show neither a piece nor a highlight."""

DEEP = 0.1
"""Squares that are darker than this part of the light ones are black, and hardly show what light falls on them."""

LIGHT_STEPS = 48
"""Steps of light in a factor of two: bytes hold light and shade of up to six times more and less."""

GRAIN = 3.0
"""The same as a multiple of the usual spread of a rim: grain of wood, cloth of paper, noise."""


@dataclass(frozen=True, eq=False)
class Squares:
    """A chequered board, laid flat, and what stands out on it.

    Attributes:
        flat: ``uint8 (rows * side, cols * side, 3)``.
        far: ``float32 (rows, cols, side, side)``, distance from the colour of the empty square, of the least
            distance that counts; 1 and more is foreground.
        least: the least distance that counts, of the distance of the two colours of squares.
    """

    flat: Picture
    far: npt.NDArray[np.float32]
    least: float


def _lab(flat: Picture) -> Lab:
    """The same in CIELAB."""
    return converted(flat.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)


def look(photo: Photo, placement: ChequeredPlacement) -> Squares:
    """The squares of the board at ``placement``."""
    rows, cols = placement.rows, placement.cols
    flat = flatten(photo, placement, SIDE_PX)
    dark = (np.add.outer(np.arange(rows), np.arange(cols)) % 2 == 0) == placement.dark_first
    light = None if placement.level else _light(flat, dark)  # Screenshots are evenly lit.
    if light is not None:
        flat = _in_light(flat, light)
    cells = cut_into_cells(_lab(flat), SIDE_PX)
    rim = cells[:, :, _ring(SIDE_PX, SLACK, RIM)]
    own = medians(rim, axis=2)
    usual = _usual(own, dark)
    contrast = float(np.linalg.norm(medians(own[dark]) - medians(own[~dark])))
    spread = np.linalg.norm(rim - own[:, :, None], axis=3)
    grain = GRAIN * median(spread)
    least = max(STANDS_OUT * contrast, grain)
    agreed = (spread < least).mean(axis=2) > AGREE
    as_usual = (np.linalg.norm(rim - usual[:, :, None], axis=3) < least).mean(axis=2) > AS_USUAL
    agreed &= ((spread < least).mean(axis=2) > WHOLLY) | ~as_usual | (np.linalg.norm(own - usual, axis=2) < least)
    colour = np.where(agreed[..., None], own, usual)
    far = np.linalg.norm(cells - colour[:, :, None, None], axis=4) / least
    share = least / max(contrast, float(np.finfo(np.float32).tiny))
    return Squares(flat, np.asarray(far, dtype=np.float32), float(share))


def _in_light(flat: Picture, light: npt.NDArray[np.float32]) -> Picture:
    """The flat picture as it would be in even light."""
    return np.clip(flat / light[..., None], 0, 255).astype(np.uint8)


def _light(flat: Picture, dark: Mask) -> npt.NDArray[np.float32]:
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


def _usual(own: Lab, dark: Mask) -> Lab:
    """The colour of the squares of the same kind at each place: a plane through them, what does not fit left out."""
    rows, cols = dark.shape
    usual = np.empty_like(own)
    at = np.array([(1.0, r / rows, c / cols) for r, c in product(range(rows), range(cols))]).reshape(rows, cols, 3)
    for kind in (dark, ~dark):
        terms, seen = at[kind], own[kind]
        weight = np.ones(len(seen))
        middle = medians(seen)
        fitted = np.tile(middle, (len(seen), 1))
        for _ in range(8):
            off = np.linalg.norm(seen - fitted, axis=1)
            weight = 1 / (1 + (off / max(median(off), 0.5)) ** 2)
            plane = np.linalg.lstsq(terms * weight[:, None], seen * weight[:, None], rcond=None)[0]
            fitted = terms @ plane
        usual[kind] = fitted
    return usual
