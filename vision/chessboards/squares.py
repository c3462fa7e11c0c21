"""What differs from an empty square: masks of the things that stand on a chequered board.

A square's own rim tells its colour, whatever theme, light or highlight there is; where something covers too much of the
rim, the colour of the other squares of its kind does, as it varies over the board. What is farther from that colour
than grain and noise is foreground. White pieces on white squares are outlines: their inside is filled.
"""

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards.chequers import ChequeredPlacement
from vision.pictures.flatten import flatten
from vision.pictures.lab import converted
from vision.pictures.medians import median, medians, percentile
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

Mask = npt.NDArray[np.bool_]
Lab = npt.NDArray[np.float32]

SIDE_PX = 48
"""Side of a square on the flat picture: the spikes of a crown are a twentieth of a square."""

SLACK = 0.05
"""Part of a square along its border that is not looked at: there lie the errors of the placement."""

RIM = 0.14
"""How far in from its border a square's rim reaches: few pieces do."""

CLOSE_PX = 96
"""Side of a single square that is looked at closely: the gaps of a crown are then a few pixels wide."""

SOFT = 0.01
"""How far a single square of a photo is blurred, of its side: grain is finer, the gaps of a crown are not."""

AGREE = 0.6
"""Part of the rim that has to share a colour before that is the square's own."""

HIGHLIGHTED = 0.35
"""Part of the rim with one colour that is not the usual one from which on it is a highlight's, under a wide piece."""

WHOLLY = 0.85
"""Part of the rim that agrees on a colour where there is no piece: light and wood differ from square to square."""

CORNER, CORNERS = 0.16, 2
"""How far in the corners of a square reach, and how many with one and the same colour show it: a queen that hides most
of the rim leaves those below or above her, a coordinate hides one."""

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

EDGE, MOST_EDGE = 0.2, 2.5
"""Part of a thing's own contrast at which its outline is drawn, and the most that is ever asked."""

FINEST = 0.01
"""The same where there is no grain at all: white on white is fifteen times nearer than what stands out."""

MOSTLY_EMPTY = 90
"""Percentage of the pixels at the rims of squares, pieces among them, that have the very colour of their square on a
screen; the blocks of a JPEG have it in fewer."""

BLUR = 0.08
"""How far in from the border of a small square the edge of the next one is seen faintly, of its side."""

GRAIN = 3.0
"""The same as a multiple of the usual spread of a rim: grain of wood, cloth of paper, noise."""


@dataclass(frozen=True, eq=False)
class Square:
    """What stands out on one square.

    Attributes:
        far: ``float32 (side, side)``, distance from the colour of the empty square, of the least distance that counts;
            1 and more is foreground.
    """

    far: npt.NDArray[np.float32]

    def mask(self) -> Mask:
        """What stands out, ``bool (side, side)``; the square's border is left out."""
        # Where something strong stands, its blurred edge is no part of it.
        return self.clearly(max(1.0, min(EDGE * self.strength(), MOST_EDGE)))

    def strength(self) -> float:
        """How much differs what stands within the rim; 0 where nothing does."""
        rim = round(RIM * len(self.far))
        inner = self.far[rim:-rim, rim:-rim]
        strong = inner[inner > 1]
        return float(np.quantile(strong, 0.8)) if strong.size else 0.0

    def clearly(self, least: float) -> Mask:
        """What differs so many times more than counts, ``bool (side, side)``; the square's border is left out."""
        found = self.far > least
        edge = int(SLACK * len(found))
        found[:edge] = found[-edge:] = found[:, :edge] = found[:, -edge:] = False
        return np.asarray(found)


@dataclass(frozen=True, eq=False)
class Squares:
    """A chequered board, laid flat, and what stands out on it.

    Attributes:
        flat: ``uint8 (rows * side, cols * side, 3)``.
        far: ``float32 (rows, cols, side, side)``, distance from the colour of the empty square, of the least
            distance that counts; 1 and more is foreground.
        side: of a square in ``flat``, in pixels.
        colour: ``float32 (rows, cols, 3)``, of the empty squares in CIELAB.
        counts: the least distance from it that counts.
        least: the same, of the distance of the two colours of squares.
        finest: what differs so much, of the least distance that counts, is more than grain.
        odd: ``bool (rows, cols)``, squares of a colour that is not the usual one of their kind: highlights.
        light: ``float32 (rows * side, cols * side)``, what the picture was divided by; None where it is evenly lit.
    """

    flat: Picture
    far: npt.NDArray[np.float32]
    side: int
    colour: Lab
    counts: float
    least: float
    finest: float
    odd: Mask
    light: npt.NDArray[np.float32] | None

    def square(self, r: int, c: int) -> Square:
        """One of them."""
        return Square(self.far[r, c])

    def mask(self, r: int, c: int) -> Mask:
        """What stands out on a square, ``bool (side, side)``; its border is left out."""
        return self.square(r, c).mask()

    def clearly(self, r: int, c: int, least: float) -> Mask:
        """What differs so many times more than counts on a square, ``bool (side, side)``; its border is left out."""
        return self.square(r, c).clearly(least)


