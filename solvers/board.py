"""What every puzzle is played on: cells, where they lie, and which cell is next to which.

A board is told in *board units*: 1.0 is the side of a cell, x runs right and y runs down. A 14 x 8 Stitch board, the
triangle of 55 balls and a tray of 16 triangles differ only in the outlines and the neighbours of their cells, so the
drawing code needs to know nothing else. Where the board lies in a picture is not this layer's business.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

Cell = tuple[int, ...]
"""A cell's name; on a grid ``(row, col)``, 0-based, rows counted downwards."""

Point = tuple[float, float]
"""``(x, y)`` in board units, y down."""

TOP, RIGHT, BOTTOM, LEFT = range(4)
"""The sides of a quadrilateral cell, clockwise from the top; side ``(s + 2) % 4`` is opposite to ``s``."""


@dataclass(frozen=True)
class Layout:
    """The cells of a board: their outlines and their neighbours.

    Attributes:
        cells: the outline polygon of each cell, in board units, clockwise as seen (y down).
        neighbours: for each cell, the cell across each of its sides, or None where the board ends. On quadrilateral
            cells the sides are ``TOP, RIGHT, BOTTOM, LEFT``: this is what "right of" means even where cells bend.
        size: ``(width, height)`` of the box around the board, in board units; the box starts at ``(0, 0)``.
        corners: the corners of the board's frame in board units: four for grids (top left, top right, bottom right,
            bottom left), three for triangles (apex, bottom right, bottom left).
    """

    cells: Mapping[Cell, tuple[Point, ...]]
    neighbours: Mapping[Cell, tuple[Cell | None, ...]]
    size: tuple[float, float]
    corners: tuple[Point, ...]

    def centre(self, cell: Cell) -> Point:
        """The mean of the corners of a cell's outline."""
        outline = self.cells[cell]
        return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)


def grid_layout(rows: int, cols: int, holes: Collection[Cell] = ()) -> Layout:
    """The layout of a ``rows`` x ``cols`` grid of unit squares, some of which may be missing."""
    missing = set(holes)
    kept = [(r, c) for r in range(rows) for c in range(cols) if (r, c) not in missing]
    present = set(kept)

    def across(r: int, c: int) -> Cell | None:
        return (r, c) if (r, c) in present else None

    return Layout(
        cells={(r, c): ((c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)) for r, c in kept},
        neighbours={(r, c): (across(r - 1, c), across(r, c + 1), across(r + 1, c), across(r, c - 1)) for r, c in kept},
        size=(cols, rows),
        corners=((0, 0), (cols, 0), (cols, rows), (0, rows)),
    )


def linked(layout: Layout, links: Collection[tuple[Cell, int, Cell | None]]) -> Layout:
    """The layout where across some sides of some cells lie other cells, or nothing."""
    if not links:
        return layout
    neighbours = {cell: list(across) for cell, across in layout.neighbours.items()}
    for cell, side, other in links:
        neighbours[cell][side] = other
    return replace(layout, neighbours={cell: tuple(across) for cell, across in neighbours.items()})
