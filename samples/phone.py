"""Screens: what stands round a board on a phone, a tablet or a desktop.

The clutter matters: status bars, timers, level names and buttons carry digits, lines and boxes of their own.
"""

from dataclasses import dataclass

import numpy as np

from samples.canvas import Canvas
from samples.textures import Bgr


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
