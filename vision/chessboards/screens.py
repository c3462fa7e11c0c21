"""An upright screen through the foot of a piece, facing the camera: on it a piece is seen as it stands.

Beside the picture it shows how far that is off the bare board behind the piece. The squares' lines change the picture
and not that; the edge of what stands before them changes both. Seen from high above an upright screen would be drawn
out of all proportion: there it leans away from the camera.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.ground import Ground
from vision.pictures.camera_pose import Pose
from vision.pictures.lab import converted
from vision.pictures.photo import Photo, Picture

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Lab = npt.NDArray[np.float32]

SCREEN_PX = 40
"""Side of a square on the screen."""

HALF_WIDTH, BELOW, ABOVE = 0.8, 0.5, 2.2
"""The screen's reach to each side of the foot, below and above it, in squares. Kings are 1.9 squares tall."""

SMOOTH = 0.7
"""Blur of the colours that are compared, in pixels of the screen."""


@dataclass(frozen=True, eq=False)
class Screen:
    """What is seen on a screen.

    Attributes:
        seen: the picture, ``uint8 (H, W, 3)``.
        places: of the board, behind each pixel, ``float64 (H, W, 2)`` in squares.
        on: where these are on the board, ``bool (H, W)``.
        lab: the picture's colours, smoothed, ``float32 (H, W, 3)`` in least differences that count.
        off: how far they are off the bare board's, the same; beyond the board what its edge has.
    """

    seen: Picture
    places: Floats
    on: Mask
    lab: Lab
    off: Lab

    def changes(self, axis: int) -> Floats:
        """How much colours change along an axis, unless the bare board's do as well, ``(H, W)``; 0 at the rim."""
        change = _change(self.lab, axis)
        return np.where(self.on, np.minimum(change, _change(self.off, axis)), change)


def screen(
    photo: Photo, placement: ChequeredPlacement, camera: Pose, ground: Ground, foot: Floats, *, lean: float = 0.0
) -> Screen:
    """The screen through ``foot``, ``float64 (2,)`` in squares, that leans away by ``lean`` in radians."""
    seen, pixels = _shown(photo, camera, foot, way(camera, foot), lean)
    places = placement.to_board(pixels.reshape(-1, 2)).reshape(pixels.shape)
    smooth = cv2.GaussianBlur(seen, (0, 0), SMOOTH).astype(np.float32) / 255
    lab = converted(smooth, cv2.COLOR_BGR2LAB) / np.float32(ground.least)
    height, width = (length / ground.side for length in ground.off.shape[:2])
    on = (places >= 0).all(axis=-1) & (places < (width, height)).all(axis=-1)
    at = (places * ground.side - 0.5).astype(np.float32)
    off = cv2.remap(ground.off, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return Screen(seen, places, np.asarray(on), lab, np.asarray(off, np.float32))


def way(camera: Pose, foot: Floats) -> Floats:
    """The way away from the camera at ``foot``, ``(2,)``, of length 1."""
    away = foot - camera.eye[:2]
    return np.asarray(away / max(float(np.linalg.norm(away)), 1e-9))


def steepness(camera: Pose, foot: Floats) -> float:
    """The angle in radians from which ``foot`` is seen; a quarter turn is from above."""
    return float(np.arctan2(camera.eye[2], np.linalg.norm(camera.eye[:2] - foot)))


def _shown(photo: Photo, camera: Pose, foot: Floats, away: Floats, lean: float) -> tuple[Picture, Floats]:
    """The picture on the screen, and the pixel of the photo that each of its pixels shows."""
    width, height = round(2 * HALF_WIDTH * SCREEN_PX), round((BELOW + ABOVE) * SCREEN_PX)
    # Seen from the camera the screen's right is a quarter turn from the way it looks.
    right, up = np.array([-away[1], away[0], 0.0]), np.array([*(away * np.sin(lean)), np.cos(lean)])
    ends = [(-HALF_WIDTH, ABOVE), (HALF_WIDTH, ABOVE), (HALF_WIDTH, -BELOW), (-HALF_WIDTH, -BELOW)]
    corners = camera.to_photo([np.array([*foot, 0.0]) + right * a + up * z for a, z in ends])
    shrink = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32))) / (width * height)))
    bgr, to_part = photo.part(corners, min(1.0, 1 / max(shrink, 1e-6)))
    part = corners * np.diag(to_part)[:2] + to_part[:2, 2]
    box = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(box, part.astype(np.float32)).astype(np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(bgr, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    x, y = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    pixels = cv2.perspectiveTransform(np.stack([x, y], axis=-1), np.linalg.inv(to_part) @ matrix)
    return np.asarray(seen, dtype=np.uint8), np.asarray(pixels, dtype=np.float64)


def _change(lab: Lab, axis: int) -> Floats:
    """How much colours change along an axis, ``(H, W)``; 0 at the rim."""
    after, before = np.moveaxis(lab, axis, 0)[2:], np.moveaxis(lab, axis, 0)[:-2]
    change = np.pad(np.linalg.norm(after - before, axis=-1), ((1, 1), (0, 0)))
    return np.asarray(np.moveaxis(change, 0, axis), np.float64)
