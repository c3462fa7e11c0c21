"""``--show``: the solved board in the terminal, as characters.

A board of squares is ruled with box-drawing characters: round the patches, regions and pieces where it is divided into
some, else round every cell. On other boards each text stands where its cell lies.
"""

import sys
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from rich.console import Console
from rich.text import Text as Styled

from overlay.inks import Inks, Rgb, contrasting
from solvepic.outcome import Outcome
from solvers.board import Cell, Layout
from solvers.marks import Ball, Fence, Fill, Mark, Piece, Text

JUNCTIONS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""By the lines that meet: 1 from above, 2 from the right, 4 from below, 8 from the left."""

PLAIN = str.maketrans(JUNCTIONS, " |-+||++-+-+++++")
"""For terminals that show no more than ASCII."""

SYMBOLS = {"queen": "Q", "knight": "N"}


def shown(outcome: Outcome) -> str:
    """The board of a solved picture as lines of text, coloured by ANSI escapes; empty where nothing is drawn."""
    kind, reading, options = outcome.kind, outcome.reading, outcome.options
    if outcome.drawing is None or kind is None or reading is None:
        return ""
    whole = outcome.answer is not None and not (options.hint or options.check)
    drawn = kind.rules.marks(outcome.puzzle, outcome.answer) if whole else outcome.drawing.marks
    marks = [*kind.rules.given(outcome.puzzle), *drawn]
    layout, inks = kind.rules.layout(outcome.puzzle), Inks.of(reading.inks, marks)
    areas = [mark for mark in marks if isinstance(mark, (Fill, Fence, Ball))]
    tints = {cell: inks.colour(area.ink) for area in areas for cell in area.cells}
    words = _words(marks)
    squares = all(outline == _square(cell) for cell, outline in layout.cells.items())
    canvas = _ruled(layout, [area.cells for area in areas], words, tints) if squares else _loose(layout, words, tints)
    return "\n".join("".join(row).rstrip() for row in canvas)


def show(board: str) -> None:
    """Print what :func:`shown` gave on standard error, in the colours that are had there; none with ``NO_COLOR``."""
    console = Console(file=sys.stderr, highlight=False)
    text = Styled.from_ansi(board if console.encoding.startswith("utf") else board.translate(PLAIN))
    console.print(text, soft_wrap=True)


def _words(marks: Sequence[Mark]) -> dict[Cell, str]:
    """What is written on each cell; the answer over what was given."""
    words: dict[Cell, str] = {}
    for mark in marks:
        match mark:
            case Text():
                words[mark.cell] = mark.text
            case Piece():
                words[mark.cell] = SYMBOLS[mark.shape]
            case Ball():
                words |= dict.fromkeys(mark.cells, mark.label)
    return words


def _square(cell: Cell) -> tuple[tuple[int, int], ...]:
    """The outline of a cell of a grid of unit squares."""
    row, col = cell[0], cell[-1]
    return (col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)


def _ruled(
    layout: Layout, areas: Sequence[tuple[Cell, ...]], words: Mapping[Cell, str], tints: Mapping[Cell, Rgb]
) -> list[list[str]]:
    """The characters of a grid with lines between its areas, or between all cells where no area has two."""
    cols, rows = (round(side) for side in layout.size)
    divided = any(len(area) > 1 for area in areas)
    owner: dict[Cell, Any] = {cell: () if divided else cell for cell in layout.cells}
    for number, area in enumerate(areas if divided else ()):
        owner |= {cell: (*owner[cell], number) for cell in area}
    # Lines left of and above each cell; what is no cell has no owner.
    left = {(r, c): owner.get((r, c)) != owner.get((r, c - 1)) for r, c in product(range(rows), range(cols + 1))}
    above = {(r, c): owner.get((r, c)) != owner.get((r - 1, c)) for r, c in product(range(rows + 1), range(cols))}
    width = max([3, *map(len, words.values())])
    canvas = []
    for r in range(rows + 1):
        line, text = [], []
        for c in range(cols + 1):
            ways = (left.get((r - 1, c)), above.get((r, c)), left.get((r, c)), above.get((r, c - 1)))
            line.append(JUNCTIONS[sum(2**k for k, way in enumerate(ways) if way)])
            line.append(JUNCTIONS[10 if above.get((r, c)) else 0] * width if c < cols else "")
            text.append(JUNCTIONS[5 if left.get((r, c)) else 0])
            text.append(_tinted(words.get((r, c), "").center(width), tints.get((r, c))) if c < cols else "")
        canvas += [line, text] if r < rows else [line]
    return canvas


def _loose(layout: Layout, words: Mapping[Cell, str], tints: Mapping[Cell, Rgb]) -> list[list[str]]:
    """The characters of any board: the middles of the cells in their order from left to right and from the top."""
    middles = np.round([layout.centre(cell) for cell in layout.cells], 3)
    places = [np.unique(middles[:, axis], return_inverse=True) for axis in (0, 1)]
    width = max([2, *map(len, words.values())])
    canvas = [[" " * width] * len(places[0][0]) for _ in places[1][0]]
    for cell, col, row in zip(layout.cells, places[0][1], places[1][1], strict=True):
        canvas[row][col] = _tinted((words.get(cell) or "·").center(width), tints.get(cell))
    return canvas


def _tinted(text: str, colour: Rgb | None) -> str:
    if colour is None:
        return text
    ink = contrasting(colour)
    return "\x1b[38;2;{};{};{};48;2;{};{};{}m{}\x1b[0m".format(*ink, *colour, text)
