"""Boards of the coloured-region Queens game as pictures: many themes, any state of play, on any screen.

The themes are made from what the game and its clones have in common rather than copied: black borders and hairlines on
pastel, the same on dark pages, white lines on strong colours, one line for all, hardly any line at all, tiles with
gaps. Players' marks and what apps lay over a board (hover, hints, dimmed cells, a pointer, a handle at the side) come
on top. Neighbouring regions always have colours that people can tell apart; regions further off may not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import cv2
import numpy as np
import numpy.typing as npt

from samples import phone
from samples.canvas import Canvas, Points
from samples.captures import Capture, captured, random_capture
from samples.puzzles.regions import make
from samples.region_marks import CROSSES, QUEENS, Sheet, State, draw_marks, draw_overlays, shade
from samples.sample import Sample
from samples.textures import Bgr, gradient
from solvers.board import Cell
from solvers.queens import Answer, Puzzle, puzzle_record
from vision.pictures.photo import Picture

SUPERSAMPLE = (2, 4)
"""The board is drawn so many times as large, the more the smaller it is, and reduced: hairlines are fractions of a
pixel."""

LARGE_PX = 1600
"""Size that a board is drawn at before it is reduced, as far as :data:`SUPERSAMPLE` allows."""

APART = 16.0
"""CIELAB distance between the colours of neighbouring regions, at least; the closest in real palettes are 14 apart."""

Lab = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Theme:
    """How an app draws its boards; widths in cells.

    Attributes:
        light: the least and the largest lightness of region colours, 0..100.
        chroma: the same for how strong they are, 0..130.
        page: colour of the page.
        ink: colour of text on it.
        line: colour of the lines inside regions; None for a darker shade of the region's own.
        line_width: their width; 0 for none.
        border: colour of the lines between regions.
        border_width: their width.
        frame_width: width of the line around the board.
        gap: space between cells, as tiles have it.
        round: radius of the cells' corners.
        board_round: radius of the board's corners.
    """

    light: tuple[float, float]
    chroma: tuple[float, float]
    page: Bgr
    ink: Bgr
    line: Bgr | None = (0, 0, 0)
    line_width: float = 0.015
    border: Bgr = (0, 0, 0)
    border_width: float = 0.055
    frame_width: float = 0.07
    gap: float = 0.0
    round: float = 0.0
    board_round: float = 0.1


THEMES: dict[str, Theme] = {
    "light": Theme((62, 90), (5, 60), (250, 248, 247), (30, 30, 30)),
    "dark": Theme((62, 90), (5, 60), (33, 30, 27), (235, 235, 235)),
    "thick": Theme((60, 90), (8, 60), (245, 245, 245), (0, 0, 0), line_width=0.03, border_width=0.09, frame_width=0.12),
    "hairline": Theme(
        (65, 92), (8, 55), (255, 255, 255), (60, 60, 60), line_width=0.01, border_width=0.025, frame_width=0.03
    ),
    "pastel": Theme((78, 93), (6, 32), (230, 240, 250), (80, 60, 60), line=(150, 150, 150), border=(70, 60, 60)),
    "night": Theme((28, 50), (10, 45), (18, 18, 18), (200, 200, 200), line_width=0.02),
    "strong": Theme(
        (25, 65), (35, 95), (0, 0, 0), (255, 255, 255),
        line=(170, 170, 170), line_width=0.012, border=(235, 235, 235), border_width=0.03, frame_width=0.0,
        board_round=0.0,
    ),
    "alike": Theme(
        (60, 90), (8, 60), (255, 255, 255), (0, 0, 0), line_width=0.03, border_width=0.03, frame_width=0.03,
        board_round=0.0,
    ),
    "shade": Theme(
        (45, 80), (12, 65), (238, 245, 250), (70, 50, 50), line=None, line_width=0.015, border_width=0.0,
        frame_width=0.0, board_round=0.3,
    ),
    "tiles": Theme(
        (60, 88), (10, 60), (245, 240, 235), (50, 40, 40), line_width=0.0, border_width=0.0, frame_width=0.0, gap=0.07,
        round=0.12,
    ),
    "cards": Theme(
        (45, 80), (15, 70), (40, 30, 28), (230, 230, 230), line_width=0.0, border_width=0.0, frame_width=0.0, gap=0.04,
        round=0.2,
    ),
    "plain": Theme(
        (35, 80), (12, 65), (240, 248, 250), (60, 50, 40), line_width=0.0, border_width=0.0, frame_width=0.0,
        board_round=0.35,
    ),
}  # fmt: skip


def draw(
    rng: np.random.Generator,
    *,
    theme: str | None = None,
    n: int | None = None,
    device: str | None = None,
    level: tuple[Puzzle, Answer] | None = None,
    state: State | None = None,
) -> Sample:
    """A random board on a random screen; what is given is kept.

    Args:
        rng: decides everything that is not given.
        theme: one of :data:`THEMES`.
        n: rows, 4 to 16; mostly 6 to 11 where it is not given.
        device: one of :data:`samples.phone.DEVICES`.
        level: a level and its answer.
        state: what has been put onto it.
    """
    if level is None:
        size = n or int(rng.choice([5, 6, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 11, 12, 13]))
        level = make(Random(int(rng.integers(2**32))), size)
    varied = _varied(rng, THEMES[theme or str(rng.choice(list(THEMES)))])
    if state is None:
        state = random_state(rng, *level)
        if varied.border_width <= varied.line_width:
            # Nobody could tell a dimmed cell from another region where borders are like the lines inside.
            state = replace(state, shaded=None)
    device = device or str(rng.choice(list(phone.DEVICES)))
    quality = None if rng.random() < 0.5 else int(rng.integers(55, 96))
    return picture(rng, level[0], state, theme=varied, device=device, quality=quality)


def capture(rng: np.random.Generator) -> Sample:
    """A random board as people send it: on a page of its own or among text and advertisements, cropped, filtered."""
    n = int(rng.choice([5, 6, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 11, 12]))
    sent = random_capture(rng)
    sample = draw(rng, n=n)
    if rng.random() < 0.5:
        sample = replace(sample, picture=_with_surroundings(rng, sample))
    return captured(sample, sent, n)


def _with_surroundings(rng: np.random.Generator, sample: Sample) -> Picture:
    """The screen with rules and an example below the board, or an advertisement at its foot."""
    canvas = Canvas(sample.picture)
    height = canvas.size_wh[1]
    (left, _), _, (right, bottom), _ = sample.truth["corners"]
    unit = (right - left) / 100
    ink = (235, 235, 235) if sample.picture[2, 2].max() < 128 else (40, 40, 40)
    y = bottom + 12 * unit
    if rng.random() < 0.3 and y + 12 * unit < height:
        banner = (left, y, right, y + 12 * unit)
        first, second = (tuple(int(v) for v in rng.integers(0, 256, 3)) for _ in range(2))
        canvas.rounded(banner, 0.0, lambda size: gradient(size, first, second, 30))  # type: ignore[arg-type]
        canvas.words(((left + right) / 2, banner[1] + 6 * unit), "PLAY NOW  5 / 5", 6 * unit, (255, 255, 255))
        return canvas.picture
    lines = ("How to play", "1. One queen in each row, column and region.", "2. Tap once for X, twice for a queen.")
    for line in lines:
        if y < height - 3 * unit:
            canvas.words(((left + right) / 2, y), line, 4 * unit, ink)
        y += 6 * unit
    for k in range(5):
        box = (left + (10 + 8 * k) * unit, y, left + (18 + 8 * k) * unit, y + 8 * unit)
        if box[3] < height:
            canvas.rounded(box, 0.0, (40, 40, 40))
            inner = (box[0] + 0.2 * unit, box[1] + 0.2 * unit, box[2] - 0.2 * unit, box[3] - 0.2 * unit)
            canvas.rounded(inner, 0.0, (225, 165, 180) if k < 2 else (140, 200, 255))
            canvas.words(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), "x", 4 * unit, (40, 40, 40))
    return canvas.picture


def picture(
    rng: np.random.Generator,
    puzzle: Puzzle,
    state: State,
    *,
    theme: Theme,
    device: str = "bare",
    size_px: int | None = None,
    quality: int | None = None,
) -> Sample:
    """This board in this state and theme on this screen, compressed as JPEG where ``quality`` (1..100) is given.

    With ``size_px`` it is a picture of nothing but the board, so many pixels wide and high.
    """
    margin = 0.0 if size_px is None else 0.02 * size_px
    place = (
        phone.stage(rng, device, 1.0)
        if size_px is None
        else phone.Stage((size_px, size_px), (margin, margin, size_px - margin, size_px - margin), 0.0)
    )
    left, top, right, bottom = place.box
    width, height = place.size_wh
    span = int(min(right - left, bottom - top))
    canvas = Canvas(np.full((height, width, 3), theme.page, np.uint8))
    phone.furnish(rng, canvas, place, theme.ink, "Queens")
    x0, y0 = min(round((left + right - span) / 2), width - span), min(round(top), height - span)
    board, inset = _board(rng, puzzle, state, theme, span)
    page = canvas.picture.copy()
    page[y0 : y0 + span, x0 : x0 + span] = board
    low, high = inset - 0.5, span - inset - 0.5
    corners = [[x0 + x, y0 + y] for x, y in ((low, low), (high, low), (high, high), (low, high))]
    truth = {"kind": "queens", **puzzle_record(replace(puzzle, queens=tuple(sorted(state.queens)))), "corners": corners}
    return captured(Sample(page, truth), Capture(quality=quality), puzzle.n)


def random_state(rng: np.random.Generator, puzzle: Puzzle, answer: Answer) -> State:
    """An untouched, begun or finished board, at times with something laid over it."""
    n = puzzle.n
    right = list(answer.cells())
    stage = str(rng.choice(["empty", "empty", "begun", "done"]))
    share = {"empty": 0.0, "begun": float(rng.random()), "done": 1.0}[stage]
    queens = [cell for cell in right if rng.random() < share]
    ruled_out = 0.0 if stage == "empty" else float(rng.choice([0.0, rng.random(), 1.0]))
    others = [(r, c) for r in range(n) for c in range(n) if (r, c) not in set(right)]
    crosses = [cell for cell in others if rng.random() < ruled_out]
    size = float(rng.uniform(0.5, 0.72))
    state = State(queens, crosses, str(rng.choice(QUEENS)), str(rng.choice(CROSSES)), size)
    extra = str(rng.choice(["none", "none", "none", "hover", "pointer", "handle", "dimmed", "striped"]))
    if extra == "hover":
        return replace(state, hovered={_any_cell(rng, n): float(rng.choice([0.75, 0.88, 1.1]))})
    if extra == "pointer":
        return replace(state, pointer=(float(rng.uniform(0.3, n - 0.5)), float(rng.uniform(0.3, n - 0.5))))
    if extra == "handle":
        return replace(state, handle=float(rng.uniform(0.2, 0.8) * n))
    if extra == "striped":
        return replace(state, striped=[_any_cell(rng, n) for _ in range(3)])
    if extra == "dimmed":
        row = int(rng.integers(n))
        lit = {(row, c) for c in range(n)} if rng.random() < 0.5 else {_any_cell(rng, n) for _ in range(3)}
        dark = float(rng.uniform(0.35, 0.7))
        return replace(state, shaded={(r, c): dark for r in range(n) for c in range(n) if (r, c) not in lit})
    return state


def _any_cell(rng: np.random.Generator, n: int) -> Cell:
    return int(rng.integers(n)), int(rng.integers(n))


def _varied(rng: np.random.Generator, theme: Theme) -> Theme:
    """The theme with widths of its own; lines and borders keep their proportion."""
    factor = float(rng.uniform(0.8, 1.25))
    return replace(
        theme,
        line_width=theme.line_width * factor,
        border_width=theme.border_width * factor,
        frame_width=theme.frame_width * factor,
    )


# --- colours ----------------------------------------------------------------------------------------------------------


def colours(rng: np.random.Generator, regions: Sequence[Sequence[int]], theme: Theme) -> list[Bgr]:
    """A colour for each region; neighbours are :data:`APART` apart at least, others at least just visibly."""
    grid = np.asarray(regions)
    touching = {
        frozenset((int(a), int(b)))
        for one, other in ((grid[:, 1:], grid[:, :-1]), (grid[1:], grid[:-1]))
        for a, b in zip(one.ravel(), other.ravel(), strict=True)
        if a != b
    }
    count = int(grid.max()) + 1
    chosen: list[Lab] = []
    for region in range(count):
        near = [chosen[k] for k in range(region) if frozenset((k, region)) in touching]
        far = [chosen[k] for k in range(region) if frozenset((k, region)) not in touching]
        chosen.append(_colour(rng, theme, near, far))
    lab = np.array(chosen, np.float32).reshape(-1, 1, 3)
    bgr = (np.clip(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), 0, 1) * 255).round().astype(int).reshape(-1, 3)
    return [(int(b), int(g), int(r)) for b, g, r in bgr]


def _colour(rng: np.random.Generator, theme: Theme, near: Sequence[Lab], far: Sequence[Lab]) -> Lab:
    """A colour of the theme, as far from its neighbours' as a few tries find."""
    best, most = np.zeros(3), -1.0
    for _ in range(300):
        hue = rng.uniform(0, 2 * np.pi)
        chroma = rng.uniform(*theme.chroma)
        tried = _shown(np.array([rng.uniform(*theme.light), chroma * np.cos(hue), chroma * np.sin(hue)]))
        apart = min((float(np.linalg.norm(tried - other)) for other in near), default=np.inf)
        if any(np.linalg.norm(tried - other) < 6 for other in far):
            continue
        if apart >= APART:
            return tried
        if apart > most:
            best, most = tried, apart
    return best


