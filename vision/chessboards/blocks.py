"""What a JPEG leaves around the marks on a square: blocks of noise, together large enough for a piece.

Numbers and dots are smaller than any piece, and stand out as clearly; the blocks that they lie in do not.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards.bodies import LEAST_AREA, LIMB, height, is_mark
from vision.chessboards.silhouettes import measure
from vision.chessboards.squares import BLUR, GRAIN, MOSTLY_EMPTY, RIM, Square, Squares, ring
from vision.pictures.masks import filled
from vision.pictures.medians import percentile, percentiles

Mask = npt.NDArray[np.bool_]

MARK_AT, MARK_MOST = 0.35, 98
"""Part of the contrast of a mark down to which it is the mark, and the percentage of a body, by its contrast, at which
that is: the strokes of a number are a tenth of what the blocks around it make of it."""

FREE = 50
"""Percentage of squares whose rims nothing hides, at least: as many as are empty when a game begins."""

HIGHEST, LARGEST = 0.45, 0.12
"""Height of a mark and area of what it encloses at most, in squares: numbers have 0.3 and 0.07, dots 0.38 and 0.1, and
pieces drawn as thin lines at least 0.5 and 0.15."""

MOST_OF_IT = 0.8
"""Part of a body that is enclosed by its mark from which on that is the body: pieces have 0.85 and more."""

BLURRED = 0.05
"""Width, in squares, that the edge of a mark spreads to."""

ONE_COLOUR = 1.25
"""How many times farther from the square's colour the third quarter of what has one colour is than the first at most;
in blocks it is 1.3 and more, where they are more than grain."""


def is_mark_in_blocks(square: Square, body: Mask, squares: Squares) -> bool:
    """Whether what seems to be the body of a piece is a mark that is smaller than one, and what a JPEG left around it.

    A piece of one colour that is more than grain is none of that, though something on it stands out much more clearly.
    """
    mark = by_its_own_contrast(square, body) & body
    within = _with_inside(mark)
    if within.sum() > MOST_OF_IT * body.sum() or not (_is_small(within) or is_mark(measure(within), within)):
        return False
    blurred = round(BLURRED * len(mark))
    rest = body & ~(cv2.dilate(mark.astype(np.uint8), np.ones((blurred, blurred), np.uint8)) > 0)
    if rest.mean() < LEAST_AREA:
        return True
    near, usual, far = (percentile(square.far[rest], part) for part in (25, 50, 75))
    return usual < squares.finest or far > ONE_COLOUR * near


def enclosed(square: Square, body: Mask) -> Mask:
    """A body without what clings to it: what stands out as clearly as its clearest part, and what is within that."""
    return _with_inside(by_its_own_contrast(square, body) & body)


def _with_inside(mark: Mask) -> Mask:
    """A mark and what is within it: an outline that is open here and there encloses a piece nevertheless."""
    gap = round(LIMB * len(mark))
    around = np.pad(mark, gap).astype(np.uint8)
    closed = cv2.morphologyEx(around, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8)) > 0
    return filled(closed)[gap:-gap, gap:-gap]


def _is_small(mark: Mask) -> bool:
    """Whether a mark is smaller than any piece."""
    return 0 < height(mark) < HIGHEST and mark.mean() < LARGEST


def grain(squares: Squares) -> float:
    """What of all that differs from its square, of what counts, blocks that lie anywhere may do.

    They leave flat parts of a square in other shades than its rim, where the squares themselves hardly differ.
    """
    rims = squares.far[:, :, ring(squares.side, BLUR, RIM)]
    return GRAIN * percentile(percentiles(rims, MOSTLY_EMPTY, axis=2), FREE)


def by_its_own_contrast(square: Square, body: Mask) -> Mask:
    """What of a square stands out as clearly as the clearest part of a body."""
    return square.clearly(MARK_AT * contrast(square, body))


def contrast(square: Square, body: Mask) -> float:
    """How clearly the clearest part of a body stands out."""
    return percentile(square.far[body], MARK_MOST) if body.any() else 0.0
