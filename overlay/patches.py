"""Patches of cells: tinted, with round corners and a border, so that they look sewn on rather than smeared over.

Everything is told by distances: a pixel's distance to the edge of the patch says whether it lies in the gap, the border
or the cloth. That works the same for rectangles, for bent cells and for any outline.
"""

import cv2
import numpy as np
import numpy.typing as npt

from overlay.canvas import Canvas, Mask, Window, coverage, polygon_mask
from solvers.board import Cell
from solvers.marks import Fence, Fill

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

SHADE = 0.75
"""The border is the colour, a little darker."""


def paint_fill(canvas: Canvas, fill: Fill) -> None:
    """Tint a patch and give it a border.

    The background of the patch is moved towards the colour and cloth keeps its weave. What stands on it either moves
    along or stays as it is, whichever can be read better.
    """
    window, inside, side_px = _inside(canvas, fill.cells)
    if inside.size == 0:
        return
    red, green, blue = canvas.inks.colour(fill.ink)
    body, border = _body_and_border(inside, side_px)
    part = canvas.source[window.slices].astype(np.float32)
    background = _background(part, inside, side_px)
    tint = TINT * (np.array((blue, green, red), dtype=np.float32) - background)
    canvas.blend(window, body, _tinted(part, body, background, tint))
    canvas.blend(window, border, (round(red * SHADE), round(green * SHADE), round(blue * SHADE)))


def paint_fence(canvas: Canvas, fence: Fence) -> None:
    """Draw only the border of a patch; a doubtful one is hatched."""
    window, inside, side_px = _inside(canvas, fence.cells)
    if inside.size == 0:
        return
    colour = canvas.inks.colour(fence.ink)
    body, border = _body_and_border(inside, side_px)
    if fence.style == "doubt":
        canvas.blend(window, body * _hatching(window, side_px), colour)
    canvas.blend(window, border, colour)


def _inside(canvas: Canvas, cells: tuple[Cell, ...]) -> tuple[Window, npt.NDArray[np.uint8], float]:
    """The window around the cells, 255 inside them and 0 elsewhere, and the mean side of a cell in pixels."""
    outlines = [canvas.outline(cell) for cell in cells]
    window = canvas.window(np.concatenate(outlines))
    # Not smoothed: neighbouring cells must leave no seam between them.
    covered = polygon_mask(window, outlines, smooth=False)
    side_px = float(np.mean([canvas.side_px(canvas.layout.centre(cell)) for cell in cells]))
    return window, np.asarray(covered * 255, dtype=np.uint8), side_px


def _body_and_border(inside: npt.NDArray[np.uint8], side_px: float) -> tuple[Mask, Mask]:
    """The patch moved in by the gap, its corners rounded, and its rim.

    Rounding is an opening: the patch is shrunk to a core and grown back. Body and rim grow from the same core.
    """
    depth = _distance(inside, beyond=0)
    core = np.where(depth >= (GAP + RADIUS) * side_px, 0, 255).astype(np.uint8)
    if core.min() > 0:  # too small to round
        body = coverage(depth - GAP * side_px + 0.5)
        return body, body - coverage(depth - (GAP + BORDER) * side_px + 0.5)
    away = _distance(core, beyond=255)
    body = coverage(RADIUS * side_px + 0.5 - away)
    return body, body - coverage((RADIUS - BORDER) * side_px + 0.5 - away)


def _background(part: Floats, inside: npt.NDArray[np.uint8], side_px: float) -> Floats:
    """The usual colour near the rim of a patch, where no clue stands, from a few hundred pixels."""
    depth = _distance(inside, beyond=0) / np.float32(side_px)
    rim = part[(depth > RIM[0]) & (depth < RIM[1])]
    if len(rim) == 0:
        return np.zeros(3, dtype=np.float32)
    sample = rim[:: max(1, len(rim) // BACKGROUND_PIXELS)]
    return np.asarray(np.median(sample, axis=0), dtype=np.float32)


def _tinted(part: Floats, body: Mask, background: Floats, tint: Floats) -> Floats:
    """The patch in its new colour, and on it the clue, moved along or as it was."""
    moved = np.asarray(np.clip(part + tint, 0, 255), dtype=np.float32)
    strange = _farthest(part - background)
    clue = (strange > CLUE * 255) & (body > 0.5)
    # Lines are thin and vanish here; what is left are badges and the strokes of numbers.
    clue &= cv2.morphologyEx(clue.astype(np.uint8), cv2.MORPH_OPEN, np.ones((4, 4), np.uint8)) > 0
    cloth = background + tint
    if not clue.any() or _readable(moved, part, clue, cloth) > MUCH_BETTER * _readable(part, part, clue, cloth):
        return moved
    # Between cloth and clue the two blend, or the rims of letters would show steps.
    stays = coverage((strange / 255 - CLUE / 2) / (CLUE / 2))[:, :, None]
    return np.asarray(moved + stays * (part - moved), dtype=np.float32)


def _farthest(difference: Floats) -> Floats:
    """The largest of the three channels' absolute differences; channel by channel, which is five times as fast."""
    blue, green, red = (np.abs(difference[:, :, channel]) for channel in range(3))
    return np.maximum(np.maximum(blue, green), red)


def _readable(shown: Floats, part: Floats, clue: npt.NDArray[np.bool_], cloth: Floats) -> float:
    """How well a clue can be read in ``shown``: its contrast with the cloth, or within itself where it has a badge."""
    solid = cv2.erode(clue.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    if solid.any() and _spread(part[solid]) > BADGE * 255:
        return _spread(shown[solid])
    return abs(float(np.median(shown[clue] @ LUMA)) - float(cloth @ LUMA))


def _spread(pixels: Floats) -> float:
    low, high = np.percentile(pixels @ LUMA, (4, 96))
    return float(high - low)


def _distance(mask: npt.NDArray[np.uint8], beyond: int) -> npt.NDArray[np.float32]:
    """Each pixel's distance to the nearest 0; ``beyond`` is what lies round the window."""
    framed = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(float(beyond),))
    distance = cv2.distanceTransform(framed, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.asarray(distance[1:-1, 1:-1], dtype=np.float32)


def _hatching(window: Window, side_px: float) -> Mask:
    rows, cols = window.shape
    y, x = np.mgrid[0:rows, 0:cols]
    period = max(2.0, HATCH * side_px)
    wave = np.abs(((x + y + window.left + window.top) % period) / period - 0.5)
    return coverage((HATCH_WIDTH - wave) * period + 0.5) * np.float32(HATCH_INK)
