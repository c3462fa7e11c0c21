"""Screens: what stands round a board on a phone, a tablet or a desktop.

The clutter matters: status bars, timers, level names and buttons carry digits, lines and boxes of their own.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from samples.canvas import Canvas
from samples.textures import Bgr
from vision.pictures.photo import Picture


@dataclass(frozen=True)
class Device:
    """A screen.

    Attributes:
        size_wh: in pixels.
        board: the part of it that a board may take: left, top, right, bottom as fractions.
        bar: height of the status or title bar, as a fraction; 0 for none.
    """

    size_wh: tuple[int, int]
    board: tuple[float, float, float, float]
    bar: float


DEVICES = {
    "small phone": Device((720, 1600), (0.03, 0.2, 0.97, 0.82), 0.03),
    "phone": Device((1080, 2400), (0.04, 0.18, 0.96, 0.84), 0.03),
    "old phone": Device((750, 1334), (0.04, 0.2, 0.96, 0.86), 0.03),
    "tablet": Device((1536, 2048), (0.08, 0.14, 0.92, 0.86), 0.02),
    "wide tablet": Device((2048, 1536), (0.24, 0.1, 0.76, 0.94), 0.025),
    "desktop": Device((1440, 900), (0.3, 0.12, 0.7, 0.95), 0.05),
    "bare": Device((1000, 1000), (0.02, 0.02, 0.98, 0.98), 0.0),
}


@dataclass(frozen=True)
class Stage:
    """A screen with a place for the board.

    Attributes:
        size_wh: in pixels.
        box: ``(left, top, right, bottom)`` of the place, in pixels.
        bar_px: height of the bar at the top.
    """

    size_wh: tuple[int, int]
    box: tuple[float, float, float, float]
    bar_px: float


def stage(rng: np.random.Generator, name: str, ratio: float) -> Stage:
    """The device's screen with a place for a board ``ratio`` times as wide as high, somewhat smaller at random."""
    device = DEVICES[name]
    width, height = device.size_wh
    if device.bar == 0:  # a picture of the board alone takes the board's shape
        shrink = float(rng.uniform(0.35, 1.2))
        width = round(width * shrink * min(1.0, ratio))
        height = round(device.size_wh[1] * shrink * min(1.0, 1 / ratio))
    left, top, right, bottom = (f * s for f, s in zip(device.board, (width, height, width, height), strict=True))
    scale = float(rng.uniform(0.85, 1.0))
    dx, dy = (right - left) * (1 - scale) / 2, (bottom - top) * (1 - scale) / 2
    return Stage((width, height), (left + dx, top + dy, right - dx, bottom - dy), device.bar * height)


def furnish(rng: np.random.Generator, canvas: Canvas, place: Stage, ink: Bgr, title: str) -> None:
    """Draw status bar, title, timer and buttons round the board's place."""
    if place.bar_px == 0:
        return
    width, height = place.size_wh
    _, top, _, bottom = place.box
    unit = min(width, height) / 100
    clock = f"{rng.integers(0, 24):02d}:{rng.integers(0, 60):02d}"
    canvas.words((10 * unit, place.bar_px / 2 + unit), clock, 3.2 * unit, ink)
    canvas.words((width - 9 * unit, place.bar_px / 2 + unit), f"{rng.integers(5, 101)}%", 3.0 * unit, ink)
    between = (place.bar_px + top) / 2
    if title and top - place.bar_px > 8 * unit:
        canvas.words((width / 2, between), f"{title} {rng.integers(1, 400)}", 5 * unit, ink)
        timer = f"{rng.integers(0, 15)}:{rng.integers(0, 60):02d}"
        canvas.words((width * 0.82, between), timer, 4 * unit, ink)
    canvas.line([(5 * unit, between), (8 * unit, between - 3 * unit)], 0.6 * unit, ink)
    canvas.line([(5 * unit, between), (8 * unit, between + 3 * unit)], 0.6 * unit, ink)
    if height - bottom > 9 * unit:
        _buttons(rng, canvas, ink, (bottom + height) / 2)


def _buttons(rng: np.random.Generator, canvas: Canvas, ink: Bgr, y: float) -> None:
    """A row of buttons with words, signs and little counts."""
    width, height = canvas.size_wh
    unit = min(width, height) / 100
    words = rng.permutation(["Undo", "Hint", "Reset", "Rules", "New", "2 / 7"])
    labels = [str(word) for word in words[: rng.integers(2, 5)]]
    for index, label in enumerate(labels):
        x = width * (index + 1) / (len(labels) + 1)
        half_w, half_h = 8 * unit, 3.4 * unit
        canvas.rounded((x - half_w, y - half_h, x + half_w, y + half_h), 2 * unit, ink, 0.16)
        canvas.words((x, y), label, 3.4 * unit, ink)
        if rng.random() < 0.4:
            canvas.disc((x + half_w, y - half_h), 2 * unit, (60, 60, 220))
            canvas.words((x + half_w, y - half_h), str(rng.integers(1, 10)), 2.6 * unit, (255, 255, 255))


