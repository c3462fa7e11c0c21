"""The bare ground of a real board: what of it is as it should be, what lies in a shade, and what something hides.

Every square has the colour of its kind as the squares around it show it, or one of its own if its corners agree on
that: wood differs from square to square, and no piece hides three corners. A shadow, and the mirror image of a piece
on a glossy board, dim that colour but keep its hue; what has another hue is a thing. A light piece on a light square is
taken for bare ground by its colour, and a grey one for a shade; who looks for pieces must think of that.
"""

from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.squares import Squares
from vision.pictures.flatten import cut_into_cells
from vision.pictures.lab import converted
from vision.pictures.masks import disc, opened
from vision.pictures.medians import medians

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Lab = npt.NDArray[np.float32]

AROUND = 2
"""How many squares away the squares of the same kind are asked for their colour."""

CORNER = (0.06, 0.22)
"""Where the corners of a square begin and end, in squares."""

AGREED = 3
"""Corners that have to agree on a colour of their own."""

DIMMED = (0.33, 1.0)
"""Light that a shade leaves."""

HUE = 0.09
"""How far a dimmed colour may be from the bare one in hue, of its length."""

LINE = 0.08
"""Width of lines that are no things, in squares: between squares, where the board is not quite flat; grain; veins."""

PX = 24
"""Pixels of a square on the maps."""

THING, SHADE, BARE = 1.0, 0.25, -0.6
"""What a place says for a piece that would hide it: that something else than the board is seen there, that it is
dimmed, and that it is bare."""

BESIDE = (-1.0, -0.1, 0.2)
"""The same for a piece that would leave it free."""

TOUCHED = 0.02
"""What a square says for a piece, over all of it, from which on something is seen on it: the shade of its foot."""

COLOURS, LIKE, DUMB = 6, 1.5, 0.1
"""So many colours make up a piece's, from dark to light. What is nearer to one of them than the second, in least
differences that count, says less against the piece than bare ground, down to the last."""


