"""The outline of a piece that stands on a board, on an upright screen through its foot.

On the screen, which faces the camera, a piece is seen as it stands. From the axis outwards each row belongs to the
piece up to where its side is; the two sides are found by dynamic programming from the foot upwards, by what the rows
hide of the board, by the change of colours at the side, and by how little it moves from row to row. The top is where
going on gains nothing. A change of colours counts where the picture changes and its difference to the bare board does
as well: the squares' lines behind a piece change one of them alone.
"""

import numpy as np
import numpy.typing as npt

from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.feet import MARGIN, Foot
from vision.chessboards.ground import PX, Ground, far_from, palette
from vision.chessboards.screens import ABOVE, HALF_WIDTH, SCREEN_PX, Screen, screen, way
from vision.pictures.camera_pose import Pose
from vision.pictures.masks import opened
from vision.pictures.photo import Photo

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

START, LEAST = 0.06, 0.65
"""Height in squares from which outlines are followed, and height they have at least."""

WIDEST = 1.5
"""Width of a piece at most, of its foot's."""

EDGE, EDGE_USUAL, EDGE_MOST = 0.0625, 0.4, 3.0
"""What a change of colours at a side counts, in squares; the part of the full change that is usual, and what is full,
in least differences that count."""

SWAY, FASTEST = 0.24, 4
"""What it costs a side to move, of how far, and the most pixels that it moves from row to row."""

TOP, TOP_USUAL = 0.25, 0.2
"""What a change of colours along the top counts, of its width, and the part of the full change that is usual."""

APART, BEYOND = 2.0, (-0.6, 0.8)
"""Beyond the board colours tell a piece from what lies around it: so many least differences are sure, and count so much
against and for a piece."""

SPIKE_PX = 3
"""What is thinner, in pixels of the screen, is no part of a piece."""


def hidden_by(photo: Photo, placement: ChequeredPlacement, camera: Pose, ground: Ground, foot: Foot) -> Floats:
    """The places on the board that the piece on ``foot`` hides, within its outline: ``float64 (N, 2)``, in squares."""
    shown = screen(photo, placement, camera, ground, foot.at)
    near = ground.for_piece(foot.at + MARGIN / 2 * way(camera, foot.at), MARGIN)
    shape = _followed(*_evidence(shown, near, foot), foot.radius)
    return np.asarray(shown.places[opened(shape, SPIKE_PX)])


def _heights(count: int) -> Floats:
    """The height over the board of the rows of a screen, in squares, ``(count,)``."""
    return np.asarray(ABOVE - (np.arange(count) + 0.5) / SCREEN_PX)


def _evidence(shown: Screen, ground: Ground, foot: Foot) -> tuple[Floats, Floats, Floats]:
    """What each pixel of the screen says for the piece, and how much colours change sideways and upwards, 0..1."""
    lab, on = shown.lab, shown.on
    rows, cols = np.floor(shown.places[..., 1] * PX).astype(int), np.floor(shown.places[..., 0] * PX).astype(int)
    height, width = ground.hidden.shape
    gains = np.where(on, ground.hidden[np.clip(rows, 0, height - 1), np.clip(cols, 0, width - 1)], 0.0)
    aside = np.abs((np.arange(gains.shape[1]) + 0.5) / SCREEN_PX - HALF_WIDTH)[None]
    up = _heights(len(gains))[:, None]
    sure = (on & (gains > 0.8) & (aside < foot.radius) & (up > -0.1)) | (
        (aside < foot.radius / 2) & (up > 0) & (up < 0.2)
    )
    around = ~on & (aside > WIDEST * foot.radius)
    if around.sum() > SCREEN_PX:
        nearer = far_from(lab, palette(lab[around])).astype(np.float64) - far_from(lab, palette(lab[sure]))
        gains = np.where(on, gains, np.clip(nearer / APART, *BEYOND))
    sides, tops = (np.minimum(shown.changes(axis), EDGE_MOST) / EDGE_MOST for axis in (1, 0))
    return np.asarray(gains, np.float64), sides, tops


def _followed(gains: Floats, sides: Floats, tops: Floats, radius: float) -> Mask:
    """The silhouette, ``bool (H, W)``."""
    rows = np.arange(int((ABOVE - START) * SCREEN_PX), -1, -1)
    middle = gains.shape[1] // 2
    right = _side(gains[rows, middle:], sides[rows, middle:], radius)
    left = _side(gains[rows, :middle][:, ::-1], sides[rows, :middle][:, ::-1], radius)
    reached = [(int(left[0][i].argmax()), int(right[0][i].argmax())) for i in range(len(rows))]
    value = np.full(len(rows), -np.inf)
    for i in range(int(LEAST * SCREEN_PX), len(rows)):
        a, b = reached[i]
        row = tops[max(rows[i] - 1, 0) : rows[i] + 2, middle - a : middle + b].max(axis=0)
        value[i] = left[0][i].max() + right[0][i].max() + TOP * float((row - TOP_USUAL).sum()) / SCREEN_PX
    last = int(value.argmax())
    shape = np.zeros(gains.shape, bool)
    a, b = reached[last]
    for i in range(last, -1, -1):
        shape[rows[i], middle - a : middle + b] = True
        a, b = int(left[1][i][a]), int(right[1][i][b])
    return shape


def _side(gains: Floats, sides: Floats, radius: float) -> tuple[Floats, npt.NDArray[np.intp]]:
    """The best ways of a side from the foot upwards.

    Args:
        gains: what pixels say for the piece, rows from the foot upwards, columns from the axis outwards.
        sides: how much colours change at them.
        radius: of the foot, in squares.

    Returns:
        For each row and width the value of the best way there, and the width that it had in the row before.
    """
    count, most = gains.shape
    width = np.arange(most + 1)
    value = np.concatenate([np.zeros((count, 1)), np.cumsum(gains, axis=1)], axis=1) / SCREEN_PX
    value[:, 1:] += EDGE * (sides - EDGE_USUAL)
    value[:, (width == 0) | (width > WIDEST * radius * SCREEN_PX)] = -np.inf
    moved = np.abs(width[:, None] - width)
    cost = np.where(moved > FASTEST, np.inf, SWAY * moved / SCREEN_PX)
    best = np.where(np.abs(width - radius * SCREEN_PX) > 0.3 * radius * SCREEN_PX, -np.inf, value[0])
    values, origins = [best], [width]
    for row in value[1:]:
        ways = best - cost
        origins.append(ways.argmax(axis=1))
        best = row + ways.max(axis=1)
        values.append(best)
    return np.array(values), np.array(origins)
