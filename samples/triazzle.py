"""Drawn Triazzle trays: creatures cut by the joints, or dots on wood, shuffled, with a known and only solution.

A tray is drawn as it lies: every piece shows the halves of its three codes, each clipped by its outline, the frame
shows the halves that wait for a piece. Pieces lie a little askew in their slots, and grooves part them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from samples.creatures import Rgba, draw, random_creatures
from samples.sample import Sample
from solvers import triazzle
from solvers.board import Point
from solvers.budget import Budget
from solvers.triazzle import FRAME, SLOTS, TRAY, Puzzle
from vision.pictures.photo import Picture

Floats = npt.NDArray[np.float64]

UNIT_PX = 180
"""Side of a slot in the drawing."""

MARGIN = 0.75
"""Width of the frame and the table around the pieces, in slots' sides: on a side, as it grows at the corners."""

_HALF_DEPTH = 0.3
"""How far a creature reaches into a piece, in slots' sides: the circle in a piece has a radius of 0.29."""


@dataclass(frozen=True)
class TrayStyle:
    """How a tray is drawn.

    Attributes:
        match: creatures cut in ``halves``, or ``equal`` dots.
        symbols: creatures or colours of dots.
        gap: width of the grooves, in slots' sides.
        askew: standard deviation of the pieces' places in their slots, in slots' sides, and of their turns in radians.
        ground: how the pieces' grounds differ: ``plain``, ``dappled`` or ``wood``.
        cut_corners: whether the frame's corners are cut off, as the trays of the makers are.
        litter: specks of artwork strewn over each piece.
    """

    match: triazzle.Match = "halves"
    symbols: int = 6
    gap: float = 0.02
    askew: float = 0.004
    ground: str = "plain"
    cut_corners: bool = True
    litter: int = 6


def random_puzzle(
    rng: np.random.Generator, match: triazzle.Match = "halves", symbols: int = 6, *, several: bool = False
) -> Puzzle:
    """A shuffled tray with exactly one solution (equal pieces may be swapped), or with ``several``."""
    while True:
        codes = 2 * symbols if match == "halves" else symbols
        plain = Puzzle((), (), match)
        laid = [[0, 0, 0] for _ in range(SLOTS)]
        for (a, i), (b, j) in TRAY.inner:
            laid[a][i] = int(rng.integers(codes))
            laid[b][j] = plain.mate(laid[a][i])
        border = []
        for slot, edge in TRAY.outer:
            laid[slot][edge] = int(rng.integers(codes))
            border.append(plain.mate(laid[slot][edge]))
        turns = rng.integers(3, size=SLOTS)
        order = rng.permutation(SLOTS)
        tiles = tuple(tuple(laid[k][(e - turns[k]) % 3] for e in range(3)) for k in order)
        puzzle = Puzzle(tiles, tuple(border), match)
        if len(list(islice(triazzle.answers(puzzle, Budget(nodes=200_000)), 2))) == 1 + several:
            return puzzle


def random_style(rng: np.random.Generator, match: triazzle.Match | None = None) -> TrayStyle:
    """A style as trays come; ``match`` None tosses a coin."""
    kind: triazzle.Match = match or ("halves" if rng.random() < 0.7 else "equal")
    return TrayStyle(
        match=kind,
        symbols=int(rng.integers(5, 8)) if kind == "halves" else int(rng.integers(5, 7)),
        gap=float(rng.uniform(0.012, 0.035)),
        askew=float(rng.uniform(0, 0.008)),
        ground=str(rng.choice(["plain", "dappled"])) if kind == "halves" else "wood",
        cut_corners=bool(rng.random() < 0.6),
        litter=int(rng.integers(0, 10)) if kind == "halves" else 0,
    )


