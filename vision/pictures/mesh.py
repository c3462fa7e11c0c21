"""Where a bent board lies: every cell with four sides of its own, each a curve.

A point of the board lies in one cell; its place there, told by how far it is from each side, is blended from the four
curves (a Coons patch [1]_). Where neighbouring cells share a side they share its curve, so the map is continuous.

References:
    .. [1] S. A. Coons, "Surfaces for Computer-Aided Design of Space Forms", MIT MAC-TR-41 (1967).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from vision.pictures.placement import Points

SAMPLES = 9
"""Points of a cell's grid, along each side, by which pixels are looked up."""

Sides = tuple[Points, Points, Points, Points]
"""Top (left to right), right (top to bottom), bottom (left to right) and left (top to bottom), ``(K, 2)`` each."""


@dataclass(frozen=True, eq=False)
class MeshPlacement:
    """A board of bent cells.

    Attributes:
        sides: the curves round each cell ``(row, col)``, in pixels.
        size: ``(width, height)`` in board units.
        score: 0..1.
    """

    sides: Mapping[Cell, Sides]
    size: tuple[float, float]
    score: float = 1.0

    def to_photo(self, board: npt.ArrayLike) -> Points:
        """Pixels of points in board units; a point outside every cell goes to the rim of the nearest one."""
        points = np.asarray(board, dtype=np.float64).reshape(-1, 2)
        away = np.abs(points[:, None, :] - (self._corners[None] + 0.5)).max(axis=2)
        nearest = away.argmin(axis=1)
        local = np.clip(points - self._corners[nearest], 0, 1)
        mapped = np.empty_like(points)
        for index in np.unique(nearest):
            here = nearest == index
            mapped[here] = coons(self.sides[self._cells[index]], local[here])
        return mapped

    def to_board(self, photo: npt.ArrayLike) -> Points:
        """Board units of pixels, to within a fraction of a cell: those of the nearest of a few points of each cell."""
        points = np.asarray(photo, dtype=np.float64).reshape(-1, 2)
        pixels, board = self._lookup
        nearest = np.linalg.norm(points[:, None, :] - pixels[None], axis=2).argmin(axis=1)
        return np.asarray(board[nearest], dtype=np.float64)

    def scaled(self, factor: float) -> "MeshPlacement":
        """The same place in the picture enlarged by ``factor``."""
        shift = (factor - 1) / 2
        moved = {
            cell: (a * factor + shift, b * factor + shift, c * factor + shift, d * factor + shift)
            for cell, (a, b, c, d) in self.sides.items()
        }
        return replace(self, sides=moved)

    def turned(self, quarters: int) -> "MeshPlacement":
        """The same place for a board that stands upright when the picture is turned clockwise by so many quarters."""
        sides, (cols, rows) = dict(self.sides), self.size
        for _ in range(quarters % 4):  # the left side becomes the top, run from its lower end
            sides = {
                (col, round(rows) - 1 - row): (left[::-1], top, right[::-1], bottom)
                for (row, col), (top, right, bottom, left) in sides.items()
            }
            cols, rows = rows, cols
        return replace(self, sides=sides, size=(cols, rows))

    @cached_property
    def _cells(self) -> list[Cell]:
        return list(self.sides)

    @cached_property
    def _corners(self) -> Points:
        return np.array([(col, row) for row, col in self._cells], dtype=np.float64)

    @cached_property
    def _lookup(self) -> tuple[Points, Points]:
        ticks = np.linspace(0, 1, SAMPLES)
        local = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
        pixels = [coons(self.sides[cell], local) for cell in self._cells]
        board = [local + corner for corner in self._corners]
        return np.concatenate(pixels), np.concatenate(board)


def coons(sides: Sides, local: Points) -> Points:
    """The points of a cell with local coordinates ``local``, ``(N, 2)`` in 0..1, right and down."""
    top, right, bottom, left = sides
    u, v = local[:, 0:1], local[:, 1:2]
    ruled = (1 - v) * _along(top, u) + v * _along(bottom, u) + (1 - u) * _along(left, v) + u * _along(right, v)
    corners = (1 - u) * (1 - v) * top[0] + u * (1 - v) * top[-1] + (1 - u) * v * bottom[0] + u * v * bottom[-1]
    return np.asarray(ruled - corners)


def _along(curve: Points, at: Points) -> Points:
    """Points of a curve at parts ``at``, ``(N, 1)`` in 0..1, of its points."""
    ticks = np.linspace(0, 1, len(curve))
    return np.column_stack([np.interp(at[:, 0], ticks, curve[:, axis]) for axis in (0, 1)])
