"""Patches of cells: tinted, with round corners and a border, so that they look sewn on rather than smeared over.

Everything is told by distances: a pixel's distance to the edge of the patch says whether it lies in the gap, the border
or the cloth. That works the same for rectangles, for bent cells and for any outline.
"""

import cv2
import numpy as np
import numpy.typing as npt

from overlay.canvas import Canvas, Mask, Window, coverage, lay, pixels_of, polygon_inside
from solvers.board import Cell
from solvers.marks import Fence, Fill
from vision.pictures.medians import median, medians, percentile
from vision.pictures.photo import Picture

# Fractions of a cell's side.
GAP = 0.05
BORDER = 0.07
RADIUS = 0.16
HATCH = 0.22

Floats = npt.NDArray[np.float32]

HATCH_WIDTH, HATCH_INK = 0.14, 0.8
"""How much of a hatching's period is line, on either side of its middle, and how strong the line is."""

TINT = 0.55
"""How much of the way a patch goes from its own background to its colour."""

RIM = (0.06, 0.2)
"""Where the background of a patch is looked at: so far from its edge, in cells. Badges leave the corners free."""

CLUE = 0.3
"""What differs from the background by this part of the full range is a clue rather than weave."""

MUCH_BETTER = 1.3
"""A clue that stays as it is looks more like the picture; it is moved along when it can then be read so much better."""

BADGE = 0.2
"""A clue whose own parts differ in lightness by this part of the full range is a badge with a number on it."""

LUMA = np.array([0.114, 0.587, 0.299], dtype=np.float32)
"""Lightness from blue, green and red (ITU-R BT.601)."""

BACKGROUND_PIXELS = 500
"""Enough to know the usual colour of a patch by."""

LEAST_BODY = 1e-3
"""Where a patch covers less of a pixel nothing of its border is seen."""

SHADE = 0.75
"""The border is the colour, a little darker."""


def paint_fill(canvas: Canvas, fill: Fill) -> None:
    """Tint a patch and give it a border.

    The background of the patch is moved towards the colour and cloth keeps its weave. What stands on it either moves
    along or stays as it is, whichever can be read better.
    """
    window, depth, side_px = _inside(canvas, fill.cells)
    if depth.size == 0:
        return
    red, green, blue = canvas.inks.colour(fill.ink)
    body, border = _body_and_border(depth, side_px)
    part = canvas.source[window.slices]
    background = _background(part, depth / np.float32(side_px))
    tint = TINT * (np.array((blue, green, red), dtype=np.float32) - background)
    patch = _tinted(part, body, background, tint)
    share = np.asarray(border / np.maximum(body, LEAST_BODY), dtype=np.float32)
    lay(patch, share, (round(red * SHADE), round(green * SHADE), round(blue * SHADE)))
    canvas.blend(window, body, patch)


def paint_fence(canvas: Canvas, fence: Fence) -> None:
    """Draw only the border of a patch; a doubtful one is hatched."""
    window, depth, side_px = _inside(canvas, fence.cells)
    if depth.size == 0:
        return
    colour = canvas.inks.colour(fence.ink)
    body, border = _body_and_border(depth, side_px)
    if fence.style == "doubt":
        canvas.blend(window, body * _hatching(window, side_px), colour)
    canvas.blend(window, border, colour)


def _inside(canvas: Canvas, cells: tuple[Cell, ...]) -> tuple[Window, Mask, float]:
    """The window around the cells, how deep inside them each pixel lies, and the mean side of a cell in pixels."""
    outlines = canvas.outlines(cells)
    window = canvas.window(np.concatenate(outlines))
    if 0 in window.shape:
        return window, np.zeros(window.shape, np.float32), 0.0
    side_px = float(np.mean(canvas.sides_px([canvas.layout.centre(cell) for cell in cells])))
    return window, _distance(polygon_inside(window, outlines), beyond=0), side_px


def _body_and_border(depth: Mask, side_px: float) -> tuple[Mask, Mask]:
    """The patch moved in by the gap, its corners rounded, and its rim.

    Rounding is an opening: the patch is shrunk to a core and grown back. Body and rim grow from the same core.
    """
    core = np.where(depth >= (GAP + RADIUS) * side_px, 0, 255).astype(np.uint8)
    if core.min() > 0:  # too small to round
        body = coverage(depth - GAP * side_px + 0.5)
        return body, body - coverage(depth - (GAP + BORDER) * side_px + 0.5)
    away = _distance(core, beyond=255)
    body = coverage(RADIUS * side_px + 0.5 - away)
    return body, body - coverage((RADIUS - BORDER) * side_px + 0.5 - away)


