"""What players and apps put onto a board of coloured regions: queens of many shapes, crosses, hints, pointers."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np

from samples.canvas import Canvas, Points, closed
from samples.chess_pieces import GLYPHS
from samples.textures import Bgr
from solvers.board import Cell

QUEENS = ("crown", "crown light", "gold", "piece", "star", "jewels", "sign", "tree")
CROSSES = ("thin", "small", "heavy", "dot", "pale")

INK: Bgr = (25, 25, 25)
PAPER: Bgr = (230, 230, 230)

CROWN = ((-0.32, 0.26), (0.32, 0.26), (0.4, -0.18), (0.18, 0.02), (0.0, -0.32), (-0.18, 0.02), (-0.4, -0.18))
"""A crown's outline, in parts of its width, y down."""

TREE = ((0.0, -0.42), (0.24, -0.1), (0.13, -0.1), (0.34, 0.22), (-0.34, 0.22), (-0.13, -0.1), (-0.24, -0.1))
"""A fir's outline, in parts of its width, y down."""

POINTER = ((0, 0), (0, 0.44), (0.11, 0.34), (0.18, 0.5), (0.25, 0.47), (0.18, 0.32), (0.32, 0.32))
"""A mouse pointer's outline, in cells, its tip at the origin."""

HANDLE = -0.6, 0.6
"""From where to where a handle at the side reaches about its middle, in cells."""


@dataclass(frozen=True)
class State:
    """What players and apps have put onto a board.

    Attributes:
        queens: where queens stand.
        crosses: where cells are ruled out.
        queen: one of :data:`QUEENS`.
        cross: one of :data:`CROSSES`.
        size: of a queen, in cells.
        hovered: how much darker (below 1) or lighter the ground of some cells is.
        shaded: the same for cells with lines and marks, as under an overlay.
        striped: cells with stripes.
        pointer: the tip of a mouse pointer in board units, or None.
        handle: height of a dark handle at the right edge in board units, or None.
    """

    queens: Collection[Cell] = ()
    crosses: Collection[Cell] = ()
    queen: str = "crown"
    cross: str = "thin"
    size: float = 0.62
    hovered: Mapping[Cell, float] | None = None
    shaded: Mapping[Cell, float] | None = None
    striped: Collection[Cell] = ()
    pointer: tuple[float, float] | None = None
    handle: float | None = None


@dataclass(frozen=True, eq=False)
class Sheet:
    """A board that is being drawn: where its cells lie on the canvas, in pixels."""

    canvas: Canvas
    edge: float
    side: float

    def at(self, x: float, y: float) -> Points:
        """The pixel of a point in board units."""
        return np.array([self.edge + x * self.side, self.edge + y * self.side])

    def middle(self, cell: Cell) -> Points:
        """The pixel of a cell's middle."""
        return self.at(cell[1] + 0.5, cell[0] + 0.5)


def draw_marks(sheet: Sheet, state: State) -> None:
    """Crosses and queens, dark on light cells, light on dark ones."""
    for cell in state.crosses:
        _draw_cross(sheet, cell, state.cross)
    for cell in state.queens:
        QUEEN_DRAWERS[state.queen](sheet, sheet.middle(cell), state.size * sheet.side, _mark_ink(sheet, cell))


def draw_overlays(sheet: Sheet, state: State, n: int) -> None:
    """What lies over the board and all that is on it."""
    if state.pointer is not None:
        outline = sheet.at(*state.pointer) + np.array(POINTER) * sheet.side
        sheet.canvas.fill(outline, (0, 0, 0))
        sheet.canvas.line(closed(outline), 0.03 * sheet.side, (255, 255, 255))
    if state.handle is not None:
        left, top = sheet.at(n - 0.25, state.handle + HANDLE[0])
        right, bottom = sheet.at(n + 1, state.handle + HANDLE[1])
        sheet.canvas.rounded((left, top, right, bottom), 0.2 * sheet.side, (10, 10, 10))


def shade(sheet: Sheet, shaded: Mapping[Cell, float]) -> None:
    """Darken or lighten cells with all that is on them, as an overlay does."""
    for (r, c), factor in shaded.items():
        (left, top), (right, bottom) = sheet.at(c, r).round().astype(int), sheet.at(c + 1, r + 1).round().astype(int)
        area = sheet.canvas.picture[top:bottom, left:right]
        sheet.canvas.picture[top:bottom, left:right] = np.clip(area * factor, 0, 255).astype(np.uint8)


