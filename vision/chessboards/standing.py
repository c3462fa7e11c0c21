"""The pieces that stand on a real board: where their feet are, and whether they are queens or knights.

Seen from the side a piece hides the squares behind it. A detector (:mod:`vision.chessboards.detector`) is asked at the
middles of the quarters of all squares which piece it sees there and where its foot is, and again at these feet; of
those that are close to each other the likeliest is kept (non-maximum suppression).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from solvers.message import Message
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.detector import detections
from vision.chessboards.figures import SURE, Guess, Name
from vision.chessboards.ground import Ground
from vision.pictures.camera_pose import Pose
from vision.pictures.photo import Photo

Floats = npt.NDArray[np.float64]
Likely = tuple[float, float, float, float]
"""The probabilities of a queen, a knight, another piece, and of none."""

FIRST = 0.05
"""What the detector takes a piece for at least whose foot is looked at again, as a probability."""

RARE = 0.1
"""How much rarer pieces are among the places of a board than among the examples of the detector, as a ratio of odds:
five places in a hundred, for 37."""

STANDS = 0.5
"""Probability from which on a piece stands there."""

SAME = 0.45
"""Distance of two feet, in squares, up to which they are one."""

INSIDE = 0.06
"""A foot nearer to the border of its square than this, in squares, may stand on the other side."""

AROUND = 0.08 * np.vstack([np.zeros(2), np.eye(2), -np.eye(2)])
"""Places around a foot from which it is looked at again, in squares: single looks err more."""


@dataclass(frozen=True)
class Standing:
    """A piece on a real board.

    Attributes:
        cell: the square of its foot.
        inside: how far the foot is from the border of its square, in squares; 0.5 is the middle.
        likely: what it is; the probabilities add up to 1.
    """

    cell: Cell
    inside: float
    likely: Likely


def pieces(photo: Photo, placement: ChequeredPlacement, camera: Pose, ground: Ground) -> list[Standing]:
    """What may stand on the board at ``placement``, the likeliest first: where it is not certain that nothing does."""
    cols, rows = placement.cols, placement.rows
    x, y = np.meshgrid(np.arange(0.25, cols, 0.5), np.arange(0.25, rows, 0.5))
    first = detections(photo, placement, camera, ground, np.column_stack([x.ravel(), y.ravel()]))
    chance = 1 - first.likely[:, -1]
    feet = first.feet[_apart(first.feet, chance, FIRST)]
    feet = feet[((feet > 0) & (feet < (cols, rows))).all(axis=1)]
    if not len(feet):
        return []
    places = np.clip(feet[:, None] + AROUND, 0, (cols, rows)).reshape(-1, 2)
    again = detections(photo, placement, camera, ground, places, mirrored=True)
    logs = np.log(again.likely).reshape(len(feet), len(AROUND), -1).mean(axis=1)
    likely = np.exp(logs) * [*[RARE] * (logs.shape[1] - 1), 1.0]
    likely /= likely.sum(axis=1, keepdims=True)
    at = np.clip(again.feet.reshape(len(feet), len(AROUND), 2).mean(axis=1), 0, np.array([cols, rows]) - 1e-6)
    return [_piece(at[index], likely[index]) for index in _apart(at, 1 - likely[:, -1], 1 - SURE)]


def _apart(feet: Floats, chance: Floats, least: float) -> list[int]:
    """The likeliest of feet ``(N, 2)`` that are close to each other, best first; those likelier than ``least``."""
    kept: list[int] = []
    for index in np.argsort(-chance, kind="stable").tolist():
        if chance[index] > least and all(np.linalg.norm(feet[index] - feet[other]) > SAME for other in kept):
            kept.append(index)
    return kept


def _piece(foot: Floats, likely: Floats) -> Standing:
    queen, knight, *others, nothing = likely.tolist()
    inside = float(0.5 - np.abs(foot - np.floor(foot) - 0.5).max())
    return Standing((int(foot[1]), int(foot[0])), inside, (queen, knight, sum(others), nothing))


def stands(piece: Standing) -> bool:
    """Whether a piece is likelier there than none."""
    return piece.likely[-1] < 1 - STANDS


def judge(piece: Standing) -> Guess:
    """Queen or knight, if a piece stands there; doubtful where one of them may be right, or none."""
    if piece.inside < INSIDE:
        return Guess("other", 0.4, "its foot is on the line between two squares")
    queen, knight, other, _ = piece.likely
    name: Name = "queen" if queen >= knight else "knight"
    sure = max(queen, knight) / (queen + knight + other)
    if sure >= SURE:
        return Guess(name, sure)
    why = Message("it looks like a {name}, but it may be another piece", name=name)
    return Guess(name, min(sure, 0.5), why, either=True)
