"""Paths and arrows: lines with a light rim, so that they stand out on dark and on light squares alike."""

import colorsys
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from overlay.canvas import Canvas, coverage, line_masks, polygon_mask
from overlay.inks import Rgb, contrasting
from solvers.board import Point
from solvers.marks import Arrow, Ink, Path
from vision.pictures.placement import Points

# Fractions of a cell's side.
THICKNESS = 0.09
RIM = 0.04
HEAD_LENGTH = 0.34
HEAD_WIDTH = 0.30
HEAD_RIM = 0.45  # of the head's own size: a triangle's rim is thin at its sides and long at its tips
DOT = 0.2

STEPS = 9
"""Points along a straight line, so that it follows a board that bends."""

HUE_TURN = 0.18
"""How far the hue wanders along a path, so that early and late stretches can be told apart where they cross."""


def paint_path(canvas: Canvas, path: Path) -> None:
    """Draw a line through the cells, its hue shifting from start to end, with a dot and an arrow head."""
    points = [canvas.layout.centre(cell) for cell in path.cells]
    if path.closed:
        points.append(points[0])
    if len(points) < 2:
        return
    start = canvas.inks.colour(path.ink)
    last = len(points) - 2
    for index, (a, b) in enumerate(pairwise(points)):
        colour = _turned(start, HUE_TURN * index / max(1, last))
        _stroke(canvas, np.linspace(a, b, STEPS).tolist(), (colour, contrasting(start)), head=index == last)
    _dot(canvas, points[0], start)


def paint_arrow(canvas: Canvas, arrow: Arrow) -> None:
    """Draw one line with a head."""
    paint_curve(canvas, np.linspace(arrow.start, arrow.end, STEPS).tolist(), arrow.ink, head=True)


def paint_curve(canvas: Canvas, points: Sequence[Point], ink: Ink, *, head: bool = False, scale: float = 1.0) -> None:
    """Draw a line through points of the board, in board units; ``scale`` makes it finer or bolder."""
    colour = canvas.inks.colour(ink)
    _stroke(canvas, points, (colour, contrasting(colour)), head, scale)


def _stroke(canvas: Canvas, points: Sequence[Point], colours: tuple[Rgb, Rgb], head: bool, scale: float = 1.0) -> None:
    """Draw a line in the first colour, with a rim in the second."""
    side = canvas.side_px(points[len(points) // 2]) * scale
    line = canvas.points(points)
    window = canvas.window(line, (THICKNESS / 2 + RIM + (HEAD_WIDTH if head else 0)) * side + 2)
    if 0 in window.shape:
        return
    # Under a head the line ends early, or its round end would stick out at the tip.
    shaft = _shortened(line, HEAD_LENGTH / 2 * side) if head else line
    shapes = line_masks(window, shaft, [thickness * side for thickness in (THICKNESS + 2 * RIM, THICKNESS)])
    if head:
        shapes = [
            np.maximum(shape, polygon_mask(window, [_head(line, side, swell)]))
            for shape, swell in zip(shapes, (1 + HEAD_RIM, 1.0), strict=True)
        ]
    canvas.blend(window, shapes[0], colours[1])
    canvas.blend(window, shapes[1], colours[0])


def _shortened(line: Points, by_px: float) -> Points:
    kept = np.linalg.norm(line - line[-1], axis=1) >= by_px
    return line[kept] if kept.sum() > 1 else line[:1].repeat(2, axis=0)


def _head(line: Points, side: float, swell: float) -> Points:
    """The triangle at the end of a line, made larger about its middle by ``swell``."""
    tip = line[-1]
    # Seen from the tip, the line comes from where it is a head's length away: right for bent lines too.
    far = np.linalg.norm(line - tip, axis=1) >= HEAD_LENGTH / 2 * side
    back = (line[far][-1] if far.any() else line[0]) - tip
    along: npt.NDArray[np.float64] = back / (np.linalg.norm(back) + 1e-9)
    across = np.array([-along[1], along[0]])
    base = tip + along * HEAD_LENGTH * side
    head = np.array([tip, base + across * HEAD_WIDTH / 2 * side, base - across * HEAD_WIDTH / 2 * side])
    middle = head.mean(axis=0)
    return np.asarray(middle + (head - middle) * swell)


def _dot(canvas: Canvas, at: Point, colour: Rgb) -> None:
    side = canvas.side_px(at)
    centre = canvas.points([at])
    window = canvas.window(centre, (DOT + RIM) * side + 2)
    if 0 in window.shape:
        return
    y, x = np.mgrid[window.top : window.bottom, window.left : window.right]
    away = np.hypot(x - centre[0, 0], y - centre[0, 1])
    for radius, tint in ((DOT + RIM, contrasting(colour)), (DOT, colour)):
        canvas.blend(window, coverage(radius * side + 0.5 - away), tint)


def _turned(rgb: Rgb, turn: float) -> Rgb:
    hue, saturation, value = colorsys.rgb_to_hsv(*(part / 255 for part in rgb))
    red, green, blue = colorsys.hsv_to_rgb((hue + turn) % 1, saturation, value)
    return round(red * 255), round(green * 255), round(blue * 255)
