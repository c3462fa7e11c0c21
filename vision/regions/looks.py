"""What the cells of a coloured grid look like: their colour, and the line between each two of them.

All colours are CIELAB, where a distance of 1 is about the smallest difference an eye can see; that unit, not a pixel
value, is what thresholds are built on. A cell's colour is taken from a ring between its rim, where the lines are, and
its middle, where crosses, crowns and dots stand; the median over the ring ignores what covers less than half of it:
a mouse pointer, a handle, the fainter of two stripes.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.lab import converted
from vision.pictures.medians import median, medians
from vision.pictures.photo import Picture
from vision.regions.partition import Evidence

_Part = slice | tuple[slice, slice]

Lab = npt.NDArray[np.float32]
"""``float32 (..., 3)``: lightness 0..100, then green-red and blue-yellow, about -128..127."""

JUST_VISIBLE = 1.0
"""The smallest CIELAB distance that an eye can see. Differences below it are noise of compression, above it design."""

STEP = 3 * JUST_VISIBLE
"""A larger step of colour between two cells is none of compression and resampling."""

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


@dataclass(frozen=True, eq=False)
class Looks:
    """Colours and lines of a grid of cells.

    Attributes:
        lab: ``float32 (rows * side, cols * side, 3)``, the flat board.
        side: pixels of a cell's side in ``lab``.
        colours: ``float32 (rows, cols, 3)``.
        unevenness: ``float32 (rows, cols)``, how far most of a cell's ring is at most from its colour.
        lines: how much line lies between each two neighbours: its width in cells, where a faint line counts as a
            narrow one of the board's line ink. 0 where there is none.
        clarity: how well a line would be seen between each two neighbours, 0..1: white lines are lost beside pale
            cells, and where the step from one cell's colour to the other's leads past the line's.
        ink: ``float32 (3,)``, the colour of the board's lines.
        heard: what :mod:`vision.regions.cut` has concluded so far, by the number of the opinion about the colours.
        cuts: the regions that it has cut it into, the same.
    """

    lab: Lab
    side: int
    colours: Lab
    unevenness: Lab
    lines: Evidence
    clarity: Evidence
    ink: Lab
    heard: dict[int, Any] = field(default_factory=dict, repr=False)
    cuts: dict[int, Any] = field(default_factory=dict, repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.colours.shape[0], self.colours.shape[1]

    def cell(self, r: int, c: int) -> Lab:
        """The pixels of a cell, ``(side, side, 3)``."""
        return self.lab[r * self.side : (r + 1) * self.side, c * self.side : (c + 1) * self.side]

    @cached_property
    def colour_steps(self) -> Evidence:
        """How far apart the colours of each two neighbours are."""
        return Evidence(
            _distance(self.colours[:, 1:], self.colours[:, :-1]), _distance(self.colours[1:], self.colours[:-1])
        )

    @cached_property
    def nearest_steps(self) -> Evidence:
        """How far apart the colours of each two neighbours are where of an uneven cell that counts which is nearest.

        A hint's stripes and fades begin with the cell's own colour.
        """
        return Evidence(
            self._nearest(np.s_[:, 1:], np.s_[:, :-1]),
            self._nearest(np.s_[1:], np.s_[:-1]),
        )

    def _nearest(self, ones: _Part, others: _Part) -> npt.NDArray[np.float64]:
        rings = _rings(self.lab, self.side)
        uneven = self.unevenness > JUST_VISIBLE + UNEVENLY * median(self.unevenness)
        apart = _distance(self.colours[ones], self.colours[others])
        for cells, beside in ((ones, others), (others, ones)):
            parts = np.linalg.norm(rings[cells] - self.colours[beside][:, :, None], axis=-1)
            nearest = np.quantile(parts, OWN_COLOUR, axis=2)
            apart = np.where(uneven[cells], np.minimum(apart, nearest), apart)
        return apart

    @cached_property
    def hue_steps(self) -> Evidence:
        """How far apart the colours of each two neighbours stay when either may be shaded or washed out at will."""
        chroma = self.colours[..., 1:]
        return Evidence(_apart_in_hue(chroma[:, 1:], chroma[:, :-1]), _apart_in_hue(chroma[1:], chroma[:-1]))

    @cached_property
    def shades(self) -> tuple[Evidence, Evidence, Evidence]:
        """How light the darker of each two neighbours is, of the lighter one, and how far their colours then differ.

        The first is a factor on blue, green and red, 0..1, as an overlay of black makes it; the second is what the
        factor does not explain; the third is by what part the factor may be off, since dark pixels are whole numbers.
        """
        bgr = converted(self.colours, cv2.COLOR_LAB2BGR)
        right, down = _shade(bgr[:, 1:], bgr[:, :-1]), _shade(bgr[1:], bgr[:-1])
        return Evidence(right[0], down[0]), Evidence(right[1], down[1]), Evidence(right[2], down[2])


def look(flat: Picture, side: int) -> Looks:
    """Measure the cells of a flat board ``uint8 (rows * side, cols * side, 3)``."""
    lab = converted(flat.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    colours, unevenness = _ring_colours(lab, side)
    turned = np.ascontiguousarray(lab.transpose(1, 0, 2))
    right = _profiles(lab, side)
    down = _profiles(turned, side).transpose(1, 0, 2, 3)
    beside_right = np.stack([colours[:, :-1], colours[:, 1:]])
    beside_down = np.stack([colours[:-1], colours[1:]])
    mass_right, peak_right = _deviation(right, beside_right, side)
    mass_down, peak_down = _deviation(down, beside_down, side)
    ink = _ink(
        np.concatenate([mass_right.ravel(), mass_down.ravel()]),
        np.concatenate([peak_right.reshape(-1, 3), peak_down.reshape(-1, 3)]),
    )
    contrast_right, contrast_down = _off_step(ink, beside_right), _off_step(ink, beside_down)
    usual = median(np.concatenate([contrast_right.ravel(), contrast_down.ravel()]))
    least = max(LEAST_CONTRAST * usual, 10 * JUST_VISIBLE)
    lines = Evidence(mass_right / np.maximum(contrast_right, least), mass_down / np.maximum(contrast_down, least))
    clarity = Evidence(np.minimum(contrast_right / least, 1), np.minimum(contrast_down / least, 1))
    return Looks(lab, side, colours, unevenness, lines, clarity, ink)


def in_colours(flat: Picture, side: int) -> bool:
    """Whether the cells of a flat board differ in colour as the regions of a level do: a first look, made quickly.

    So many connected regions as there are rows have at least one border less between cells.
    """
    rows, cols = flat.shape[0] // side, flat.shape[1] // side
    rings = flat.reshape(rows, side, cols, side, 3).transpose(0, 2, 1, 3, 4)[:, :, ring_mask(side)]
    middle = rings.shape[2] // 2
    usual = np.asarray(np.partition(rings, middle, axis=2)[:, :, middle] / 255, dtype=np.float32)
    colours = converted(usual, cv2.COLOR_BGR2LAB)
    steps = Evidence(_distance(colours[:, 1:], colours[:, :-1]), _distance(colours[1:], colours[:-1]))
    return bool(np.count_nonzero(steps.values() > STEP) >= rows - 1)


def _ring_colours(lab: Lab, side: int) -> tuple[Lab, Lab]:
    """The colour of each cell's ring, and how far the nearer ``MOST`` of it are from that colour at most."""
    rings = _rings(lab, side)
    colours = np.asarray(medians(rings, axis=2), dtype=np.float32)
    apart = np.linalg.norm(rings - colours[:, :, None], axis=-1)
    return colours, np.asarray(np.quantile(apart, MOST, axis=2), dtype=np.float32)


