"""Whether a triangle of balls is but half of a square grid: beyond its longest side the lattice then goes on."""

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import Tray
from vision.cells.reader import crops
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]

GOES_ON = 0.5
"""Correlation of the mean cell beyond the triangle with the mean cell inside from which the lattice goes on. Trays have
0.4 at most, square grids 0.6 and more."""


def goes_on(photo: Photo, placement: FlatPlacement, tray: Tray) -> float:
    """How much the cells beyond the longest side of a triangle look like those inside, -1..1: the correlation of their
    means, which keep what the lattice repeats and lose what stands on single cells. 0 for trays of other shapes.
    """
    centres = np.asarray(tray.centres, np.float64)
    apart = centres[:, None] - centres
    near = apart[np.isclose(np.linalg.norm(apart, axis=-1), 1)]
    right, down = near[0], near[np.argmax(np.abs(near @ near[0]) < 1e-6)]
    lattice = np.array([(right[0], down[0], 0), (right[1], down[1], 0), (0, 0, 1)], np.float64)
    at = np.rint((centres - centres[0]) @ np.linalg.inv(lattice[:2, :2]).T).astype(int)
    low, size = at.min(axis=0), np.ptp(at, axis=0) + 1
    lattice[:2, 2] = centres[0] + lattice[:2, :2] @ (low - 0.5)
    inside = np.zeros(size[::-1], bool)
    inside[tuple((at - low).T[::-1])] = True
    if inside.all():
        return 0.0
    seen = crops(photo, FlatPlacement(placement.matrix @ lattice, (float(size[0]), float(size[1]))))
    gray = seen.mean(axis=-1)
    means = [gray[part.ravel()].mean(axis=0) for part in (inside, ~inside)]
    return float(np.corrcoef(means[0].ravel(), means[1].ravel())[0, 1])
