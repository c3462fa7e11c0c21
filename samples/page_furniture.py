"""What stands round the boards of :mod:`samples.pages`: a heading, coordinates, keys, a legend, print, an example."""

from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np
from PIL import Image, ImageDraw

from samples.fonts import face
from samples.page_styles import Point, Rgb, Style, blend


@dataclass(frozen=True)
class Furniture:
    """Draws round a board that takes ``rows`` by ``cols`` places of ``side`` pixels from ``(left, top)`` on."""

    rng: np.random.Generator
    page: Image.Image
    style: Style
    colours: list[Rgb]
    rows: int
    cols: int
    left: float
    top: float
    side: float

    @property
    def pen(self) -> ImageDraw.ImageDraw:
        """Draws on the page."""
        return ImageDraw.Draw(self.page)

    def put(self, chance: float) -> None:
        """What stands round the board: each thing where there is room for it."""
        for thing in (self._heading, self._coordinates, self._below, self._margin):
            if self.rng.random() < chance:
                thing()

    def _heading(self) -> None:
        room = self.top / self.side
        if room < 1.7:
            return
        words = ["Shikaku", "Rectangles", "Puzzle 12", "No. 7", "9 x 9", "Daily  04:31", "DIVIDE BY SQUARES"]
        size = float(self.rng.uniform(0.35, 0.7)) * self.side
        y = self.top - float(self.rng.uniform(1.1, room - 0.4)) * self.side
        self._words((self.left + self.cols * self.side / 2, y), str(self.rng.choice(words)), size, "mm")

    def _coordinates(self) -> None:
        """Letters and numbers along the board, as chess has them."""
        if min(self.left, self.top) < 0.7 * self.side or self.rng.random() < 0.5:
            return
        size = float(self.rng.uniform(0.25, 0.4)) * self.side
        lettered = bool(self.rng.random() < 0.6)
        for c in range(self.cols):
            self._words(self._at(-0.4, c + 0.5), ascii_uppercase[c] if lettered else str(c + 1), size, "mm")
        for r in range(self.rows):
            self._words(self._at(r + 0.5, -0.4), str(r + 1), size, "mm")

    def _below(self) -> None:
        """Keys, a legend or a paragraph under the board."""
        bottom = self.top + self.rows * self.side
        room = (self.page.height - bottom) / self.side
        if room < 1.5:
            return
        y = bottom + float(self.rng.uniform(0.2, min(1.0, room - 1.2))) * self.side
        kinds: tuple[Callable[[float], None], ...] = (self._keys, self._legend, self._paragraph, self._buttons)
        kinds[int(self.rng.integers(len(kinds)))](y)

    def _keys(self, y: float) -> None:
        """A row of boxes as large as cells, with the board's own lines."""
        count = int(self.rng.integers(3, self.cols + 1))
        width = max(1, round(self.style.line_width * self.side))
        for k in range(count):
            x = self.left + k * self.side
            self.pen.rectangle((x, y, x + self.side, y + self.side), None, self.style.line, width)
            self._words((x + self.side / 2, y + self.side / 2), str(k + 1), 0.5 * self.side, "mm")

    def _legend(self, y: float) -> None:
        """Patches as an example: small rectangles with their numbers."""
        x, step = float(self.left), self.side * float(self.rng.choice([0.6, 1.0]))
        width = max(1, round(self.style.line_width * self.side))
        for wide, colour in zip((1, 2, 3), self.colours, strict=False):
            self.pen.rectangle((x, y, x + wide * step, y + step), colour, self.style.ink, width)
            self._words((x + wide * step / 2, y + step / 2), str(wide), 0.5 * step, "mm")
            x += (wide + 0.5) * step

    def _paragraph(self, y: float) -> None:
        """The rules in small print."""
        size = float(self.rng.uniform(0.2, 0.35)) * self.side
        lines = [
            "Divide the board into rectangles.",
            "Each holds one number,",
            "which tells its area: 4 = 2 x 2 or 1 x 4.",
        ]
        for line in lines:
            self._words((self.left, y), line, size, "la")
            y += 1.5 * size

    def _buttons(self, y: float) -> None:
        """Wide buttons side by side."""
        width, gap = self.cols * self.side / 3, 0.15 * self.side
        for k, word in enumerate(("Check", "Undo", "New")):
            box = (self.left + k * width + gap, y, self.left + (k + 1) * width - gap, y + 0.8 * self.side)
            self.pen.rounded_rectangle(box, 0.2 * self.side, blend(self.style.paper, self.style.ink, 0.15))
            self._words(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), word, 0.35 * self.side, "mm")

    def _margin(self) -> None:
        """A small example board or a frame to the right of the board."""
        left = self.left + self.cols * self.side
        room = (self.page.width - left) / self.side
        if room < 1.6:
            return
        pitch = self.side * float(self.rng.choice([0.4, 0.7, 1.0]))
        count = int((room - 0.6) * self.side / pitch)
        x, y = left + 0.3 * self.side, self.top + float(self.rng.uniform(0, self.rows / 2)) * self.side
        width = max(1, round(self.style.line_width * self.side))
        for r in range(3):
            for c in range(min(count, 3)):
                corner = (x + c * pitch, y + r * pitch)
                self.pen.rectangle((*corner, corner[0] + pitch, corner[1] + pitch), None, self.style.line, width)
                if self.rng.random() < 0.4:
                    middle = (corner[0] + pitch / 2, corner[1] + pitch / 2)
                    self._words(middle, str(self.rng.integers(1, 9)), 0.5 * pitch, "mm")

    def _words(self, at: Point, text: str, size: float, anchor: str) -> None:
        self.pen.text(at, text, self.style.ink, face(self.style.type, max(6, round(size))), anchor=anchor)

    def _at(self, row: float, col: float) -> Point:
        return self.left + col * self.side, self.top + row * self.side