def _mark_ink(sheet: Sheet, cell: Cell) -> Bgr:
    x, y = sheet.middle(cell).astype(int)
    return INK if sheet.canvas.picture[y, x].max() > 110 else PAPER


def _draw_cross(sheet: Sheet, cell: Cell, style: str) -> None:
    reach, width = {"thin": (0.1, 0.03), "small": (0.07, 0.02), "heavy": (0.2, 0.08), "dot": (0.09, 0.0),
                    "pale": (0.16, 0.04)}[style]  # fmt: skip
    middle, arm, ink = sheet.middle(cell), reach * sheet.side, _mark_ink(sheet, cell)
    if style == "dot":
        sheet.canvas.disc(middle, arm, ink)
        return
    if style == "pale":
        x, y = middle.astype(int)
        ground = sheet.canvas.picture[y, x].tolist()
        b, g, r = (round(0.6 * under + 0.4 * over) for under, over in zip(ground, ink, strict=True))
        ink = (b, g, r)
    for sign in (1, -1):
        ends = np.array([(-arm, -sign * arm), (arm, sign * arm)])
        sheet.canvas.line(middle + ends, width * sheet.side, ink)


# --- queens -----------------------------------------------------------------------------------------------------------

Drawer = Callable[[Sheet, Points, float, Bgr], None]
"""Draws a queen at a point, so many pixels wide, in a colour that is seen there."""


def _crown(sheet: Sheet, middle: Points, size: float, inks: tuple[Bgr, Bgr], edge_width: float = 0.04) -> None:
    """A crown in two colours, of the body and of the edge."""
    fill, edge = inks
    outline = middle + np.array(CROWN) * size
    sheet.canvas.fill(outline, fill)
    sheet.canvas.line(closed(outline), edge_width * size, edge)
    for tip in (CROWN[2], CROWN[4], CROWN[6]):
        sheet.canvas.disc(middle + np.array(tip) * size, 0.06 * size, edge)


def _piece(sheet: Sheet, middle: Points, size: float, ink: Bgr) -> None:
    _crown(sheet, middle, size, ((255, 255, 255), INK), 0.08)
    foot = np.array([(-0.36, 0.3), (0.36, 0.3), (0.36, 0.42), (-0.36, 0.42)])
    sheet.canvas.fill(middle + foot * size, INK)


def _star(sheet: Sheet, middle: Points, size: float, ink: Bgr) -> None:
    turns = np.arange(10) * np.pi / 5 - np.pi / 2
    spokes = np.where(np.arange(10) % 2, 0.22, 0.52)[:, None] * size
    sheet.canvas.fill(middle + spokes * np.column_stack([np.cos(turns), np.sin(turns)]), ink)


def _jewels(sheet: Sheet, middle: Points, size: float, ink: Bgr) -> None:
    _crown(sheet, middle, 1.1 * size, ((60, 190, 250), (40, 120, 200)))
    for x in (-0.2, 0.0, 0.2):
        sheet.canvas.disc(middle + np.array([x, 0.16]) * size, 0.05 * size, (60, 60, 200))


def _sign(sheet: Sheet, middle: Points, size: float, ink: Bgr) -> None:
    sheet.canvas.words(middle, GLYPHS["queen"][1], 1.2 * size, ink, "sans")


def _tree(sheet: Sheet, middle: Points, size: float, ink: Bgr) -> None:
    trunk = np.array([(-0.07, 0.2), (0.07, 0.2), (0.07, 0.42), (-0.07, 0.42)])
    sheet.canvas.fill(middle + np.array(TREE) * size, (50, 130, 40) if ink == INK else ink)
    sheet.canvas.fill(middle + trunk * size, (40, 70, 110) if ink == INK else ink)


QUEEN_DRAWERS: dict[str, Drawer] = {
    "crown": lambda sheet, middle, size, ink: _crown(sheet, middle, size, (ink, ink)),
    "crown light": lambda sheet, middle, size, ink: _crown(sheet, middle, size, ((245, 245, 245), INK)),
    "gold": lambda sheet, middle, size, ink: _crown(sheet, middle, size, ((30, 160, 235), (20, 90, 150))),
    "piece": _piece,
    "star": _star,
    "jewels": _jewels,
    "sign": _sign,
    "tree": _tree,
}
"""By style."""
