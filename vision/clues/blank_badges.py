"""Badges without a number: on which of a board's badges the middle is as even as a blank one's.

On a strong colour white stands out more than on a pale one, and so does what compression makes of a blank badge. So
each badge is compared with what the ink of the numbers that were read would make of it.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.clues.badges import BLEND, LEAST_CONTRAST, Badge
from vision.pictures.medians import median, percentile
from vision.pictures.photo import Picture

NUMBER_ON_BADGE = 0.3
"""A badge carries a number when its middle is this restless, compared with badges whose numbers were read."""

MIDDLE = (0.32, 0.68)
"""Between these parts of a cell, both ways, lies the number of its badge, and no rim of a narrow one."""

INK = 92.0
"""Percentile of the differences of a badge's middle from its fill that only the number reaches."""

ANY_INK = 100.0
"""Grey levels by which the number on a badge may differ from it, where none was read."""


def blank_badges(crops: Sequence[Picture], badges: Sequence[Badge | None], read: Sequence[int]) -> set[int]:
    """Which of some cells have badges that carry no number.

    Args:
        crops: the pictures of the cells, ``uint8 (h, w, 3)``.
        badges: what stands on each.
        read: on which of them a number was read.
    """
    there = {i: found for i, found in enumerate(badges) if found is not None}
    inks = [_strongest(crops[i], there[i]) for i in read if i in there]
    part = {i: restless(crops[i], found) / _made_by(inks, found) for i, found in there.items()}
    usual = median([part[i] for i in read if i in there]) if inks else 1.0
    return {i for i in there if part[i] < NUMBER_ON_BADGE * usual}


def restless(crop: Picture, found: Badge) -> float:
    """How much the strongest few per cent of a badge's middle differ from its fill, in grey levels."""
    return percentile(np.abs(_within(crop, found) - found.fill_bgr).max(axis=1), INK)


def _strongest(crop: Picture, found: Badge) -> npt.NDArray[np.float64]:
    """The colour of these few per cent, ``float64 (3,)``: that of a badge's number."""
    middle = _within(crop, found)
    off = np.abs(middle - found.fill_bgr).max(axis=1)
    return np.asarray(middle[off >= percentile(off, INK)].mean(axis=0))


def _within(crop: Picture, found: Badge) -> npt.NDArray[np.float64]:
    """The pixels of a badge's middle, ``float64 (N, 3)``; a badge may stand a bit off the middle of its cell."""
    left, top, right, bottom = found.box
    rows, cols = _inside(top, bottom, crop.shape[0]), _inside(left, right, crop.shape[1])
    return crop[rows, cols].reshape(-1, 3).astype(np.float64)


def _inside(first: float, last: float, length: int) -> slice:
    """The middle of a cell of so many pixels, moved as far as a badge between these parts of it asks for."""
    a, b = MIDDLE
    _, moved, _ = sorted((0.0, first + BLEND - a, last - BLEND - b))
    return slice(round((a + moved) * length), round((b + moved) * length))


def _made_by(inks: Sequence[npt.NDArray[np.float64]], found: Badge) -> float:
    """Grey levels by which such inks commonly differ from a badge."""
    off = [float(np.abs(ink - found.fill_bgr).max()) for ink in inks]
    return max(LEAST_CONTRAST, median(off)) if off else ANY_INK
