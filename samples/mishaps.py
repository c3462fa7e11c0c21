"""What happens to single numbers of a drawn board: rubbed out in part, struck through, stained, faded, smeared.

Each mishap changes the pixels round the middle of one cell and nothing else. How much of a number it spares is left to
chance: some are still read, others nobody could read.
"""

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from samples.canvas import Points
from vision.pictures.photo import Picture

Floats = npt.NDArray[np.float32]

ROUND = 0.32
"""What of a cell is looked at for its colours and may change, to each side of the middle, of the cell's side."""

RIM = 0.3
"""Part of that over which a mishap fades away towards its rim."""

MIDDLE = 0.12
"""How far from the middle of a cell strokes and stains lie at most, of its side."""

SMOOTH_BITS = 4
"""Fractional bits of the coordinates of strokes and stains."""


def befall(rng: np.random.Generator, picture: Picture, cell: npt.ArrayLike) -> Picture:
    """A copy of a picture in which one of the mishaps befell the number in a cell.

    Args:
        rng: decides which, where and how badly.
        picture: ``uint8 (h, w, 3)``.
        cell: ``(4, 2)``, the corners of the cell in pixels, in their order round it.
    """
    corners = np.asarray(cell, np.float64)
    side = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())
    x, y = corners.mean(axis=0)
    reach = ROUND * side
    left, top, right, bottom = (round(v) for v in (x - reach, y - reach, x + reach, y + reach))
    changed = picture.copy()
    part = changed[max(0, top) : bottom, max(0, left) : right]
    mishap = MISHAPS[int(rng.integers(len(MISHAPS)))]
    part[:] = _painted(part, _round_the_middle(part), mishap(rng, part.copy(), side))
    return changed


def _round_the_middle(part: Picture) -> Picture:
    """A mask that is 255 in the middle and falls to 0 towards the sides."""
    y, x = (np.minimum(1, (1 - np.abs(np.linspace(-1, 1, length))) / RIM) for length in part.shape[:2])
    return np.asarray(255 * np.minimum.outer(y, x), np.uint8)


def _colours(part: Picture) -> tuple[Floats, Floats]:
    """The colours of the ground, most of what is there, and of the ink, what differs most from it; BGR."""
    pixels = part.reshape(-1, 3).astype(np.float32)
    ground = np.median(pixels, axis=0)
    off = np.abs(pixels - ground).max(axis=1)
    return ground.astype(np.float32), np.median(pixels[off >= np.quantile(off, 0.95)], axis=0).astype(np.float32)


def _somewhere(rng: np.random.Generator, part: Picture, side: float) -> Points:
    """A point near the middle, in pixels."""
    middle = np.array(part.shape[1::-1]) / 2
    return np.asarray(middle + rng.uniform(-MIDDLE, MIDDLE, 2) * side)


def _painted(part: Picture, mask: Picture, colour: npt.ArrayLike) -> Picture:
    """``colour``, one or one for each pixel, laid on where a mask of 0..255 says, in part at its rim."""
    cover = mask[..., None].astype(np.float32) / 255
    return np.asarray(np.round(part * (1 - cover) + np.asarray(colour, np.float32) * cover), np.uint8)


def _line(rng: np.random.Generator, part: Picture, side: float, width: float) -> Picture:
    """The mask of a stroke right across, ``width`` of the cell's side wide."""
    angle, middle = rng.uniform(0, np.pi), _somewhere(rng, part, side)
    reach = side * np.array([np.cos(angle), np.sin(angle)])
    ends = [tuple(int(v) for v in np.round((middle + way * reach) * 2**SMOOTH_BITS)) for way in (-1, 1)]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.line(mask, ends[0], ends[1], 255, max(1, round(width * side)), cv2.LINE_AA, SMOOTH_BITS)
    return mask


def _rubbed(rng: np.random.Generator, part: Picture, side: float) -> Picture:
    """Rubbed out along a stroke, as by a fold in paper."""
    return _painted(part, _line(rng, part, side, rng.uniform(0.06, 0.25)), _colours(part)[0])


def _struck(rng: np.random.Generator, part: Picture, side: float) -> Picture:
    """Struck through in the ink's colour."""
    return _painted(part, _line(rng, part, side, rng.uniform(0.02, 0.1)), _colours(part)[1])


def _stained(rng: np.random.Generator, part: Picture, side: float) -> Picture:
    """A blot of ink on it."""
    mask = np.zeros(part.shape[:2], np.uint8)
    middle = tuple(int(v) for v in np.round(_somewhere(rng, part, side) * 2**SMOOTH_BITS))
    radius = round(rng.uniform(0.05, 0.18) * side * 2**SMOOTH_BITS)
    cv2.circle(mask, middle, radius, 255, -1, cv2.LINE_AA, SMOOTH_BITS)
    return _painted(part, mask, _colours(part)[1])


def _faded(rng: np.random.Generator, part: Picture, _side: float) -> Picture:
    """Hardly there, with a little noise."""
    ground, left = _colours(part)[0], rng.uniform(0.03, 0.3)
    shown = ground + (part.astype(np.float32) - ground) * left + rng.normal(0, 2, part.shape)
    return np.asarray(np.clip(np.round(shown), 0, 255), np.uint8)


def _smeared(rng: np.random.Generator, part: Picture, side: float) -> Picture:
    """Blurred."""
    return np.asarray(cv2.GaussianBlur(part, (0, 0), rng.uniform(0.03, 0.1) * side), np.uint8)


MISHAPS: tuple[Callable[[np.random.Generator, Picture, float], Picture], ...] = (
    _rubbed,
    _struck,
    _stained,
    _faded,
    _smeared,
)
"""Each takes a generator, the part of a picture round a cell's middle, and the cell's side in pixels."""