def _rings(lab: Lab, side: int) -> Lab:
    """The pixels of each cell's ring, ``float32 (rows, cols, pixels, 3)``."""
    rows, cols = lab.shape[0] // side, lab.shape[1] // side
    return lab.reshape(rows, side, cols, side, 3).transpose(0, 2, 1, 3, 4)[:, :, ring_mask(side)]


def ring_mask(side: int) -> npt.NDArray[np.bool_]:
    """``bool (side, side)``: the ring of a cell that shows its colour."""
    rim, end = round(RIM * side), round(RING * side)
    ring = np.zeros((side, side), dtype=np.bool_)
    ring[rim : side - rim, rim : side - rim] = True
    ring[end : side - end, end : side - end] = False
    return ring


def _profiles(lab: Lab, side: int) -> Lab:
    """What one meets from each cell to its right neighbour: ``float32 (rows, cols - 1, 2 * reach, 3)``."""
    rows, cols = lab.shape[0] // side, lab.shape[1] // side
    reach, clear = round(RIM * side), round(CLEAR_OF_CORNERS * side)
    bands = lab.reshape(rows, side, cols * side, 3)[:, clear : side - clear]
    # The median along the line ignores a pointer's tip or a speck on it.
    across = np.asarray(medians(bands, axis=1), dtype=np.float32)
    return np.stack([across[:, c * side - reach : c * side + reach] for c in range(1, cols)], axis=1)