def _shown(lab: Lab) -> Lab:
    """The nearest colour that a screen can show."""
    bgr = np.clip(cv2.cvtColor(lab.astype(np.float32).reshape(1, 1, 3), cv2.COLOR_LAB2BGR), 0, 1)
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB).reshape(3), dtype=np.float64)


# --- the board --------------------------------------------------------------------------------------------------------


def _board(rng: np.random.Generator, puzzle: Puzzle, state: State, theme: Theme, span: int) -> tuple[Picture, float]:
    """The board with its frame, ``uint8 (span, span, 3)``, and how far its cells begin inside of that."""
    assert puzzle.regions is not None
    inset = max(1, round(theme.frame_width * span / puzzle.n))
    times = int(np.clip(LARGE_PX // span, *SUPERSAMPLE))
    full, edge = span * times, inset * times
    sheet = Sheet(Canvas(np.full((full, full, 3), theme.page, np.uint8)), edge, (full - 2 * edge) / puzzle.n)
    if theme.frame_width:
        sheet.canvas.rounded((0, 0, full, full), theme.board_round * sheet.side, theme.border)
    inks = colours(rng, puzzle.regions, theme)
    for r, row in enumerate(puzzle.regions):
        for c, region in enumerate(row):
            _draw_cell(sheet, theme, (r, c), state, inks[region])
    for borders in (False, True):
        _draw_lines(sheet, theme, puzzle.regions, inks, borders=borders)
    draw_marks(sheet, state)
    shade(sheet, state.shaded or {})
    draw_overlays(sheet, state, puzzle.n)
    return np.asarray(cv2.resize(sheet.canvas.picture, (span, span), interpolation=cv2.INTER_AREA), np.uint8), inset


def _draw_cell(sheet: Sheet, theme: Theme, cell: Cell, state: State, ink: Bgr) -> None:
    colour = _times(ink, (state.hovered or {}).get(cell, 1.0))
    gap, reach = theme.gap / 2, theme.round * sheet.side
    left, top = sheet.at(cell[1] + gap, cell[0] + gap)
    right, bottom = sheet.at(cell[1] + 1 - gap, cell[0] + 1 - gap)
    if cell in state.striped:
        light = _times(colour, 1.2)
        sheet.canvas.rounded((left, top, right, bottom), reach, lambda size: gradient(size, colour, light, 45, 8))
    else:
        sheet.canvas.rounded((left, top, right, bottom), reach, colour)


def _times(colour: Bgr, factor: float) -> Bgr:
    b, g, r = (min(255, round(channel * factor)) for channel in colour)
    return b, g, r


def _draw_lines(
    sheet: Sheet, theme: Theme, regions: Sequence[Sequence[int]], inks: Sequence[Bgr], *, borders: bool
) -> None:
    """The lines between regions, or those inside them."""
    n = len(regions)
    width = (theme.border_width if borders else theme.line_width) * sheet.side
    if width == 0:
        return
    for r in range(n):
        for c in range(n):
            ink = theme.border if borders else theme.line or _times(inks[regions[r][c]], 0.88)
            if c + 1 < n and (regions[r][c] != regions[r][c + 1]) == borders:
                _bar(sheet, sheet.at(c + 1, r), sheet.at(c + 1, r + 1), width, ink)
            if r + 1 < n and (regions[r][c] != regions[r + 1][c]) == borders:
                _bar(sheet, sheet.at(c, r + 1), sheet.at(c + 1, r + 1), width, ink)


def _bar(sheet: Sheet, start: Points, end: Points, width: float, ink: Bgr) -> None:
    """An upright or level line of exactly this width; OpenCV's antialiased lines come out two pixels wider."""
    low = np.maximum(np.round(np.minimum(start, end) - width / 2).astype(int), 0)
    high = np.maximum(np.round(np.maximum(start, end) + width / 2).astype(int), low + 1)
    sheet.canvas.picture[low[1] : high[1], low[0] : high[0]] = ink
