"""What a caller may ask for; the one place where an option and its default are declared."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict, get_args

from overlay.paint import MoveStyle
from solvepic.errors import OptionError
from solvers.board import Cell
from solvers.message import Message
from vision.pictures.loading import MAX_MEGAPIXELS

DEFAULT_SECONDS = 20.0
LEAST_SECONDS = 0.1

MOST_CELLS = 64
"""Rows or columns of the largest board that may be asked for: a cell of a larger one has no pixels left to read."""

LEAST_SPAN = 16.0
"""Pixels that a board between corners must cover each way: the smallest has four cells of four pixels in a row."""

FAR = 1e6
"""Pixels; no picture that is opened reaches further."""


@dataclass(frozen=True)
class Options:
    """How pictures are solved.

    Attributes:
        kind: the kind of puzzle, by name; None to find out.
        time_limit: seconds that reading and solving one picture may take.
        ocr: the OCR engine: ``auto``, ``tesserocr`` or ``tesseract``.
        size: ``(rows, cols)`` of the grid, in either order; None to measure it.
        corners: the board's corners in pixels of the file; None to find them.
        set: what the user says stands on a cell ``(row, col)``, 0-based: ``"12"``, ``"Q"``, empty for nothing.
        closed: ask for a closed knight's tour.
        style: how moved pieces are shown: ``tray``, ``plan`` or ``both``.
        hint: show so many steps in place of the answer.
        check: tell what was placed wrongly in place of the answer.
        read_picture: write what was read beside a picture that is refused.
        max_megapixels: the largest picture that is opened.
        debug: folder for stage pictures and a log; None for none.
    """

    kind: str | None = None
    time_limit: float = DEFAULT_SECONDS
    ocr: str = "auto"
    size: tuple[int, int] | None = None
    corners: tuple[tuple[float, float], ...] | None = None
    set: Mapping[Cell, str] = field(default_factory=dict)
    closed: bool = False
    style: MoveStyle = "both"
    hint: int = 0
    check: bool = False
    read_picture: bool = True
    max_megapixels: float = MAX_MEGAPIXELS
    debug: Path | None = None

    def __post_init__(self) -> None:
        """Check what can be checked before a picture is seen.

        Raises:
            OptionError: a value can never be heeded.
        """
        if not (math.isfinite(self.time_limit) and self.time_limit >= LEAST_SECONDS):
            raise OptionError(f"a time limit of {self.time_limit:g} s: give at least {LEAST_SECONDS:g} s, and an end")
        if not (math.isfinite(self.max_megapixels) and self.max_megapixels > 0):
            raise OptionError(f"{self.max_megapixels:g} megapixels at most: give a number above 0, such as 100")
        if self.style not in get_args(MoveStyle):
            raise OptionError(f"a style called {self.style!r}: there are {', '.join(get_args(MoveStyle))}")
        if self.hint < 0 or (self.hint and self.check):
            raise OptionError("a hint of some steps, or a check of what is placed: ask for one of them")
        if self.size is not None:
            _check_size(self.size)
        if self.corners is not None:
            _check_corners(self.corners)
        for cell, text in self.set.items():
            _check_given(cell, text)


class Changes(TypedDict, total=False):
    """The fields of :class:`Options` as keyword arguments."""

    kind: str | None
    time_limit: float
    ocr: str
    size: tuple[int, int] | None
    corners: tuple[tuple[float, float], ...] | None
    set: Mapping[Cell, str]
    closed: bool
    style: MoveStyle
    hint: int
    check: bool
    read_picture: bool
    max_megapixels: float
    debug: Path | None


def _check_size(size: tuple[int, int]) -> None:
    whole = len(size) == 2 and all(isinstance(side, int) for side in size)
    if not whole or not all(1 <= side <= MOST_CELLS for side in size):
        shown = " x ".join(map(str, size))
        why = "a size of {size}: give rows and columns from 1 to {most}, such as 14x8"
        raise OptionError(Message(why, size=shown, most=MOST_CELLS))


def _check_corners(corners: tuple[tuple[float, float], ...]) -> None:
    shown = " ".join(",".join(f"{part:g}" for part in point) for point in corners)
    if len(corners) not in (3, 4) or any(len(point) != 2 for point in corners):
        raise OptionError(f"corners {shown}: give three or four points in pixels, such as 10,20 300,22 302,400 8,398")
    if not all(math.isfinite(part) and abs(part) <= FAR for point in corners for part in point):
        raise OptionError(Message("corners {corners}: give pixels of the picture", corners=shown))
    turns = [_turn(*(corners[(k + step) % len(corners)] for step in range(3))) for k in range(len(corners))]
    if min(turns) <= 0:
        why = "corners {corners}: they go round no board; give them clockwise, from the top left one"
        raise OptionError(Message(why, corners=shown))
    spans = [max(point[axis] for point in corners) - min(point[axis] for point in corners) for axis in (0, 1)]
    if min(spans) < LEAST_SPAN:
        why = "corners {corners}: nothing can be read on so few pixels; give the whole board's corners"
        raise OptionError(Message(why, corners=shown))


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    """Twice the area of the triangle ``a b c``, positive where it turns clockwise as seen in a picture."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _check_given(cell: Cell, text: str) -> None:
    if not (isinstance(cell, tuple) and len(cell) in (2, 3) and all(isinstance(k, int) and k >= 0 for k in cell)):
        raise OptionError(f"a cell {cell!r}: give row and column from 0, such as (2, 3)")
    if not isinstance(text, str):
        raise OptionError(f"{text!r} on a cell: give what stands there as text, such as '12'")
    if not text.isascii():
        raise OptionError(f"{text!r} on a cell: give plain digits or letters, such as 12")
