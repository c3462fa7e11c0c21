"""Is it a queen or a knight? What a flat silhouette of a chess piece tells, whatever set it is drawn in.

A knight is the only piece that is not its own mirror image. Among the symmetric ones the queen alone has a crown of
points that spread wide and reach about equally high, with deep gaps between; a king's cross rises alone above his
shoulders, a bishop and a pawn end in one narrow head, and a rook's battlements are wide but shallow. These are measures
of the outline, not pictures to compare with, so that a set nobody has seen still has them.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Name = Literal["queen", "knight", "other"]

HEIGHT_PX = 48
"""Silhouettes are measured at this height, so that one pixel is always the same part of a piece."""

CREST = 0.05
"""Least depth of the gaps on both sides of a point of a crown, of the piece's height."""


@dataclass(frozen=True)
class Measures:
    """Measures of a silhouette; lengths are parts of its height.

    Attributes:
        aspect: width.
        lopsided: how much it differs from its mirror image, 0..1 (one minus the overlap of the two).
        points: points of its upper outline.
        spread: distance of the outermost points, of the width of the piece.
        level: how far the lower of the outermost points lies below the top.
        gap: depth of the deepest gap between the outermost points, below the lower of its two neighbours.
        head: width of the piece a fifth of its height below the top, of its whole width.
        brow: the same a tenth below the top.
        upended: overlap with its upside-down self, 0..1.
        full: part of its box that it fills.
    """

    aspect: float
    lopsided: float
    points: int
    spread: float
    level: float
    gap: float
    head: float
    brow: float
    upended: float
    full: float


def measure(mask: Mask, stretch: float = 1.0) -> Measures:
    """The measures of ``mask``, ``bool (H, W)``, not empty, whose pixels are ``stretch`` times as high as wide."""
    rows, cols = np.nonzero(mask.any(axis=1))[0], np.nonzero(mask.any(axis=0))[0]
    box = mask[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    width = max(3, round(box.shape[1] / box.shape[0] / stretch * HEIGHT_PX))
    grown = cv2.resize(box.astype(np.float32), (width, HEIGHT_PX), interpolation=cv2.INTER_AREA)
    shape = np.asarray(grown > 0.5)
    top = np.where(shape.any(axis=0), shape.argmax(axis=0), HEIGHT_PX).astype(np.float64) / HEIGHT_PX
    crest = _points(top)
    gaps = [float(top[a : b + 1].max() - max(top[a], top[b])) for a, b in pairwise(crest)]
    return Measures(
        aspect=width / HEIGHT_PX,
        lopsided=_lopsided(shape),
        points=len(crest),
        spread=(crest[-1] - crest[0]) / width if crest else 0.0,
        level=float(max(top[crest[0]], top[crest[-1]])) if crest else 1.0,
        gap=max(gaps, default=0.0),
        head=_width(shape[HEIGHT_PX // 5]),
        brow=_width(shape[HEIGHT_PX // 10]),
        upended=float((shape & shape[::-1]).sum() / (shape | shape[::-1]).sum()),
        full=float(shape.mean()),
    )


def _width(row: Mask) -> float:
    """The distance of the outermost pixels of a row, of its length."""
    at = np.nonzero(row)[0]
    return float(np.ptp(at) + 1) / len(row) if len(at) else 0.0


def _points(top: Floats) -> list[int]:
    """The columns of the points of an upper outline: highest places with a gap of ``CREST`` on each side."""
    points: list[int] = []
    best, lowest = 0, 0.0
    rising = True
    for x, y in enumerate(top):
        if rising:
            if y < top[best]:
                best = x
            elif y > top[best] + CREST:
                points.append(best)
                rising, lowest = False, y
        else:
            lowest = max(lowest, y)
            if y < lowest - CREST:
                rising, best = True, x
    if rising and top[best] < 1 - CREST:
        points.append(best)
    return points


def _lopsided(shape: Mask) -> float:
    """One minus the overlap with the mirror image, about the best upright axis near the middle."""
    width = shape.shape[1]
    reach = max(1, width // 8)
    padded = np.pad(shape, ((0, 0), (reach, reach)))
    best = 0.0
    for shift in range(-reach, reach + 1):
        mirrored = np.roll(padded[:, ::-1], shift, axis=1)
        best = max(best, float((padded & mirrored).sum() / (padded | mirrored).sum()))
    return 1 - best
