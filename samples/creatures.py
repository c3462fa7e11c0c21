"""Small drawn creatures: spiders, beetles, butterflies, fish and caterpillars in any colours.

Each is drawn along its axis, head to the right, on a transparent patch, so that it can be turned and cut. No two
directions along it look alike: front, back, left and right halves can be told apart once they are cut.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Rgba = npt.NDArray[np.uint8]
"""``uint8 (H, W, 4)``, blue, green, red, opacity."""

Colour = tuple[int, int, int]

FAMILIES = ("spider", "beetle", "butterfly", "fish", "caterpillar")

_SUPERSAMPLED = 3
"""Drawn this much larger and averaged: OpenCV's own smoothing of edges does not reach the opacity."""


@dataclass(frozen=True)
class Creature:
    """What a creature looks like.

    Attributes:
        family: one of ``FAMILIES``.
        body: colour of its body.
        trim: colour of its head, spots or stripes.
        limbs: colour of its legs, fins and feelers.
        girth: its width for its length, 0.7..1.3.
        joints: how many pairs of spots, stripes or links it has, 2..5.
    """

    family: str
    body: Colour
    trim: Colour
    limbs: Colour
    girth: float = 1.0
    joints: int = 3


def random_creatures(rng: np.random.Generator, count: int) -> list[Creature]:
    """``count`` creatures of which no two share family and colours."""
    families = [FAMILIES[k] for k in rng.permutation(len(FAMILIES))]
    hues = (rng.uniform(0, 180) + np.arange(count) * (180 / count)) % 180
    creatures = []
    for k, hue in enumerate(rng.permutation(hues)):
        body, trim = (
            _paint(hue, rng.uniform(150, 255), rng.uniform(120, 255)),
            _paint(hue + rng.uniform(30, 120), 220, 255),
        )
        limbs = _paint(hue + rng.uniform(-20, 20), rng.uniform(60, 255), rng.uniform(30, 110))
        family = families[k % len(families)]
        creatures.append(Creature(family, body, trim, limbs, rng.uniform(0.8, 1.2), int(rng.integers(2, 6))))
    return creatures


def _paint(hue: float, saturation: float, value: float) -> Colour:
    pixel = np.array([[[hue % 180, saturation, value]]]).astype(np.uint8)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return int(b), int(g), int(r)


