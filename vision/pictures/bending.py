"""Where a board on bent paper lies: a homography of a sheet that is a little out of shape.

Paper that curls, a page near a book's spine, a lens that is not quite true: lines of a board bow by a fraction of a
cell, smoothly all over it. So points of the board are first moved on its sheet, by a cubic polynomial of their place,
and then seen in perspective.
"""

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from vision.pictures.placement import FlatPlacement, Points, through, turned

STEPS = 6
"""Repetitions by which the bend is undone: each leaves a tenth of the error, at the bends that paper has."""


@dataclass(frozen=True, eq=False)
class BentPlacement:
    """A board on a sheet that is slightly bent.

    Attributes:
        sheet: the homography that suits the board best, from its cells as they were found.
        shift: ``float64 (2, 10)``, the coefficients of :func:`terms` by which points of the sheet move before they are
            seen, in cells, right and down.
        board: ``float64 (3, 3)``, from board units to cells of the sheet: quarter turns, else the identity.
        size: ``(width, height)`` in board units.
    """

    sheet: FlatPlacement
    shift: npt.NDArray[np.float64]
    board: npt.NDArray[np.float64]
    size: tuple[float, float]

    @property
    def score(self) -> float:
        """How much this looks like the board that was looked for, 0..1."""
        return self.sheet.score

    def to_photo(self, board: npt.ArrayLike) -> Points:
        """Pixels of points in board units."""
        points = through(self.board, board)
        return self.sheet.to_photo(points + self._moved_by(points))

    def to_board(self, photo: npt.ArrayLike) -> Points:
        """Board units of points in pixels."""
        goal = self.sheet.to_board(photo)
        points = goal
        for _ in range(STEPS):  # points + moved_by(points) = goal, solved by repetition: the bend is small and smooth
            points = goal - self._moved_by(points)
        return through(np.asarray(np.linalg.inv(self.board), dtype=np.float64), points)

    def scaled(self, factor: float) -> "BentPlacement":
        """The same place in the picture enlarged by ``factor``."""
        return replace(self, sheet=self.sheet.scaled(factor))

    def _moved_by(self, points: Points) -> Points:
        return np.asarray(terms(on_sheet(points, self.sheet.size)) @ self.shift.T, dtype=np.float64)


OnSheet = TypeVar("OnSheet", bound="FlatPlacement | BentPlacement")
"""A board on a flat or on a bent sheet."""

REACH = 1.3
"""Beyond this, in units of :func:`on_sheet`, the bend stays as it is there: polynomials run away."""


def on_sheet(points: Points, size: tuple[float, float]) -> Points:
    """Points in cells of a sheet as ``terms`` wants them: from its middle, in halves of its longer side."""
    return np.asarray(np.clip((points - np.array(size) / 2) / (max(size) / 2), -REACH, REACH), dtype=np.float64)


def terms(points: npt.ArrayLike) -> Points:
    """The ten monomials up to degree three of points ``(N, 2)``: ``float64 (N, 10)``, in order of degree."""
    x, y = np.asarray(points, dtype=np.float64).reshape(-1, 2).T
    one = np.ones_like(x)
    return np.column_stack([one, x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3])


def sheet_of(placement: FlatPlacement | BentPlacement) -> FlatPlacement:
    """The flat sheet that suits a board best."""
    return placement if isinstance(placement, FlatPlacement) else placement.sheet


def scored(placement: OnSheet, score: float) -> OnSheet:
    """The same place, said to look so much like the board that was looked for, 0..1."""
    if isinstance(placement, FlatPlacement):
        return replace(placement, score=score)
    return replace(placement, sheet=replace(placement.sheet, score=score))


def rotated(placement: OnSheet, quarters: int) -> OnSheet:
    """The same place for a board that stands upright when the picture is turned clockwise by so many quarters."""
    if isinstance(placement, FlatPlacement):
        upright = turned(placement, quarters)
        return replace(placement, matrix=upright.matrix, size=upright.size)
    upright = turned(FlatPlacement(placement.board, placement.size), quarters)
    return replace(placement, board=upright.matrix, size=upright.size)


def regrown(placement: OnSheet, more: tuple[float, float, float, float]) -> OnSheet:
    """The board with so many more cells at the left, top, right and bottom; fewer where negative."""
    left, top, right, bottom = more
    move = np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1)], dtype=np.float64)
    width, height = placement.size
    size = (width + left + right, height + top + bottom)
    if isinstance(placement, FlatPlacement):
        return replace(placement, matrix=placement.matrix @ move, size=size)
    return replace(placement, board=placement.board @ move, size=size)
