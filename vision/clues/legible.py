"""Whether a board is too small or too blurred in a picture for its numbers to be read."""

import cv2
import numpy as np
import numpy.typing as npt

from solvers.message import Message
from vision.clues.ink import FLAT_PX, flat_side
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.gradients import squared
from vision.pictures.medians import median
from vision.pictures.photo import Photo
from vision.pictures.placement import Placement

LEAST_PX, ENOUGH_PX = 12.0, 16.0
"""Sides of a cell below which fewer than half of drawn boards are read, and from which on nearly all are (``python -m
benchmarks.small``)."""

AGAIN, SHARP = 1.0, 0.6
"""Standard deviations in pixels of the Gaussian with which a picture is blurred once more, and of that which blurs a
sharp one."""

EDGES = 0.98
"""Quantile of the gradients from which on they are those of edges."""

LEAST_SLOPE = 1e-3
"""Of an edge, in grey levels: nothing is divided by less."""


def illegible(photo: Photo, placement: Placement) -> str:
    """Why numbers on a board are likelier misread than not, with the size that they need; empty where they are not."""
    side = cell_side_px(placement) / photo.scale
    if side < LEAST_PX:
        return Message(
            "its cells are {side:.0f} pixels wide; numbers are read from {enough:.0f} on: take it larger",
            side=side,
            enough=ENOUGH_PX,
        )
    shown = sharp_px(photo, placement)
    if shown >= LEAST_PX:
        return ""
    return Message(
        "its cells are {side:.0f} pixels wide, and so blurred that they show no more than {shown:.0f} pixels would; "
        "numbers are read from {enough:.0f} on: take it larger or sharper",
        side=side,
        shown=shown,
        enough=ENOUGH_PX,
    )


def sharp_px(photo: Photo, placement: Placement) -> float:
    """The side in pixels that cells would have in a sharp picture which shows as much of them.

    A step blurred by a Gaussian is as much flatter when it is blurred once more as the ratio of the two widths [1]_.

    .. [1] S. Zhuo, T. Sim, "Defocus map estimation from a single image", Pattern Recognition 44(9), 2011.
    """
    side = flat_side(placement, FLAT_PX)
    gray = np.asarray(cv2.cvtColor(flatten(photo, placement, side), cv2.COLOR_BGR2GRAY), np.float32)
    steep, flatter = (_slopes(one) for one in (gray, np.asarray(cv2.GaussianBlur(gray, (0, 0), AGAIN), np.float32)))
    edges = steep >= np.quantile(steep, EDGES)
    ratio = median(steep[edges] / np.maximum(flatter[edges], LEAST_SLOPE))
    blur = AGAIN / max(ratio**2 - 1, LEAST_SLOPE) ** 0.5
    return float(SHARP * side / blur)


def _slopes(gray: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The length of the gradient, ``float32 (H, W)``."""
    dx, dy = (np.asarray(cv2.Sobel(gray, cv2.CV_32F, *axes, ksize=3)) for axes in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt(squared(dx, dy)), np.float32)
