"""Draws a grid laid along the rims of pits to their middles.

A finder of ruled boards takes the rims of square pits for lines: on one side of the board their left rims, on the other
their right ones. The cells of such a grid lie beside the pits, by up to a third of a cell.
"""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from solvers.ball_trays import Tray
from vision.balls.lattice import robust_homography
from vision.balls.looks import SIDE_PX, weighted_lab
from vision.pictures.bending import regrown
from vision.pictures.flatten import flatten
from vision.pictures.medians import medians, percentile
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]

AROUND = 0.75
"""How far round the middle of a cell is looked for the rim of what stands there, in cells."""

SMALLEST = 0.3
"""Side of the smallest things that stand in cells."""

BACKGROUND = 80
"""Percentile of the differences to a cell's middle that is the difference to the tray: pits take up half at most."""

CONTRAST = 6.0
"""Least difference to the tray, in weighted CIELAB steps, for a rim to be told from noise."""

OFF = 0.12
"""Most that a middle may lie off the others, in cells."""


def centred(photo: Photo, placement: FlatPlacement, tray: Tray) -> FlatPlacement:
    """The placement with the cells of ``tray``, squares of side 1, on the middles of what stands free in them.

    As it was where too little stands free.
    """
    pixels = weighted_lab(flatten(photo, regrown(placement, (1, 1, 1, 1)), SIDE_PX))
    centres = np.array(tray.centres)
    middles = [_middle(pixels, (centre + 1) * SIDE_PX) for centre in centres]
    free = [k for k, middle in enumerate(middles) if middle is not None]
    found = np.array([middle for middle in middles if middle is not None]).reshape(-1, 2) / SIDE_PX - 1
    onto = robust_homography(centres[free], found, OFF)
    return placement if onto is None else replace(placement, matrix=placement.matrix @ onto)


def _middle(pixels: npt.NDArray[np.float32], centre: Floats) -> Floats | None:
    """The middle ``(x, y)`` of what stands at a point and ends on all sides not far from it; None where nothing does.

    Args:
        pixels: weighted CIELAB of the flat board, ``(H, W, 3)``.
        centre: the point, in pixels.
    """
    reach = round(AROUND * SIDE_PX)
    left, top = (round(float(part)) - reach for part in centre)
    window = pixels[top : top + 2 * reach, left : left + 2 * reach]
    own = medians(window[reach - 2 : reach + 2, reach - 2 : reach + 2].reshape(-1, 3))
    apart = np.linalg.norm(window - own, axis=2)
    tray = percentile(apart, BACKGROUND)
    if tray < CONTRAST:
        return None
    _, part, boxes, _ = cv2.connectedComponentsWithStats((apart < tray / 2).astype(np.uint8), connectivity=4)
    x, y, wide, high = boxes[part[reach, reach]][:4].tolist()
    free = part[reach, reach] > 0 and min(x, y) > 0 and max(x + wide, y + high) < 2 * reach
    if not free or min(wide, high) < SMALLEST * SIDE_PX:
        return None
    return np.array((left + x + wide / 2, top + y + high / 2))
