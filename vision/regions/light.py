"""Evens out light that fades over a coloured board: a film's dark edges, a lamp, a window.

A fade makes two cells of one region as different as two regions. It is told from regions by being seen twice: inside
the cells, each of which is of one colour by itself, and between neighbours, most of which are of one region. Cells that
an app draws with a gloss fade inside but not from one to the next, and regions the other way round.
"""

import numpy as np
import numpy.typing as npt

from vision.pictures.medians import medians
from vision.pictures.photo import Picture
from vision.regions.evidence import SAME_AT_LEAST
from vision.regions.looks import RIM, RING

Floats = npt.NDArray[np.float64]

FADES = 0.1
"""What the darkest row or column is darker than the lightest, as a part of it, below which a board is evenly lit."""

UNEXPLAINED = 0.5
"""What a fade leaves of the usual step from one cell to the next in its region, at most."""

_LOGARITHMS = np.log(np.arange(256) + 1.0)
"""Of how light a pixel is: looked up, as most of the time went into them."""


def evened(flat: Picture, side: int, beside: int = 0) -> Picture:
    """A flat board ``uint8 (rows * side, cols * side, 3)`` as it looks where light is even; the same where it is.

    So many rows and columns at each side lie ``beside`` it and say nothing of the light: a frame is no shade.
    """
    lit, around = _LOGARITHMS[np.maximum(np.maximum(flat[..., 0], flat[..., 1]), flat[..., 2])], beside * side
    board = lit[around : lit.shape[0] - around, around : lit.shape[1] - around]
    down, right = (np.pad(_fade(part, side), around, mode="edge") for part in (board, board.T))
    if max(np.ptp(down), np.ptp(right)) < FADES:
        return flat
    light = down[:, None] + right[None]
    even = flat * np.exp(light.max() - light)[..., None]
    return np.asarray(np.clip(even.round(), 0, 255), dtype=np.uint8)


def _fade(lit: Floats, side: int) -> Floats:
    """The logarithm of how light each row of pixels is; ``lit`` is that of each pixel."""
    rows, cols = lit.shape[0] // side, lit.shape[1] // side
    cells = lit.reshape(rows, side, cols, side).swapaxes(1, 2)
    rim, ring = round(RIM * side), round(RING * side)
    parts = (cells[:, :, part, rim : side - rim].reshape(rows, cols, -1) for part in _ends(side, rim, ring))
    first, last = (medians(part, axis=2) for part in parts)
    inside = medians(last - first, axis=1) * side / (side - rim - ring)
    across = (first + last)[1:] / 2 - (first + last)[:-1] / 2
    within = (inside[1:] + inside[:-1]) / 2
    left, usual = (float(np.quantile(np.abs(steps), SAME_AT_LEAST)) for steps in (across - within[:, None], across))
    steps = within if left <= UNEXPLAINED * usual else np.zeros_like(within)
    levels = np.concatenate([[0.0], np.cumsum(steps)])
    at = (np.arange(rows * side) + 0.5) / side - 0.5
    return np.asarray(np.interp(at, np.arange(rows), levels), dtype=np.float64)


def _ends(side: int, rim: int, ring: int) -> tuple[slice, slice]:
    """The first and the last rows of pixels of a cell that show its colour."""
    return slice(rim, ring), slice(side - ring, side - rim)