@dataclass(frozen=True, eq=False)
class Ground:
    """A board laid flat.

    Attributes:
        lab: ``float32 (H, W, 3)``, its colours in least differences that count.
        off: ``float32 (H, W, 3)``, how far they are off the bare board's.
        side: pixels of a square in ``lab`` and ``off``.
        least: the least difference that counts, in units of CIE Lab.
        hidden: ``float32 (h, w)`` with :data:`PX` pixels for a square, what each place says for a piece that hides it.
        free: the same for one that leaves it free.
    """

    lab: Lab
    off: Lab
    side: int
    least: float
    hidden: Lab
    free: Lab

    def changed(self) -> list[tuple[int, int]]:
        """The squares that are not wholly bare, those first that differ most."""
        rows, cols = (length // PX for length in self.hidden.shape)
        said = np.maximum(self.hidden, 0).reshape(rows, PX, cols, PX).mean(axis=(1, 3))
        order = np.argsort(-said, axis=None, kind="stable")
        return [divmod(int(index), cols) for index in order if said.flat[index] > TOUCHED]

    def without(self, places: Floats, around: float) -> "Ground":
        """The ground that says nothing ``around`` these ``places``, ``(N, 2)`` in squares: they are explained."""
        told = np.zeros(self.hidden.shape, np.uint8)
        at = np.floor(places * PX).astype(int)
        inside = ((at >= 0) & (at < told.shape[::-1])).all(axis=1)
        told[at[inside, 1], at[inside, 0]] = 1
        bare = cv2.dilate(told, disc(2 * round(around * PX) + 1)) == 0
        return replace(
            self,
            hidden=np.where(bare, self.hidden, np.minimum(self.hidden, 0)).astype(np.float32),
            free=np.where(bare, self.free, 0).astype(np.float32),
        )

    def for_piece(self, middle: Floats, reach: float) -> "Ground":
        """The ground for a piece seen within ``reach`` of ``middle``: what has its colours may be a part of it."""
        shrunk = cv2.resize(self.lab, self.hidden.shape[::-1], interpolation=cv2.INTER_AREA)
        small = np.asarray(shrunk, dtype=np.float32)
        y, x = np.mgrid[0 : small.shape[0], 0 : small.shape[1]]
        near = np.hypot((x + 0.5) / PX - middle[0], (y + 0.5) / PX - middle[1]) < reach
        seen = small[near & (self.hidden > 0.9 * THING)]
        if len(seen) < COLOURS:
            return self
        far = far_from(small, palette(seen))
        dumb = np.where(self.hidden < 0, self.hidden * np.clip(far / LIKE, DUMB, 1), self.hidden)
        return replace(self, hidden=dumb.astype(np.float32))


def palette(seen: Lab) -> Lab:
    """The colours ``(COLOURS, 3)`` of what is ``seen (N, 3)``, by their lightness."""
    parts = np.array_split(seen[np.argsort(seen[:, 0])], COLOURS)
    return np.array([medians(part) for part in parts], dtype=np.float32)


def far_from(lab: Lab, colours: Lab) -> Lab:
    """The distance of each place of ``lab (H, W, 3)`` to the nearest of ``colours (N, 3)``: ``float32 (H, W)``."""
    return np.asarray(np.linalg.norm(lab[:, :, None] - colours, axis=-1).min(axis=2))


def look(placement: ChequeredPlacement, squares: Squares) -> Ground:
    """The ground of the board at ``placement``, whose ``squares`` were looked at."""
    rows, cols, side, _ = squares.far.shape
    dark = (np.add.outer(np.arange(rows), np.arange(cols)) % 2 == 0) == placement.dark_first
    flat = squares.flat.astype(np.float32)
    cells = cut_into_cells(flat, side)
    usual = np.kron(_usual(cells, dark), np.ones((side, side, 1))).astype(np.float32)
    lab = _lab(flat)
    lab_cells = cut_into_cells(lab, side)
    middles = medians(lab_cells.reshape(rows, cols, -1, 3), axis=2)
    contrast = float(np.linalg.norm(medians(middles[dark]) - medians(middles[~dark])))
    least = max(squares.least * contrast, float(np.finfo(np.float32).tiny))
    far = np.minimum(squares.far, _off_own(lab_cells / least)).swapaxes(1, 2).reshape(lab.shape[:2])
    thing, anything = _opened((far > 1) & ~_dimmed(flat, usual), side), _opened(far > 1, side)
    smooth = _lab(np.asarray(cv2.GaussianBlur(flat, (0, 0), side / 48), np.float32))
    return Ground(
        lab / least, (smooth - _lab(usual)) / least, side, least,
        _map(thing, anything, (THING, SHADE, BARE), side), _map(thing, anything, BESIDE, side),
    )  # fmt: skip


def _usual(cells: Lab, dark: Mask) -> Floats:
    """The colour of each square as the squares of its kind around it have it, ``(rows, cols, 3)``."""
    rows, cols = dark.shape
    own = medians(cells.reshape(rows, cols, -1, 3), axis=2)
    usual = np.empty_like(own)
    for r, c in product(range(rows), range(cols)):
        near = slice(max(0, r - AROUND), r + AROUND + 1), slice(max(0, c - AROUND), c + AROUND + 1)
        usual[r, c] = medians(own[near][dark[near] == dark[r, c]])
    return np.asarray(usual, np.float64)


def _off_own(cells: Lab) -> Lab:
    """How far squares are from the colour that their corners agree on, ``(rows, cols, side, side)``; inf where none."""
    side = cells.shape[2]
    first, last = (round(part * side) for part in CORNER)
    ends = (slice(first, last), slice(side - last, side - first))
    patches = [cells[:, :, i, j].reshape(*cells.shape[:2], -1, 3) for i, j in product(ends, ends)]
    corners = np.stack([medians(patch, axis=2) for patch in patches], axis=2)
    alike = np.linalg.norm(corners[:, :, :, None] - corners[:, :, None], axis=-1) < 1
    middle = alike.sum(axis=3).argmax(axis=2)
    agreeing = np.take_along_axis(alike, middle[:, :, None, None], axis=2)[:, :, 0]
    count = agreeing.sum(axis=2)
    own = (corners * agreeing[..., None]).sum(axis=2) / count[..., None]
    off = np.linalg.norm(cells - own[:, :, None, None], axis=-1)
    return np.where((count >= AGREED)[..., None, None], off, np.inf).astype(np.float32)


def _dimmed(flat: Lab, usual: Lab) -> Mask:
    """Where the bare board's colour is seen in a shade."""
    left = (flat * usual).sum(axis=2) / np.maximum((usual * usual).sum(axis=2), 1)
    length = np.maximum(np.linalg.norm(flat, axis=2), 20)  # Below that all hues are noise.
    hue = np.linalg.norm(flat - left[..., None] * usual, axis=2) / length
    return np.asarray((left > DIMMED[0]) & (left < DIMMED[1]) & (hue < HUE))


def _opened(mask: Mask, side: int) -> Mask:
    """A mask without its thin lines."""
    return opened(mask, max(3, round(LINE * side)))


def _map(thing: Mask, anything: Mask, says: tuple[float, float, float], side: int) -> Lab:
    """What places say that show a thing, a shade, and bare ground."""
    whole = np.where(thing, says[0], np.where(anything, says[1], says[2])).astype(np.float32)
    return np.asarray(cv2.resize(whole, None, fx=PX / side, fy=PX / side, interpolation=cv2.INTER_AREA), np.float32)


def _lab(bgr: Lab) -> Lab:
    return converted(bgr / 255, cv2.COLOR_BGR2LAB)
