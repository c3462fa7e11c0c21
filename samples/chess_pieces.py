"""Shapes of chess pieces for drawn diagrams: several styles of our own, and those of chess fonts that are installed.

Shapes are polygons in a box of 0..1 x 0..1, y down; ``(x, y)``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from samples.canvas import Canvas, Points, circle_outline, closed
from samples.textures import Bgr

Outline = Sequence[tuple[float, float]]


def _mirrored(right: Outline) -> list[tuple[float, float]]:
    """A symmetric shape from its right half, told from the top down."""
    return [*right, *((1 - x, y) for x, y in reversed(right))]


_SPIKES = _mirrored(
    [(0.5, 0.1), (0.58, 0.5), (0.7, 0.15), (0.73, 0.52), (0.93, 0.24), (0.82, 0.68), (0.8, 0.78), (0.84, 0.92)]
)
_SLENDER = _mirrored(
    [(0.5, 0.2), (0.56, 0.4), (0.72, 0.16), (0.72, 0.42), (0.94, 0.22), (0.78, 0.62), (0.72, 0.7), (0.8, 0.93)]
)
_BALLS = _mirrored(
    [(0.5, 0.2), (0.57, 0.5), (0.71, 0.22), (0.71, 0.52), (0.91, 0.3), (0.83, 0.62), (0.77, 0.76), (0.82, 0.9)]
)
_LOW = _mirrored([(0.5, 0.25), (0.6, 0.48), (0.72, 0.28), (0.76, 0.5), (0.95, 0.32), (0.86, 0.84)])

QUEENS: dict[str, tuple[Outline, Outline]] = {
    "spikes": (_SPIKES, ()),
    "slender": (_SLENDER, ((0.5, 0.17), (0.28, 0.14), (0.72, 0.14), (0.07, 0.2), (0.93, 0.2))),
    "balls": (_BALLS, ((0.5, 0.15), (0.29, 0.17), (0.71, 0.17), (0.09, 0.25), (0.91, 0.25))),
    "low": (_LOW, ()),
}
"""By style: the outline, and the middles of the balls on the points."""

KNIGHTS: dict[str, Outline] = {
    "spikes": (
        (0.3, 0.92), (0.34, 0.72), (0.5, 0.54), (0.46, 0.48), (0.3, 0.56), (0.2, 0.62), (0.12, 0.54), (0.2, 0.4),
        (0.3, 0.26), (0.34, 0.1), (0.44, 0.18), (0.62, 0.2), (0.78, 0.36), (0.86, 0.62), (0.86, 0.92),
    ),
    "slender": (
        (0.26, 0.92), (0.3, 0.82), (0.42, 0.72), (0.46, 0.56), (0.4, 0.46), (0.26, 0.52), (0.16, 0.5), (0.14, 0.42),
        (0.3, 0.28), (0.4, 0.1), (0.48, 0.2), (0.64, 0.26), (0.74, 0.44), (0.72, 0.7), (0.8, 0.82), (0.82, 0.92),
    ),
    "balls": (
        (0.24, 0.9), (0.26, 0.76), (0.48, 0.56), (0.5, 0.46), (0.36, 0.5), (0.26, 0.62), (0.14, 0.6), (0.1, 0.48),
        (0.24, 0.26), (0.26, 0.1), (0.36, 0.18), (0.42, 0.08), (0.5, 0.18), (0.72, 0.24), (0.88, 0.5), (0.9, 0.9),
    ),
    "low": (
        (0.22, 0.86), (0.3, 0.66), (0.48, 0.54), (0.28, 0.58), (0.12, 0.5), (0.28, 0.32), (0.4, 0.22), (0.66, 0.26),
        (0.82, 0.5), (0.84, 0.86),
    ),
}  # fmt: skip

OTHERS: dict[str, Outline] = {
    "pawn": _mirrored(
        [(0.5, 0.22), (0.6, 0.26), (0.64, 0.36), (0.58, 0.46), (0.62, 0.62), (0.74, 0.78), (0.76, 0.9)]
    ),
    "rook": _mirrored(
        [(0.5, 0.16), (0.57, 0.16), (0.57, 0.22), (0.67, 0.22), (0.67, 0.16), (0.76, 0.16), (0.76, 0.34), (0.68, 0.4),
         (0.68, 0.72), (0.78, 0.8), (0.78, 0.9)]
    ),
    "king": _mirrored(
        [(0.5, 0.05), (0.54, 0.05), (0.54, 0.12), (0.61, 0.12), (0.61, 0.19), (0.54, 0.19), (0.56, 0.36), (0.7, 0.3),
         (0.86, 0.38), (0.84, 0.54), (0.74, 0.7), (0.78, 0.92)]
    ),
    "bishop": _mirrored(
        [(0.5, 0.1), (0.54, 0.14), (0.66, 0.36), (0.66, 0.5), (0.58, 0.6), (0.64, 0.76), (0.8, 0.84), (0.8, 0.92)]
    ),
}  # fmt: skip

GLYPHS = {"queen": "♕♛", "knight": "♘♞", "king": "♔♚", "rook": "♖♜", "bishop": "♗♝", "pawn": "♙♟"}
"""By piece: the outlined and the solid sign of Unicode."""


@dataclass(frozen=True)
class Dress:
    """How a piece is drawn: ``body`` colour, ``edge`` colour, width of the edge and size, both in squares."""

    style: str
    body: Bgr
    edge: Bgr
    edge_width: float = 0.03
    size: float = 0.9
    turned: bool = False


def draw(canvas: Canvas, name: str, box: tuple[float, float, float, float], dress: Dress) -> None:
    """Draw a piece on the square ``box`` (left, top, right, bottom)."""
    left, top, right, bottom = box
    side = min(right - left, bottom - top)
    if dress.style.endswith("sign"):
        sign = GLYPHS[name][dress.style.startswith("solid")]
        canvas.words(((left + right) / 2, (top + bottom) / 2), sign, dress.size * side, dress.edge, "sans")
        return
    corner = np.array([(left + right) / 2 - dress.size * side / 2, (top + bottom) / 2 - dress.size * side / 2])

    def place(points: npt.ArrayLike) -> Points:
        xy = np.asarray(points, np.float64)
        if dress.turned:
            xy = np.column_stack([1 - xy[:, 0], xy[:, 1]])
        return np.asarray(corner + xy * dress.size * side)

    outline, balls = _shape(name, dress.style)
    parts = [place(outline), *(circle_outline(at, 0.055 * dress.size * side) for at in (place(balls) if balls else ()))]
    for part in parts:
        canvas.line(closed(part), 2 * dress.edge_width * side, dress.edge)
    for part in parts:
        canvas.fill(part, dress.body)


def _shape(name: str, style: str) -> tuple[Outline, Outline]:
    if name == "queen":
        return QUEENS[style]
    return (KNIGHTS[style] if name == "knight" else OTHERS[name]), ()
