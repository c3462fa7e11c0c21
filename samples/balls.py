"""Drawn ball boards: the triangle of 55 and the 5 x 11 board, as a toy, in a booklet and on a screen, with known truth.

A toy is shaded: light falls from one side on balls and, the other way round, into pits; balls of a piece are joined by
necks, throw a shadow and carry a highlight; pieces that are left lie loose beside the tray. Booklets print flat discs
with or without outlines and necks, screens discs with letters.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from samples.canvas import Canvas, circle_outline
from samples.puzzles.balls import make
from samples.sample import Sample
from samples.textures import Bgr
from solvers import kanoodle, pyramid
from solvers.ball_colours import COLOURS
from solvers.ball_trays import EMPTY, LETTERS, shapes
from solvers.balls import BallRules, Balls
from solvers.board import Cell
from vision.pictures.photo import Picture

Floats = npt.NDArray[np.float64]

Maker = Literal["toy", "booklet", "screen"]
BOARDS: dict[str, BallRules] = {"pyramid": pyramid.RULES, "kanoodle": kanoodle.RULES}

PITCH_PX = 64
"""Distance of neighbouring pits in the drawing."""

TRAYS: dict[str, Bgr] = {
    "black": (30, 28, 26),
    "dark": (66, 60, 58),
    "grey": (140, 138, 136),
    "white": (228, 230, 232),
    "blue": (150, 92, 40),
}
"""Colours of toys' trays."""


@dataclass(frozen=True)
class Style:
    """How a board is drawn.

    Attributes:
        maker: a toy, a page of a booklet or a screen.
        tray: its colour.
        pit: the colour of empty pits.
        radius: of balls and discs, of the pitch.
        necks: width of the necks between balls of a piece, of the pitch; 0 for none.
        rim: width of dark outlines, of the pitch; 0 for none.
        letters: whether discs carry their letters.
        light_deg: where the light on a toy comes from.
        gloss: strength of highlights, 0..1.
        hue_shift: how far each piece's colour is from the makers', in grey levels.
        pit_radius: of a screen's empty pits, of the pitch; 0 for the same as the discs'.
        hollow: whether a screen draws empty pits as rings.
        square: whether a screen draws squares in place of discs.
    """

    maker: Maker
    tray: Bgr
    pit: Bgr
    radius: float = 0.5
    necks: float = 0.24
    rim: float = 0.0
    letters: bool = False
    light_deg: float = -60.0
    gloss: float = 0.6
    hue_shift: float = 8.0
    pit_radius: float = 0.0
    hollow: bool = False
    square: bool = False


SCREENS: tuple[tuple[Bgr, Bgr], ...] = (
    ((238, 238, 238), (8, 8, 8)),
    ((211, 211, 211), (176, 176, 176)),
    ((58, 52, 48), (30, 27, 25)),
    ((30, 28, 26), (70, 66, 62)),
    ((120, 80, 50), (84, 54, 32)),
    ((250, 250, 250), (222, 222, 222)),
)
"""Colours of tray and empty pits in programs: pits lighter or darker than the tray, in light and dark themes."""


def random_style(rng: np.random.Generator, maker: Maker | None = None) -> Style:
    """A style as makers have them."""
    maker = maker or ("toy", "toy", "booklet", "screen")[int(rng.integers(4))]
    if maker == "toy":
        tray = TRAYS[str(rng.choice(list(TRAYS)))]
        pit = tuple(round(part * float(rng.uniform(0.75, 0.95))) for part in tray)
        return Style(
            "toy",
            tray,
            (pit[0], pit[1], pit[2]),
            radius=float(rng.uniform(0.45, 0.5)),
            light_deg=float(rng.uniform(0, 360)),
            gloss=float(rng.uniform(0.2, 0.9)),
            hue_shift=float(rng.uniform(0, 14)),
        )
    dark = bool(rng.random() < 0.5)
    if maker == "booklet":
        tray, empty = ((24, 20, 20), (88, 82, 84)) if dark else ((92, 66, 84), (236, 232, 232))
        return Style("booklet", tray, empty, float(rng.uniform(0.4, 0.5)), 0.24, 0.03 * (not dark), hue_shift=6)
    return _screen_style(rng)


