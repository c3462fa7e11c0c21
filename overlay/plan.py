"""Moves as a plan on the picture as it is: on each piece the number of the place where it goes, and how to turn it.

Places are counted from 1 in the order of the layout, row by row. A piece that lies right already gets a tick.
"""

import numpy as np

from overlay.canvas import Canvas
from overlay.lettering import paint_text
from overlay.lines import paint_curve
from solvers.marks import Ink, Move, Text

RIGHT = Ink(rgb=(0, 158, 115))
GOES = Ink(rgb=(240, 228, 66))

# Fractions of a cell's side.
NUMBER = 0.24
ARC_RADIUS = 0.25
ARC_STEPS = 24
FINE = 0.42
"""Arrows and ticks of a plan, compared with those between cells."""

ARC_START = -90.0
"""Where turning arrows begin, in degrees clockwise from the right: at the top."""


def paint_plan(canvas: Canvas, move: Move) -> None:
    """Write on the piece at ``move.source`` where it goes and how it is turned."""
    x, y = canvas.layout.centre(move.source)
    corners = len(canvas.layout.cells[move.source])
    if move.source == move.target and move.turn % corners == 0:
        tick = [(x - 0.12, y), (x - 0.03, y + 0.1), (x + 0.14, y - 0.12)]
        paint_curve(canvas, tick, RIGHT, scale=FINE)
        return
    place = list(canvas.layout.cells).index(move.target) + 1
    paint_text(canvas, Text(move.source, str(place), GOES, NUMBER))
    degrees = _turn(canvas, move)
    if abs(degrees) > 1:
        _paint_arc(canvas, (x, y), degrees)


def _turn(canvas: Canvas, move: Move) -> float:
    """How far the piece is turned as seen on the board, in degrees clockwise, -180..180."""
    source = np.asarray(canvas.layout.cells[move.source])
    target = np.asarray(canvas.layout.cells[move.target])
    before = source[0] - source.mean(axis=0)
    after = target[move.turn % len(target)] - target.mean(axis=0)
    angle = np.degrees(np.arctan2(after[1], after[0]) - np.arctan2(before[1], before[0]))
    return float((angle + 180 - 1e-6) % 360 - 180 + 1e-6)


def _paint_arc(canvas: Canvas, centre: tuple[float, float], degrees: float) -> None:
    angles = np.radians(ARC_START + np.linspace(0, degrees, ARC_STEPS))
    points = np.column_stack([centre[0] + ARC_RADIUS * np.cos(angles), centre[1] + ARC_RADIUS * np.sin(angles)])
    arc = [(float(x), float(y)) for x, y in points]
    paint_curve(canvas, arc, GOES, head=True, scale=FINE)
