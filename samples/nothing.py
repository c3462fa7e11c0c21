"""Pictures without a board that look as if they had one: a calendar, a calculator, a list.

They carry grids of lines, digits in cells and rows of boxes, which is what a finder of boards goes by.
"""

import calendar as months
from collections.abc import Callable

import numpy as np

from samples.canvas import Canvas, Type
from samples.sample import Sample

INK, PALE, PAGE = (45, 40, 40), (200, 200, 200), (250, 250, 250)


def calendar(rng: np.random.Generator) -> Sample:
    """A month: seven columns of numbers between lines, some days ringed."""
    canvas = Canvas(np.full((1100, 900, 3), PAGE, np.uint8))
    month = int(rng.integers(1, 13))
    canvas.words((450, 90), f"{months.month_name[month]} {rng.integers(2020, 2030)}", 54, INK)
    weeks = months.Calendar().monthdayscalendar(2026, month)
    left, top, wide, high = 40, 220, 117, 120
    for col, name in enumerate(["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]):
        canvas.words((left + (col + 0.5) * wide, top - 35), name, 30, INK)
    for row, week in enumerate(weeks):
        for col, day in enumerate(week):
            middle = (left + (col + 0.5) * wide, top + (row + 0.5) * high)
            if day and rng.random() < 0.08:
                canvas.disc(middle, 40, (90, 90, 230))
            if day:
                canvas.digits(middle, str(day), Type("builtin", 34), INK)
    for row in range(len(weeks) + 1):
        canvas.line([(left, top + row * high), (left + 7 * wide, top + row * high)], 2, PALE)
    for col in range(8):
        canvas.line([(left + col * wide, top), (left + col * wide, top + len(weeks) * high)], 2, PALE)
    return Sample(canvas.picture, {"kind": "nothing"})


def calculator(rng: np.random.Generator) -> Sample:
    """Round keys with digits in a grid, a number above."""
    canvas = Canvas(np.full((1280, 720, 3), (24, 22, 20), np.uint8))
    canvas.words((480, 250), f"{rng.integers(100, 99999)}", 110, PAGE)
    for index, key in enumerate("789/456x123-0.=+"):
        x, y = 110 + (index % 4) * 166, 480 + index // 4 * 190
        canvas.disc((x, y), 72, (40, 140, 240) if index % 4 == 3 else (62, 58, 54))
        canvas.words((x, y), key, 64, PAGE)
    return Sample(canvas.picture, {"kind": "nothing"})


def list_of_levels(rng: np.random.Generator) -> Sample:
    """A menu of levels: tiles in a grid with running numbers, most of them locked."""
    canvas = Canvas(np.full((1334, 750, 3), (70, 52, 40), np.uint8))
    canvas.words((375, 90), "Levels", 60, PAGE)
    first = int(rng.integers(1, 60))
    for index in range(30):
        left, top = 65 + (index % 5) * 128, 190 + index // 5 * 180
        canvas.rounded((left, top, left + 108, top + 108), 20, (120, 96, 74))
        canvas.digits((left + 54, top + 54), str(first + index), Type("builtin", 36), PAGE)
        stars = "★" * int(rng.integers(0, 4))
        for star in range(len(stars)):
            canvas.disc((left + 30 + 24 * star, top + 132), 8, (60, 200, 250))
    return Sample(canvas.picture, {"kind": "nothing"})


def strewn(rng: np.random.Generator) -> Sample:
    """Dots, discs or digits anywhere, as close as on a board."""
    canvas = Canvas(np.full((900, 900, 3), PAGE if rng.random() < 0.5 else (24, 22, 20), np.uint8))
    blue, green, red = (int(v) for v in rng.integers(60, 200, 3))
    size, dots = float(rng.uniform(4, 24)), rng.random() < 0.7
    for point in rng.uniform(30, 870, (int(rng.integers(60, 500)), 2)):
        middle = (float(point[0]), float(point[1]))
        if dots:
            canvas.disc(middle, size, (blue, green, red))
        else:
            canvas.digits(middle, str(rng.integers(1, 13)), Type("builtin", 2 * size), (blue, green, red))
    return Sample(canvas.picture, {"kind": "nothing"})


SCENES: dict[str, Callable[[np.random.Generator], Sample]] = {
    "calendar": calendar,
    "calculator": calculator,
    "levels": list_of_levels,
    "strewn": strewn,
}
"""By name, everything that can be drawn here."""
