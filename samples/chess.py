"""Chequered boards as pictures: themes, sets, sizes from 4 to 16, and what apps lay over a board.

Coordinates, the last move's squares, dots for legal moves and arrows come as apps draw them, so that a reader learns
that they are no pieces.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np

from samples import phone
from samples.canvas import Canvas
from samples.chess_pieces import QUEENS, Dress
from samples.chess_pieces import draw as draw_piece
from samples.sample import Sample
from samples.textures import Bgr
from solvers.board import Cell
from vision.pictures.photo import Picture


@dataclass(frozen=True)
class Theme:
    """Colours of an app.

    Attributes:
        light, dark: of the squares.
        page, ink: around the board, and of text there.
        grain: spread of the texture on the squares, in grey levels.
        frame: width of a frame around the board, in squares; 0 for none.
        frame_colour: its colour.
    """

    light: Bgr
    dark: Bgr
    page: Bgr
    ink: Bgr
    grain: float = 0.0
    frame: float = 0.0
    frame_colour: Bgr = (20, 20, 20)


THEMES: dict[str, Theme] = {
    "green": Theme((208, 238, 235), (82, 149, 119), (37, 46, 48), (230, 230, 230)),
    "brown": Theme((181, 217, 240), (99, 136, 181), (32, 21, 22), (200, 200, 200)),
    "blue": Theme((230, 227, 222), (173, 162, 140), (255, 255, 255), (40, 40, 40)),
    "black and white": Theme((255, 255, 255), (0, 0, 0), (240, 240, 240), (0, 0, 0)),
    "night": Theme((96, 88, 80), (58, 52, 46), (18, 18, 18), (200, 200, 200)),
    "faint": Theme((244, 244, 244), (228, 230, 230), (255, 255, 255), (30, 30, 30), frame=0.03,
                   frame_colour=(90, 90, 90)),
    "marble": Theme((170, 190, 180), (105, 135, 115), (22, 22, 22), (210, 210, 210), grain=5.0),
    "wood": Theme((150, 195, 225), (70, 110, 160), (60, 80, 110), (240, 240, 240), grain=7.0, frame=0.35,
                  frame_colour=(60, 95, 140)),
    "purple": Theme((236, 225, 232), (176, 121, 138), (20, 16, 16), (220, 220, 220)),
    "print": Theme((255, 255, 255), (170, 170, 170), (255, 255, 255), (0, 0, 0), frame=0.04, frame_colour=(0, 0, 0)),
}  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """What is drawn.

    Attributes:
        rows, cols: of the board.
        pieces: name of the piece on each occupied square.
        theme: of :data:`THEMES`.
        device: of :data:`samples.phone.DEVICES`.
        style: of the pieces.
        white: light pieces with a dark edge, or dark ones.
        size: of a piece, in squares.
        stretch: height of a square over its width.
        coordinates: none, on the squares or outside.
        clutter: colours of the last move, dots and digits on empty squares.
    """

    rows: int = 8
    cols: int = 8
    pieces: Mapping[Cell, str] | None = None
    theme: str = "green"
    device: str = "desktop"
    style: str = "balls"
    white: bool = True
    size: float = 0.9
    stretch: float = 1.0
    coordinates: str = "none"
    clutter: bool = False


OBLONG = 0.3
"""Part of the boards for knights' tours that are not square."""