def _screen_style(rng: np.random.Generator) -> Style:
    tray, empty = SCREENS[int(rng.integers(len(SCREENS)))]
    radius = float(rng.uniform(0.34, 0.5))
    square = bool(rng.random() < 0.3)
    letters = bool(rng.random() < 0.5)
    rim = float(rng.choice([0.0, 0.04]))
    pit_radius = radius * float(rng.choice([1.0, 1.0, 0.7]))
    hollow = not square and bool(rng.random() < 0.2)
    radius = 0.5 if square and rng.random() < 0.3 else radius
    return Style(
        "screen",
        tray,
        empty,
        radius,
        0.0,
        rim,
        letters,
        0.0,
        0.0,
        4,
        pit_radius=pit_radius,
        hollow=hollow,
        square=square,
    )


def random_sample(
    rng: np.random.Generator,
    board: str,
    *,
    style: Style | None = None,
    given: int | None = None,
    pieces: str | None = None,
    loose: bool = True,
) -> Sample:
    """A random board, drawn from straight above.

    Args:
        rng: decides everything.
        board: ``pyramid`` or ``kanoodle``.
        style: how it is drawn; None for a random one.
        given: how many pieces lie on it, 0 to 12; None for any number, 0 and 12 rarely.
        pieces: the set; None for a random one.
        loose: whether a toy's other pieces may lie beside the tray.
    """
    style = style or random_style(rng)
    # Nobody draws squares on their corners' lattice: a program's triangle of squares would be half a matrix.
    style = replace(style, square=style.square and board == "kanoodle")
    pieces = pieces or ("standard", "iq")[int(rng.integers(2))]
    many = int(rng.integers(0, 13)) if given is None else given
    puzzle, _ = make(Random(int(rng.integers(2**32))), BOARDS[board], pieces=pieces, given=many)
    return picture(rng, board, puzzle, style, loose)


def picture(rng: np.random.Generator, board: str, puzzle: Balls, style: Style, loose: bool = True) -> Sample:
    """This puzzle in this style."""
    rules = BOARDS[board]
    layout = rules.tray.layout
    margin = float(rng.uniform(0.8, 2.0))
    beside = loose and style.maker == "toy" and len(puzzle.cells_of(LETTERS)) < 12
    room = np.array(layout.size) + 2 * margin + ((0, 4.5) if beside else (0, 0))
    page = _page(rng, style, (np.ceil(room * PITCH_PX)).astype(int).tolist())
    canvas = Canvas(page)
    origin = np.array((margin, margin + (4.5 if beside else 0)))
    box = [*(origin - 0.7 * margin), *(origin + layout.size + 0.7 * margin)]
    left, top, right, bottom = (float(v) * PITCH_PX for v in box)
    canvas.rounded((left, top, right, bottom), 0.5 * margin * PITCH_PX, style.tray)
    centres = {cell: (np.array(layout.centre(cell)) + origin) * PITCH_PX for cell in layout.cells}
    paints = _paints(rng, puzzle.pieces, style)
    if beside:
        _draw_loose(rng, Drawing(canvas, style, paints), puzzle, float(room[0]))
    _draw_board(Drawing(canvas, style, paints), rules, puzzle, centres)
    corners = (np.array(layout.corners) + origin) * PITCH_PX
    truth = {"kind": board, "rows": list(puzzle.rows), "set": puzzle.pieces, "corners": corners.round(2).tolist()}
    return Sample(canvas.picture, truth)


# --- drawing ----------------------------------------------------------------------------------------------------------


