"""The one way in: marks on a board, drawn onto a copy of the picture."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from overlay.canvas import Canvas
from overlay.inks import Inks, Rgb
from overlay.labels import labels
from overlay.lettering import paint_text
from overlay.lines import paint_arrow, paint_path
from overlay.patches import paint_fence, paint_fill
from overlay.plan import paint_plan
from overlay.solids import paint_ball, paint_piece
from overlay.transplant import paint_move
from solvers.board import Cell, Layout
from solvers.marks import Arrow, Ball, Fence, Fill, Mark, Move, Path, Piece, Text
from vision.pictures.photo import Picture
from vision.pictures.placement import Placement

MoveStyle = Literal["tray", "plan", "both"]


def paint(
    picture: Picture,
    placement: Placement,
    layout: Layout,
    marks: Sequence[Mark],
    colours: Mapping[Cell, Rgb] | None = None,
    *,
    moves: MoveStyle = "tray",
) -> Picture:
    """A copy of the picture with the marks drawn on it, in the order given.

    Args:
        picture: ``uint8 (H, W, 3)``, blue, green, red; left as it is.
        placement: where the board lies in the picture.
        layout: the board's cells in board units.
        marks: what to draw.
        colours: the colours that the picture shows, by cell, for marks that want to look alike.
        moves: how moved pieces are shown: ``tray`` lays them where they go; ``plan`` leaves them where they lie and
            writes on each where it goes; ``both`` shows the plan and, right of it, the tray. Without moves among the
            marks there is no difference.

    Returns:
        ``uint8 (H, W, 3)``; pixels that no mark covers are those of ``picture``.
    """
    plan = [mark for mark in marks if isinstance(mark, Move)]
    inks = Inks.of(colours or {}, marks)
    marks = [*marks, *labels(marks, inks, colours or {})]
    if not plan or moves == "tray":
        return _painted(Canvas(picture.copy(), picture, layout, placement, inks), marks)
    planned = Canvas(picture.copy(), picture, layout, placement, inks)
    for move in plan:
        paint_plan(planned, move)
    if moves == "plan":
        return planned.bgr
    laid = _painted(Canvas(picture.copy(), picture, layout, placement, inks), marks)
    return np.concatenate([planned.bgr, laid], axis=1)


def _painted(canvas: Canvas, marks: Sequence[Mark]) -> Picture:
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