def _deviation(profiles: Lab, beside: Lab, side: int) -> tuple[npt.NDArray[np.float64], Lab]:
    """How much line a profile crosses (distance times width in cells), and the most deviating colour on it.

    Mixtures of the colours on both sides are no line: that is what a mere step looks like after resampling.
    """
    apart = _off_step(profiles, beside[:, :, :, None])
    at = apart.argmax(axis=2)
    peak = np.take_along_axis(profiles, at[:, :, None, None], axis=2)[:, :, 0]
    return apart.sum(axis=2) / side, peak


def _ink(mass: npt.NDArray[np.float64], peaks: Lab) -> Lab:
    """The colour of lines: the usual peak colour of the quarter of the lines with most of it."""
    strong = mass >= np.quantile(mass, 0.75)
    return np.asarray(medians(peaks[strong]), dtype=np.float32)


def _off_step(colours: Lab, beside: Lab) -> npt.NDArray[np.float64]:
    """How far colours are from all mixtures of the two cells' colours ``beside[0]`` and ``beside[1]``.

    Pixels mix in blue, green and red, and so do the mixtures here; the distance is CIELAB's.
    """
    one, other, seen = (converted(part, cv2.COLOR_LAB2BGR) for part in (beside[0], beside[1], colours))
    step = other - one
    from_one = seen - one
    along = (from_one * step).sum(axis=-1) / np.maximum((step**2).sum(axis=-1), np.finfo(np.float32).tiny)
    mixtures = one + np.clip(along, 0, 1)[..., None] * step
    # What OpenCV's way there and back changes is a hundredth of a cell's width in lines: the colours go it as well.
    return _distance(*(converted(part, cv2.COLOR_BGR2LAB) for part in (seen, mixtures)))


def _apart_in_hue(a: Lab, b: Lab) -> npt.NDArray[np.float64]:
    """How far the nearer of two chroma vectors ``(..., 2)`` is outside of a cone around the other; 0 for greys."""
    dot = np.maximum((a * b).sum(axis=-1), 0)[..., None]
    tiny = np.finfo(np.float32).tiny
    from_b = _distance(a, b * (dot / np.maximum((b**2).sum(axis=-1, keepdims=True), tiny)))
    from_a = _distance(b, a * (dot / np.maximum((a**2).sum(axis=-1, keepdims=True), tiny)))
    allowed_a, allowed_b = (SAME_HUE * np.linalg.norm(chroma, axis=-1) for chroma in (a, b))
    return np.asarray(np.maximum(np.minimum(from_b - allowed_a, from_a - allowed_b), 0), dtype=np.float64)


def _shade(a: Lab, b: Lab) -> tuple[npt.NDArray[np.float64], ...]:
    """The factor between colours ``(..., 3)`` in blue, green and red, what it leaves unexplained in CIELAB, and what
    part of the darker colour one grey value is.
    """
    swap = (a.sum(axis=-1) > b.sum(axis=-1))[..., None]
    dark, light = np.where(swap, b, a), np.where(swap, a, b)
    factor = (dark * light).sum(axis=-1) / np.maximum((light**2).sum(axis=-1), np.finfo(np.float32).tiny)
    shaded = np.asarray(light * factor[..., None], dtype=np.float32)
    off = _distance(converted(shaded, cv2.COLOR_BGR2LAB), converted(dark, cv2.COLOR_BGR2LAB))
    rounded = 1 / np.maximum(255 * np.linalg.norm(dark, axis=-1), 1)
    return np.asarray(factor, dtype=np.float64), off, np.asarray(rounded, dtype=np.float64)


def _distance(a: Lab, b: Lab) -> npt.NDArray[np.float64]:
    return np.asarray(np.linalg.norm(a - b, axis=-1), dtype=np.float64)
