"""What an answer looks like on a board, before anybody draws it.

A kind turns its answer into *marks*: this cell is filled, a fence runs round these, a path goes through those. Marks
name cells, never pixels, and they name no puzzle, so one painter draws them all on any board.
"""

from dataclasses import dataclass
from typing import Literal

from solvers.board import Cell, Point


@dataclass(frozen=True)
class Ink:
    """Which colour a mark is drawn in: the first of these that is known.

    Attributes:
        like: the colour that the picture itself shows at this cell (a clue's thread, a piece's ball).
        rgb: a fixed colour, each part 0..255.
        tone: a place in the painter's colour-blind-safe palette, taken modulo its length. Marks that touch should carry
            different tones.
    """

    tone: int = 0
    rgb: tuple[int, int, int] | None = None
    like: Cell | None = None


@dataclass(frozen=True)
class Fill:
    """Tint these cells as one patch, half transparent, with a border round the whole."""

    cells: tuple[Cell, ...]
    ink: Ink = Ink()


@dataclass(frozen=True)
class Fence:
    """A border round these cells as one patch and nothing inside; ``style`` ``"doubt"`` is drawn hatched."""

    cells: tuple[Cell, ...]
    ink: Ink = Ink()
    style: Literal["plain", "doubt"] = "plain"


@dataclass(frozen=True)
class Path:
    """A line with an arrow head through the middles of the cells; ``closed`` returns to the start."""

    cells: tuple[Cell, ...]
    ink: Ink = Ink()
    closed: bool = False


@dataclass(frozen=True)
class Text:
    """A short text in a cell; ``size`` is its height as a fraction of the cell's side, and ``off`` how far from the
    cell's middle its own lies, in board units.
    """

    cell: Cell
    text: str
    ink: Ink = Ink()
    size: float = 0.5
    off: Point = (0.0, 0.0)


@dataclass(frozen=True)
class Piece:
    """A symbol that stands on a cell: a queen's crown or a knight's head."""

    cell: Cell
    shape: Literal["queen", "knight"]
    ink: Ink = Ink()


@dataclass(frozen=True)
class Ball:
    """Shaded balls in these cells, joined where the cells touch as one piece.

    ``label`` is written on them where their colour alone would not tell them from other balls.
    """

    cells: tuple[Cell, ...]
    ink: Ink = Ink()
    label: str = ""


@dataclass(frozen=True)
class Move:
    """What is seen on ``source`` belongs on ``target``: corner ``i`` of the one on ``i + turn`` of the other."""

    source: Cell
    target: Cell
    turn: int


@dataclass(frozen=True)
class Arrow:
    """A line with a head from one point of the board to another."""

    start: Point
    end: Point
    ink: Ink = Ink()


Mark = Fill | Fence | Path | Text | Piece | Ball | Move | Arrow


def covered(mark: Mark) -> tuple[Cell, ...]:
    """The cells that a mark lies on; none for an arrow, which goes from point to point."""
    match mark:
        case Fill() | Fence() | Path() | Ball():
            return mark.cells
        case Text() | Piece():
            return (mark.cell,)
        case Move():
            return (mark.source, mark.target)
        case Arrow():
            return ()
