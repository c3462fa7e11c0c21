"""Edges by direction, strong and faint alike: what finds a tray whose grooves are fainter than its artwork.

A groove between two pieces of one colour is a faint line; the legs of a printed spider beside it are strong ones. A
threshold on the gradient keeps the legs and loses the groove. So the gradient of a pixel is divided by what is usual
around it (the mean gradient of its neighbourhood), which leaves every locally strongest edge near 1, and pixels are
sorted by the direction of their edge: a line of the tray is then a path that meets edges *along* itself, which legs
that cross it are not.

Reference: the straight lines come from a Hough transform whose votes are limited to the gradient's direction
(O'Gorman and Clowes, "Finding picture edges through collinearity of feature points", 1976).
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.gradients import strongest_gradient
from vision.pictures.lab import converted
from vision.pictures.photo import Photo

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

DIRECTIONS = 18
"""Directions that edges are sorted into, 10 degrees each: a line bent by a lens or a warped piece stays in one."""

ANGLES = 180
"""Angles of the Hough transform: 1 degree, about what a side of a few hundred pixels can tell."""

NEIGHBOURHOOD = 0.025
"""How wide a pixel's neighbourhood is, as a part of the picture's longer side: half a tray's cell when a tray fills two
thirds of it. In a wider one artwork outvotes a groove beside it."""

NOISE = 0.025
"""The gradient of sensor noise and of JPEG blocks, as a fraction of the range of brightness: never called an edge."""

STEEP = np.tan(np.radians(60))
"""Slope of a gradient from which on the neighbours across its edge are those above and below."""

EDGE = 0.3
"""A pixel votes for a line when its gradient is at least 0.43 times what is usual around it."""


@dataclass(frozen=True, eq=False)
class OrientedEdges:
    """The edges of a picture, thin, evened out and sorted by direction.

    Attributes:
        strength: ``float32 (H, W)``, 0..1; 0 where the pixel is not the strongest across its edge.
        normal: ``float32 (H, W)``, the direction across the edge in radians, 0..pi.
        stack: ``uint8 (DIRECTIONS, H, W)``: the strongest edge within a pixel whose normal lies within 15 degrees of
            ``k * pi / DIRECTIONS``, 255 for the strength 1: a quarter of the memory, which is what looking up costs.
    """

    strength: Floats32
    normal: Floats32
    stack: Bytes

    def lines(self, at_most: int) -> tuple[Floats, Floats]:
        """The straight lines that most edges lie on, best first: angles (radians, 0..pi) and distances (pixels).

        A line is where ``(x - W / 2) * cos(angle) + (y - H / 2) * sin(angle) = distance``.
        """
        votes, middle = _votes(self.strength, self.normal)
        smooth = cv2.GaussianBlur(votes, (0, 0), 1.0)
        # A line stands out from the parallels beside it; wood grain and hatching do not.
        peaks = smooth - cv2.blur(smooth, (41, 1))
        best = np.argwhere((peaks >= cv2.dilate(peaks, np.ones((5, 7), np.uint8))) & (peaks > 0))
        order = np.argsort(-peaks[best[:, 0], best[:, 1]], kind="stable")[:at_most]
        best = best[order]
        return (best[:, 0] * (np.pi / ANGLES)).astype(np.float64), (best[:, 1] - middle).astype(np.float64)


def oriented_edges(photo: Photo) -> OrientedEdges:
    """The edges of ``photo`` (computed once for each photo)."""
    return photo.derive(_oriented_edges)


def _oriented_edges(photo: Photo) -> OrientedEdges:
    lab = converted(photo.bgr, cv2.COLOR_BGR2LAB)
    # Of the channel of Lab that changes most, so that equal greys can still differ.
    along_x, along_y = strongest_gradient(cv2.split(cv2.GaussianBlur(lab, (0, 0), 0.8)), cv2.CV_32F)
    size = np.asarray(cv2.magnitude(along_x, along_y), dtype=np.float32)
    side = round(max(size.shape) * NEIGHBOURHOOD) | 1
    usual = cv2.boxFilter(size, -1, (side, side))
    across = np.arctan2(along_y, along_x)
    normal = np.where(across < 0, across + np.float32(np.pi), across)
    # Sobel's weights sum to 8 for a slope of one level a pixel.
    strength = size / (size + usual + NOISE * 255 * 8) * _crests(size, along_x, along_y)
    return OrientedEdges(strength, normal, _sorted(strength, normal))


def _crests(size: Floats32, along_x: Floats32, along_y: Floats32) -> npt.NDArray[np.bool_]:
    """Where the gradient is no smaller than at the two neighbours across the edge."""
    padded = np.asarray(cv2.copyMakeBorder(size, 1, 1, 1, 1, cv2.BORDER_REPLICATE), dtype=np.float32)
    before, here, after = slice(None, -2), slice(1, -1), slice(2, None)

    def highest(one: tuple[slice, slice], other: tuple[slice, slice]) -> npt.NDArray[np.bool_]:
        return np.asarray(size >= np.maximum(padded[one], padded[other]))

    across, down = np.abs(along_x), np.abs(along_y)
    slanting = np.where(
        np.signbit(along_x) == np.signbit(along_y),
        highest((before, before), (after, after)),
        highest((before, after), (after, before)),
    )
    steep = np.where(down > STEEP * across, highest((before, here), (after, here)), slanting)
    return np.where(down * STEEP < across, highest((here, before), (here, after)), steep)


def _sorted(strength: Floats32, normal: Floats32) -> Bytes:
    """The layers of :attr:`OrientedEdges.stack`."""
    stack = np.empty((DIRECTIONS, *strength.shape), np.uint8)
    nearest = np.rint(normal * (DIRECTIONS / np.pi)).astype(np.uint8)
    level = np.rint(strength * 255).astype(np.uint8)
    kernel = np.ones((3, 3), np.uint8)
    directions = np.arange(256)
    for k, layer in enumerate(stack):
        here = np.isin((directions - k) % DIRECTIONS, (DIRECTIONS - 1, 0, 1)).astype(np.uint8) * 255
        cv2.dilate(cv2.bitwise_and(level, cv2.LUT(nearest, here)), kernel, layer)
    return stack


def _votes(strength: Floats32, normal: Floats32) -> tuple[Floats32, int]:
    """Votes by angle and distance, and the column of distance 0; each pixel votes within 2 degrees of its normal."""
    height, width = strength.shape
    y, x = np.nonzero(strength > EDGE)
    weight = strength[y, x]
    nearest = np.round(normal[y, x] * (ANGLES / np.pi)).astype(np.int64)
    middle = int(np.hypot(height, width) / 2) + 2
    columns = 2 * middle + 1
    votes = np.zeros(ANGLES * columns, dtype=np.float64)
    right, down = x - width / 2, y - height / 2
    angles = np.arange(ANGLES) * (np.pi / ANGLES)
    cosines, sines = np.cos(angles), np.sin(angles)
    for turn in range(-2, 3):
        angle = (nearest + turn) % ANGLES  # half a turn is the same line
        column = np.rint(right * cosines[angle] + down * sines[angle]).astype(np.int64) + middle
        votes += np.bincount(angle * columns + column, weights=weight, minlength=votes.size)
    return votes.reshape(ANGLES, columns).astype(np.float32), middle
