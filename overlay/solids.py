"""Things that stand on cells: shaded balls, joined as pieces, and flat chess symbols."""

from itertools import combinations
from math import cos, pi, sin

import cv2
import numpy as np
import numpy.typing as npt

from overlay.canvas import Canvas, Window, coverage, polygon_mask
from overlay.inks import Rgb, contrasting
from solvers.board import Cell, Point
from solvers.marks import Ball, Piece

# Fractions of a cell's side.
BALL_RADIUS = 0.44
JOINT = 0.17
RIM = 0.05

LIGHT = np.array([-0.45, -0.6, 0.66])
"""Where the light comes from: the left, above, in front (x right, y down, z towards the eye); about unit length."""

AMBIENT, DIFFUSE, SHINE, GLOSS = 0.45, 0.6, 0.55, 24
"""The parts of Phong's shading: Phong, "Illumination for Computer Generated Pictures", CACM 18(6), 1975."""

Outline = tuple[Point, ...]


def _disc(x: float, y: float, radius: float) -> Outline:
    turns = [2 * pi * step / 16 for step in range(16)]
    return tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns)


# Outlines in a box of 1 x 1, drawn for this program.
CROWN: tuple[Outline, ...] = (
    (
        (0.24, 0.70), (0.76, 0.70), (0.90, 0.32), (0.69, 0.50), (0.66, 0.22), (0.50, 0.46),
        (0.34, 0.22), (0.31, 0.50), (0.10, 0.32),
    ),
    ((0.24, 0.75), (0.76, 0.75), (0.76, 0.86), (0.24, 0.86)),
    *(_disc(x, y, 0.055) for x, y in ((0.10, 0.30), (0.34, 0.19), (0.66, 0.19), (0.90, 0.30))),
)  # fmt: skip
HORSE: tuple[Outline, ...] = (
    (
        (0.24, 0.86), (0.80, 0.86), (0.78, 0.62), (0.74, 0.40), (0.60, 0.22), (0.50, 0.12), (0.46, 0.22),
        (0.34, 0.30), (0.18, 0.52), (0.22, 0.62), (0.32, 0.60), (0.46, 0.52), (0.42, 0.64), (0.28, 0.74),
    ),
)  # fmt: skip
SYMBOLS = {"queen": CROWN, "knight": HORSE}
SYMBOL_SIZE = 0.78


def paint_ball(canvas: Canvas, ball: Ball) -> None:
    """Draw shaded balls, with a bar between those whose cells touch."""
    colour = canvas.inks.colour(ball.ink)
    for a, b in combinations(ball.cells, 2):
        if b in canvas.layout.neighbours[a]:
            _joint(canvas, a, b, colour)
    for cell in ball.cells:
        _sphere(canvas, canvas.layout.centre(cell), colour)


def paint_piece(canvas: Canvas, piece: Piece) -> None:
    """Draw a flat symbol with a contrasting rim."""
    colour = canvas.inks.colour(piece.ink)
    x, y = canvas.layout.centre(piece.cell)
    outlines = [
        canvas.points([(x + (px - 0.5) * SYMBOL_SIZE, y + (py - 0.5) * SYMBOL_SIZE) for px, py in outline])
        for outline in SYMBOLS[piece.shape]
    ]
    rim_px = RIM * canvas.side_px((x, y))
    window = canvas.window(np.concatenate(outlines), rim_px + 2)
    if 0 in window.shape:
        return
    symbol = polygon_mask(window, outlines)
    away = cv2.distanceTransform((symbol < 0.5).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    canvas.blend(window, coverage(rim_px + 0.5 - away), contrasting(colour))
    canvas.blend(window, symbol, colour)


def _joint(canvas: Canvas, a: Cell, b: Cell, colour: Rgb) -> None:
    start, end = np.array(canvas.layout.centre(a)), np.array(canvas.layout.centre(b))
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]]) * JOINT
    outline = canvas.points([tuple(p) for p in (start + across, end + across, end - across, start - across)])
    window = canvas.window(outline)
    if 0 not in window.shape:
        red, green, blue = (round(part * 0.8) for part in colour)
        canvas.blend(window, polygon_mask(window, [outline]), (red, green, blue))


def _sphere(canvas: Canvas, at: Point, colour: Rgb) -> None:
    frame = canvas.frame(at) * BALL_RADIUS
    centre = canvas.points([at])[0]
    reach = np.abs(frame).sum(axis=1)
    window = canvas.window(np.array([centre - reach, centre + reach]))
    if 0 in window.shape:
        return
    across, radius_px = _across(window, centre, frame)
    away = np.hypot(across[0], across[1])
    shaded = _phong(across, away, np.array(colour[::-1], dtype=np.float64))
    mask = coverage((1 - away) * radius_px + 0.5)
    canvas.blend(window, mask, shaded)


def _across(
    window: Window, centre: npt.NDArray[np.float64], frame: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], float]:
    """Each pixel's place on the ball, ``(2, h, w)`` in radii, upright in the picture, and the radius in pixels."""
    y, x = np.mgrid[window.top : window.bottom, window.left : window.right]
    offset = np.stack([x - centre[0], y - centre[1]]).astype(np.float64)
    # The symmetric root keeps the light above in the picture, however the board is turned.
    values, vectors = np.linalg.eigh(frame @ frame.T)
    inverse = vectors @ np.diag(1 / np.sqrt(np.maximum(values, 1e-9))) @ vectors.T
    return np.einsum("ij,jhw->ihw", inverse, offset), float(np.sqrt(abs(np.linalg.det(frame))))


def _phong(
    across: npt.NDArray[np.float64], away: npt.NDArray[np.float64], base: npt.NDArray[np.float64]
) -> npt.NDArray[np.float32]:
    height = np.sqrt(np.clip(1 - away**2, 0, 1))
    facing = np.clip(across[0] * LIGHT[0] + across[1] * LIGHT[1] + height * LIGHT[2], 0, 1)
    mirrored = np.clip(2 * facing * height - LIGHT[2], 0, 1)
    body = base[None, None, :] * (AMBIENT + DIFFUSE * facing)[:, :, None]
    lit = body + 255 * SHINE * (mirrored**GLOSS)[:, :, None]
    return np.asarray(np.clip(lit, 0, 255), dtype=np.float32)