def render(puzzle: Puzzle, style: TrayStyle, rng: np.random.Generator) -> Sample:
    """The tray as a flat picture, seen from straight above, with its truth."""
    layout = triazzle.layout(puzzle)
    width, height = layout.size
    shift = np.array([2.2 * MARGIN, 2.0 * MARGIN])
    size_wh = (round((width + 4.4 * MARGIN) * UNIT_PX), round((height + 3.3 * MARGIN) * UNIT_PX))
    canvas = _table(size_wh, rng)
    corners = np.array(layout.corners) + shift
    base = rng.uniform(40, 215, 3)
    frame = _outset(corners, MARGIN * rng.uniform(0.7, 1.0), style.cut_corners)
    _paint(canvas, frame, _ground(size_wh, base * rng.uniform(0.55, 0.95), style, rng))
    cv2.polylines(
        canvas, [_px(frame)], True, tuple(float(c) for c in rng.uniform(0, 90, 3)), round(0.05 * UNIT_PX), cv2.LINE_AA
    )
    stamps = _stamps(puzzle, style, rng)
    outlines = [np.array(layout.cells[triazzle.slot_cell(slot)]) + shift for slot in range(SLOTS)]
    for (slot, edge), code in zip(TRAY.outer, puzzle.border, strict=True):
        start, end = outlines[slot][edge], outlines[slot][(edge + 1) % 3]
        if code is not None:
            _stamp(canvas, stamps[code], end, start, None)
    _paint(canvas, corners, np.full_like(canvas, (base * 0.35).astype(np.uint8)))
    for slot, outline in enumerate(outlines):
        _piece(
            canvas, _settled(outline, style, rng), [stamps[c] for c in puzzle.tiles[slot]], base, style=style, rng=rng
        )
    return Sample(canvas, _truth(puzzle, corners * UNIT_PX - 0.5))


def _truth(puzzle: Puzzle, corners_px: Floats) -> dict[str, Any]:
    """The fields that ``score`` reads, and the corners: apex, bottom right, bottom left."""
    return {
        "kind": "triazzle",
        **triazzle.puzzle_record(puzzle),
        "inner": [[a, i, b, j] for (a, i), (b, j) in TRAY.inner],
        "outer": [list(edge) for edge in TRAY.outer],
        "corners": corners_px.round(2).tolist(),
    }


