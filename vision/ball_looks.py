"""What the cells of a ball board look like: the colour of each, and the colour of the tray between them.

All colours are CIELAB with the lightness shortened: two balls of one piece differ in how much light they get far more
than in hue. A cell's colour is the median over a ring about its middle: the middle itself may carry a printed letter, a
highlight or the dark bottom of a pit, the rim a shadow. The median does not mind a highlight of less than half the ring.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from solvers.balls import Tray
from vision.flatten import flatten
from vision.photo import Photo, Picture
from vision.placement import FlatPlacement

Floats = npt.NDArray[np.float64]

SIDE_PX = 28
"""Pixels of a cell in the flat board: a ring of 0.16 cells has 4, enough for a median over some 200 pixels."""

RING = (0.13, 0.31)
"""The ring from which a cell's colour is taken, in cells from its middle: inside the smallest printed discs (0.32)."""

CORNER = 0.10
"""Half the side of the squares at the corners of a cell where the tray shows between four balls."""

LIGHTNESS = 0.6
"""Weight of a step in lightness against one in colour."""


@dataclass(frozen=True, eq=False)
class Looks:
    """The colours of a board's cells.

    Attributes:
        colours: ``float64 (cells, 3)``, weighted CIELAB ``(0.6 L, a, b)``, in the order of ``tray.cells``.
        gaps: ``float64 (cells, 3)``, the same of the tray at each cell's corners.
        bgr: ``uint8 (cells, 3)``, the colours for drawing.
        flat: the flat board, ``uint8``.
    """

    colours: Floats
    gaps: Floats
    bgr: npt.NDArray[np.uint8]
    flat: Picture


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
    lab = cv2.cvtColor(flat.astype(np.float32) / 255, cv2.COLOR_BGR2LAB) * np.float32((LIGHTNESS, 1, 1))
    y, x = (np.mgrid[0:SIDE_PX, 0:SIDE_PX] + 0.5) / SIDE_PX - 0.5
    far = np.hypot(x, y)
    ring = (far > RING[0]) & (far < RING[1])
    corner = (np.abs(x) > 0.5 - CORNER) & (np.abs(y) > 0.5 - CORNER)
    colours, gaps, paints = [], [], []
    for cell in tray.cells:
        col, row = tray.point(cell)
        area = np.s_[row * SIDE_PX : (row + 1) * SIDE_PX, col * SIDE_PX : (col + 1) * SIDE_PX]
        colours.append(np.median(lab[area][ring], axis=0))
        gaps.append(np.median(lab[area][corner], axis=0))
        paints.append(np.median(flat[area][ring], axis=0))
    return Looks(np.array(colours, np.float64), np.array(gaps, np.float64), np.array(paints).astype(np.uint8), flat)
