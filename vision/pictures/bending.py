"""Where a board on a sheet that is out of shape lies: paper that curls, a page near a book's spine, cloth in a hoop.

Points of the board are first moved on its sheet, smoothly all over it, and then seen in perspective.
"""

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from vision.pictures.placement import FlatPlacement, Points, through, turned
from vision.pictures.thin_plate import ThinPlate

STEPS, LONGEST = 12, 1.0
"""Of Newton's method, by which a bend is undone: how many at most, and how long each is at most, in cells."""

SOLVED = 1e-6
"""Steps so short, in cells, are the last."""

FOLDED = 0.1
"""Of the area that a place has on the sheet, what is left of it at least: a sheet is nowhere folded over."""


@dataclass(frozen=True, eq=False)
class BentPlacement:
    """A board on a sheet that is bent.

    Attributes:
        sheet: the homography that suits the board best, from its cells as they were found.
        bend: by how much points of the sheet move before they are seen, in cells.
        board: ``float64 (3, 3)``, from board units to cells of the sheet: quarter turns, else the identity.
        size: ``(width, height)`` in board units.
    """

    sheet: FlatPlacement
    bend: ThinPlate
    board: npt.NDArray[np.float64]
    size: tuple[float, float]

    @property
    def score(self) -> float:
        """How much this looks like the board that was looked for, 0..1."""
        return self.sheet.score

    def to_photo(self, board: npt.ArrayLike) -> Points:
        """Pixels of points in board units."""
        points = through(self.board, board)
        return self.sheet.to_photo(points + self.bend.at(points))

    def to_board(self, photo: npt.ArrayLike) -> Points:
        """Board units of points in pixels."""
        goal = self.sheet.to_board(photo)
        points = goal
        for _ in range(STEPS):
            step = _newton(points + self.bend.at(points) - goal, self.bend.slope(points))
            points = points - step
            if np.abs(step).max(initial=0) < SOLVED:
                break
        return through(np.asarray(np.linalg.inv(self.board), dtype=np.float64), points)

    def scaled(self, factor: float) -> "BentPlacement":
        """The same place in the picture enlarged by ``factor``."""
        return replace(self, sheet=self.sheet.scaled(factor))


OnSheet = TypeVar("OnSheet", bound="FlatPlacement | BentPlacement")
"""A board on a flat or on a bent sheet."""


def _newton(off: Points, slope: npt.NDArray[np.float64]) -> Points:
    """Newton's step towards where a sheet's points are not ``off``, ``(N, 2)``; ``slope`` is the bend's."""
    (a, b), (c, d) = (slope + np.eye(2)).transpose(1, 2, 0)
    area = np.maximum(a * d - b * c, FOLDED)
    step = np.column_stack([d * off[:, 0] - b * off[:, 1], a * off[:, 1] - c * off[:, 0]]) / area[:, None]
    return np.asarray(step * np.minimum(1.0, LONGEST / np.maximum(np.linalg.norm(step, axis=1, keepdims=True), SOLVED)))


def moved(placement: OnSheet, matrix: npt.NDArray[np.float64]) -> OnSheet:
    """The same place in a picture to which a homography leads."""
    if isinstance(placement, FlatPlacement):
        return replace(placement, matrix=matrix @ placement.matrix)
    return replace(placement, sheet=replace(placement.sheet, matrix=matrix @ placement.sheet.matrix))


def scored(placement: OnSheet, score: float) -> OnSheet:
    """The same place, said to look so much like the board that was looked for, 0..1."""
    if isinstance(placement, FlatPlacement):
        return replace(placement, score=score)
    return replace(placement, sheet=replace(placement.sheet, score=score))


def leaning(placement: BentPlacement, degrees: float) -> BentPlacement:
    """The same place on a sheet that is turned anticlockwise in the picture by so many degrees."""
    turn = np.deg2rad(degrees)
    axes = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    matrix = placement.sheet.matrix.copy()
    matrix[:, :2] = matrix[:, :2] @ axes
    weights = placement.bend.weights @ axes
    weights[-2:] += axes - np.eye(2)
    return replace(
        placement, sheet=replace(placement.sheet, matrix=matrix), bend=replace(placement.bend, weights=weights)
    )


def rotated(placement: OnSheet, quarters: int) -> OnSheet:
    """The same place for a board that stands upright when the picture is turned clockwise by so many quarters."""
    upright = turned(FlatPlacement(np.eye(3), placement.size), quarters)
    return ruled(placement, upright.matrix, upright.size)


def regrown(placement: OnSheet, more: tuple[float, float, float, float]) -> OnSheet:
    """The board with so many more cells at the left, top, right and bottom; fewer where negative."""
    left, top, right, bottom = more
    move = np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1)], dtype=np.float64)
    width, height = placement.size
    return ruled(placement, move, (width + left + right, height + top + bottom))


def ruled(placement: OnSheet, matrix: npt.NDArray[np.float64], size: tuple[float, float]) -> OnSheet:
    """The same sheet with other board units, from which a homography ``(3, 3)`` leads to its own."""
    if isinstance(placement, FlatPlacement):
        return replace(placement, matrix=placement.matrix @ matrix, size=size)
    return replace(placement, board=placement.board @ matrix, size=size)
