"""Brushes for the threads of a cloth: round ones, and straight strokes that tell what runs on where it is hidden."""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.photo import Picture

GOES_ON, RUN, DIRECTIONS = 0.5, 0.35, 24
"""Over so much of a cell a thread goes on where it is hidden, straight on from where it is seen for so long, in one of
so many directions: patches with bent sides meet above it, clues stand on it."""


def disc(diameter_px: int) -> Picture:
    """A round brush."""
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (diameter_px, diameter_px)), dtype=np.uint8)


def brushes(length_px: float, directions: int = DIRECTIONS) -> Iterator[Picture]:
    """Brushes that are straight strokes, one for each direction."""
    size = 2 * int(np.ceil(length_px / 2)) + 1
    for angle in np.arange(directions) * np.pi / directions:
        reach = np.array([np.cos(angle), np.sin(angle)]) * length_px / 2
        brush = np.zeros((size, size), dtype=np.uint8)
        first, last = (tuple(int(v) for v in np.rint(size // 2 + sign * reach)) for sign in (-1, 1))
        yield np.asarray(cv2.line(brush, first, last, 1), dtype=np.uint8)


def continued(lines: npt.NDArray[Any], side_px: float) -> npt.NDArray[np.bool_]:
    """Lines with their gaps closed where they go straight on; ``side_px`` is that of a usual cell."""
    seen = np.pad((lines > 0).astype(np.uint8), margin := int(side_px * GOES_ON) + 1)
    found = np.zeros_like(seen)
    for run, gap in zip(brushes(RUN * side_px), brushes(GOES_ON * side_px), strict=True):
        straight = cv2.morphologyEx(seen, cv2.MORPH_OPEN, run)
        if straight.any():
            found = np.maximum(found, cv2.morphologyEx(straight, cv2.MORPH_CLOSE, gap))
    return np.asarray(found[margin:-margin, margin:-margin] > 0, dtype=np.bool_)
