"""What the cells of a coloured grid look like: their colour, and the line between each two of them.

All colours are CIELAB, where a distance of 1 is about the smallest difference an eye can see; that unit, not a pixel
value, is what thresholds are built on. A cell's colour is taken from a ring between its rim, where the lines are, and
its middle, where crosses, crowns and dots stand; the median over the ring ignores what covers less than half of it:
a mouse pointer, a handle, the fainter of two stripes.

Before that, light that fades over the board is evened out: a film's dark edges, a lamp, a window. A fade makes two
cells of one region as different as two regions. It is told from regions by being seen twice: inside the cells, each of
which is of one colour by itself, and between neighbours, most of which are of one region. Cells that an app draws with
a gloss fade inside but not from one to the next, and regions the other way round.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.flatten import cut_into_cells
from vision.pictures.lab import converted
from vision.pictures.medians import median, medians
from vision.pictures.photo import Picture
from vision.regions.partition import Evidence, Floats, pairs_of

Lab = npt.NDArray[np.float32]
"""``float32 (..., 3)``: lightness 0..100, then green-red and blue-yellow, about -128..127."""

JUST_VISIBLE = 1.0
"""The smallest CIELAB distance that an eye can see. Differences below it are noise of compression, above it design."""

STEP = 3 * JUST_VISIBLE
"""A larger step of colour between two cells is none of compression and resampling."""

CONTRAST = 10 * JUST_VISIBLE
"""Least contrast with which lines are drawn, and least strength of a colour whose hue is compared."""

RIM = 0.14
"""Part of a cell's side that its border may take: the thickest borders of region games reach 0.1 of a cell into it,
and the grid may be a few hundredths off."""

RING = 0.27
"""Where the ring ends: crowns are up to 0.6 of a cell wide and leave its edges and corners free."""

MOST = 0.6
"""Part of a ring that shows the cell's own colour even where a wide crown stands in it."""

SAME_HUE = 0.3
"""How far shade may turn a colour's hue, as a part of its strength: an angle of 17 degrees in CIELAB."""

LEAST_CONTRAST = 0.5
"""Lines are clearly seen where their ink differs from the cells beside them by this part of the usual."""

OWN_COLOUR = 0.1
"""A hint's stripes and fades leave at least this part of a cell's ring in its own colour."""

UNEVENLY = 2.0
"""A cell so many times as uneven as the usual one has stripes or a fade."""

CLEAR_OF_CORNERS = 0.25
"""A line is looked at between these parts of a cell's side: where lines cross, the thicker one wins."""

SAME_AT_LEAST = 0.4
"""Share of the pairs of neighbours that surely lie inside regions: n connected regions on n x n cells have at least
n² - n inner pairs, half of all; less a few that regions in several pieces, or shaded cells, take away."""

FADES = 0.1
"""What the darkest row or column is darker than the lightest, as a part of it, below which a board is evenly lit."""

UNEXPLAINED = 0.5
"""What a fade leaves of the usual step from one cell to the next in its region, at most."""

_LOGARITHMS = np.log(np.arange(256) + 1.0)
"""Of how light a pixel is: looked up, as most of the time went into them."""


