"""Something to draw on: polygons, lines in several stitches, text, all antialiased.

Points are ``(x, y)`` in pixels, lengths in pixels; whoever draws a board multiplies by its cell's side.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from samples.fonts import Face, digit_face, face
from samples.textures import Bgr
from vision.pictures.photo import Picture

Points = npt.NDArray[np.float64]
Coverage = npt.NDArray[np.float32]
Paint = Bgr | Callable[[tuple[int, int]], Picture]
"""A colour, or what makes a texture of a given width and height."""

SHIFT = 4
"""Bits after the point in OpenCV's coordinates."""

STITCHES: dict[str, tuple[float, float]] = {
    "plain": (0.0, 0.0),
    "dotted": (0.0, 2.4),
    "dashed": (3.2, 2.6),
    "stitched": (4.2, 1.0),
    "running": (4.2, 1.7),
}
"""By kind of line: length of a dash and of the gap after it, in line widths."""


@dataclass(frozen=True)
class Type:
    """How digits are set: the family of the face, their height, how much strokes are thickened (of the height)."""

    family: str
    height: float
    weight: float = 0.0


class Canvas:
    """A picture that is being drawn.

    Attributes:
        picture: ``uint8 (H, W, 3)`` BGR, what has been drawn so far.
        parts: ``uint8 (H, W)``, what each pixel shows, by the numbers of :meth:`showing`; 0 for nothing that was named.
    """

    def __init__(self, picture: Picture) -> None:
        """Draw on a copy of ``picture``."""
        self.picture: Picture = np.array(picture, dtype=np.uint8)
        self.parts: Picture = np.zeros(picture.shape[:2], np.uint8)
        self._part: int | None = None

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.picture.shape[1], self.picture.shape[0]

    @contextmanager
    def showing(self, part: int) -> Iterator[None]:
        """While this is open, lines show this part of something, and digits this bit beside what is under them."""
        self._part = part
        yield
        self._part = None

    def mark(self, polygon: npt.ArrayLike, part: int) -> None:
        """Say that a polygon shows a part, without drawing it."""
        points = [_fixed(np.asarray(polygon, np.float64)).astype(np.int32)]
        cv2.fillPoly(self.parts, points, (part,), cv2.LINE_8, SHIFT)

    def mark_line(self, points: npt.ArrayLike, width: float, part: int) -> None:
        """The same of a line."""
        track = [_fixed(np.asarray(points, np.float64)).astype(np.int32)]
        cv2.polylines(self.parts, track, False, (part,), max(1, round(width)), cv2.LINE_8, SHIFT)

    def fill(self, polygon: npt.ArrayLike, paint: Paint, alpha: float = 1.0) -> None:
        """Fill a polygon with a colour or a texture."""
        fixed = _fixed(np.asarray(polygon, np.float64))
        x0, y0, width, height = cv2.boundingRect((fixed / 2**SHIFT).astype(np.int32))
        area = self._clip(x0 - 2, y0 - 2, x0 + width + 3, y0 + height + 3)
        coverage = np.zeros((area[0].stop - area[0].start, area[1].stop - area[1].start), np.uint8)
        if not coverage.size:
            return
        local = fixed - np.array([area[1].start, area[0].start]) * 2**SHIFT
        cv2.fillPoly(coverage, [local.astype(np.int32)], (255,), cv2.LINE_AA, SHIFT)
        self._cover(area, np.asarray(coverage / 255, np.float32), paint, alpha)

    def line(
        self,
        points: npt.ArrayLike,
        width: float,
        colour: Bgr,
        stitch: str = "plain",
        rng: np.random.Generator | None = None,
    ) -> None:
        """Draw along a polyline; ``rng`` makes the stitches uneven, as if by hand."""
        track = np.asarray(points, np.float64)
        thickness = max(1, round(width))
        for piece in _pieces(track, width, stitch, rng):
            cv2.polylines(self.picture, [_fixed(piece).astype(np.int32)], False, colour, thickness, cv2.LINE_AA, SHIFT)
        if self._part is not None:
            self.mark_line(track, width, self._part)

    def rounded(self, box: tuple[float, float, float, float], radius: float, paint: Paint, alpha: float = 1.0) -> None:
        """Fill a box ``(left, top, right, bottom)`` with round corners."""
        self.fill(rounded_outline(box, radius), paint, alpha)

    def disc(self, centre: npt.ArrayLike, radius: float, paint: Paint, alpha: float = 1.0) -> None:
        """Fill a circle."""
        self.fill(circle_outline(centre, radius), paint, alpha)

    def digits(self, centre: npt.ArrayLike, text: str, style: Type, colour: Bgr) -> None:
        """Write digits with their middle at ``centre``."""
        font = digit_face(style.family, round(style.height))
        self._write(centre, text, font, colour, round(style.weight * style.height))

    def words(self, centre: npt.ArrayLike, text: str, size: float, colour: Bgr, family: str = "builtin") -> None:
        """Write a line of text with its middle at ``centre``."""
        self._write(centre, text, face(family, max(6, round(size))), colour, 0)

    def _write(self, centre: npt.ArrayLike, text: str, font: Face, colour: Bgr, stroke: int) -> None:
        left, top, right, bottom = (round(v) for v in font.getbbox(text, stroke_width=stroke))
        stamp = Image.new("L", (right - left + 2, bottom - top + 2), 0)
        ImageDraw.Draw(stamp).text((1 - left, 1 - top), text, fill=255, font=font, stroke_width=stroke)
        x, y = np.asarray(centre, np.float64)
        x0, y0 = round(float(x) - stamp.width / 2), round(float(y) - stamp.height / 2)
        area = self._clip(x0, y0, x0 + stamp.width, y0 + stamp.height)
        mask = np.asarray(stamp, np.float32)[
            area[0].start - y0 : area[0].stop - y0, area[1].start - x0 : area[1].stop - x0
        ]
        self._cover(area, np.asarray(mask / 255, np.float32), colour, 1.0)

    def _clip(self, x0: int, y0: int, x1: int, y1: int) -> tuple[slice, slice]:
        width, height = self.size_wh
        xs = sorted((min(max(x0, 0), width), min(max(x1, 0), width)))
        ys = sorted((min(max(y0, 0), height), min(max(y1, 0), height)))
        return slice(*ys), slice(*xs)

    def _cover(self, area: tuple[slice, slice], coverage: Coverage, paint: Paint, alpha: float) -> None:
        if not coverage.size:
            return
        under = self.picture[area].astype(np.float32)
        over = np.asarray(paint(coverage.shape[::-1]) if callable(paint) else paint, np.float32)
        share = coverage[..., None] * alpha
        self.picture[area] = (under * (1 - share) + over * share + 0.5).astype(np.uint8)
        if self._part is not None:
            self.parts[area][coverage > 0.5] |= self._part


