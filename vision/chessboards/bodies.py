"""The body of what stands on a square: filled, and without strokes that are none.

What is thin is no figure but a digit, a coordinate or a line; what is the same upside down and low is a dot.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards import squares as empty_squares
from vision.chessboards.silhouettes import Measures
from vision.pictures.masks import connected_to, filled, largest, opened

Mask = npt.NDArray[np.bool_]

STROKE = 0.07
"""Width of strokes that are no bodies, in squares: digits, lines of a tour, cracks."""

LIMB = 0.13
"""The same where lines run in from other squares: what is thinner is taken for a line."""

LEAST_AREA = 0.1
"""Least area of a piece, of its square; pawns of small sets have 0.13, a digit 0.04."""

LEAST_HEIGHT, LEAST_WIDTH = 0.3, 0.22
"""Least size of a piece, in squares: flat crowns as icons draw them, and knights on squares wider than high."""

OFF_MIDDLE = 0.24
"""How far a piece's box may lie off the middle of its square, sideways."""

UPENDED = 0.82
"""Overlap of a symmetric mark with its upside-down self from which it is a dot or a sign: pieces have feet."""

DOT, SLIM_DOT, SLIM = 0.5, 0.46, 0.85
"""Height of a dot at most, in squares; the same of what is slimmer than the third, as wide as that part of its height:
a rook of small signs has 0.48, 0.77, and nearly the same outline upside down."""

ALIKE = 0.8
"""Overlap of two silhouettes of one kind of piece on one board."""

SAME_BODY = 0.65
"""Overlap of what one sees of a piece from near by and from afar, in photos: the gaps of a crown take a third."""

HOLDS_MUCH = 1.5
"""How many times larger a figure is when gaps of a pixel in its outline are closed: a white one on white."""

CORNER, CORNER_FULL = 0.07, 0.8
"""Side of the corners of a square, in squares, and the part of one that no figure fills: light and shade do."""


def fills_a_corner(body: Mask, border: float = empty_squares.SLACK) -> bool:
    """Whether a corner of the square, its ``border`` left out, is a part of the body."""
    edge, side = round(border * len(body)), round(CORNER * len(body))
    inner = body[edge:-edge, edge:-edge]
    return max(float(np.rot90(inner, k)[:side, :side].mean()) for k in range(4)) > CORNER_FULL


def stretched(stretch: float, turns: int) -> float:
    """The height of a square over its width after so many quarter turns."""
    return 1 / stretch if turns % 2 else stretch


def body_of(mask: Mask) -> Mask | None:
    """The body of the piece on a square, filled and without strokes; None where there is none."""
    side = len(mask)
    body = _solid(filled_in(mask))
    down, across = (np.nonzero(body.any(axis=axis))[0] for axis in (1, 0))
    if body.sum() < LEAST_AREA * side**2:
        return None
    if np.ptp(down) + 1 < LEAST_HEIGHT * side or np.ptp(across) + 1 < LEAST_WIDTH * side:
        return None
    return body if abs((across[0] + across[-1] + 1) / 2 - side / 2) <= OFF_MIDDLE * side else None


def filled_in(mask: Mask) -> Mask:
    """The mask without its holes; an outline that a gap of a pixel leaves open is closed, where it holds much."""
    as_seen = filled(mask)
    closed = filled(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) > 0)
    return closed if closed.sum() > HOLDS_MUCH * as_seen.sum() else as_seen


def enlarged(body: Mask | None, side: int) -> Mask | None:
    """The same on a square of another side."""
    if body is None:
        return None
    return np.asarray(cv2.resize(body.astype(np.uint8), (side, side), interpolation=cv2.INTER_NEAREST)) > 0


def _solid(whole: Mask) -> Mask:
    """The largest thing on a square that is not thin all over, with its thin parts; nothing where there is none."""
    solid = thicker(whole, STROKE)
    body = largest(solid)
    # What hangs together with it is a part of it, however thin, unless it runs out of the square.
    joined = connected_to(body, whole, connectivity=8)
    if not body.any() or not _reaches_out(joined):
        return _with_points(joined, whole) if body.any() else body
    solid &= joined
    if not _reaches_out(solid):
        return _with_points(body, whole)
    # Lines run in from other squares: only what is thick counts, and what is near to it.
    core = thicker(joined, LIMB)
    reach = round(2 * LIMB * len(whole)) // 2 * 2 + 1
    return largest(solid & (cv2.dilate(core.astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0))


def thick(mask: Mask) -> Mask:
    """What is thicker than strokes on a square, and than the lines that run in from other squares."""
    found = thicker(mask, STROKE)
    return thicker(found, LIMB) if _reaches_out(found) else found


def _reaches_out(mask: Mask) -> bool:
    """Whether anything of a square comes near to its border."""
    edge = round((empty_squares.SLACK + 0.02) * len(mask))
    inner = mask[edge:-edge, edge:-edge]
    return bool(mask.sum() > inner.sum())


def _with_points(body: Mask, whole: Mask) -> Mask:
    """The body with the points of a crown that opening cost it: what is near and was there, and hangs together with it.

    Balls may float above their crown. What is near its side is a coordinate.
    """
    reach = round(2 * STROKE * body.shape[0]) // 2 * 2 + 1
    near = cv2.dilate(body.astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0
    count, labels, _, centres = cv2.connectedComponentsWithStats((near & whole).astype(np.uint8), connectivity=8)
    kept = np.zeros(count, dtype=bool)
    kept[np.unique(labels[body])] = True
    across = np.nonzero(body.any(axis=0))[0]
    kept |= (centres[:, 0] >= across[0]) & (centres[:, 0] <= across[-1])
    kept[0] = False
    return np.asarray(body | kept[labels])


def thicker(mask: Mask, width: float) -> Mask:
    """The mask without what is thinner than ``width`` of a square."""
    return opened(mask, max(2, round(width * mask.shape[0])))


def height(body: Mask) -> float:
    """The height of a body, in squares."""
    rows = np.nonzero(body.any(axis=1))[0]
    return float(np.ptp(rows) + 1) / len(body) if len(rows) else 0.0


def overlap(one: Mask, other: Mask) -> float:
    """The common part of two silhouettes on their squares."""
    return float((one & other).sum() / (one | other).sum())


def is_mark(seen: Measures, body: Mask) -> bool:
    """Whether a silhouette is a dot, a ring or a sign: low, and the same upside down."""
    low = height(body) <= (DOT if seen.aspect > SLIM else SLIM_DOT)
    return bool(low and seen.upended > UPENDED and seen.lopsided < 0.15)
