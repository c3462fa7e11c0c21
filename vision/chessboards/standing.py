"""One piece that stands on a real board: where its foot is, and whether it is a queen or a knight.

Seen from the side a piece hides the squares behind it, so what differs from the empty board is a streak that runs away
from the camera; its near end is the foot. The pose of the camera (:mod:`vision.pictures.camera_pose`) says which way
that is on each square, and lets an upright screen be put up through the foot that faces the camera. On it the piece is
seen as it stands, and its height is measured: a queen is half as tall again as a knight.

References:
    .. [1] C. Rother, V. Kolmogorov, A. Blake, "GrabCut", SIGGRAPH 2004.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.squares import Squares
from vision.pictures.camera_pose import Pose
from vision.pictures.photo import Photo, Picture

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

SCREEN_PX = 48
"""Side of a square on the upright screen."""

HALF_WIDTH, BELOW, ABOVE = 0.8, 0.5, 2.1
"""The screen's reach to each side of the foot, below and above it, in squares. Kings are 1.9 squares tall."""

STREAK = 0.06
"""Least area of the streak of a piece, in squares, after thin lines are taken away."""

LINE = 0.08
"""Width of the lines that are taken away: between squares, where the board is not quite flat."""

SURE = 2.2
"""What differs this many times more than the least that counts is a piece; the fainter rest must touch it."""

BODY = 0.45
"""Half of the width in which a piece is looked for around its axis, in squares."""

FOOT = 1.1
"""Length that a foot and the shadow before it add to a streak, in squares. Two pieces on neighbouring squares make a
longer streak than one with the tallest head and this foot."""

TALLEST = 1.95
"""Height up to which pieces are looked for, in squares."""

TIP, HEAD = 0.085, 0.25
"""Lengths of the tip and of the head below it, in squares."""

SHORTEST = 0.6
"""Least height of a standing piece in squares; what is lower is printed on the board."""


@dataclass(frozen=True, eq=False)
class Standing:
    """A piece on a real board.

    Attributes:
        cell: the square of its foot.
        foot: the middle of its foot in board units.
        inside: how far the foot is from the border of its square, in squares; 0.5 is the middle.
        tall: its height in squares.
        tip: its usual width in the topmost twelfth of a square, in squares: a king's cross, a bishop's point.
        head: its usual width in the third of a square below that.
        shape: its silhouette on the screen, ``bool (H, W)``.
        seen: the screen, ``uint8 (H, W, 3)``.
    """

    cell: Cell
    foot: tuple[float, float]
    inside: float
    tall: float
    tip: float
    head: float
    shape: Mask
    seen: Picture


def pieces(
    photo: Photo, placement: ChequeredPlacement, camera: Pose, squares: Squares, streaks: Sequence[Mask]
) -> list[Standing]:
    """What stands on the board at ``placement``; ``streaks`` are those of its ``squares``."""
    whole = _joined(camera, squares.side, streaks)
    found = (_piece(photo, placement, camera, squares, streak) for streak in whole)
    return [piece for piece in found if piece is not None and piece.tall > SHORTEST]


def streaks(squares: Squares) -> list[Mask]:
    """The connected parts of the flat board that differ from an empty one, ``bool``, the largest first."""
    rows, cols, side, _ = squares.far.shape
    far = squares.far.swapaxes(1, 2).reshape(rows * side, cols * side)
    width = max(3, round(LINE * side))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    faint = cv2.morphologyEx((far > 1).astype(np.uint8), cv2.MORPH_OPEN, kernel)
    sure = cv2.morphologyEx((far > SURE).astype(np.uint8), cv2.MORPH_OPEN, kernel)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(faint, connectivity=8)
    found = []
    for label in range(1, count):
        mask = labels == label
        if (sure[mask] > 0).sum() > STREAK * side * side:
            found.append((int(stats[label, cv2.CC_STAT_AREA]), mask))
    return [mask for _, mask in sorted(found, key=lambda pair: -pair[0])]


def _joined(camera: Pose, side: int, streaks: Sequence[Mask]) -> list[Mask]:
    """The streaks, those joined that one piece can leave: a white neck on a white square parts head and foot."""
    left = list(streaks)
    for one in range(len(left)):
        for other in range(one + 1, len(left)):
            if left[one].any() and left[other].any() and _one_piece(camera, side, left[one], left[other]):
                left[one], left[other] = np.zeros_like(left[one]), left[one] | left[other]
    return [streak for streak in left if streak.any()]


def _one_piece(camera: Pose, side: int, one: Mask, other: Mask) -> bool:
    """Whether two streaks lie behind each other, close, and together no longer than one tall piece is seen."""
    spans: list[tuple[float, float, float]] = []
    away = np.zeros(2)
    for mask in (one, other):
        y, x = np.nonzero(mask)
        at = np.column_stack([x + 0.5, y + 0.5]) / side
        if not spans:
            away = at.mean(axis=0) - camera.eye[:2]
            away /= max(float(np.linalg.norm(away)), 1e-9)
        along, across = at @ away, at @ np.array([-away[1], away[0]])
        spans.append((float(along.min()), float(along.max()), float(across.mean())))
    (near, far, middle), (near2, far2, middle2) = sorted(spans)
    # A point at a height is seen where its ray meets the board: farther away by height / (eye - height) of the way.
    from_eye = near - float(camera.eye[:2] @ away)
    longest = TALLEST * from_eye / max(camera.eye[2] - TALLEST, 1.0) + FOOT
    return abs(middle - middle2) < BODY / 2 and near2 - far < BODY and max(far, far2) - near < longest


