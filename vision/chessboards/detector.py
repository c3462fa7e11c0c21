"""A detector of pieces that stand on a real board: a convolutional network, asked about places on the board.

It is shown an upright screen through a place that faces the camera: on it a piece is seen as it stands. Beside the
picture the network sees how far that is off the bare board behind it: the lines between squares change the picture and
not that. It tells which piece stands there, and how far its foot is from the place. It was taught on drawn pieces of
very different sets, on their shadows and mirror images, and on printed figures, which do not stand:
``python -m samples.train_standing``.
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.ground import SIDE_PX, Ground, compressed
from vision.network import Convolutional, softmax
from vision.pictures.camera_pose import Pose
from vision.pictures.lab import lab
from vision.pictures.medians import medians
from vision.pictures.photo import Photo, Picture

Floats = npt.NDArray[np.float64]
Planes = npt.NDArray[np.float32]

NAMES = ("queen", "knight", "king", "bishop", "rook", "pawn", "nothing")
"""The classes of the network; the last is a place where no piece stands."""

NEAR = 0.37
"""Distance in squares up to which a foot is told from a place: the middles of the quarters of a square are closer to
all of it."""

SCREEN_PX = 40
"""Side of a square on the screen."""

HALF_WIDTH, BELOW, ABOVE = 0.8, 0.5, 2.2
"""The screen's reach to each side of the place, below and above it, in squares. Kings are 1.9 squares tall."""

WIDTH, HEIGHT = round(2 * HALF_WIDTH * SCREEN_PX), round((BELOW + ABOVE) * SCREEN_PX)
"""Pixels of the screen."""

UPRIGHT = np.deg2rad(62.0)
"""Seen from higher up an upright screen would be drawn out of all proportion: it leans away by as much more."""

SMOOTH_PX = 0.7
"""Spread of the filter that takes noise from the screen."""

SPARSE = 4
"""Pixels from one to the next of which the median colour of a screen is taken."""

FLAT = np.array([(SIDE_PX, 0.0, -0.5), (0.0, SIDE_PX, -0.5), (0.0, 0.0, 1.0)])
"""From squares to pixels of the flat board."""

NETWORK = Path(__file__).with_name("detector.onnx")

_network = Convolutional(NETWORK)


@dataclass(frozen=True, eq=False)
class Detections:
    """What is told from some places on a board.

    Attributes:
        likely: the probabilities of :data:`NAMES`, ``float64 (N, 7)``.
        feet: where the foot of a piece would be, ``float64 (N, 2)`` in squares.
    """

    likely: Floats
    feet: Floats


def detections(
    photo: Photo, placement: ChequeredPlacement, camera: Pose, ground: Ground, places: Floats, *, mirrored: bool = False
) -> Detections:
    """What is told from ``places``, ``float64 (N, 2)`` in squares.

    Two looks err less than one: with ``mirrored``, the means of what is told as it is and in a mirror.
    """
    inputs = network_input(
        np.stack([screen(photo, placement, camera, ground, place) for place in places]),
        np.array([steepness(camera, place) for place in places]),
    )
    output: Planes = _network(inputs).reshape(len(places), -1)
    if mirrored:
        other: Planes = _network(inputs[..., ::-1]).reshape(len(places), -1)
        other[:, len(NAMES)] *= -1
        output = np.asarray((output + other) / 2, np.float32)
    offset = NEAR * output[:, len(NAMES) :]
    feet = [place + axes(camera, place) @ far for place, far in zip(places, offset, strict=True)]
    return Detections(softmax(output[:, : len(NAMES)]).astype(np.float64), np.array(feet))


def screen(photo: Photo, placement: ChequeredPlacement, camera: Pose, ground: Ground, place: Floats) -> Planes:
    """The screen through ``place``, ``float64 (2,)`` in squares, as the network is shown it.

    Returns:
        ``float32 (7, HEIGHT, WIDTH)``: the difference to the screen's median and that to the bare board, in CIE Lab
        and compressed, and 1 where the board is behind the screen, else 0.
    """
    view, to_photo = _view(photo, camera, place)
    to_flat = FLAT @ np.linalg.inv(placement.matrix) @ to_photo
    flags, size = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (WIDTH, HEIGHT)
    off = cv2.warpPerspective(ground.off, to_flat, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    on = cv2.warpPerspective(np.ones(ground.off.shape[:2], np.float32), to_flat, size, flags=flags)
    colours = lab(np.asarray(cv2.GaussianBlur(view, (0, 0), SMOOTH_PX), np.uint8))
    contrast = compressed((colours - medians(colours[::SPARSE, ::SPARSE].reshape(-1, 3))) / ground.least)
    return np.asarray(np.concatenate([contrast, off, on[..., None]], axis=-1).transpose(2, 0, 1), np.float32)


def network_input(screens: Planes, steep: Floats) -> Planes:
    """What the network is given, ``float32 (N, 8, HEIGHT, WIDTH)``.

    Args:
        screens: ``(N, 7, HEIGHT, WIDTH)``.
        steep: the angles in radians from which their places are seen, ``(N,)``.
    """
    plane = np.broadcast_to(np.sin(steep)[:, None, None, None], (len(screens), 1, HEIGHT, WIDTH))
    return np.concatenate([screens, plane.astype(np.float32)], axis=1)


def axes(camera: Pose, place: Floats) -> Floats:
    """The directions on the board, as columns, to the right of the screen through ``place`` and away from the camera.

    ``float64 (2, 2)``, each of length 1.
    """
    x, y = (place - camera.eye[:2]) / max(float(np.linalg.norm(place - camera.eye[:2])), 1e-9)
    return np.array([(-y, x), (x, y)])


def steepness(camera: Pose, place: Floats) -> float:
    """The angle in radians from which ``place`` is seen; a quarter turn is from above."""
    return float(np.arctan2(camera.eye[2], np.linalg.norm(camera.eye[:2] - place)))


def _view(photo: Photo, camera: Pose, place: Floats) -> tuple[Picture, Floats]:
    """The picture on the screen, and the homography from its pixels to those of the photo."""
    lean = max(0.0, steepness(camera, place) - UPRIGHT)
    right, away = axes(camera, place).T
    right, up = np.array([*right, 0.0]), np.array([*(away * np.sin(lean)), np.cos(lean)])
    ends = [(-HALF_WIDTH, ABOVE), (HALF_WIDTH, ABOVE), (HALF_WIDTH, -BELOW), (-HALF_WIDTH, -BELOW)]
    corners = camera.to_photo([np.array([*place, 0.0]) + right * a + up * z for a, z in ends])
    shrink = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32))) / (WIDTH * HEIGHT)))
    bgr, to_part = photo.part(corners, min(1.0, 1 / max(shrink, 1e-6)))
    part = corners * np.diag(to_part)[:2] + to_part[:2, 2]
    box = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], dtype=np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(box, part.astype(np.float32)).astype(np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(bgr, matrix, (WIDTH, HEIGHT), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, dtype=np.uint8), np.asarray(np.linalg.inv(to_part) @ matrix, np.float64)