def put_beside(
    rng: np.random.Generator,
    canvas: Canvas,
    page: Picture,
    box: tuple[float, float, float, float],
    *,
    ink: Bgr,
    side: float,
) -> None:
    """Draw things as large as cells near a board: keys, a legend, a heading.

    Each goes to one of the four sides where the page is bare, half a cell to a cell away or almost touching.

    Args:
        rng: decides which and where.
        canvas: with the board and all else.
        page: what it showed before, ``uint8 (H, W, 3)``.
        box: left, top, right, bottom of the board in pixels.
        ink: of the page's words.
        side: of a cell in pixels.
    """
    things = [_keys, _legend, _heading]
    for index in rng.permutation(len(things))[: rng.integers(1, 3)]:
        away = side * float(rng.choice([rng.uniform(0.12, 0.4), rng.uniform(0.4, 1.0)]))
        width, height = canvas.size_wh
        places = []
        if box[3] + away + side < height:
            places.append((box[0], box[3] + away, False))
        if box[1] - away - side > 0:
            places.append((box[0], box[1] - away - side, False))
        if box[2] + away + side < width:
            places.append((box[2] + away, box[1], True))
        if box[0] - away - side > 0:
            places.append((box[0] - away - side, box[1], True))
        if places:
            left, top, down = places[int(rng.integers(len(places)))]
            strip = Strip(left, top, down, 0, side)
            drawn = np.any(canvas.picture != page, axis=2)
            while strip.most < 9 and strip.bare(strip.most, drawn):
                strip = replace(strip, most=strip.most + 1)
            things[int(index)](rng, canvas, strip, ink)


@dataclass(frozen=True)
class Strip:
    """Places as large as cells, ``most`` of them in a row or down a column from ``(left, top)``."""

    left: float
    top: float
    down: bool
    most: int
    side: float

    def middle(self, index: float) -> tuple[float, float]:
        """The middle of a place, in pixels."""
        x, y = self.left + self.side / 2, self.top + self.side / 2
        return (x, y + index * self.side) if self.down else (x + index * self.side, y)

    def bare(self, index: int, drawn: npt.NDArray[np.bool_]) -> bool:
        """Whether a place lies in the picture and nothing is drawn there yet."""
        x, y = (round(v - self.side / 2) for v in self.middle(index))
        part = drawn[max(0, y) : round(y + self.side), max(0, x) : round(x + self.side)]
        inside = min(x, y) >= 0 and x + self.side < drawn.shape[1] and y + self.side < drawn.shape[0]
        return inside and not part.any()


def _keys(rng: np.random.Generator, canvas: Canvas, strip: Strip, ink: Bgr) -> None:
    """Keys with the digits from 1 on, framed or filled."""
    framed, half = bool(rng.random() < 0.5), strip.side * float(rng.uniform(0.4, 0.5))
    for index in range(min(strip.most, 9)):
        x, y = strip.middle(index)
        if framed:
            corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
            canvas.line([*corners, corners[0]], max(1.0, 0.03 * strip.side), ink)
        else:
            canvas.rounded((x - half, y - half, x + half, y + half), 0.2 * half, ink, 0.2)
        canvas.words((x, y), str(index + 1), 0.5 * strip.side, ink)


def _legend(rng: np.random.Generator, canvas: Canvas, strip: Strip, ink: Bgr) -> None:
    """Badges of square, tall and wide patches, with or without numbers and words."""
    colours: tuple[Bgr, ...] = ((60, 160, 80), (200, 120, 40), (90, 70, 220))
    worded, numbered = bool(rng.random() < 0.5), bool(rng.random() < 0.5)
    step = 2 if worded else 1
    shapes = ((0.3, 0.3), (0.22, 0.36), (0.36, 0.22))
    for index, ((wide, high), word) in enumerate(zip(shapes, ("square", "tall", "wide"), strict=True)):
        if index * step + step > strip.most:
            return
        x, y = strip.middle(index * step)
        box = (x - wide * strip.side, y - high * strip.side, x + wide * strip.side, y + high * strip.side)
        canvas.rounded(box, 0.08 * strip.side, colours[index])
        if numbered:
            canvas.words((x, y), str(rng.integers(1, 13)), 0.4 * strip.side, (255, 255, 255))
        if worded:
            canvas.words(strip.middle(index * step + 1), word, 0.24 * strip.side, ink)


def _heading(rng: np.random.Generator, canvas: Canvas, strip: Strip, ink: Bgr) -> None:
    """A line as high as the board's numbers: a count, a time, a level."""
    level, seconds = rng.integers(1, 100), rng.integers(10, 60)
    words = str(rng.choice([f"{level}", f"{level} / 99", f"0:{seconds}", f"Level {level}"]))
    count = min(strip.most, 3)
    if count < 2:
        return
    canvas.words(strip.middle((count - 1) / 2), words, float(rng.uniform(0.4, 0.7)) * strip.side, ink)