def rounded_outline(box: tuple[float, float, float, float], radius: float) -> Points:
    """A box ``(left, top, right, bottom)`` with round corners as a polygon, clockwise from its top left corner."""
    left, top, right, bottom = box
    radius = min(radius, (right - left) / 2, (bottom - top) / 2)
    if radius < 0.5:
        return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)
    quarter = np.linspace(0, np.pi / 2, 8)
    middles = [(left, top), (right, top), (right, bottom), (left, bottom)]
    inwards = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    arcs = []
    for turn, ((x, y), (dx, dy)) in enumerate(zip(middles, inwards, strict=True)):
        angle = np.pi + turn * np.pi / 2 + quarter
        arcs.append(np.column_stack([x + radius * (dx + np.cos(angle)), y + radius * (dy + np.sin(angle))]))
    return np.vstack(arcs)


def circle_outline(centre: npt.ArrayLike, radius: float) -> Points:
    """A circle as a polygon."""
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    return np.asarray(centre, np.float64) + radius * np.column_stack([np.cos(turns), np.sin(turns)])


def closed(outline: Points) -> Points:
    """An outline as a line that ends where it begins."""
    return np.vstack([outline, outline[:1]])


def _fixed(points: Points) -> npt.NDArray[np.float64]:
    return np.asarray(np.round(points * 2**SHIFT))


def _pieces(track: Points, width: float, stitch: str, rng: np.random.Generator | None) -> Iterator[Points]:
    """The dashes of a line along ``track``."""
    dash, gap = (part * width for part in STITCHES[stitch])
    if gap == 0:
        yield track
        return
    steps = np.hypot(*np.diff(track, axis=0).T)
    walked = np.concatenate([[0.0], np.cumsum(steps)])
    total = float(walked[-1])
    count = max(1, round(total / (dash + gap)))
    pitch = total / count
    share = dash / (dash + gap)
    for index in range(count):
        start, end = (index + (1 - share) / 2) * pitch, (index + (1 + share) / 2) * pitch
        piece = _part(track, walked, start, max(end, start + 0.05))
        if rng is not None:
            piece = piece + rng.normal(0, 0.1 * width, 2)
        yield piece


def _part(track: Points, walked: npt.NDArray[np.float64], start: float, end: float) -> Points:
    """The part of a polyline between two distances along it."""
    inner = (walked > start) & (walked < end)
    at = np.concatenate([[start], walked[inner], [end]])
    return np.column_stack([np.interp(at, walked, track[:, axis]) for axis in (0, 1)])