class _Pen:
    """Draws on a square patch that shows -1..1 in both directions, y down."""

    def __init__(self, side_px: int) -> None:
        self.canvas: Rgba = np.zeros((side_px * _SUPERSAMPLED,) * 2 + (4,), np.uint8)
        self._unit = side_px * _SUPERSAMPLED / 2

    def _px(self, points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        return np.round((np.asarray(points, dtype=np.float64) + 1) * self._unit - 0.5).astype(np.int32)

    def oval(self, x: float, y: float, rx: float, ry: float, colour: Colour) -> None:
        cx, cy = (int(v) for v in self._px((x, y)))
        axes = (max(1, round(rx * self._unit)), max(1, round(ry * self._unit)))
        outline = tuple(int(c * 0.45) for c in colour)
        cv2.ellipse(self.canvas, (cx, cy), axes, 0, 0, 360, (*colour, 255), -1)
        cv2.ellipse(self.canvas, (cx, cy), axes, 0, 0, 360, (*outline, 255), max(1, round(0.02 * self._unit)))

    def shape(self, points: npt.ArrayLike, colour: Colour) -> None:
        cv2.fillPoly(self.canvas, [self._px(points)], (*colour, 255))
        outline = tuple(int(c * 0.45) for c in colour)
        cv2.polylines(self.canvas, [self._px(points)], True, (*outline, 255), max(1, round(0.02 * self._unit)))

    def stroke(self, points: npt.ArrayLike, colour: Colour, width: float) -> None:
        cv2.polylines(self.canvas, [self._px(points)], False, (*colour, 255), max(1, round(width * self._unit)))

    def patch(self) -> Rgba:
        """The drawing at its final size, colours weighted by opacity."""
        side = self.canvas.shape[0] // _SUPERSAMPLED
        opacity = self.canvas[..., 3:].astype(np.float32) / 255
        weighted = np.concatenate([self.canvas[..., :3] * opacity, opacity * 255], axis=2)
        small = cv2.resize(weighted, (side, side), interpolation=cv2.INTER_AREA)
        colours = small[..., :3] / np.maximum(small[..., 3:] / 255, 1e-3)
        return np.asarray(np.clip(np.concatenate([colours, small[..., 3:]], axis=2), 0, 255), dtype=np.uint8)


def draw(creature: Creature, side_px: int) -> Rgba:
    """The creature on a transparent square patch, head to the right, almost filling it lengthwise."""
    pen = _Pen(side_px)
    {
        "spider": _spider,
        "beetle": _beetle,
        "butterfly": _butterfly,
        "fish": _fish,
        "caterpillar": _caterpillar,
    }[creature.family](pen, creature)
    return pen.patch()


def _spider(pen: _Pen, it: Creature) -> None:
    for side in (-1, 1):
        for k, reach in enumerate((0.95, 0.6, -0.45, -0.95)):
            knee, foot = (
                (0.5 * reach + 0.1, side * (0.5 - 0.05 * k)),
                (reach, side * (0.85 - 0.12 * (k % 3)) * it.girth),
            )
            pen.stroke([(0.15 - 0.08 * k, 0), knee, foot], it.limbs, 0.055)
    pen.oval(-0.35, 0, 0.38, 0.3 * it.girth, it.body)
    for k in range(it.joints):
        pen.oval(-0.6 + 0.5 * k / it.joints, 0.06, 0.05, 0.1, it.trim)
    pen.oval(0.15, 0, 0.2, 0.17 * it.girth, it.trim)
    pen.oval(0.25, 0.06, 0.04, 0.04, (250, 250, 250))


def _beetle(pen: _Pen, it: Creature) -> None:
    for side in (-1, 1):
        for k, x in enumerate((0.35, 0.0, -0.4)):
            pen.stroke([(x, 0), (x + 0.1, side * 0.5), (x + 0.25 - 0.3 * k, side * 0.8 * it.girth)], it.limbs, 0.06)
        pen.stroke([(0.6, 0), (0.8, side * 0.12), (0.97, side * 0.4)], it.limbs, 0.04)
    pen.oval(0.6, 0, 0.2, 0.24 * it.girth, it.trim)
    pen.oval(-0.15, 0, 0.65, 0.46 * it.girth, it.body)
    for k in range(it.joints):
        x = -0.6 + 0.95 * k / it.joints
        pen.oval(x, 0.22, 0.09, 0.08, it.trim)
        pen.oval(x + 0.08, -0.2, 0.07, 0.1, it.limbs)
    pen.stroke([(0.5, 0), (-0.8, 0)], it.limbs, 0.03)


def _butterfly(pen: _Pen, it: Creature) -> None:
    for side in (-1, 1):
        pen.shape([(-0.1, 0), (-0.85, side * 0.35), (-0.75, side * 0.75 * it.girth), (-0.1, side * 0.5)], it.trim)
        pen.shape(
            [(0.2, 0), (-0.15, side * 0.55), (0.35, side * 0.95), (0.85, side * 0.75), (0.6, side * 0.2)], it.body
        )
        for k in range(it.joints):
            pen.oval(0.1 + 0.5 * k / it.joints, side * 0.6, 0.06, 0.08, it.limbs)
        pen.stroke([(0.5, 0), (0.75, side * 0.05), (0.95, side * 0.22)], it.limbs, 0.035)
    pen.oval(0.0, 0, 0.55, 0.1, it.limbs)
    pen.oval(0.5, 0.0, 0.1, 0.1, it.trim)


def _fish(pen: _Pen, it: Creature) -> None:
    pen.shape([(-0.5, 0), (-0.95, -0.5), (-0.8, 0.0), (-0.95, 0.55)], it.limbs)
    pen.shape([(0.3, -0.2), (-0.1, -0.75 * it.girth), (-0.4, -0.2)], it.limbs)
    pen.shape([(0.2, 0.2), (-0.1, 0.6 * it.girth), (-0.3, 0.2)], it.trim)
    pen.oval(0.1, 0, 0.7, 0.4 * it.girth, it.body)
    for k in range(it.joints):
        x = -0.4 + 0.75 * k / it.joints
        pen.stroke([(x, -0.3 * it.girth), (x + 0.08, 0), (x, 0.3 * it.girth)], it.trim, 0.07)
    pen.oval(0.55, -0.1, 0.09, 0.09, (250, 250, 250))
    pen.oval(0.57, -0.1, 0.04, 0.04, (10, 10, 10))


def _caterpillar(pen: _Pen, it: Creature) -> None:
    links = it.joints + 3
    for k in range(links):
        x = -0.8 + 1.4 * k / links
        y = 0.12 * (-1) ** k
        pen.stroke([(x, y), (x - 0.05, y + 0.5 * it.girth)], it.limbs, 0.05)
        pen.stroke([(x, y), (x + 0.08, y - 0.42 * it.girth)], it.trim, 0.04)
        pen.oval(x, y, 0.17, 0.27 * it.girth, it.body if k % 2 else it.trim)
    pen.oval(0.65, 0.0, 0.24, 0.28, it.limbs)
    pen.oval(0.75, -0.1, 0.06, 0.06, (250, 250, 250))
    pen.stroke([(0.75, 0), (0.9, 0.3), (0.98, 0.5)], it.limbs, 0.04)
