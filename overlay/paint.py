"""The one way in: marks on a board, drawn onto a copy of the picture."""

from collections.abc import Mapping, Sequence

from overlay.canvas import Canvas
from overlay.inks import Inks, Rgb
from overlay.lettering import paint_text
from overlay.lines import paint_arrow, paint_path
from overlay.patches import paint_fence, paint_fill
from overlay.solids import paint_ball, paint_piece
from overlay.transplant import paint_move
from solvers.board import Cell, Layout
from solvers.marks import Arrow, Ball, Fence, Fill, Mark, Move, Path, Piece, Text
from vision.photo import Picture
from vision.placement import Placement


def paint(
    picture: Picture,
    placement: Placement,
    layout: Layout,
    marks: Sequence[Mark],
    seen: Mapping[Cell, Rgb] | None = None,
) -> Picture:
    """A copy of the picture with the marks drawn on it, in the order given.

    Args:
        picture: ``uint8 (H, W, 3)``, blue, green, red; left as it is.
        placement: where the board lies in the picture.
        layout: the board's cells in board units.
        marks: what to draw.
        seen: the colours that the picture shows, by cell, for marks that want to look alike.

    Returns:
        ``uint8 (H, W, 3)``; pixels that no mark covers are those of ``picture``.
    """
    canvas = Canvas(picture.copy(), picture, layout, placement, Inks.of(seen or {}, marks))
    for mark in marks:
        _paint(canvas, mark)
    return canvas.bgr


def _paint(canvas: Canvas, mark: Mark) -> None:
    match mark:
        case Fill():
            paint_fill(canvas, mark)
        case Fence():
            paint_fence(canvas, mark)
        case Path():
            paint_path(canvas, mark)
        case Text():
            paint_text(canvas, mark)
        case Piece():
            paint_piece(canvas, mark)
        case Ball():
            paint_ball(canvas, mark)
        case Move():
            paint_move(canvas, mark)
        case Arrow():
            paint_arrow(canvas, mark)
