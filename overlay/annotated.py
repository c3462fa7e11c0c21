"""What was read, laid over the picture: each cell's text, hatching, row and column numbers at the rim, a line below.

People compare it with what they see, so the texts stand small in the corners of the cells and hide nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from overlay.canvas import Canvas
from overlay.inks import Inks
from overlay.paint import paint
from solvers.board import Cell, Layout
from solvers.marks import Fence, Ink, Mark, Text
from vision.pictures.photo import Picture
from vision.pictures.placement import Placement

if TYPE_CHECKING:
    from PIL import Image, ImageFont

LONGEST_PX = 1600
"""A larger picture is brought down to this: it is looked at, not solved."""

LEAST_PX = 480
"""A smaller one is enlarged to this, so that the line below can be read."""

SMALL, CORNER = 0.36, 0.27
"""Height of a cell's text, and how far right and down of the cell's middle it stands, in board units."""

RIM = 0.8
"""How far from the middles of the outermost cells their numbers stand, in board units."""

NUMBER = 0.4
"""Height of the numbers at the rim, in board units."""

LETTER, LEAST_LETTER_PX = 1 / 55, 15.0
"""Height of the letters below the picture, of its width, and at least."""

LINE, MARGIN = 1.4, 0.7
"""Distance of the lines below the picture, and the margin round them, in heights of a letter."""

READ, UNSURE = Ink(rgb=(0, 72, 186)), Ink(rgb=(190, 30, 0))
PAPER, PRINT = (255, 255, 255), (20, 20, 20)


def annotated(
    picture: Picture,
    placement: Placement,
    layout: Layout,
    given: Sequence[Mark],
    unsure: Sequence[Cell],
    *,
    below: Sequence[str] = (),
) -> Picture:
    """A copy of the picture that shows what was read.

    Args:
        picture: ``uint8 (H, W, 3)``, blue, green, red; left as it is.
        placement: where the board lies in the picture.
        layout: the board's cells; those whose names have a row and a column get numbers at the rim, counted from 1.
        given: what was read, as marks.
        unsure: the cells that are hatched.
        below: lines of text under the picture; longer ones are broken.

    Returns:
        ``uint8``, not of the same size: margins are added where the numbers and the lines need them.
    """
    factor = _factor(picture)
    if factor != 1:
        way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
        picture = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=way), dtype=np.uint8)
        placement = placement.scaled(factor)
    doubtful = [cell for cell in unsure if cell in layout.cells]
    marks: list[Mark] = [Fence((cell,), UNSURE, "doubt") for cell in doubtful]
    marks += [_small(mark, mark.cell in doubtful) if isinstance(mark, Text) else mark for mark in given]
    painted = paint(picture, placement, layout, marks)
    numbers = _rim_numbers(Canvas(painted, picture, layout, placement, Inks({})))
    return _with_lines(_with_numbers(painted, numbers), below)


def _factor(picture: Picture) -> float:
    height, width = picture.shape[:2]
    return float(np.clip(LEAST_PX / width, 1, 4)) if width < LEAST_PX else min(1.0, LONGEST_PX / max(height, width))


def _small(text: Text, doubtful: bool) -> Text:
    return replace(text, ink=UNSURE if doubtful else READ, size=SMALL, off=(CORNER, CORNER))


def _rim_numbers(canvas: Canvas) -> list[tuple[str, npt.NDArray[np.float64], float]]:
    """The number of each row and column, the pixel where its middle belongs, and its height in pixels."""
    firsts: dict[tuple[int, int], Cell] = {}  # of each axis and index the first cell
    for cell in sorted(canvas.layout.cells):
        for axis in (0, 1) if len(cell) == 2 else ():
            firsts.setdefault((axis, int(cell[axis])), cell)
    found = []
    for (axis, index), cell in firsts.items():
        centre = canvas.layout.centre(cell)
        outwards = np.array([(-RIM, 0.0), (0.0, -RIM)][axis])
        middle = np.asarray(canvas.points([centre])[0] + canvas.frame(centre) @ outwards, dtype=np.float64)
        found.append((str(index + 1), middle, NUMBER * canvas.side_px(centre)))
    return found


def _with_numbers(picture: Picture, numbers: Sequence[tuple[str, npt.NDArray[np.float64], float]]) -> Picture:
    """The picture with the numbers, and with a margin where one would stand outside."""
    from PIL import Image, ImageDraw  # noqa: PLC0415  (most answers have no text)

    if not numbers:
        return picture
    places = np.array([place for _, place, _ in numbers])
    reach = max(size for _, _, size in numbers)
    height, width = picture.shape[:2]
    most = max(height, width) // 4
    left, top = np.clip(np.ceil(reach - places.min(axis=0)), 0, most).astype(int).tolist()
    right, bottom = np.clip(np.ceil(places.max(axis=0) + reach - (width, height)), 0, most).astype(int).tolist()
    framed = cv2.copyMakeBorder(picture, top, bottom, left, right, cv2.BORDER_CONSTANT, value=PAPER)
    image = Image.fromarray(np.ascontiguousarray(framed[:, :, ::-1]))
    draw = ImageDraw.Draw(image)
    for text, (x, y), size in numbers:
        letters = _font(max(9.0, size))
        draw.text((x + left, y + top), text, PRINT, letters, "mm", stroke_width=2, stroke_fill=PAPER)
    return _bgr(image)


def _with_lines(picture: Picture, lines: Sequence[str]) -> Picture:
    """The picture with these lines on paper below it."""
    from PIL import Image, ImageDraw  # noqa: PLC0415  (as above)

    height, width = picture.shape[:2]
    size = max(LEAST_LETTER_PX, LETTER * width)
    letters, margin = _font(size), round(MARGIN * size)
    broken = [part for line in lines for part in _broken(line, letters, width - 2 * margin)]
    if not broken:
        return picture
    image = Image.new("RGB", (width, height + 2 * margin + round(LINE * size * len(broken))), PAPER)
    image.paste(Image.fromarray(np.ascontiguousarray(picture[:, :, ::-1])))
    draw = ImageDraw.Draw(image)
    for row, line in enumerate(broken):
        draw.text((margin, height + margin + row * LINE * size), line, PRINT, letters)
    return _bgr(image)


def _broken(line: str, letters: "ImageFont.FreeTypeFont", most_px: int) -> list[str]:
    """A line broken between words so that each part is at most so wide."""
    parts = [""]
    for word in line.split(" "):
        longer = f"{parts[-1]} {word}".strip()
        if letters.getlength(longer) > most_px and parts[-1]:
            parts.append(word)
        else:
            parts[-1] = longer
    return parts


def _font(size: float) -> "ImageFont.FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415  (as above)

    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def _bgr(image: "Image.Image") -> Picture:
    return np.ascontiguousarray(np.asarray(image)[:, :, ::-1])