def random_scene(rng: np.random.Generator, kind: str) -> Scene:
    """A scene of ``kind``, ``queens`` or ``knight``, as apps show them."""
    more = rng.spawn(1)[0]  # seeds draw what they drew before boards were oblong, where they are square
    n = int(rng.choice([4, 5, 6, 7, 8, 8, 8, 8, 8, 8, 9, 10, 12, 14, 16]))
    rows, cols = n, n
    if kind == "knight" and more.random() < OBLONG:
        other = int(np.clip(n + more.choice([-2, -1, 1, 2]), 4, 16))
        rows, cols = (n, other) if more.random() < 0.5 else (other, n)
    cells = [(r, c) for r in range(rows) for c in range(cols)]
    if kind == "knight":
        pieces: dict[Cell, str] = {cells[int(rng.integers(len(cells)))]: "knight"}
    else:
        columns = rng.permutation(n)
        pieces = {(r, int(columns[r])): "queen" for r in range(n) if rng.random() < rng.choice([0.2, 0.6, 1.0])}
    return Scene(
        rows, cols, pieces,
        theme=str(rng.choice(list(THEMES))),
        device=str(rng.choice(["phone", "desktop", "tablet", "bare", "old phone"])),
        style=str(rng.choice([*QUEENS, "outlined sign", "solid sign"])),
        white=bool(rng.random() < 0.5),
        size=float(rng.uniform(0.7, 0.97)),
        stretch=float(rng.choice([1.0, 1.0, 1.0, rng.uniform(0.8, 1.25)])),
        coordinates=str(rng.choice(["none", "inside", "outside"])),
        clutter=bool(rng.random() < 0.5),
    )  # fmt: skip


def draw(rng: np.random.Generator, scene: Scene) -> Sample:
    """The picture of a scene with its truth; ``rng`` places it on the screen and makes the clutter."""
    theme = THEMES[scene.theme]
    ratio = scene.cols / (scene.rows * scene.stretch)
    place = phone.stage(rng, scene.device, ratio)
    width, height = place.size_wh
    canvas = Canvas(np.full((height, width, 3), theme.page, np.uint8))
    left, top, right, bottom = place.box
    room = 1 + 2 * theme.frame / scene.cols + (0.08 if scene.coordinates == "outside" else 0.0)
    side = min((right - left) / scene.cols, (bottom - top) / (scene.rows * scene.stretch)) / room
    wide, high = side, side * scene.stretch
    x0, y0 = (left + right - wide * scene.cols) / 2, (top + bottom - high * scene.rows) / 2
    if scene.device == "bare":
        x0, y0 = round(x0), round(y0)
    else:
        phone.furnish(rng, canvas, place, theme.ink, "Chess")
    _squares(canvas, scene, theme, (x0, y0, wide, high), rng)
    clutter = _clutter(canvas, scene, (x0, y0, wide, high), rng) if scene.clutter else {}
    _coordinates(canvas, scene, theme, (x0, y0, wide, high))
    for (r, c), name in (scene.pieces or {}).items():
        box = (x0 + c * wide, y0 + r * high, x0 + (c + 1) * wide, y0 + (r + 1) * high)
        draw_piece(canvas, name, box, _dress(scene, theme))
    corners = [(x0, y0), (x0 + wide * scene.cols, y0), (x0 + wide * scene.cols, y0 + high * scene.rows),
               (x0, y0 + high * scene.rows)]  # fmt: skip
    # A polygon from x0 on covers pixels from x0: its edge lies half a pixel before the middle of that pixel.
    truth = {**_truth(scene), **clutter, "corners": [[x - 0.5, y - 0.5] for x, y in corners]}
    return Sample(canvas.picture, truth)


def _truth(scene: Scene) -> dict[str, object]:
    pieces = scene.pieces or {}
    if list(pieces.values()) == ["knight"]:
        return {"kind": "knight", "rows": scene.rows, "cols": scene.cols, "start": list(next(iter(pieces)))}
    if set(pieces.values()) <= {"queen"}:
        return {"kind": "queens", "n": scene.rows, "regions": None, "queens": [list(cell) for cell in sorted(pieces)]}
    return {"kind": "other"}


def _dress(scene: Scene, theme: Theme) -> Dress:
    body, edge = ((250, 250, 250), (25, 25, 25)) if scene.white else ((35, 35, 38), (235, 235, 235))
    if scene.style.endswith("sign") and min(theme.dark) < 90:
        edge = (250, 250, 250) if max(theme.light) < 140 else (160, 60, 30)
    elif scene.style.endswith("sign"):
        edge = (15, 15, 15)
    return Dress(scene.style, body, edge, 0.025, scene.size)