def _page(rng: np.random.Generator, style: Style, size_wh: Sequence[int]) -> Picture:
    """What the tray lies on: a table, a page, a window."""
    width, height = size_wh
    base = rng.uniform(90, 235, 3) if style.maker == "toy" else np.array((245.0, 244.0, 243.0))
    if style.maker == "toy":
        base = base.mean() * 0.75 + base * 0.25
    grain = rng.normal(0, 4 if style.maker == "toy" else 0.5, (height // 4 + 1, width // 16 + 1, 1)).astype(np.float32)
    cloudy = cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC).reshape(height, width, 1)
    return np.clip(base + cloudy, 0, 255).astype(np.uint8)


def _paints(rng: np.random.Generator, pieces: str, style: Style) -> dict[str, Floats]:
    """The colour of each piece, BGR."""
    rgb = COLOURS[pieces]
    return {
        letter: np.clip(np.array(rgb[letter][::-1], float) + rng.normal(0, style.hue_shift, 3), 4, 250)
        for letter in LETTERS
    }


@dataclass(frozen=True, eq=False)
class Drawing:
    """A canvas, a style and the colours of the pieces (BGR)."""

    canvas: Canvas
    style: Style
    paints: dict[str, Floats]


def _draw_board(drawing: Drawing, rules: BallRules, puzzle: Balls, centres: dict[Cell, Floats]) -> None:
    canvas, style, paints = drawing.canvas, drawing.style, drawing.paints
    at = {cell: puzzle.rows[cell[0]][cell[1]].upper() for cell in centres}
    for cell, letter in at.items():
        if letter == EMPTY or style.maker == "toy":
            _pit(canvas, centres[cell], style)
    if style.maker == "toy":
        for cell, letter in at.items():
            if letter != EMPTY:
                _shadow(canvas, centres[cell], style)
    for cell, letter in at.items():
        for other in rules.tray.layout.neighbours[cell]:
            if style.necks and letter != EMPTY and other is not None and at[other] == letter and other > cell:
                _neck(canvas, centres[cell], centres[other], style, paints[letter])
    for cell, letter in at.items():
        if letter != EMPTY:
            _ball(canvas, centres[cell], style, paints[letter], letter)


def _draw_loose(rng: np.random.Generator, drawing: Drawing, puzzle: Balls, width: float) -> None:
    """Pieces that are not on the board, in the strip above it, each turned anyhow."""
    canvas, style, paints = drawing.canvas, drawing.style, drawing.paints
    left = [letter for letter in LETTERS if letter not in puzzle.cells_of(LETTERS)]
    places = max(1, int(width // 4))
    for place, letter in enumerate(rng.permutation(left)[:places]):
        angle = float(rng.uniform(0, 2 * np.pi))
        turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
        points = np.array(sorted(shapes(puzzle.pieces)[str(letter)]), float)
        points = ((points - points.mean(axis=0)) @ turn.T + ((place + 0.5) * width / places, 2.3)) * PITCH_PX
        for one in points:
            _shadow(canvas, one, style)
        for one in points:
            for other in points:
                if 0 < np.hypot(*(one - other)) < 1.1 * PITCH_PX:
                    _neck(canvas, one, other, style, paints[str(letter)])
        for one in points:
            _ball(canvas, one, style, paints[str(letter)], str(letter))


def _bgr(colour: npt.ArrayLike, gain: float = 1.0) -> Bgr:
    blue, green, red = np.clip(np.asarray(colour, float) * gain, 0, 255).round().astype(int).tolist()
    return blue, green, red


def _pit(canvas: Canvas, centre: Floats, style: Style) -> None:
    radius = style.radius * PITCH_PX
    if style.maker != "toy":
        _flat(canvas, centre, (style.pit_radius or style.radius) * PITCH_PX, style, _bgr(style.pit))
        if style.hollow:
            _flat(canvas, centre, (style.pit_radius or style.radius) * PITCH_PX * 0.85, style, style.tray)
        return
    # A hollow is lit on the far side: the shading of a ball the other way round, and fainter.
    light = _towards(style) * -0.5
    _shaded(canvas, centre, 0.86 * radius, Surface(np.array(style.pit, float), light, 0.15 * style.gloss, 0.7))


def _flat(canvas: Canvas, centre: Floats, radius: float, style: Style, paint: Bgr) -> None:
    """A disc, or the square that a program draws in its place."""
    if not style.square:
        canvas.disc(centre, radius, paint)
        return
    (x, y), half = centre, radius
    canvas.rounded((x - half, y - half, x + half, y + half), 0.0 if half >= PITCH_PX / 2 else 0.2 * half, paint)


def _ball(canvas: Canvas, centre: Floats, style: Style, paint: Floats, letter: str) -> None:
    radius = style.radius * PITCH_PX
    if style.maker == "toy":
        _shaded(canvas, centre, radius, Surface(paint, _towards(style), style.gloss, 0.45))
        return
    if style.rim:
        _flat(canvas, centre, radius, style, (20, 20, 20))
    _flat(canvas, centre, radius - style.rim * PITCH_PX, style, _bgr(paint))
    if style.letters:
        canvas.words(centre, letter, 0.36 * PITCH_PX, (15, 15, 15))


def _neck(canvas: Canvas, one: Floats, other: Floats, style: Style, paint: Floats) -> None:
    along = (other - one) / np.hypot(*(other - one))
    across = np.array((-along[1], along[0])) * style.necks / 2 * PITCH_PX
    canvas.fill([one + across, other + across, other - across, one - across], _bgr(paint, 0.85))


def _shadow(canvas: Canvas, centre: Floats, style: Style) -> None:
    away = -_towards(style)[:2] * 0.13 * PITCH_PX
    for step in (1.12, 1.04, 0.96):
        canvas.fill(circle_outline(centre + away, step * style.radius * PITCH_PX), (0, 0, 0), 0.13)


def _towards(style: Style) -> Floats:
    """The direction to the light: sideways and up from the picture."""
    angle = np.deg2rad(style.light_deg)
    return np.array((0.5 * np.cos(angle), 0.5 * np.sin(angle), 0.85))


@dataclass(frozen=True, eq=False)
class Surface:
    """A colour (BGR), the direction to the lamp, the strength of the highlight, and the light from everywhere."""

    paint: Floats
    light: Floats
    gloss: float
    ambient: float


def _shaded(canvas: Canvas, centre: Floats, radius: float, surface: Surface) -> None:
    """A half sphere under a lamp [1]_.

    .. [1] B. T. Phong, "Illumination for computer generated pictures", Communications of the ACM 18(6), 1975.
    """
    light, ambient = surface.light, surface.ambient
    reach = int(np.ceil(radius)) + 1
    x0, y0 = (round(float(v)) for v in centre)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(float)
    x, y = (x + x0 - centre[0]) / radius, (y + y0 - centre[1]) / radius
    far = np.hypot(x, y)
    up = np.sqrt(np.clip(1 - far**2, 0, 1))
    facing = x * light[0] + y * light[1] + up * abs(light[2])
    diffuse = ambient + (1 - ambient) * np.clip(facing, 0, 1.1)
    shine = 255 * surface.gloss * np.clip(2 * up * facing - abs(light[2]), 0, 1) ** 24
    shade = np.clip(surface.paint * diffuse[..., None] + shine[..., None], 0, 255)
    share = np.clip((1 - far) * radius + 0.5, 0, 1)[..., None]
    height, width = canvas.picture.shape[:2]
    if not (reach <= x0 < width - reach and reach <= y0 < height - reach):
        return
    area = np.s_[y0 - reach : y0 + reach + 1, x0 - reach : x0 + reach + 1]
    canvas.picture[area] = (canvas.picture[area] * (1 - share) + shade * share + 0.5).astype(np.uint8)
