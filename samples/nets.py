"""Where a board's cells lie in a drawn picture: a *net* maps board units to pixels and knows each cell's borders.

A straight net and a bent one differ only in that map, so every look can be drawn on both.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from samples.canvas import Points, rounded_outline
from solvers.board import Cell
from solvers.stitch import Stitch

EDGE_POINTS = 9
"""Points along a border of a bent cell."""


@dataclass(frozen=True)
class Net:
    """Where a board's cells lie in the picture.

    Attributes:
        to_px: maps points ``(N, 2)`` in board units to pixels.
        side: the mean side of a cell in pixels.
        cells: the board's cells.
        points: how many points a border needs: 2 where it is straight.
    """

    to_px: Callable[[npt.ArrayLike], Points]
    side: float
    cells: frozenset[Cell]
    points: int = 2

    def border(self, cell: Cell, side: int) -> Points:
        """The border of a cell on one side, clockwise."""
        row, col = cell
        corners = [(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)]
        start, end = np.array(corners[side], float), np.array(corners[(side + 1) % 4], float)
        steps = np.linspace(0, 1, self.points)[:, None]
        return self.to_px(start + (end - start) * steps)

    def outline(self, cells: Collection[Cell], inset: float = 0.0, radius: float = 0.0) -> Points:
        """The outline of a rectangle of cells, drawn in by ``inset`` and with round corners, in cells."""
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        bottom, right = max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1
        plain = rounded_outline((left + inset, top + inset, right - inset, bottom - inset), 0)
        scale = 1000.0  # rounded_outline leaves radii of under half a pixel away
        if radius > 0:
            box = (left + inset, top + inset, right - inset, bottom - inset)
            plain = (
                rounded_outline((box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale), radius * scale)
                / scale
            )
        return self.to_px(_dense(plain) if self.points > 2 else plain)

    def centre(self, cell: Cell) -> Points:
        """The middle of a cell, ``(2,)``."""
        return np.asarray(self.to_px([(cell[1] + 0.5, cell[0] + 0.5)])[0])

    def scaled(self, factor: float, offset: tuple[float, float]) -> "Net":
        """The net in a picture that begins at ``offset`` and is ``factor`` times as large."""
        origin = np.array(offset)
        return Net(lambda p: (self.to_px(p) - origin) * factor, self.side * factor, self.cells, self.points)


def _dense(outline: Points) -> Points:
    """An outline with points close enough together to follow a bend."""
    ends = np.vstack([outline[1:], outline[:1]])
    steps = np.linspace(0, 1, EDGE_POINTS, endpoint=False)[:, None]
    return np.vstack([start + (end - start) * steps for start, end in zip(outline, ends, strict=True)])


def straight_net(puzzle: Stitch, box: tuple[float, float, float, float]) -> Net:
    """Square cells that fill ``box`` (left, top, right, bottom), whole pixels as apps lay them."""
    left, top, right, bottom = box
    side = min((right - left) / puzzle.cols, (bottom - top) / puzzle.rows)
    side = float(np.floor(side)) if side > 12 else side
    x0 = round((left + right - side * puzzle.cols) / 2)
    y0 = round((top + bottom - side * puzzle.rows) / 2)

    def to_px(points: npt.ArrayLike) -> Points:
        return np.asarray(points, np.float64) * side + (x0, y0)

    return Net(to_px, side, frozenset(puzzle.cells))


def bent_net(rng: np.random.Generator, puzzle: Stitch, box: tuple[float, float, float, float], bend: float) -> Net:
    """Cells bent like a piece of cloth in a hoop: a fan, waves, a turn, and corners pulled about.

    The map is smooth; a bend that would fold it is drawn again, weaker.
    """
    rows, cols = puzzle.rows, puzzle.cols
    while True:
        warp = _warp(rng, rows, cols, bend)
        y, x = np.mgrid[0 : rows + 0.01 : 0.25, 0 : cols + 0.01 : 0.25]
        warped = warp(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2)
        along_x, along_y = np.diff(warped, axis=1)[:-1], np.diff(warped, axis=0)[:, :-1]
        turned = along_x[..., 0] * along_y[..., 1] - along_x[..., 1] * along_y[..., 0]
        if turned.min() > 0.3 * turned.mean():
            break
        bend *= 0.85
    edges = np.vstack([warp(cell_outline(cell)) for cell in puzzle.cells])
    low, high = edges.min(axis=0), edges.max(axis=0)
    left, top, right, bottom = box
    scale = float(min((right - left) / (high - low)[0], (bottom - top) / (high - low)[1]))
    shift = np.array([(left + right) / 2, (top + bottom) / 2]) - scale * (low + high) / 2

    def to_px(points: npt.ArrayLike) -> Points:
        return np.asarray(warp(np.asarray(points, np.float64)) * scale + shift)

    side = scale * float(np.sqrt(np.abs(turned).mean())) * 4
    return Net(to_px, side, frozenset(puzzle.cells), EDGE_POINTS)


def cell_outline(cell: Cell) -> Points:
    """The outline of a cell in board units, with points close enough to follow a bend, ``(N, 2)``."""
    row, col = cell
    return _dense(np.array([(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)], np.float64))


def _warp(rng: np.random.Generator, rows: int, cols: int, bend: float) -> Callable[[Points], Points]:
    """A smooth map of board units to a plane, with cells of about unit size."""
    fan = rng.uniform(-1, 1) * bend * min(1.2, 0.16 * cols)
    turn = rng.uniform(-0.25, 0.25) * bend
    waves = [(rng.normal(0, 0.16 * bend, 2), rng.uniform(0.35, 1.1, 2), rng.uniform(0, 2 * np.pi)) for _ in range(4)]
    # Corners pulled about: a cubic surface through random shifts at the corners.
    pulled = rng.normal(0, 0.05 * bend, (rows + 7, cols + 7, 2)).astype(np.float32)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])

    def warp(points: Points) -> Points:
        xy = np.asarray(points, np.float64).reshape(-1, 2)
        moved = xy.copy()
        for size, rate, phase in waves:
            moved += np.sin(xy @ rate + phase)[:, None] * size
        at = (xy + 3).astype(np.float32)
        shift = cv2.remap(pulled, at[:, :1].copy(), at[:, 1:].copy(), cv2.INTER_CUBIC).reshape(-1, 2)
        moved += shift
        if abs(fan) > 1e-3:
            radius = cols / fan
            angle = (moved[:, 0] - cols / 2) / radius
            reach = radius + rows / 2 - moved[:, 1]
            moved = np.column_stack([reach * np.sin(angle), -reach * np.cos(angle)])
        return np.asarray(moved @ rotation.T)

    return warp