def _squares(
    canvas: Canvas, scene: Scene, theme: Theme, at: tuple[float, float, float, float], rng: np.random.Generator
) -> None:
    x0, y0, wide, high = at
    if theme.frame:
        pad = theme.frame * wide
        box = (x0 - pad, y0 - pad, x0 + scene.cols * wide + pad, y0 + scene.rows * high + pad)
        canvas.rounded(box, 0.0, theme.frame_colour)
    for r in range(scene.rows):
        for c in range(scene.cols):
            x, y = x0 + c * wide, y0 + r * high
            colour = theme.dark if (r + c) % 2 else theme.light
            if theme.grain:
                canvas.rounded(
                    (x, y, x + wide, y + high), 0.0, partial(_grain, colour=colour, spread=theme.grain, rng=rng)
                )
            else:
                canvas.rounded((x, y, x + wide, y + high), 0.0, colour)


def _grain(size_wh: tuple[int, int], colour: Bgr, spread: float, rng: np.random.Generator) -> Picture:
    """A texture with long streaks."""
    noise = np.asarray(cv2.GaussianBlur(rng.normal(0, 1, size_wh[::-1]), (0, 0), sigmaX=8, sigmaY=1), np.float64)
    noise *= spread / max(float(noise.std()), 1e-6)
    return np.asarray(np.clip(np.asarray(colour, np.float64) + noise[..., None], 0, 255), dtype=np.uint8)


def _clutter(
    canvas: Canvas, scene: Scene, at: tuple[float, float, float, float], rng: np.random.Generator
) -> dict[str, list[Cell]]:
    """The last move in colour, dots for legal moves, digits; returns where these two are."""
    x0, y0, wide, high = at
    cells: list[Cell] = [(int(i) // scene.cols, int(i) % scene.cols) for i in rng.permutation(scene.rows * scene.cols)]
    for r, c in cells[:2]:
        box = (x0 + c * wide, y0 + r * high, x0 + (c + 1) * wide, y0 + (r + 1) * high)
        canvas.rounded(box, 0.0, (80, 210, 205), 0.5)
    free = [cell for cell in cells if cell not in (scene.pieces or {})]
    for r, c in free[:4]:
        canvas.disc((x0 + (c + 0.5) * wide, y0 + (r + 0.5) * high), 0.16 * wide, (40, 40, 40), 0.35)
    for k, (r, c) in enumerate(free[4:9]):
        canvas.words((x0 + (c + 0.5) * wide, y0 + (r + 0.5) * high), str(7 * k + 3), 0.3 * wide, (40, 40, 200))
    return {"dots": free[:4], "digits": free[4:9]}


def _coordinates(canvas: Canvas, scene: Scene, theme: Theme, at: tuple[float, float, float, float]) -> None:
    x0, y0, wide, high = at
    if scene.coordinates == "none":
        return
    inside = scene.coordinates == "inside"
    for c in range(scene.cols):
        x, y = (x0 + (c + 0.88) * wide, y0 + (scene.rows - 0.13) * high) if inside else (
            x0 + (c + 0.5) * wide, y0 + (scene.rows + 0.3 + theme.frame) * high)  # fmt: skip
        colour = (theme.light if (scene.rows - 1 + c) % 2 else theme.dark) if inside else theme.ink
        canvas.words((x, y), "abcdefghijklmnop"[c], 0.2 * wide, colour)
    for r in range(scene.rows):
        x, y = (x0 + 0.1 * wide, y0 + (r + 0.14) * high) if inside else (
            x0 - (0.3 + theme.frame) * wide, y0 + (r + 0.5) * high)  # fmt: skip
        colour = (theme.light if r % 2 else theme.dark) if inside else theme.ink
        canvas.words((x, y), str(scene.rows - r), 0.2 * wide, colour)