def _background(part: Picture, depth: Mask) -> Floats:
    """The usual colour near the rim of a patch, where no clue stands, from a few hundred pixels."""
    rim = np.flatnonzero((depth > RIM[0]) & (depth < RIM[1]))
    if len(rim) == 0:
        return np.zeros(3, dtype=np.float32)
    sample = rim[:: max(1, len(rim) // BACKGROUND_PIXELS)]
    rows, cols = np.divmod(sample, part.shape[1])
    return medians(part[rows, cols].astype(np.float32))


def _tinted(part: Picture, body: Mask, background: Floats, tint: Floats) -> Picture:
    """The patch in its new colour, and on it the clue, moved along or as it was: ``uint8 (h, w, 3)``."""
    shift = np.rint(tint)  # in whole steps OpenCV adds bytes many times as fast
    lighter = cv2.add(part, _scalar(np.maximum(shift, 0)))
    moved = np.asarray(cv2.subtract(lighter, _scalar(np.maximum(-shift, 0))), dtype=np.uint8)
    blue, green, red = cv2.split(cv2.absdiff(part, _scalar(np.rint(background))))
    strange = cv2.max(cv2.max(blue, green), red)
    clue = ((strange > CLUE * 255) & (body > 0.5)).view(np.uint8)
    # Lines are thin and vanish here; what is left are badges and the strokes of numbers.
    clue &= np.asarray(cv2.morphologyEx(clue, cv2.MORPH_OPEN, np.ones((4, 4), np.uint8)), dtype=np.uint8)
    if clue.any() and not _moves_along(part, moved, clue > 0, background + tint):
        # Between cloth and clue the two blend, or the rims of letters would show steps.
        at = pixels_of(((strange > CLUE / 2 * 255) & (body > 0)).view(np.uint8))
        kept = coverage((strange[at] / np.float32(255) - CLUE / 2) / (CLUE / 2))[:, None]
        here = moved[at].astype(np.float32)
        moved[at] = np.rint(here + kept * (part[at] - here)).astype(np.uint8)
    return moved


def _scalar(bgr: Floats) -> npt.NDArray[np.float64]:
    """A colour as OpenCV's arithmetic wants it beside a picture: four numbers."""
    return np.array([*bgr, 0.0], dtype=np.float64)


def _moves_along(part: Picture, moved: Picture, clue: npt.NDArray[np.bool_], cloth: Floats) -> bool:
    """Whether a clue can be read so much better when it is moved to its new colour along with the cloth."""
    rows, cols = (np.flatnonzero(clue.any(axis=axis)) for axis in (1, 0))
    # With a rim, so that strokes at the edge are worn off as those inside are.
    box = np.s_[max(0, rows[0] - 1) : rows[-1] + 2, max(0, cols[0] - 1) : cols[-1] + 2]
    after, before = (_luma(shown[box]) for shown in (moved, part))
    changed, kept = (_readable(luma, before, clue[box], float(cloth @ LUMA)) for luma in (after, before))
    return changed > MUCH_BETTER * kept


def _luma(bgr: Picture) -> Floats:
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.float32)


def _readable(shown: Floats, before: Floats, clue: npt.NDArray[np.bool_], cloth: float) -> float:
    """How well a clue of lightness ``shown`` can be read: its contrast with the cloth, or within itself where it has a
    badge.
    """
    solid = cv2.erode(clue.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    if solid.any() and _spread(before[solid]) > BADGE * 255:
        return _spread(shown[solid])
    return abs(median(shown[clue]) - cloth)


def _spread(luma: Floats) -> float:
    return percentile(luma, 96) - percentile(luma, 4)


def _distance(mask: Picture, beyond: int) -> Mask:
    """Each pixel's distance to the nearest 0; ``beyond`` is what lies round the window."""
    found = _of_rectangle(mask, beyond)
    if found is not None:
        return found
    framed = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(float(beyond),))
    distance = cv2.distanceTransform(framed, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.asarray(distance[1:-1, 1:-1], dtype=np.float32)


def _of_rectangle(mask: Picture, beyond: int) -> Mask | None:
    """The same where what differs from what lies beyond is a rectangle, as most patches are on screens, in a fraction
    of the time; None where it is something else.
    """
    differs = (mask > 0) != (beyond > 0)
    (top, bottom), (left, right) = (np.flatnonzero(differs.any(axis=axis))[[0, -1]] for axis in (1, 0))
    if np.count_nonzero(differs) != (bottom + 1 - top) * (right + 1 - left):
        return None
    y, x = (np.arange(length, dtype=np.float32) for length in mask.shape)
    if beyond:
        down, across = np.maximum(np.maximum(top - y, y - bottom), 0), np.maximum(np.maximum(left - x, x - right), 0)
        return np.asarray(np.sqrt((down * down)[:, None] + across * across), dtype=np.float32)
    down, across = np.minimum(y - top, bottom - y) + 1, np.minimum(x - left, right - x) + 1
    return np.asarray(np.maximum(np.minimum(down[:, None], across), 0), dtype=np.float32)


def _hatching(window: Window, side_px: float) -> Mask:
    rows, cols = window.shape
    y, x = np.mgrid[0:rows, 0:cols]
    period = max(2.0, HATCH * side_px)
    wave = np.abs(((x + y + window.left + window.top) % period) / period - 0.5)
    return coverage((HATCH_WIDTH - wave) * period + 0.5) * np.float32(HATCH_INK)
