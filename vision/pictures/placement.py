"""Where a board lies in a picture: a map from board units to pixels and back.

Flat boards are placed by a homography, bent ones by a mesh of corner points. Callers only map points, so everything
that is drawn or cut out works for both.
"""

from dataclasses import dataclass, replace
from typing import Protocol, Self

import cv2
import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
"""``float64 (N, 2)``, each row ``(x, y)``."""


class Placement(Protocol):
    """Maps points between a board and a picture.

    Attributes:
        size: ``(width, height)`` of the board in board units.
        score: how much the place looks like the board that was looked for, 0..1.
    """

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in board units."""

    @property
    def score(self) -> float:
        """How much this looks like the board that was looked for, 0..1."""

    def to_photo(self, board: npt.ArrayLike) -> Points:
        """Pixels of the points ``board``, ``(N, 2)`` in board units."""

    def to_board(self, photo: npt.ArrayLike) -> Points:
        """Board units of the points ``photo``, ``(N, 2)`` in pixels."""

    def scaled(self, factor: float) -> "Placement":
        """The same place in the picture enlarged by ``factor``."""


@dataclass(frozen=True, eq=False)
class FlatPlacement:
    """A flat board under perspective.

    Attributes:
        matrix: ``float64 (3, 3)``, the homography from board units to pixels.
        size: ``(width, height)`` in board units.
        score: 0..1.
    """

    matrix: npt.NDArray[np.float64]
    size: tuple[float, float]
    score: float = 1.0

    @classmethod
    def from_corners(cls, corners_px: npt.ArrayLike, size: tuple[float, float], score: float = 1.0) -> "FlatPlacement":
        """A board whose box has these corners in the picture: top left, top right, bottom right, bottom left."""
        matrix = cv2.getPerspectiveTransform(_box(size).astype(np.float32), np.asarray(corners_px, dtype=np.float32))
        return cls(np.asarray(matrix, dtype=np.float64), size, score)

    def to_photo(self, board: npt.ArrayLike) -> Points:
        """Pixels of points in board units."""
        return through(self.matrix, board)

    def to_board(self, photo: npt.ArrayLike) -> Points:
        """Board units of points in pixels."""
        return through(np.asarray(np.linalg.inv(self.matrix), dtype=np.float64), photo)

    def scaled(self, factor: float) -> Self:
        """The same place in the picture enlarged by ``factor``."""
        return replace(self, matrix=enlarging(factor) @ self.matrix)


def enlarging(factor: float) -> npt.NDArray[np.float64]:
    """The matrix ``(3, 3)`` from pixels of a picture to those of the picture enlarged by ``factor``.

    Pixel ``i`` covers ``i - 0.5 .. i + 0.5``, so enlarging moves centres by half a pixel.
    """
    shift = (factor - 1) / 2
    return np.array([(factor, 0, shift), (0, factor, shift), (0, 0, 1)], dtype=np.float64)


def through(matrix: npt.NDArray[np.float64], points: npt.ArrayLike) -> Points:
    """Where a homography ``(3, 3)`` takes points ``(N, 2)``."""
    xy = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    mapped = np.column_stack([xy, np.ones(len(xy))]) @ matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], dtype=np.float64)


def box_corners(placement: Placement) -> Points:
    """Pixels of the corners of a board's box, ``float64 (4, 2)``: top left, top right, bottom right, bottom left."""
    return placement.to_photo(_box(placement.size))


def lie_alike(one: Placement, other: Placement, within: float) -> bool:
    """Whether two boards have as many rows and columns, and corners so near to each other's, in cells."""
    if one.size != other.size:
        return False
    return bool(np.abs(one.to_board(box_corners(other)) - _box(one.size)).max() <= within)


def overlap(one: Placement, other: Placement) -> bool:
    """Whether the upright boxes round two boards in the picture overlap."""
    (a0, a1), (b0, b1) = ((corners.min(axis=0), corners.max(axis=0)) for corners in map(box_corners, (one, other)))
    return bool((np.maximum(a0, b0) < np.minimum(a1, b1)).all())


def _box(size: tuple[float, float]) -> Points:
    """The corners of a board in its own units."""
    width, height = size
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)


def turned(placement: FlatPlacement, quarters: int) -> FlatPlacement:
    """The same place for a board that stands upright when the picture is turned clockwise by so many quarters."""
    matrix, (width, height) = placement.matrix, placement.size
    for _ in range(quarters % 4):
        # Turning a picture clockwise takes (x, y) to (height - y, x).
        matrix = matrix @ np.array([(0, 1, 0), (-1, 0, height), (0, 0, 1)], dtype=np.float64)
        width, height = height, width
    return replace(placement, matrix=matrix, size=(width, height))
