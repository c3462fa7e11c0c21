"""What a standing piece looks like: a small network that sees the edges on the screen behind a foot.

Heights and outlines fail where a piece has the colour of the squares behind it; people tell a queen from a knight
there at a glance, by the few edges that are seen: a collar, a ball in a cup, a muzzle. The network is shown which way
the edges run on the screen (histograms of directions in small squares [1], those of the board's own lines left out),
where the picture is off the bare board, and from how high the foot is seen. It was trained on drawn pieces of very
different sets (``python -m samples.train_standing``), on feet that were placed a little off, and on places where no
piece stands.

References:
    1. N. Dalal, B. Triggs, "Histograms of oriented gradients for human detection", CVPR 2005.
"""

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.ground import Ground
from vision.chessboards.screens import ABOVE, HALF_WIDTH, SCREEN_PX, Screen, screen, steepness
from vision.network import probabilities, stored
from vision.pictures.camera_pose import Pose
from vision.pictures.photo import Photo

Floats = npt.NDArray[np.float64]
Features = npt.NDArray[np.float32]

NAMES = ("queen", "knight", "king", "bishop", "rook", "pawn", "nothing")
"""The classes of the network; the last is a foot where no piece stands."""

CELL_PX, DIRECTIONS = 4, 6
"""Side of the small squares, in pixels of the screen, and directions of edges that are told apart."""

MOST, FAINT = 3.0, 0.4
"""Edges count up to so many least differences that count; edges around a small square that are fainter than the second
count for less than they would."""

UPRIGHT = np.deg2rad(62.0)
"""Seen from higher up, the screen leans away by as much more."""

ASIDE, HIGH, LOW = 0.5, 1.9, 0.4
"""What of the screen is looked at: to each side of the foot, above and below it, in squares. Crowns are 0.4 wide to
each side and muzzles 0.35; what is beside them is the background's."""

SHAPE = round((LOW + HIGH) * SCREEN_PX) // CELL_PX, round(2 * ASIDE * SCREEN_PX) // CELL_PX
"""Rows and columns of small squares."""

FIRST = round((ABOVE - HIGH) * SCREEN_PX), round((HALF_WIDTH - ASIDE) * SCREEN_PX)
"""The first row and column of the screen that are looked at."""

_SQUARES = np.kron(np.arange(SHAPE[0] * SHAPE[1]).reshape(SHAPE), np.ones((CELL_PX, CELL_PX), int))
"""The number of each pixel's small square."""

WEIGHTS = Path(__file__).with_name("likeness.npz")


def features_at(photo: Photo, placement: ChequeredPlacement, camera: Pose, ground: Ground, foot: Floats) -> Features:
    """What the network sees of a piece on ``foot``, ``float64 (2,)`` in squares: ``float32 (inputs,)``."""
    steep = steepness(camera, foot)
    shown = screen(photo, placement, camera, ground, foot, lean=max(0.0, steep - UPRIGHT))
    return np.concatenate([_edges(shown).ravel(), *map(np.ravel, _off(shown)), _angle(steep)]).astype(np.float32)


def mirrored(seen: Features) -> Features:
    """What would be seen of the mirror image: ``seen (N, inputs)``."""
    rows, cols = SHAPE
    count = rows * cols * DIRECTIONS
    edges = seen[:, :count].reshape(-1, rows, cols, DIRECTIONS)[:, :, ::-1]
    # A direction and its mirror image add up to a full turn of the doubled angle.
    edges = edges[..., (-np.arange(DIRECTIONS)) % DIRECTIONS]
    off = seen[:, count : count + 2 * rows * cols].reshape(-1, 2, rows, cols)[..., ::-1]
    ends = seen[:, count + 2 * rows * cols :]
    return np.concatenate([edges.reshape(len(seen), -1), off.reshape(len(seen), -1), ends], axis=1)


def _edges(shown: Screen) -> Features:
    """Which way edges run in each small square, ``(rows, cols, DIRECTIONS)``, by the strength of those around it."""
    strength, doubled = _directions(shown.lab)
    on = _directions(shown.off)[0]
    strength = np.minimum(np.where(shown.on, np.minimum(strength, on), strength), MOST)
    first, last = np.array(FIRST), np.array(FIRST) + np.array(SHAPE) * CELL_PX
    strength, doubled = (values[first[0] : last[0], first[1] : last[1]] for values in (strength, doubled))
    at = doubled / (2 * np.pi) * DIRECTIONS
    below = np.floor(at).astype(int)
    count = SHAPE[0] * SHAPE[1] * DIRECTIONS
    table = np.zeros(count)
    for step, part in ((below, 1 - (at - below)), (below + 1, at - below)):
        places = (_SQUARES * DIRECTIONS + step % DIRECTIONS).ravel()
        table += np.bincount(places, (part * strength).ravel(), count)
    table = table.reshape(*SHAPE, DIRECTIONS) / CELL_PX**2
    around = cv2.blur((table**2).sum(axis=-1), (3, 3), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(table / np.sqrt(np.asarray(around) + FAINT**2)[..., None], np.float32)


def _directions(lab: Features) -> tuple[Floats, Floats]:
    """How strong edges are, and twice the angle of the way colours change, 0..2 pi: ``(H, W)`` each."""
    across, down = (np.pad(lab, [(1, 1) if a == axis else (0, 0) for a in range(3)], mode="edge") for axis in (1, 0))
    dx, dy = across[:, 2:] - across[:, :-2], down[2:] - down[:-2]
    xx, yy, xy = ((a * b).sum(axis=-1).astype(np.float64) for a, b in ((dx, dx), (dy, dy), (dx, dy)))
    return np.sqrt(xx + yy), np.arctan2(2 * xy, xx - yy) % (2 * np.pi)


def _off(shown: Screen) -> tuple[Features, Features]:
    """How far small squares are off the bare board, 0..1, and which part of them is on it."""
    far = np.minimum(np.linalg.norm(shown.off, axis=-1), MOST) / MOST
    return _pooled(np.where(shown.on, far, 0)), _pooled(shown.on.astype(np.float64))


def _pooled(values: Floats) -> Features:
    """The means over small squares."""
    rows, cols = SHAPE
    inner = values[FIRST[0] :, FIRST[1] :][: rows * CELL_PX, : cols * CELL_PX]
    whole = inner.reshape(rows, CELL_PX, cols, CELL_PX)
    return np.asarray(whole.mean(axis=(1, 3)), np.float32)


def _angle(steep: float) -> Floats:
    """From how high a foot is seen, as the network is told."""
    return np.array([np.sin(steep), np.cos(steep), np.sin(2 * steep)])


def likely(seen: Features) -> Features:
    """The probabilities of :data:`NAMES` for what is seen at some feet, ``(N, inputs)``."""
    return probabilities(seen, stored(WEIGHTS))
