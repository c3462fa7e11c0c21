"""Where the camera stood, from the picture of a flat board: which way is up, and what stands above a square.

A homography of a plane tells the camera's pose if the picture is not cropped: pixels are square and the axis goes
through the middle, so that the two directions of the board, being square to each other and equally long, give the
focal length.

References:
    [1] Z. Zhang, "A flexible new technique for camera calibration", PAMI 22 (2000), the constraints on a homography.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pictures.placement import FlatPlacement, Points

Floats = npt.NDArray[np.float64]

USUAL_FOCAL = 0.9
"""Focal length of a phone's camera, of the longer side of its picture, for boards seen from straight above."""

SHORTEST, LONGEST = 0.5, 4.0
"""Focal lengths that are believed, of the longer side."""


@dataclass(frozen=True, eq=False)
class Pose:
    """The camera over a board.

    Attributes:
        matrix: ``float64 (3, 4)``, from ``(x, y, height, 1)`` in board units to pixels.
        eye: ``float64 (3,)``, the camera in board units; the height is positive.
    """

    matrix: Floats
    eye: Floats

    def to_photo(self, space: npt.ArrayLike) -> Points:
        """Pixels of points ``(N, 3)`` in board units, heights upwards."""
        points = np.asarray(space, dtype=np.float64).reshape(-1, 3)
        mapped = np.column_stack([points, np.ones(len(points))]) @ self.matrix.T
        return np.asarray(mapped[:, :2] / mapped[:, 2:], dtype=np.float64)


def pose(placement: FlatPlacement, size_wh: tuple[int, int]) -> Pose:
    """The camera that saw the board at ``placement`` in a picture of ``size_wh``."""
    longest = max(size_wh)
    centre = np.array([(1, 0, -(size_wh[0] - 1) / 2), (0, 1, -(size_wh[1] - 1) / 2), (0, 0, 1)], dtype=np.float64)
    homography = centre @ placement.matrix
    focal = _focal(homography, longest)
    rays = np.diag([1 / focal, 1 / focal, 1.0]) @ homography
    rays /= np.sqrt(np.linalg.norm(rays[:, 0]) * np.linalg.norm(rays[:, 1]))
    if rays[2, 2] < 0:
        rays = -rays
    across, down, origin = rays.T
    # Up is towards the camera: against the third axis of a right-handed board whose y runs down.
    up = -np.cross(across, down)
    up /= np.linalg.norm(up)
    turn = np.column_stack([across, down, up])
    eye = -np.linalg.solve(turn, origin)
    camera = np.linalg.inv(centre) @ np.diag([focal, focal, 1.0])
    return Pose(camera @ np.column_stack([turn, origin]), eye)


def _focal(homography: Floats, longest: int) -> float:
    """The focal length that makes the board's two directions square and equal, by least squares of both conditions."""
    (a, b, c), (d, e, f) = homography[:, 0], homography[:, 1]
    # (a d + b e) / f^2 + c f = 0   and   (a a + b b - d d - e e) / f^2 + c c - f f = 0
    left = np.array([a * d + b * e, a * a + b * b - d * d - e * e]) / longest**2
    right = -np.array([c * f, c * c - f * f])
    inverse = float(left @ right / max(float(left @ left), 1e-30))
    if inverse <= 0:
        return USUAL_FOCAL * longest
    ratio = 1 / np.sqrt(inverse)
    return float(longest * (ratio if SHORTEST < ratio < LONGEST else USUAL_FOCAL))
