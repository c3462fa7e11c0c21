"""Round things in a picture: balls, pits, printed discs, whatever their colour.

A ball board is a lattice of round things of two kinds, balls and pits, and nobody knows beforehand which is the lighter
one or how large they are. What they share is that the gradient along their rim points at, or away from, one centre. So
every rim pixel votes for the points at a distance of one radius before and behind it [1]_; a full circle gives all its
votes to its centre, a straight edge spreads them along a line.

The picture is looked at in several sizes with the same few radii in pixels, rather than in one size with many radii:
the cost of a size falls with its area, and the blurring suits the scale.

.. [1] G. Loy, A. Zelinsky, "Fast radial symmetry for detecting points of interest", IEEE Transactions on Pattern
   Analysis and Machine Intelligence 25(8), 2003, pp. 959-973. Here with thinned edges instead of all pixels, and with
   directions only: a faint rim of a black pit counts as much as a bright one.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.gradients import squared, strongest_gradient
from vision.pictures.masks import disc
from vision.pictures.photo import Photo
from vision.pictures.stripes import without_stripes

Floats = npt.NDArray[np.float64]

FINEST_PX, LARGE_PX = 1358, 960
"""Longer side of the largest size looked at, in which a ball of 1/105 of the picture's width is still 12 pixels across;
and of the next one, at which most boards are seen in half of the time.
"""

SIZES = 8
"""How many sizes there are from that on, each 1/sqrt(2) of the one before; a ball of the last one is a seventh of it.
"""

RADII_PX = (6.0, 6.9, 7.9)
"""Radii looked for in every size: 15 % apart, which the smoothing of the votes forgives, up to the next size."""

FULL_CIRCLE = 0.30
"""Votes per pixel of circumference that make a spot: connected balls show little more than half of their rims, and a
rim that is not quite a circle (perspective) spreads its votes over the smoothing window."""

SURROUNDINGS = 0.1
"""Part of the picture's longer side that counts as the surroundings of an edge: more than a ball, less than a board."""

STRONG = 60.0
"""Length of a gradient (Sobel, grey levels) that is simply an edge: longer ones make their surroundings no louder."""

FAINT = 20.0
"""The same for a keener look: black pits beside bright balls are faint, and make their surroundings no louder."""

QUIET = 7.0
"""Least length that surroundings are held for: the noise of a smooth part of a photo."""

USUAL = 100.0
"""Surroundings are brought to this mean length, so that integers are fine enough."""

LOW, HIGH = 1.1, 1.8
"""Lengths of edges, in the mean of their surroundings: an edge goes on at the first and begins at the second."""

MOST_SPOTS = 260
"""Spots kept per size: a board has 55, its surroundings may have more, and the lattice search pays for each pair."""


@dataclass(frozen=True, eq=False)
class Spots:
    """The round things that one size of a picture shows; they are looked for when somebody asks.

    Attributes:
        small: the picture at this size.
        scale: pixels at this size per pixel of the photo.
        strong: length of a gradient that is simply an edge.
    """

    small: Photo
    scale: float
    strong: float

    @property
    def radius_px(self) -> float:
        """The middle one of the radii looked for, in pixels of the photo."""
        return RADII_PX[1] / self.scale

    @property
    def is_finest(self) -> bool:
        """Whether this is the largest size, finer than most boards need."""
        return max(self.small.width, self.small.height) > LARGE_PX

    @property
    def points_px(self) -> Floats:
        """The centres ``(x, y)`` in pixels of the photo, strongest first: ``float64 (N, 2)``."""
        # Pixel centres: pixel i of the small picture covers (i + 0.5) / scale - 0.5 of the large one.
        return (self._peaks[0] + 0.5) / self.scale - 0.5

    @property
    def strength(self) -> Floats:
        """Share of the rim that voted for each of them, roughly 0..1: ``float64 (N,)``."""
        return self._peaks[1]

    @cached_property
    def votes(self) -> npt.NDArray[np.float32]:
        """The strength everywhere at this size, ``float32 (h, w)``."""
        dx, dy = self.small.derive(_gradient)
        edges = _thin_edges(dx, dy, self.strong)
        ys, xs = np.nonzero(edges)
        long_x, long_y = dx[ys, xs].astype(np.float32), dy[ys, xs].astype(np.float32)
        length = np.hypot(long_x, long_y) + np.float32(1e-6)
        gx, gy = long_x / length, long_y / length
        votes: npt.NDArray[np.float32] = np.zeros(edges.shape, np.float32)
        for radius in RADII_PX:
            for sign in (radius, -radius):
                np.maximum(votes, _votes(xs + sign * gx, ys + sign * gy, votes.shape, radius), out=votes)
        return votes

    @cached_property
    def near(self) -> npt.NDArray[np.float32]:
        """The most votes within two pixels, everywhere."""
        return np.asarray(cv2.dilate(self.votes, np.ones((5, 5), np.uint8)), np.float32)

    @cached_property
    def _peaks(self) -> tuple[Floats, Floats]:
        return _peaks(self.votes)