def with_apex(truth: dict[str, Any], apex: int) -> dict[str, Any]:
    """The truth as told by someone who takes corner ``apex`` of it for the apex: a tray has no top of its own."""
    layout = triazzle.layout(Puzzle((), ()))
    middle = np.mean(layout.corners, axis=0)
    angle = -apex * 2 * np.pi / 3  # corners are clockwise; corner `apex` moves to the top
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def moved(point: Point) -> Floats:
        return np.asarray(turn @ (np.asarray(point) - middle) + middle)

    centres = {slot: np.array(layout.centre(triazzle.slot_cell(slot))) for slot in range(SLOTS)}
    mids = {(s, e): _mid(layout.cells[triazzle.slot_cell(s)], e) for s in range(SLOTS) for e in range(3)}
    tiles: list[list[int]] = [[0] * 3 for _ in range(SLOTS)]
    for slot, tile in enumerate(truth["tiles"]):
        goal = min(centres, key=lambda s: float(np.linalg.norm(centres[s] - moved(tuple(centres[slot])))))
        for edge, code in enumerate(tile):
            there = moved(tuple(mids[slot, edge]))
            tiles[goal][min(range(3), key=lambda e: float(np.linalg.norm(mids[goal, e] - there)))] = code
    rolled = {
        name: truth[name][shift:] + truth[name][:shift]
        for name, shift in (("border", apex * FRAME // 3), ("corners", apex))
    }
    return {**truth, **rolled, "tiles": tiles}


def _mid(outline: Sequence[Point], edge: int) -> Floats:
    return np.asarray((np.array(outline[edge]) + np.array(outline[(edge + 1) % 3])) / 2)


# --- drawing ----------------------------------------------------------------------------------------------------------


def _px(points: Floats) -> npt.NDArray[np.int32]:
    return np.round(points * UNIT_PX - 0.5).astype(np.int32)


def _outset(corners: Floats, by: float, cut: bool) -> Floats:
    """The frame's outline: the triangle with its sides moved out, its corners cut off or not."""
    middle = corners.mean(axis=0)
    inradius = np.linalg.norm(corners[0] - middle) / 2
    outer = middle + (corners - middle) * ((inradius + by) / inradius)
    if not cut:
        return np.asarray(outer)
    along = 1.6 * by / np.linalg.norm(outer[1] - outer[0]) + 0.02
    points = []
    for k in range(3):
        here, last, following = outer[k], outer[k - 1], outer[(k + 1) % 3]
        points += [here + (last - here) * along, here + (following - here) * along]
    return np.array(points)


def _table(size_wh: tuple[int, int], rng: np.random.Generator) -> Picture:
    """A table top with streaks or a plain cloth."""
    width, height = size_wh
    colour = rng.uniform(60, 230, 3)
    rough = rng.normal(0, 1, (max(2, height // 4), max(2, width // 60))).astype(np.float32)
    streaks = cv2.resize(rough, size_wh, interpolation=cv2.INTER_CUBIC)[..., None] * rng.uniform(0, 10)
    return np.clip(colour + streaks, 0, 255).astype(np.uint8)


def _ground(size_wh: tuple[int, int], colour: Floats, style: TrayStyle, rng: np.random.Generator) -> Picture:
    """A picture full of the ground of a piece."""
    width, height = size_wh
    if style.ground == "plain":
        return np.broadcast_to(np.clip(colour, 0, 255).astype(np.uint8), (height, width, 3)).copy()
    if style.ground == "wood":
        turn = rng.uniform(0, np.pi)
        y, x = np.mgrid[0:height, 0:width].astype(np.float32) / UNIT_PX
        across = x * np.cos(turn) + y * np.sin(turn) + 0.06 * np.sin(3 * (y * np.cos(turn) - x * np.sin(turn)))
        rings = np.interp(across * 40 % 512, np.arange(512), rng.normal(0, 1, 512)).astype(np.float32)
        tint = np.array([60, 105, 160]) * rng.uniform(0.65, 1.35)
        streaks = np.asarray(cv2.GaussianBlur(rings, (0, 0), 1.5), dtype=np.float32)[..., None]
        return np.clip(tint + 12 * streaks, 0, 255).astype(np.uint8)
    clouds = cv2.resize(
        rng.normal(0, 1, (height // 12, width // 12, 3)).astype(np.float32), size_wh, interpolation=cv2.INTER_CUBIC
    )
    return np.clip(colour + clouds * 14, 0, 255).astype(np.uint8)


def _paint(canvas: Picture, outline: Floats, ground: Picture) -> None:
    """Lay ``ground`` inside the outline, its edge smooth."""
    cover = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(cover, [_px(outline)], 255, cv2.LINE_AA)
    part = cover[..., None].astype(np.float32) / 255
    canvas[:] = (ground * part + canvas * (1 - part)).astype(np.uint8)


def _settled(outline: Floats, style: TrayStyle, rng: np.random.Generator) -> Floats:
    """The outline of a piece that is smaller than its slot by half the groove and lies in it a little askew."""
    middle = outline.mean(axis=0)
    angle = rng.normal(0, style.askew)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shrink = 1 - style.gap * 3**0.5
    return np.asarray((outline - middle) @ turn.T * shrink + middle + rng.normal(0, style.askew, 2))


def _stamps(puzzle: Puzzle, style: TrayStyle, rng: np.random.Generator) -> dict[int, Rgba]:
    """For each code its half, ``(depth, length)`` with the joint on top: what a piece shows below its upper edge."""
    length = UNIT_PX
    depth = round(_HALF_DEPTH * UNIT_PX)
    stamps: dict[int, Rgba] = {}
    if puzzle.match == "equal":
        for code, colour in enumerate(_dot_colours(style.symbols, rng)):
            dot = np.zeros((depth, length, 4), np.uint8)
            cv2.circle(dot, (length // 2, round(0.15 * length)), round(0.085 * length), (*colour, 255), -1, cv2.LINE_AA)
            stamps[code] = dot
        return stamps
    for k, creature in enumerate(random_creatures(rng, style.symbols)):
        patch = draw(creature, 2 * depth)
        if rng.random() < 0.5:
            patch = np.ascontiguousarray(np.rot90(patch))  # cut across its axis instead of along it
        full = np.zeros((2 * depth, length, 4), np.uint8)
        left = round((length - 2 * depth) / 2 + rng.uniform(-0.05, 0.05) * length)
        full[:, left : left + 2 * depth] = patch
        stamps[2 * k] = full[depth:]
        stamps[2 * k + 1] = np.ascontiguousarray(full[depth - 1 :: -1, ::-1])  # turned by half, its joint on top
    return stamps


def _dot_colours(count: int, rng: np.random.Generator) -> list[tuple[int, int, int]]:
    """Paints of toys, in BGR, a little different in every tray."""
    paints = [(30, 30, 30), (60, 110, 30), (45, 45, 190), (190, 110, 20), (30, 190, 240), (235, 235, 235)]
    chosen = [paints[k] for k in rng.permutation(len(paints))[:count]]
    return [tuple(int(np.clip(c + rng.normal(0, 8), 0, 255)) for c in paint) for paint in chosen]  # type: ignore[misc]


def _stamp(canvas: Picture, stamp: Rgba, start: Floats, end: Floats, cover: npt.NDArray[np.float32] | None) -> None:
    """Print ``stamp`` below the edge from ``start`` to ``end`` (clockwise as the piece sees it), inside ``cover``."""
    depth, length = stamp.shape[:2]
    along = end - start
    # Clockwise with y down, the inside lies to the right of the direction of travel: turned by +90 degrees.
    inward = np.array([-along[1], along[0]])
    source = np.array([(0, 0), (length, 0), (0, depth)], np.float32)
    goal = np.array([start, end, start + inward * depth / length], np.float64) * UNIT_PX - 0.5
    matrix = cv2.getAffineTransform(source, goal.astype(np.float32))
    height, width = canvas.shape[:2]
    weighted = stamp.astype(np.float32)
    weighted[..., :3] *= weighted[..., 3:] / 255
    laid = cv2.warpAffine(weighted, matrix, (width, height), flags=cv2.INTER_LINEAR)
    if cover is not None:
        laid = laid * cover[..., None]
    canvas[:] = np.clip(laid[..., :3] + canvas * (1 - laid[..., 3:] / 255), 0, 255).astype(np.uint8)


def _piece(
    canvas: Picture,
    outline: Floats,
    halves: Sequence[Rgba],
    base: Floats,
    *,
    style: TrayStyle,
    rng: np.random.Generator,
) -> None:
    """Lay one piece: its ground, litter, the halves of its edges, and the light on its bevel."""
    low = np.floor(outline.min(axis=0) * UNIT_PX).astype(int) - 4
    high = np.ceil(outline.max(axis=0) * UNIT_PX).astype(int) + 5
    window = canvas[low[1] : high[1], low[0] : high[0]]
    here = outline - low / UNIT_PX
    size_wh = (window.shape[1], window.shape[0])
    piece = _ground(size_wh, base * rng.uniform(0.93, 1.07), style, rng)
    for _ in range(style.litter):
        spot = here.mean(axis=0) + rng.normal(0, 0.2, 2)
        paint = tuple(float(c) for c in np.clip(base + rng.normal(0, 45, 3), 0, 255))
        cv2.ellipse(
            piece, tuple(int(v) for v in _px(spot)), (7, 3), rng.uniform(0, 180), 0, 360, paint, -1, cv2.LINE_AA
        )
    for edge, half in enumerate(halves):
        _stamp(piece, half, here[edge], here[(edge + 1) % 3], None)
    light = tuple(float(c) for c in np.clip(base * 1.25, 0, 255))
    cv2.polylines(piece, [_px(here)], True, light, 2, cv2.LINE_AA)
    cut = np.ascontiguousarray(window)
    _paint(cut, here, piece)
    window[:] = cut