def _piece(
    photo: Photo, placement: ChequeredPlacement, camera: Pose, squares: Squares, streak: Mask
) -> Standing | None:
    """The piece whose streak on the flat board this is."""
    y, x = np.nonzero(streak)
    at = np.column_stack([x + 0.5, y + 0.5]) / squares.side
    away = at.mean(axis=0) - camera.eye[:2]
    away /= max(float(np.linalg.norm(away)), 1e-9)
    beside = np.array([-away[1], away[0]])
    along, across = at @ away, at @ beside
    near = float(np.quantile(along, 0.01))
    base = along < near + 0.45
    low, high = np.quantile(across[base], [0.02, 0.98])
    radius = float(np.clip((high - low) / 2, 0.18, 0.42))
    foot = away * (near + radius) + beside * (low + high) / 2
    cell = int(np.floor(foot[1])), int(np.floor(foot[0]))
    if not (0 <= cell[0] < placement.rows and 0 <= cell[1] < placement.cols):
        return None
    seen, hidden = _screen(photo, camera, foot, away)
    places = placement.to_board(hidden.reshape(-1, 2)).reshape(hidden.shape)
    shape = _cut_out(seen, places, squares)
    rows = np.nonzero(shape.any(axis=1))[0]
    if not len(rows):
        return None
    tall = ABOVE - rows[0] / SCREEN_PX
    inside = float(0.5 - np.abs(foot - np.floor(foot) - 0.5).max())
    tip, head = _widths(shape[rows[0] :])
    return Standing(cell, (float(foot[0]), float(foot[1])), inside, float(tall), tip, head, shape, seen)


def _widths(shape: Mask) -> tuple[float, float]:
    """The widths of a silhouette's tip and head, in squares; its topmost row is ragged and left out."""
    width = shape.sum(axis=1) / SCREEN_PX
    end, neck = round(TIP * SCREEN_PX), round((TIP + HEAD) * SCREEN_PX)
    return float(np.median(width[1 : end + 1])), float(np.median(width[end + 1 : neck + 1]))


def _screen(photo: Photo, camera: Pose, foot: Floats, away: Floats) -> tuple[Picture, Floats]:
    """The picture on an upright screen through ``foot``, and the pixel of the photo that each of its pixels shows."""
    width, height = round(2 * HALF_WIDTH * SCREEN_PX), round((BELOW + ABOVE) * SCREEN_PX)
    # Seen from the camera the screen's right is a quarter turn from the way it looks.
    right = np.array([-away[1], away[0]])
    ends = [(-HALF_WIDTH, ABOVE), (HALF_WIDTH, ABOVE), (HALF_WIDTH, -BELOW), (-HALF_WIDTH, -BELOW)]
    corners = camera.to_photo([(*(foot + right * a), z) for a, z in ends])
    box = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(box, corners.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(photo.bgr, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    x, y = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    pixels = cv2.perspectiveTransform(np.stack([x, y], axis=-1), matrix.astype(np.float64))
    return np.asarray(seen, dtype=np.uint8), np.asarray(pixels, dtype=np.float64)


def _cut_out(seen: Picture, places: Floats, squares: Squares) -> Mask:
    """The piece on its screen, by colour models that what differs from the empty board starts (GrabCut [1]_).

    Args:
        seen: the screen.
        places: the place on the board that each pixel hides, ``float64 (H, W, 2)`` in board units.
        squares: the board.
    """
    rows, cols, side, _ = squares.far.shape
    flat = squares.far.swapaxes(1, 2).reshape(rows * side, cols * side)
    width = max(3, round(LINE * side))
    solid = cv2.morphologyEx(flat, cv2.MORPH_OPEN, np.ones((width, width), np.uint8))
    at = (places * side - 0.5).astype(np.float32)
    # Beyond the board nothing is known: -1.
    far = cv2.remap(solid, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=-1)
    height, across = seen.shape[:2]
    aside = np.abs((np.arange(across) + 0.5) / SCREEN_PX - HALF_WIDTH)[None]
    up = (ABOVE - (np.arange(height) + 0.5) / SCREEN_PX)[:, None]
    marks = np.full((height, across), cv2.GC_PR_BGD, np.uint8)
    marks[(far > 1) & (aside < BODY) & (up < TALLEST) & (up > -BODY)] = cv2.GC_PR_FGD
    marks[(far < 0) & (aside < BODY / 2) & (up < TALLEST) & (up > 0)] = cv2.GC_PR_FGD
    marks[(far > SURE) & (aside < BODY) & (up < TALLEST) & (up > -BODY)] = cv2.GC_FGD
    marks[(aside > 1.25 * BODY) | (up > TALLEST) | (up < -BODY)] = cv2.GC_BGD
    marks[(far >= 0) & (far < 0.4) & (aside > 0.7 * BODY)] = cv2.GC_BGD
    if not (marks == cv2.GC_FGD).any():
        return np.zeros(marks.shape, bool)
    cv2.setRNGSeed(1)
    cv2.grabCut(seen, marks, (0, 0, 1, 1), np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_MASK)
    body = ((marks == cv2.GC_FGD) | (marks == cv2.GC_PR_FGD)).astype(np.uint8)
    body = cv2.morphologyEx(body, cv2.MORPH_OPEN, np.ones((width, width), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(body)
    if count < 2:
        return np.zeros(marks.shape, bool)
    return np.asarray(labels == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax()))
