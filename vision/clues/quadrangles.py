"""Cells of a bent board as figures of four curves, and which of them share a side.

A figure's corners are the four of its outline's main points that span the most; between them run its curves. Where two
figures touch, the border belongs to one curve of each.
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.placement import Points

SIDE_POINTS = 9
"""Points along each side of a cell."""

FINE_POINTS = 33
"""Points along a side where distances are measured from it."""

SPIKE = 0.12
"""Spikes of a cell that are thinner than this part of its side ran along a thread and are cut off."""


@dataclass(frozen=True, eq=False)
class Quad:
    """A figure as four curves, clockwise from any corner; curve ``s`` runs from corner ``s`` to corner ``s + 1``.

    Attributes:
        curves: ``float64 (K, 2)`` each, evenly spaced.
        area_px: within the middles of the pixels along its outline, as the corners are.
    """

    curves: tuple[Points, Points, Points, Points]
    area_px: float

    def nearest(self, points: Points) -> int:
        """The curve that runs closest to a row of points."""
        fine = [_resampled(curve, FINE_POINTS) for curve in self.curves]
        away = [np.linalg.norm(points[:, None] - curve[None], axis=2).min(axis=1).mean() for curve in fine]
        return int(np.argmin(away))

    @property
    def upright(self) -> int:
        """The curve whose middle lies highest above the figure's own."""
        return int((self.middles - self.middles.mean(axis=0))[:, 1].argmin())

    def length_px(self, side: int) -> float:
        """Length of a curve."""
        return float(np.linalg.norm(np.diff(self.curves[side], axis=0), axis=1).sum())

    @property
    def middles(self) -> Points:
        """The middle of each curve, ``(4, 2)``."""
        return np.array([curve[len(curve) // 2] for curve in self.curves])

    @property
    def fit(self) -> float:
        """The area between the corners, as a part of the figure's own."""
        return abs(_area(np.array([curve[0] for curve in self.curves]))) / 2 / max(1.0, self.area_px)


class Tie(NamedTuple):
    """Where two figures touch, as seen from one of them.

    Attributes:
        other: the number of the other figure.
        mine: our curve.
        yours: the other's curve.
        shared: the part of their curves, in the mean, that they share: a slim one may meet another at its corner.
        dyed: the part of the border that is dyed.
    """

    other: int
    mine: int
    yours: int
    shared: float
    dyed: float


def quads(labels: npt.NDArray[np.int32], numbers: Collection[int], side_px: float) -> dict[int, Quad]:
    """The figures with these numbers; ``side_px`` is the usual cell's side."""
    size = max(3, round(SPIKE * side_px) | 1)
    brush = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)
    return {number: _quad((labels == number).astype(np.uint8), brush) for number in numbers}


def ties(labels: npt.NDArray[np.int32], figures: dict[int, Quad], dyed: npt.NDArray[np.bool_]) -> dict[int, list[Tie]]:
    """For each figure those that it touches."""
    found: dict[int, list[Tie]] = {number: [] for number in figures}
    for (a, b), points in borders(labels).items():
        if a not in figures or b not in figures:
            continue
        sides = figures[a].nearest(points), figures[b].nearest(points)
        rows, cols = np.rint(points[:, 1]).astype(int), np.rint(points[:, 0]).astype(int)
        length, colour = float(np.hypot(*np.ptp(points, axis=0))), float(dyed[rows, cols].mean())
        shared = length / float(np.mean([figures[n].length_px(side) for n, side in zip((a, b), sides, strict=True)]))
        found[a].append(Tie(b, sides[0], sides[1], shared, colour))
        found[b].append(Tie(a, sides[1], sides[0], shared, colour))
    return found


def _resampled(curve: Points, count: int) -> Points:
    """The curve as so many points, evenly spaced."""
    steps = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))])
    at = np.linspace(0, steps[-1], count)
    return np.column_stack([np.interp(at, steps, curve[:, axis]) for axis in (0, 1)])


def _quad(mask: npt.NDArray[Any], brush: npt.NDArray[Any]) -> Quad:
    """The four curves round a figure: its outline cut at the corners of the quadrilateral that fits it best."""
    smooth = cv2.morphologyEx(mask, cv2.MORPH_OPEN, brush)
    contours, _ = cv2.findContours(smooth if smooth.any() else mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(contours, key=cv2.contourArea).reshape(-1, 2).astype(np.float64)
    if _area(outline) < 0:
        outline = outline[::-1]
    corners = sorted(_corners(outline))
    cuts = [*corners, corners[0] + len(outline)]
    around = np.concatenate([outline, outline])
    curves = [_resampled(around[a : b + 1], SIDE_POINTS) for a, b in pairwise(cuts)]
    return Quad((curves[0], curves[1], curves[2], curves[3]), abs(_area(outline)) / 2)


def _corners(outline: Points) -> list[int]:
    """Where on the outline the four corners lie: of the outline's main points, the four that span the most."""
    length = cv2.arcLength(outline.astype(np.float32), True)
    for part in (0.03, 0.02, 0.012):
        points = cv2.approxPolyDP(outline.astype(np.float32), part * length, True).reshape(-1, 2)
        if len(points) >= 4:
            break
    else:
        points = cv2.boxPoints(cv2.minAreaRect(outline.astype(np.float32)))
    hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2)
    points = hull if len(hull) >= 4 else points
    best = max(combinations(range(len(points)), 4), key=lambda four: abs(_area(points[list(four)])))
    nearest = [int(np.linalg.norm(outline - points[index], axis=1).argmin()) for index in best]
    return nearest if len(set(nearest)) == 4 else [k * len(outline) // 4 for k in range(4)]


def _area(points: npt.NDArray[Any]) -> float:
    """Twice the area inside a polygon, positive when it runs clockwise as seen (y down)."""
    x, y = points[:, 0], points[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def borders(labels: npt.NDArray[np.int32]) -> dict[tuple[int, int], Points]:
    """For each pair of figures that touch, the points of their border."""
    found: dict[tuple[int, int], list[Points]] = {}
    for ahead, offset in ((labels[:, 1:], (0.5, 0.0)), (labels[1:], (0.0, 0.5))):
        behind = labels[:, :-1] if offset[0] else labels[:-1]
        rows, cols = np.nonzero((behind != ahead) & (behind > 0) & (ahead > 0))
        low, high = np.minimum(behind, ahead)[rows, cols], np.maximum(behind, ahead)[rows, cols]
        points = np.column_stack([cols + offset[0], rows + offset[1]])
        for pair in np.unique(np.column_stack([low, high]), axis=0):
            here = (low == pair[0]) & (high == pair[1])
            found.setdefault((int(pair[0]), int(pair[1])), []).append(points[here])
    return {pair: np.concatenate(parts) for pair, parts in found.items()}