def spots(photo: Photo) -> list[Spots]:
    """The round things in ``photo``, one entry for each size looked at, from the smallest things to the largest."""
    return _spots(photo, STRONG, photo.scale)


def faint_spots(photo: Photo) -> list[Spots]:
    """The same with a keener eye: fainter things are seen among strong ones, and more that is nothing.

    Stripes of a photographed screen, stronger than any black pit, are taken away first.
    """
    return _spots(photo.derive(unstriped) or photo, FAINT, photo.scale)


def unstriped(photo: Photo) -> Photo | None:
    """The picture at the largest size looked at without its stripes; None where it has none."""
    finest = photo.reduced(FINEST_PX)
    plain = without_stripes(finest)
    return None if plain is finest else plain


def _spots(photo: Photo, strong: float, whole: float) -> list[Spots]:
    large = photo.reduced(LARGE_PX)
    sizes = [photo.reduced(FINEST_PX), *(large.reduced(round(LARGE_PX / 2 ** (step / 2))) for step in range(SIZES))]
    # A small picture has fewer sizes: it would be the same in the finer ones.
    return [Spots(small, small.scale / whole, strong) for small in dict.fromkeys(sizes)]


def _gradient(small: Photo) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """Of the channel with the strongest one at each pixel, to the right and down."""
    dx, dy = strongest_gradient(cv2.split(cv2.GaussianBlur(small.bgr, (0, 0), 0.8)), cv2.CV_16S)
    return np.asarray(dx, np.int16), np.asarray(dy, np.int16)


def _thin_edges(dx: npt.NDArray[np.int16], dy: npt.NDArray[np.int16], strong: float) -> npt.NDArray[np.bool_]:
    """Edges that stand out of their surroundings: pits of a black tray are fainter than the grain of the table."""
    length = np.sqrt(squared(dx, dy))
    reach = round(max(length.shape) * SURROUNDINGS) | 1
    usual = cv2.blur(np.minimum(length, strong), (reach, reach))
    gain = USUAL / np.maximum(usual, QUIET)
    flat_x, flat_y = (np.clip(part * gain, -30_000, 30_000).astype(np.int16) for part in (dx, dy))
    return np.asarray(cv2.Canny(flat_x, flat_y, LOW * USUAL, HIGH * USUAL, L2gradient=True) > 0)


def _votes(
    xs: npt.NDArray[np.floating], ys: npt.NDArray[np.floating], shape: tuple[int, ...], radius: float
) -> npt.NDArray[np.float32]:
    height, width = shape
    col, row = np.rint(xs).astype(np.intp), np.rint(ys).astype(np.intp)
    inside = (col >= 0) & (col < width) & (row >= 0) & (row < height)
    counts = np.bincount(row[inside] * width + col[inside], minlength=height * width)
    counted = counts.reshape(height, width).astype(np.float32)
    # The window gathers what a rim of this radius scatters when it is a tenth out of round.
    sigma = 0.17 * radius
    gathered = cv2.GaussianBlur(counted, (0, 0), sigma) * (2 * np.pi * sigma**2)
    return np.asarray(gathered / (2 * np.pi * radius), dtype=np.float32)


def _peaks(votes: npt.NDArray[np.float32]) -> tuple[Floats, Floats]:
    reach = 2 * round(RADII_PX[0] * 0.8) + 1
    highest = cv2.dilate(votes, disc(reach))
    ys, xs = np.nonzero((votes >= highest) & (votes > FULL_CIRCLE))
    strength = votes[ys, xs].astype(np.float64)
    order = np.argsort(-strength, kind="stable")[:MOST_SPOTS]
    return _between_pixels(votes, xs[order], ys[order]), strength[order]


def _between_pixels(votes: npt.NDArray[np.float32], xs: npt.NDArray[np.intp], ys: npt.NDArray[np.intp]) -> Floats:
    """The peaks to a part of a pixel: the middle of the votes in the 3 x 3 pixels around, above the least of them."""
    padded = np.pad(votes, 1, mode="edge").astype(np.float64)
    around = np.stack([padded[ys + dy, xs + dx] for dy in range(3) for dx in range(3)], axis=1)
    around -= around.min(axis=1, keepdims=True)
    steps = np.array([(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)], np.float64)
    return np.asarray(np.column_stack([xs, ys]) + around @ steps / np.maximum(around.sum(axis=1, keepdims=True), 1e-9))