def close_up(photo: Photo, placement: ChequeredPlacement, squares: Squares, cell: tuple[int, int]) -> Square:
    """A square with a side of ``CLOSE_PX``, in the light of the whole board."""
    r, c = cell
    shift = np.array([(1, 0, c), (0, 1, r), (0, 0, 1)], dtype=np.float64)
    flat = flatten(photo, FlatPlacement(placement.matrix @ shift, (1, 1)), CLOSE_PX)
    if squares.light is not None:
        side = squares.side
        light = squares.light[r * side : (r + 1) * side, c * side : (c + 1) * side]
        soft = np.asarray(cv2.GaussianBlur(flat, (0, 0), SOFT * CLOSE_PX), dtype=np.uint8)
        flat = _in_light(soft, np.asarray(cv2.resize(light, (CLOSE_PX, CLOSE_PX)), dtype=np.float32))
    far = np.linalg.norm(_lab(flat) - squares.colour[r, c], axis=2) / squares.counts
    return Square(np.asarray(far, dtype=np.float32))


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
    cells = _lab(flat).reshape(rows, SIDE_PX, cols, SIDE_PX, 3).swapaxes(1, 2)
    rim = cells[:, :, ring(SIDE_PX, SLACK, RIM)]
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
    # A wide piece hides more of the rim of a highlighted square than it leaves.
    for cell in np.argwhere(~agreed & ~as_usual).tolist():
        most, share = _most_frequent(rim[*cell], least)
        if share > HIGHLIGHTED:
            colour[*cell] = own[*cell] = most
            agreed[*cell] = True
    within = cells[:, :, ring(SIDE_PX, BLUR, RIM)]
    blocks = GRAIN * percentile(np.linalg.norm(within - own[:, :, None], axis=3), MOSTLY_EMPTY)
    finest = max(FINEST * contrast, grain, blocks)
    # A piece on a screen may hide so much of the rim that its own colour is taken for that of the square.
    for at in np.ndindex(rows, cols) if placement.level else ():
        near = finest if agreed[at] else max(finest, least)
        shown = _at_corners(cells[at], near)
        if shown is None or (agreed[at] and np.linalg.norm(shown - usual[at]) > near):
            continue  # The corners of an empty square may differ by a block of a JPEG: they are unusual then.
        if np.linalg.norm(shown - colour[at]) > near:
            colour[at] = own[at] = shown
            agreed[at] = True
    far = np.linalg.norm(cells - colour[:, :, None, None], axis=4) / least
    odd = agreed & (np.linalg.norm(own - usual, axis=2) > least)
    share = least / max(contrast, float(np.finfo(np.float32).tiny))
    return Squares(
        flat, np.asarray(far, dtype=np.float32), SIDE_PX, colour, least, float(share), float(finest / least), odd, light
    )


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


def ring(side: int, outer: float, inner: float) -> Mask:
    """The pixels of a square between two distances from its border, ``bool (side, side)``."""
    ring = np.zeros((side, side), bool)
    a, b = round(outer * side), round(inner * side)
    ring[a : side - a, a : side - a] = True
    ring[b : side - b, b : side - b] = False
    return ring


def _at_corners(cell: Lab, near: float) -> Lab | None:
    """The colour that all even corners of a square share; None where there are not enough of them."""
    a, b = round(BLUR * len(cell)), round(CORNER * len(cell))
    corners = np.stack([np.rot90(cell, k)[a:b, a:b].reshape(-1, 3) for k in range(4)])
    middles = medians(corners, axis=1)
    even = (np.linalg.norm(corners - middles[:, None], axis=2) <= near).mean(axis=1) > AGREE
    if even.sum() < CORNERS:
        return None
    shown = np.asarray(medians(middles[even]), dtype=np.float32)
    return shown if (np.linalg.norm(middles[even] - shown, axis=1) <= near).all() else None


def _most_frequent(colours: Lab, near: float) -> tuple[Lab, float]:
    """Of ``colours``, ``float32 (n, 3)``, the one that most are ``near``, and the share of these."""
    close = np.linalg.norm(colours[:, None] - colours[None], axis=2) < near
    best = int(close.sum(axis=1).argmax())
    return np.asarray(medians(colours[close[best]]), dtype=np.float32), float(close[best].mean())


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