@dataclass(frozen=True, eq=False)
class Appearance:
    """Colours and lines of a grid of cells.

    Attributes:
        side: pixels of a cell's side in the flat picture.
        rings: ``float32 (rows, cols, pixels, 3)``, the pixels that show the cells' colours.
        colours: ``float32 (rows, cols, 3)``.
        unevenness: ``float32 (rows, cols)``, how far most of a cell's ring is at most from its colour.
        lines: how much line lies between each two neighbours: its width in cells, where a faint line counts as a
            narrow one of the board's line ink. 0 where there is none.
        clarity: how well a line would be seen between each two neighbours, 0..1: white lines are lost beside pale
            cells, and where the step from one cell's colour to the other's leads past the line's.
        cuts: the regions that :mod:`vision.regions.cut` has cut it into, by the number of its hypothesis.
    """

    side: int
    rings: Lab
    colours: Lab
    unevenness: Lab
    lines: Evidence
    clarity: Evidence
    cuts: dict[int, Any] = field(default_factory=dict, repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.lines.shape

    @cached_property
    def colour_steps(self) -> Evidence:
        """How far apart the colours of each two neighbours are."""
        return Evidence(_distance(*pairs_of(self.colours)), self.shape)

    @cached_property
    def nearest_steps(self) -> Evidence:
        """How far apart the colours of each two neighbours are where of an uneven cell that counts which is nearest.

        A hint's stripes and fades begin with the cell's own colour.
        """
        uneven = pairs_of(self.unevenness > JUST_VISIBLE + UNEVENLY * median(self.unevenness))
        rings, colours = pairs_of(self.rings), pairs_of(self.colours)
        apart = self.colour_steps.values
        for k in (0, 1):
            parts = np.linalg.norm(rings[k] - colours[1 - k][:, None], axis=-1)
            nearest = np.quantile(parts, OWN_COLOUR, axis=1)
            apart = np.where(uneven[k], np.minimum(apart, nearest), apart)
        return Evidence(apart, self.shape)

    @cached_property
    def hue_steps(self) -> Evidence:
        """How far apart the colours of each two neighbours stay when either may be shaded or washed out at will."""
        return Evidence(_apart_in_hue(*pairs_of(self.colours[..., 1:])), self.shape)

    @cached_property
    def shades(self) -> tuple[Floats, Floats, Floats]:
        """How light the darker of each two neighbours is, of the lighter one, and how far their colours then differ.

        The first is a factor on blue, green and red, 0..1, as an overlay of black makes it; the second is what the
        factor leaves unexplained in CIELAB; the third is by what part the factor may be off, since dark pixels are
        whole numbers.
        """
        one, other = pairs_of(converted(self.colours, cv2.COLOR_LAB2BGR))
        swap = (one.sum(axis=-1) > other.sum(axis=-1))[..., None]
        dark, light = np.where(swap, other, one), np.where(swap, one, other)
        factor = (dark * light).sum(axis=-1) / np.maximum((light**2).sum(axis=-1), np.finfo(np.float32).tiny)
        shaded = np.asarray(light * factor[..., None], dtype=np.float32)
        off = _distance(_to_lab(shaded), _to_lab(dark))
        rounded = 1 / np.maximum(255 * np.linalg.norm(dark, axis=-1), 1)
        return np.asarray(factor, dtype=np.float64), off, np.asarray(rounded, dtype=np.float64)


def measure(flat: Picture, side: int) -> Appearance:
    """Measure the cells of a flat board ``uint8 (rows * side, cols * side, 3)``."""
    lab = _to_lab(flat.astype(np.float32) / 255)
    around = rings(lab, side)
    colours = np.asarray(medians(around, axis=2), dtype=np.float32)
    apart = np.linalg.norm(around - colours[:, :, None], axis=-1)
    unevenness = np.asarray(np.quantile(apart, MOST, axis=2), dtype=np.float32)
    across, downwards = _profiles(lab, side), _profiles(np.ascontiguousarray(lab.transpose(1, 0, 2)), side)
    profiles = [across.reshape(-1, *across.shape[2:]), downwards.swapaxes(0, 1).reshape(-1, *across.shape[2:])]
    beside = np.stack(pairs_of(colours))
    mass, peaks = _deviation(np.concatenate(profiles), beside, side)
    # The ink of lines: the usual peak colour of the quarter of the lines with most of it.
    ink = np.asarray(medians(peaks[mass >= np.quantile(mass, 0.75)]), dtype=np.float32)
    contrast = _off_step(ink, beside)
    least = max(LEAST_CONTRAST * median(contrast), CONTRAST)
    lines = mass / np.maximum(contrast, least)
    shape = colours.shape[0], colours.shape[1]
    clarity = np.minimum(contrast / least, 1)
    return Appearance(side, around, colours, unevenness, Evidence(lines, shape), Evidence(clarity, shape))


def in_colours(flat: Picture, side: int) -> bool:
    """Whether the cells of a flat board differ in colour as the regions of a level do: a first look, made quickly.

    So many connected regions as there are rows have at least one border less between cells.
    """
    around = rings(flat, side)
    middle = around.shape[2] // 2
    usual = np.asarray(np.partition(around, middle, axis=2)[:, :, middle] / 255, dtype=np.float32)
    return bool(np.count_nonzero(_distance(*pairs_of(_to_lab(usual))) > STEP) >= len(around) - 1)


def rings(flat: npt.NDArray[Any], side: int) -> npt.NDArray[Any]:
    """The pixels of each cell that show its colour, ``(rows, cols, pixels, 3)``."""
    rim, end = round(RIM * side), round(RING * side)
    ring = np.zeros((side, side), dtype=np.bool_)
    ring[rim : side - rim, rim : side - rim] = True
    ring[end : side - end, end : side - end] = False
    return cut_into_cells(flat, side)[:, :, ring]


def _profiles(lab: Lab, side: int) -> Lab:
    """What one meets from each cell to its right neighbour: ``float32 (rows, cols - 1, 2 * reach, 3)``."""
    rows, cols = lab.shape[0] // side, lab.shape[1] // side
    reach, clear = round(RIM * side), round(CLEAR_OF_CORNERS * side)
    bands = lab.reshape(rows, side, cols * side, 3)[:, clear : side - clear]
    # The median along the line ignores a pointer's tip or a speck on it.
    across = np.asarray(medians(bands, axis=1), dtype=np.float32)
    return np.stack([across[:, c * side - reach : c * side + reach] for c in range(1, cols)], axis=1)


def _deviation(profiles: Lab, beside: Lab, side: int) -> tuple[Floats, Lab]:
    """How much line each profile crosses (distance times width in cells), and the most deviating colour on it.

    Mixtures of the colours on both sides are no line: that is what a mere step looks like after resampling.
    """
    apart = _off_step(profiles, beside[:, :, None])
    peak = np.take_along_axis(profiles, apart.argmax(axis=1)[:, None, None], axis=1)[:, 0]
    return apart.sum(axis=1) / side, peak


def _off_step(colours: Lab, beside: Lab) -> Floats:
    """How far colours are from all mixtures of the two cells' colours ``beside[0]`` and ``beside[1]``.

    Pixels mix in blue, green and red, and so do the mixtures here; the distance is CIELAB's.
    """
    one, other, bgr = (converted(part, cv2.COLOR_LAB2BGR) for part in (beside[0], beside[1], colours))
    step = other - one
    from_one = bgr - one
    along = (from_one * step).sum(axis=-1) / np.maximum((step**2).sum(axis=-1), np.finfo(np.float32).tiny)
    mixtures = one + np.clip(along, 0, 1)[..., None] * step
    # What OpenCV's way there and back changes is a hundredth of a cell's width in lines: the colours go it as well.
    return _distance(_to_lab(bgr), _to_lab(mixtures))


def _apart_in_hue(a: Lab, b: Lab) -> Floats:
    """How far the nearer of two chroma vectors ``(..., 2)`` is outside of a cone around the other; 0 for greys."""
    dot = np.maximum((a * b).sum(axis=-1), 0)[..., None]
    tiny = np.finfo(np.float32).tiny
    from_b = _distance(a, b * (dot / np.maximum((b**2).sum(axis=-1, keepdims=True), tiny)))
    from_a = _distance(b, a * (dot / np.maximum((a**2).sum(axis=-1, keepdims=True), tiny)))
    allowed_a, allowed_b = (SAME_HUE * np.linalg.norm(chroma, axis=-1) for chroma in (a, b))
    return np.asarray(np.maximum(np.minimum(from_b - allowed_a, from_a - allowed_b), 0), dtype=np.float64)


def _to_lab(bgr: npt.NDArray[np.floating[Any]]) -> Lab:
    return converted(bgr.astype(np.float32, copy=False), cv2.COLOR_BGR2LAB)


def _distance(a: Lab, b: Lab) -> Floats:
    return np.asarray(np.linalg.norm(a - b, axis=-1), dtype=np.float64)


# --- light that fades -------------------------------------------------------------------------------------------------


def evened(flat: Picture, side: int) -> Picture:
    """A flat board ``uint8 (rows * side, cols * side, 3)`` as it looks where light is even; the same where it is."""
    lit = _LOGARITHMS[np.maximum(np.maximum(flat[..., 0], flat[..., 1]), flat[..., 2])]
    down, right = (_fade(part, side) for part in (lit, lit.T))
    if max(np.ptp(down), np.ptp(right)) < FADES:
        return flat
    light = down[:, None] + right[None]
    even = flat * np.exp(light.max() - light)[..., None]
    return np.asarray(np.clip(even.round(), 0, 255), dtype=np.uint8)


def _fade(lit: Floats, side: int) -> Floats:
    """The logarithm of how light each row of pixels is; ``lit`` is that of each pixel."""
    rows, cols = lit.shape[0] // side, lit.shape[1] // side
    cells = cut_into_cells(lit, side)
    rim, ring = round(RIM * side), round(RING * side)
    parts = (cells[:, :, part, rim : side - rim] for part in (slice(rim, ring), slice(side - ring, side - rim)))
    first, last = (medians(part.reshape(rows, cols, -1), axis=2) for part in parts)
    inside = medians(last - first, axis=1) * side / (side - rim - ring)
    across = (first + last)[1:] / 2 - (first + last)[:-1] / 2
    within = (inside[1:] + inside[:-1]) / 2
    left, usual = (float(np.quantile(np.abs(steps), SAME_AT_LEAST)) for steps in (across - within[:, None], across))
    steps = within if left <= UNEXPLAINED * usual else np.zeros_like(within)
    levels = np.concatenate([[0.0], np.cumsum(steps)])
    at = (np.arange(rows * side) + 0.5) / side - 0.5
    return np.asarray(np.interp(at, np.arange(rows), levels), dtype=np.float64)
