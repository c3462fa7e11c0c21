"""What the cells of a ball board look like: the colour of each, and the colour of the tray between them.

All colours are CIELAB with the lightness shortened: two balls of one piece differ in how much light they get far more
than in hue. A cell's colour is the median over a ring about its middle: the middle itself may carry a printed letter, a
highlight or the dark bottom of a pit, the rim a shadow. The median does not mind a highlight of less than half of it.

Shading tells a white ball from a white pit: one is bright towards the lamp, the other away from it. On real and drawn
boards it spreads less than the colours do, so it counts as much.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from solvers.balls import Tray
from vision.pictures.flatten import flatten
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]

SIDE_PX = 28
"""Pixels of a cell in the flat board: a ring of 0.16 cells has 4, enough for a median over some 200 pixels."""

RING = (0.13, 0.31)
"""The ring from which a cell's colour is taken, in cells from its middle: inside the smallest printed discs (0.32)."""

CORNER = 0.10
"""Half the side of the squares at the corners of a cell where the tray shows between four balls."""

LIGHTNESS = 0.6
"""Weight of a step in lightness against one in colour."""


JOINT = 0.07
"""Half the side of the square in the middle between two cells where a neck joins the balls of a piece."""

TELLING = 10.0
"""Distance of a cell's colour from the tray's below which a joint between cells cannot be told from a gap."""


@dataclass(frozen=True, eq=False)
class Looks:
    """The looks of a board's cells, in the order of ``tray.cells``.

    Attributes:
        colours: ``float64 (cells, 3)``, weighted CIELAB ``(0.6 L, a, b)``.
        shading: ``float64 (cells, 4)``: how much lighter the cell is on its right than on its left, below than above,
            and at its rim than in its ring; and how much lighter (darker, mostly) a ring round it is than both the cell
            and the tray: its outline.
        gaps: ``float64 (cells, 3)``, the colour of the tray at each cell's corners.
        joints: for two neighbours by their numbers, the smaller first, how far the middle between them has the colour
            of the cells (1) and not that of the tray beside it (0); 0.5 where that cannot be told.
        bgr: ``uint8 (cells, 3)``, the colours for drawing.
        flat: the flat board, ``uint8``.
    """

    colours: Floats
    shading: Floats
    gaps: Floats
    joints: dict[tuple[int, int], float]
    bgr: npt.NDArray[np.uint8]
    flat: Picture

    @property
    def signature(self) -> Floats:
        """Colours and shading side by side, ``(cells, 7)``."""
        return np.hstack([self.colours, self.shading])


def lattice_placement(placement: FlatPlacement, tray: Tray) -> FlatPlacement:
    """The board's lattice as a grid of unit squares, each with a pit in its middle."""
    points = np.array([tray.point(cell) for cell in tray.cells], np.float64) + 0.5
    board = np.array([tray.layout.centre(cell) for cell in tray.cells])
    affine, *_ = np.linalg.lstsq(np.column_stack([points, np.ones(len(points))]), board, rcond=None)
    to_board = np.vstack([affine.T, (0, 0, 1)])
    width, height = np.ceil(points.max(axis=0))
    return FlatPlacement(np.asarray(placement.matrix @ to_board, np.float64), (float(width), float(height)))


def look(photo: Photo, placement: FlatPlacement, tray: Tray) -> Looks:
    """Measure the cells of a board that lies at ``placement``."""
    flat = flatten(photo, lattice_placement(placement, tray), SIDE_PX)
    lab = np.asarray(cv2.cvtColor(flat.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)
    lab[..., 0] *= LIGHTNESS
    y, x = (np.mgrid[0:SIDE_PX, 0:SIDE_PX] + 0.5) / SIDE_PX - 0.5
    far = np.hypot(x, y)
    ring = (far > RING[0]) & (far < RING[1])
    rim = (far > 0.36) & (far < 0.44)
    rings = [(far >= radius) & (far < radius + 0.04) for radius in np.arange(0.28, 0.5, 0.04)]
    corner = (np.abs(x) > 0.5 - CORNER) & (np.abs(y) > 0.5 - CORNER)
    sides = [ring & (x > 0.1), ring & (x < -0.1), ring & (y > 0.1), ring & (y < -0.1)]
    colours, gaps, paints, shading = [], [], [], []
    for cell in tray.cells:
        col, row = tray.point(cell)
        area = np.s_[row * SIDE_PX : (row + 1) * SIDE_PX, col * SIDE_PX : (col + 1) * SIDE_PX]
        patch = lab[area]
        colours.append(np.median(patch[ring], axis=0))
        gaps.append(np.median(patch[corner], axis=0))
        paints.append(np.median(flat[area][ring], axis=0))
        right, left, below, above = (float(np.median(patch[side][:, 0])) for side in sides)
        lightness = float(colours[-1][0])
        darkest = min(float(np.median(patch[one][:, 0])) for one in rings)
        outline = darkest - min(lightness, float(gaps[-1][0]))
        shading.append((right - left, below - above, float(np.median(patch[rim][:, 0])) - lightness, outline))
    own = np.array(colours, np.float64)
    return Looks(
        own,
        np.array(shading, np.float64),
        np.array(gaps, np.float64),
        _joints(lab, own, tray),
        np.array(paints).astype(np.uint8),
        flat,
    )


def _joints(lab: npt.NDArray[np.float32], colours: Floats, tray: Tray) -> dict[tuple[int, int], float]:
    """How far each two neighbours look joined."""
    number = {cell: k for k, cell in enumerate(tray.cells)}
    half = max(1, round(JOINT * SIDE_PX))
    found = {}
    for cell, k in number.items():
        here = np.array(tray.point(cell)) + 0.5
        for other in tray.layout.neighbours[cell]:
            if other is None or number[other] < k:
                continue
            step = np.array(tray.point(other)) + 0.5 - here
            middle = here + step / 2
            across = np.array((step[1], step[0])) / 2
            between = _patch(lab, middle, half)
            beside = (_patch(lab, middle + across, half) + _patch(lab, middle - across, half)) / 2
            balls = (colours[k] + colours[number[other]]) / 2
            if np.linalg.norm(balls - beside) < TELLING:
                found[k, number[other]] = 0.5
                continue
            to_tray, to_balls = float(np.linalg.norm(between - beside)), float(np.linalg.norm(between - balls))
            found[k, number[other]] = to_tray / max(1e-6, to_tray + to_balls)
    return found


def _patch(lab: npt.NDArray[np.float32], middle: Floats, half: int) -> Floats:
    x, y = (round(float(v) * SIDE_PX) for v in middle)
    top, left = max(0, y - half), max(0, x - half)
    return np.asarray(np.median(lab[top : y + half + 1, left : x + half + 1].reshape(-1, 3), axis=0), np.float64)
