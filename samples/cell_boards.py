"""Small boards of many looks with marks of one hand, for teaching what stands on a cell.

They are no puzzles: what stands where is left to chance, half of the cells are empty, and everything is made that the
cells of real boards show and that says nothing: coordinates, tints of the last move, gloss, grain, folds, emblems.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from samples import chess
from samples.canvas import Canvas, Points, closed, rounded_outline
from samples.cell_marks import DRAWERS, Box, Hand, colour, letter_queen, mixed, pointer
from samples.textures import Bgr, cloth, gradient, rope
from vision.cells.reader import Mark
from vision.pictures.photo import Picture

Labels = list[list[Mark | None]]
"""None where nobody can say what a cell shows."""

MIXES: tuple[tuple[tuple[Mark, ...], float], ...] = (
    (("queen",), 0.5),
    (("queen", "note", "note"), 0.6),
    (("knight",), 0.3),
    (("knight", "note", "number"), 0.6),
    (("queen", "knight", "piece", "piece"), 0.6),
    (("queen", "knight", "piece", "piece"), 0.6),
    (("number",), 0.5),
    (("number", "note"), 0.6),
    (("square", "tall", "wide", "any", "any", "blank", "blank"), 0.5),
    (("square", "tall", "wide", "any", "any", "blank", "blank"), 0.5),
    (("something else",), 0.55),
    (("something else",), 0.55),
    (("something else", "something else", "number", "piece"), 0.6),
    (("something else", "something else", "note", "queen"), 0.6),
    ((), 0.0),
)
"""What stands on a board, and on which part of its cells."""


@dataclass(frozen=True, eq=False)
class Board:
    """A drawn board.

    Attributes:
        picture: ``uint8 (H, W, 3)``.
        corners: ``float64 (4, 2)``, of the board in pixels, from the top left one clockwise.
        labels: what stands on each cell.
    """

    picture: Picture
    corners: npt.NDArray[np.float64]
    labels: Labels


def random_board(rng: np.random.Generator, hand: Hand) -> Board:
    """A board of 4 to 7 cells each way with a margin around it."""
    rows, cols = (int(v) for v in rng.integers(4, 8, 2))
    side = float(rng.uniform(13, 30) if rng.random() < 0.3 else rng.uniform(30, 72))
    margin = float(rng.choice([rng.uniform(0.0, 0.2), rng.uniform(0.3, 1.0)])) * side
    size_wh = round(cols * side + 2 * margin), round(rows * side + 2 * margin)
    canvas = Canvas(np.full((size_wh[1], size_wh[0], 3), colour(rng), np.uint8))
    grounds = GROUNDS[int(rng.integers(len(GROUNDS)))](rng, canvas, (rows, cols), (margin, side))
    boxes = [[Box(margin + c * side, margin + r * side, side, grounds[r][c]) for c in range(cols)] for r in range(rows)]
    _spoil(rng, canvas, boxes)
    marks, share = MIXES[int(rng.integers(len(MIXES)))]
    labels: Labels = [["empty"] * cols for _ in range(rows)]
    named_by_letters = marks == ("queen",) and rng.random() < 0.1
    for r, c in np.argwhere(rng.random((rows, cols)) < share).tolist():
        mark: Mark = marks[int(rng.integers(len(marks)))]
        (letter_queen if named_by_letters else DRAWERS[mark])(hand, canvas, boxes[r][c])
        labels[r][c] = mark
    if rng.random() < 0.25:
        _coordinates(rng, canvas, boxes)
    if rng.random() < 0.2:
        for _ in range(int(rng.integers(1, 4))):
            tip = margin + rng.uniform(0, 1, 2) * (cols * side, rows * side)
            outline = pointer(hand, canvas, tip, side * float(rng.uniform(0.6, 1.2)))
            lie_under(labels, (outline - margin) / side)
    low = margin - 0.5
    corners = low + np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)]) * side
    return Board(canvas.picture, corners, labels)


def lie_under(labels: Labels, outline: Points) -> None:
    """What a pointer, ``(N, 2)`` in cells, makes of the cells below it: an empty one of which much is covered has a
    note; of which little is covered, nobody can say.
    """
    for col, row in {(int(x), int(y)) for x, y in np.floor(outline)}:
        if not (0 <= row < len(labels) and 0 <= col < len(labels[0])) or labels[row][col] != "empty":
            continue
        inside = (np.floor(outline) == (col, row)).all(axis=1).sum()
        labels[row][col] = "note" if inside > len(outline) / 3 else None


# --- grounds ----------------------------------------------------------------------------------------------------------

Grounds = list[list[Bgr]]
Size = tuple[int, int]
Place = tuple[float, float]


def _edges(place: Place, r: int, c: int, inset: float = 0.0) -> tuple[float, float, float, float]:
    margin, side = place
    left, top = margin + c * side, margin + r * side
    return left + inset * side, top + inset * side, left + (1 - inset) * side, top + (1 - inset) * side


def _chequers(rng: np.random.Generator, canvas: Canvas, size: Size, place: Place) -> Grounds:
    theme = chess.THEMES[str(rng.choice(list(chess.THEMES)))]
    two = (theme.light, theme.dark) if rng.random() < 0.6 else (colour(rng), colour(rng))
    grain = float(rng.choice([0.0, 0.0, rng.uniform(2, 14)]))
    glossy = rng.random() < 0.15
    grounds = [[two[(r + c) % 2] for c in range(size[1])] for r in range(size[0])]
    hatched = sum(two[0]) > 600 and rng.random() < 0.2
    for r, row in enumerate(grounds):
        for c, ground in enumerate(row):
            paint: Bgr | Callable[[tuple[int, int]], Picture] = ground
            if glossy:
                paint = _slope(ground, mixed(ground, (255, 255, 255), 0.35), float(rng.choice([45, 90])))
            elif grain:
                paint = _grained(rng, ground, grain)
            canvas.rounded(_edges(place, r, c), 0.0, paint)
            if hatched and (r + c) % 2:
                _hatch(canvas, _edges(place, r, c))
    return grounds


def _slope(first: Bgr, second: Bgr, angle: float) -> Callable[[tuple[int, int]], Picture]:
    return lambda size_wh: gradient(size_wh, first, second, angle)


def _grained(rng: np.random.Generator, ground: Bgr, spread: float) -> Callable[[tuple[int, int]], Picture]:
    return lambda size_wh: chess._grain(size_wh, ground, spread, rng)


def _hatch(canvas: Canvas, edges: tuple[float, float, float, float]) -> None:
    """Old prints have lines where squares are dark."""
    left, top, right, bottom = edges
    step = (right - left) / 9
    for k in range(1, 18):
        start, end = left + k * step, top + k * step
        x0, y0 = min(start, right), top + max(0.0, start - right)
        x1, y1 = left + max(0.0, end - bottom), min(end, bottom)
        canvas.line([(x0, y0), (x1, y1)], 0.15 * step, (40, 40, 40))


def _lined(rng: np.random.Generator, canvas: Canvas, size: Size, place: Place) -> Grounds:
    """One ground, lines between cells, thicker ones at times, tints over some cells."""
    (rows, cols), (margin, side) = size, place
    page = colour(rng)
    ink = mixed(page, (255, 255, 255) if sum(page) < 330 else (0, 0, 0), float(rng.uniform(0.15, 1)))
    box = (margin, margin, margin + cols * side, margin + rows * side)
    sort = str(rng.choice(["flat", "flat", "gradient", "cloth"]))
    if sort == "cloth":
        canvas.rounded(
            box, 0.0, lambda wh: cloth(wh, max(2.0, 0.15 * side), page, rng, depth=float(rng.uniform(0.3, 1)))
        )
    else:
        second = page if sort == "flat" else colour(rng)
        canvas.rounded(box, 0.0, lambda wh: gradient(wh, page, second, 90, 0))
    grounds = [[page] * cols for _ in range(rows)]
    if sort == "gradient":
        grounds = [[mixed(page, second, (r + 0.5) / rows)] * cols for r in range(rows)]
    share = float(rng.choice([0, 0, 0.3, 0.6]))
    for r, c in np.argwhere(rng.random((rows, cols)) < share).tolist():
        tint, alpha = colour(rng), float(rng.uniform(0.2, 1))
        canvas.rounded(_edges(place, r, c, float(rng.choice([0, 0.05]))), 0.1 * side, tint, alpha)
        grounds[r][c] = mixed(grounds[r][c], tint, alpha)
    if rng.random() < 0.25:
        _patches(rng, canvas, size, place)
    stitch = str(rng.choice(["plain", "plain", "plain", "dashed", "dotted", "stitched"]))
    width = float(rng.uniform(0.012, 0.06)) * side
    thick = float(rng.choice([0.0, 0.15, 0.4]))
    for k, across in [(k, True) for k in range(rows + 1)] + [(k, False) for k in range(cols + 1)]:
        for j in range(cols if across else rows):
            ends = [(j, k), (j + 1, k)] if across else [(k, j), (k, j + 1)]
            heavy = 2.5 if rng.random() < thick else 1.0
            canvas.line(np.array(ends) * side + margin, heavy * width, ink, stitch)
    return grounds


def _patches(rng: np.random.Generator, canvas: Canvas, size: Size, place: Place) -> None:
    """Outlines with round corners about several cells, as players draw rectangles."""
    (rows, cols), (margin, side) = size, place
    for _ in range(int(rng.integers(1, 6))):
        top, left = int(rng.integers(rows)), int(rng.integers(cols))
        bottom, right = int(rng.integers(top, rows)) + 1, int(rng.integers(left, cols)) + 1
        inset, radius = float(rng.uniform(0, 0.08)), float(rng.uniform(0, 0.5))
        edges = (left + inset, top + inset, right - inset, bottom - inset)
        box = (edges[0] * side, edges[1] * side, edges[2] * side, edges[3] * side)
        outline = closed(rounded_outline(box, radius * side)) + margin
        paint = colour(rng)
        edge: Bgr = paint if rng.random() < 0.6 else ((255, 255, 255) if rng.random() < 0.7 else (0, 0, 0))
        canvas.fill(outline, paint, float(rng.choice([0.0, rng.uniform(0.1, 0.6), 1.0])))
        canvas.line(outline, float(rng.uniform(0.02, 0.12)) * side, edge)


def _tiled(rng: np.random.Generator, canvas: Canvas, size: Size, place: Place) -> Grounds:
    """Tiles with gaps and round corners, of one colour or of several; at times boxes with a border, of wider gaps."""
    paints = [colour(rng) for _ in range(int(rng.choice([1, 1, 2, 6])))]
    gap, radius = float(rng.uniform(0.015, 0.07)), float(rng.uniform(0, 0.3))
    glossy = rng.random() < 0.2
    border = colour(rng) if rng.random() < 0.4 else None
    gap, width = (gap, 0.0) if border is None else (float(rng.uniform(0.03, 0.16)), float(rng.uniform(0.02, 0.09)))
    grounds = [[paints[int(rng.integers(len(paints)))] for _ in range(size[1])] for _ in range(size[0])]
    for r, row in enumerate(grounds):
        for c, ground in enumerate(row):
            paint = _slope(ground, mixed(ground, (255, 255, 255), 0.3), 90) if glossy else ground
            edges = _edges(place, r, c, gap)
            canvas.rounded(edges, radius * place[1], paint)
            if border is not None:
                canvas.line(closed(rounded_outline(edges, radius * place[1])), width * place[1], border)
    return grounds


def _regions(rng: np.random.Generator, canvas: Canvas, size: Size, place: Place) -> Grounds:
    """Coloured regions with borders, some cells striped, dimmed, roped."""
    (rows, cols), (margin, side) = size, place
    coarse = rng.integers(0, 5, ((rows + 1) // 2, (cols + 1) // 2))
    regions = np.kron(coarse, np.ones((2, 2), int))[:rows, :cols]
    regions = np.where(rng.random(regions.shape) < 0.2, rng.integers(0, 5, regions.shape), regions)
    paints = [colour(rng) for _ in range(5)]
    grounds = [[paints[regions[r, c]] for c in range(cols)] for r in range(rows)]
    ropes = rng.random() < 0.15
    for r, row in enumerate(grounds):
        for c, ground in enumerate(row):
            paint: Bgr | Callable[[tuple[int, int]], Picture] = ground
            if ropes:
                paint = _roped(rng, ground, side)
            elif rng.random() < 0.04:
                paint = _striped(ground)
            canvas.rounded(_edges(place, r, c), 0.0, paint)
    line, border = float(rng.choice([0.0, rng.uniform(0.01, 0.03)])) * side, float(rng.uniform(0.02, 0.09)) * side
    ink: Bgr = (0, 0, 0) if rng.random() < 0.7 else colour(rng)
    for r in range(rows):
        for c in range(cols):
            for (dr, dc), ends in (((0, 1), [(c + 1, r), (c + 1, r + 1)]), ((1, 0), [(c, r + 1), (c + 1, r + 1)])):
                at = (r + dr, c + dc)
                same = at[0] < rows and at[1] < cols and regions[at] == regions[r, c]
                width = line if same else border
                if width >= 0.5:
                    canvas.line(np.array(ends) * side + margin, width, mixed(grounds[r][c], ink, 0.3) if same else ink)
    return grounds


def _roped(rng: np.random.Generator, ground: Bgr, side: float) -> Callable[[tuple[int, int]], Picture]:
    angle = float(rng.choice([0, 90])) + float(rng.uniform(-30, 30))
    return lambda size_wh: rope(size_wh, side * 0.2, angle, ground, rng)


def _striped(ground: Bgr) -> Callable[[tuple[int, int]], Picture]:
    return lambda size_wh: gradient(size_wh, ground, mixed(ground, (255, 255, 255), 0.25), 45, 8)


GROUNDS = (_chequers, _chequers, _lined, _lined, _tiled, _regions)


# --- what says nothing ------------------------------------------------------------------------------------------------


def _spoil(rng: np.random.Generator, canvas: Canvas, boxes: Sequence[Sequence[Box]]) -> None:
    """Tints, folds, shadows and emblems: a cell that has no more than these is empty."""
    height, width = canvas.picture.shape[:2]
    flat = [box for row in boxes for box in row]
    side = flat[0].side
    if rng.random() < 0.3:  # the last move, squares under attack
        for k in rng.permutation(len(flat))[: int(rng.integers(1, 12))]:
            box, tint = flat[int(k)], colour(rng)
            edges = (box.left, box.top, box.left + side, box.top + side)
            canvas.rounded(edges, 0.0, tint, float(rng.uniform(0.1, 0.6)))
    if rng.random() < 0.12:  # a fold, or the seam of a board that folds
        start, end = rng.uniform(0, 1, 2) * (width, height), rng.uniform(0, 1, 2) * (width, height)
        if rng.random() < 0.6:
            start, end = np.array([0.0, start[1]]), np.array([width, start[1] + rng.uniform(-0.1, 0.1) * side])
        shade = float(rng.uniform(0.6, 1.3))
        mask = np.zeros((height, width), np.uint8)
        ends = [tuple(int(v) for v in point) for point in (start, end)]
        cv2.line(mask, ends[0], ends[1], (255,), max(1, round(float(rng.uniform(0.02, 0.12)) * side)), cv2.LINE_AA)
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.4, float(rng.uniform(0.01, 0.08)) * side))[..., None] / 255
        canvas.picture = np.clip(canvas.picture * (1 + soft * (shade - 1)), 0, 255).astype(np.uint8)
    if rng.random() < 0.2:  # the shadow of something beside the board
        x, y = rng.uniform(0, 1, 2) * (width, height)
        yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
        turn = rng.uniform(0, 2 * np.pi)
        away = (xx - x) * np.cos(turn) + (yy - y) * np.sin(turn)
        edge = 1 / (1 + np.exp(-np.clip(away / (float(rng.uniform(0.03, 0.5)) * side), -30, 30)))
        gain = 1 - float(rng.uniform(0.1, 0.5)) * edge
        canvas.picture = np.clip(canvas.picture * gain[..., None], 0, 255).astype(np.uint8)
    if rng.random() < 0.1:  # a maker's emblem, printed faintly
        box = flat[int(rng.integers(len(flat)))]
        ink = mixed(box.ground, colour(rng), float(rng.uniform(0.05, 0.12)))
        canvas.words(box.middle, "Chess", 0.25 * side, ink, "serif")


def _coordinates(rng: np.random.Generator, canvas: Canvas, boxes: Sequence[Sequence[Box]]) -> None:
    """Letters and digits in the corners of the cells at the rim."""
    size = float(rng.uniform(0.14, 0.24))
    bottom, right = bool(rng.random() < 0.8), bool(rng.random() < 0.3)
    for c, box in enumerate(boxes[-1 if bottom else 0]):
        at = np.array([box.left + 0.88 * box.side, box.top + 0.87 * box.side])
        canvas.words(at, "abcdefgh"[c], size * box.side, _ink(box))
    for r, row in enumerate(boxes):
        box = row[-1 if right else 0]
        at = np.array([box.left + (0.9 if right else 0.1) * box.side, box.top + 0.14 * box.side])
        canvas.words(at, str(len(boxes) - r), size * box.side, _ink(box))


def _ink(box: Box) -> Bgr:
    return mixed(box.ground, (255, 255, 255) if sum(box.ground) < 380 else (0, 0, 0), 0.6)
