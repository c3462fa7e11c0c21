"""Boards drawn by a browser, in HTML and CSS: a third generator, which shares no line of drawing with the others.

What is measured on the pictures that networks were taught with says little of others; nothing is taught with these.
``python -m benchmarks.browser`` shows them to the program. The faces are those of the browser's machine.
"""

import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, product
from math import atan2, ceil, hypot
from random import Random
from typing import Any

from samples.balls import BOARDS
from samples.puzzles import balls, regions
from samples.puzzles import knight as tours
from samples.puzzles import queens as chess
from samples.puzzles.outlines import FORMS
from samples.puzzles.stitch import make
from samples.sample import Sample
from solvers import knight, queens, stitch
from solvers.ball_colours import COLOURS
from solvers.ball_trays import EMPTY, LETTERS
from solvers.board import Cell
from vision.pictures.photo import Picture

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""The browser's path; None where there is none."""

FACES = (
    "DejaVu Sans", "DejaVu Serif", "Liberation Sans", "Liberation Serif", "Liberation Sans Narrow", "FreeSans",
    "FreeSerif", "Noto Sans", "Noto Serif", "Noto Serif Display", "Liberation Mono", "sans-serif", "serif",
)  # fmt: skip

SYMBOLS = ("DejaVu Sans", "FreeSerif", "FreeSans", "FreeMono", "Symbola", "Noto Sans Symbols2")
"""Faces with chess symbols."""

WORDS = (
    "Level",
    "Daily",
    "Hint",
    "Undo",
    "Reset",
    "Puzzle",
    "Score",
    "Time",
    "Best",
    "Rules",
    "Split the grid",
    "Next",
)

CHEQUERS = (
    ("#f0d9b5", "#b58863"), ("#eeeed2", "#769656"), ("#dee3e6", "#8ca2ad"), ("#fff", "#999"), ("#e8e8e8", "#333"),
)  # fmt: skip
"""Colours of light and dark squares."""

AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0))


@dataclass
class Page:
    """A page under the pen; lengths are CSS pixels.

    Attributes:
        size_wh: of the page.
        scale: pixels of a screenshot in a CSS pixel.
        dark: whether its ground is.
        hue: that its colours go by, in degrees.
        paper: its ground.
        ink: of words.
        left, top, side: of the board's cells.
        truth: what a screenshot shows, see :class:`samples.sample.Sample`.
    """

    size_wh: tuple[int, int]
    scale: int
    dark: bool
    hue: float
    paper: str
    ink: str
    left: float = 0.0
    top: float = 0.0
    side: float = 0.0
    truth: dict[str, Any] = field(default_factory=dict)
    _elements: list[str] = field(default_factory=list)

    def box(self, x: float, y: float, size_wh: tuple[float, float], css: str, text: str = "") -> None:
        """A rectangle with a text in its middle."""
        width, height = size_wh
        place = f"left:{x:.2f}px;top:{y:.2f}px;width:{width:.2f}px;height:{height:.2f}px"
        self._elements.append(f'<div style="{place};{css}">{text}</div>')

    def cell(self, cell: Cell, css: str, text: str = "", inset: float = 0.0) -> None:
        """The same within a cell of the board."""
        self.block(cell, (1, 1), css, text, inset)

    def block(self, first: Cell, shape: tuple[int, int], css: str, text: str = "", inset: float = 0.0) -> None:
        """The same on so many rows and columns of cells."""
        (row, col), (rows, cols) = first, shape
        x, y = self.left + col * self.side + inset, self.top + row * self.side + inset
        self.box(x, y, (cols * self.side - 2 * inset, rows * self.side - 2 * inset), css, text)

    def edges(self, ends: Iterable[tuple[Cell, Cell]], colour: str, width: float) -> None:
        """Lines between corners of cells."""
        drawn = ""
        for (r0, c0), (r1, c1) in ends:
            x0, x1 = (self.left + c * self.side for c in (c0, c1))
            y0, y1 = (self.top + r * self.side for r in (r0, r1))
            drawn += f'<line x1="{x0:.2f}" y1="{y0:.2f}" x2="{x1:.2f}" y2="{y1:.2f}"/>'
        self.svg(f'<g stroke="{colour}" stroke-width="{width:.2f}" stroke-linecap="square">{drawn}</g>')

    def svg(self, drawn: str, *, behind: bool = False) -> None:
        """Elements of SVG, in the page's coordinates; before or behind all that is there."""
        element = f'<svg width="{self.size_wh[0]}" height="{self.size_wh[1]}">{drawn}</svg>'
        self._elements.insert(0 if behind else len(self._elements), element)

    def pixel(self, point: tuple[float, float]) -> list[float]:
        """Where a point lies in a screenshot, whose pixels' middles are whole numbers."""
        return [round(length * self.scale - 0.5, 2) for length in point]

    @property
    def html(self) -> str:
        """The document."""
        common = "div{position:absolute;box-sizing:border-box;display:flex;align-items:center;justify-content:center;"
        common += "line-height:1}svg{position:absolute;left:0;top:0}body{margin:0;overflow:hidden}"
        body = f'<body style="background:{self.paper}">{"".join(self._elements)}</body>'
        return f"<!doctype html><html><style>{common}</style>{body}</html>"

    def sample(self, screenshot: Picture) -> Sample:
        """The screenshot with its truth."""
        return Sample(screenshot, self.truth)


def hsl(hue: float, saturation: float, lightness: float) -> str:
    """A colour in CSS: degrees and per cents."""
    return f"hsl({hue:.0f},{saturation:.0f}%,{lightness:.0f}%)"


def new_page(
    rng: Random, rows: float, cols: float, truth: Mapping[str, Any], ends: Iterable[tuple[float, float]] = ()
) -> Page:
    """A page with room for a board whose corners lie at ``ends``, in cells, or round its box; words and buttons."""
    phone = rng.random() < 0.6
    width, height = (390, 844) if phone else (rng.choice([800, 1000, 1280]), rng.choice([720, 800]))
    dark, hue = rng.random() < 0.3, rng.uniform(0, 360)
    paper = hsl(hue, rng.uniform(0, 40), rng.uniform(4, 20) if dark else rng.uniform(90, 100))
    scale = rng.choice([1, 2, 3]) if phone else rng.choice([1, 2])
    page = Page((width, height), scale, dark, hue, paper, "#eee" if dark else "#222")
    page.top = rng.uniform(90, 170)
    most = min((width - 2 * rng.uniform(30, 50)) / cols, (height - page.top - rng.uniform(60, 180)) / rows)
    page.side = most * rng.uniform(0.8, 1) if rng.random() < 0.4 else float(int(most * rng.uniform(0.8, 1)))
    page.left = (width - page.side * cols) / 2
    ends = tuple(ends) or ((0, 0), (cols, 0), (cols, rows), (0, rows))
    corners = [(page.left + c * page.side, page.top + r * page.side) for c, r in ends]
    page.truth = {**truth, "corners": [page.pixel(corner) for corner in corners]}
    title = " ".join(rng.sample(WORDS, 2)) + f" {rng.randint(1, 400)}"
    page.box(20, 20, (width - 40, 40), f"font:700 24px '{rng.choice(FACES)}';color:{page.ink}", title)
    below, buttons = page.top + rows * page.side + 40, rng.randint(0, 4)
    for k in range(buttons if below + 40 < height else 0):
        colour, wide = hsl(hue, rng.uniform(30, 70), 45), (width - 40) / buttons
        text = rng.choice(WORDS) if rng.random() < 0.8 else str(rng.randint(1, 9))
        css = f"background:{colour};border-radius:{rng.choice([4, 18])}px;font:600 14px sans-serif;color:#fff"
        page.box(26 + k * wide, below, (wide - 12, 36), css, text)
    return page


# --- Stitch -----------------------------------------------------------------------------------------------------------


def stitch_page(rng: Random) -> Page:
    """A straight Stitch board of any outline, in part of them with patches found."""
    rows, cols = rng.randint(5, 12), rng.randint(5, 10)
    holes = 0 if rng.random() < 0.3 else round(rng.uniform(0.05, 0.35) * rows * cols)
    puzzle, answer = make(rng, rows, cols, holes=holes, form=rng.choice(FORMS), unique=True)
    found = {patch.clue for patch in answer if rng.random() < 0.6} if rng.random() < 0.35 else set()
    page = new_page(rng, rows, cols, {"kind": "stitch", **stitch.puzzle_record(puzzle)})
    page.truth |= {"unique": True, "filled_clues": [list(cell) for cell in sorted(found)]}
    cells, side, hue, dark = set(puzzle.cells), page.side, page.hue, page.dark
    line = hsl(hue, rng.uniform(0, 50), rng.uniform(40, 60) if dark else rng.uniform(20, 80))
    rule = rng.choice(["gaps", "shadow", "borders", "borders", "lines", "dashed", "shades"])
    ground = hsl(hue, rng.uniform(10, 70), rng.uniform(24, 36) if dark else rng.uniform(78, 90))
    ground = page.paper if rule in {"borders", "lines"} and rng.random() < 0.4 else ground
    gap = rng.uniform(0.02, 0.14) * side if rule in {"gaps", "shadow"} else 0.0
    round_px = rng.choice([0.0, 0.1, 0.25]) * side if gap else 0.0
    thin = max(0.7, rng.uniform(0.012, 0.06) * side)
    rules = {
        "borders": f"border:{thin / 2:.2f}px solid {line}",
        "dashed": f"border:{thin / 2:.2f}px dashed {line}",
        "shadow": f"box-shadow:0 {0.04 * side:.1f}px {0.08 * side:.1f}px rgba(0,0,0,.35)",
    }
    shown = _hole(rng, line, side, dark=dark)
    for place in product(range(rows), range(cols)):
        shade = f"color-mix(in srgb,{ground} 88%,{line})" if rule == "shades" and sum(place) % 2 else ground
        css = f"background:{shade};{rules.get(rule, '')}" if place in cells else shown
        page.cell(place, f"{css};border-radius:{round_px:.1f}px", inset=gap / 2)
    if rule == "lines":
        page.edges((edge(cell, way) for cell in cells for way in AROUND if beside(cell, way) in cells), line, thin)
    for patch in answer:
        if patch.clue in found:
            colour = hsl(rng.uniform(0, 360), rng.uniform(40, 80), rng.uniform(30, 48) if dark else rng.uniform(62, 82))
            css = f"background:{colour};opacity:{rng.choice([1, 1, 0.85])};border-radius:{round_px:.1f}px"
            block = patch.block
            page.block(min(block.cells), (block.height, block.width), css, inset=rng.choice([0.02, 0.06]) * side)
    if rng.random() < (0.8 if ground == page.paper else 0.5):
        colour = hsl(hue, rng.uniform(0, 80), rng.uniform(60, 95) if dark else rng.uniform(0, 45))
        rim = [edge(cell, way) for cell in cells for way in AROUND if beside(cell, way) not in cells]
        page.edges(rim, colour, rng.uniform(0.04, 0.14) * side)
    _numbers(rng, page, puzzle)
    return page


def _hole(rng: Random, line: str, side: float, *, dark: bool) -> str:
    """How a place without a cell is shown: mostly not at all."""
    stripe = f"{line} 0 {0.05 * side:.1f}px,transparent {0.05 * side:.1f}px {0.18 * side:.1f}px"
    bar = f"transparent 47%,{line} 48% 52%,transparent 53%"
    styles = {
        "block": f"background:{'#000' if dark else '#222'}",
        "hatched": f"background:repeating-linear-gradient({rng.choice([45, -45])}deg,{stripe})",
        "crossed": "background:" + ",".join(f"linear-gradient({turn}deg,{bar})" for turn in (45, -45)),
    }
    return styles.get(rng.choice(["none"] * 4 + list(styles)), "")


def _numbers(rng: Random, page: Page, puzzle: stitch.Stitch) -> None:
    badge = rng.choice(["none", "none", "none", "disc", "ring", "square", "colours"])
    face, weight, share = rng.choice(FACES), rng.choice([400, 400, 600, 700]), rng.uniform(0.38, 0.6)
    share = share if badge == "none" else min(share, 0.46)
    for cell in puzzle.clue_cells:
        colour, css = page.ink, ""
        if badge == "ring":
            css = f"border:{max(1, 0.04 * page.side):.1f}px solid {page.ink};border-radius:50%;"
        elif badge != "none":
            hue, colour = rng.uniform(0, 360) if badge == "colours" else page.hue, "#fff"
            css = f"background:{hsl(hue, 60, 35)};border-radius:{'22%' if badge == 'square' else '50%'};"
        css += f"font:{weight} {share * page.side:.1f}px '{face}';color:{colour}"
        page.cell(cell, css, str(puzzle.clue(cell)), inset=0.0 if badge == "none" else 0.13 * page.side)


def beside(cell: Cell, way: Cell) -> Cell:
    """The place a step away."""
    return cell[0] + way[0], cell[1] + way[1]


def edge(cell: Cell, way: Cell) -> tuple[Cell, Cell]:
    """The corners at the ends of a cell's side."""
    (row, col), (down, right) = cell, way
    if right:
        return (row, col + (right > 0)), (row + 1, col + (right > 0))
    return (row + (down > 0), col), (row + (down > 0), col + 1)


# --- Patches ----------------------------------------------------------------------------------------------------------


def patches_page(rng: Random) -> Page:
    """A board in the way of LinkedIn's Patches: badges tell shapes, some have no number, some patches are placed."""
    n = rng.randint(5, 8)
    puzzle, answer = make(rng, n, n, largest=10, unique=True, hints=True)
    page = new_page(rng, n, n, {"kind": "stitch", **stitch.puzzle_record(puzzle)})
    page.truth |= {"unique": True}
    side, line = page.side, hsl(page.hue, 10, 40 if page.dark else 75)
    rule = f"border:{rng.uniform(0.5, 1.2):.2f}px {rng.choice(['dashed', 'solid', 'dotted'])} {line}"
    for cell in product(range(n), range(n)):
        page.cell(cell, f"background:{hsl(page.hue, 10, 15 if page.dark else 98)};{rule}")
    hues = rng.sample(range(0, 360, 20), 18)
    share, round_px = rng.choice([0, 0, 0.3, 0.6]), rng.uniform(0.06, 0.2) * side
    wide, face = rng.uniform(0.56, 0.7), rng.choice(FACES)
    boxes = {"square": [(wide, wide)], "tall": [(0.7 * wide, 1.1 * wide)], "wide": [(1.1 * wide, 0.7 * wide)]}
    boxes["any"] = [*boxes["tall"], *boxes["wide"]]
    for k, patch in enumerate(answer):
        hue, block = hues[k % len(hues)], patch.block
        if rng.random() < share:
            css = f"background:{hsl(hue, 60, 30 if page.dark else 82)};border:2px solid {hsl(hue, 60, 50)}"
            page.block(min(block.cells), (block.height, block.width), f"{css};border-radius:{round_px:.1f}px", inset=1)
        row, col = patch.clue
        for width, height in boxes[puzzle.shapes[patch.clue]]:
            x, y = page.left + (col + 0.5 - width / 2) * side, page.top + (row + 0.5 - height / 2) * side
            through = "opacity:.7" if puzzle.shapes[patch.clue] == "any" else ""
            css = f"background:{hsl(hue, 60, 45)};border-radius:{0.1 * side:.1f}px;{through}"
            page.box(x, y, (width * side, height * side), css)
        clue = puzzle.clue(patch.clue)
        if clue != stitch.UNKNOWN:
            page.cell(patch.clue, f"font:600 {0.36 * side:.1f}px '{face}';color:#fff", str(clue))
    return page


# --- coloured regions, chequers ---------------------------------------------------------------------------------------


def regions_page(rng: Random) -> Page:
    """A level of coloured regions with some of its queens, and crosses."""
    n = rng.randint(6, 11)
    puzzle, answer = regions.make(rng, n)
    share = rng.choice([0, 0, 0.3, 0.6])
    placed = tuple(cell for cell in answer.cells() if rng.random() < share)
    page = new_page(rng, n, n, {"kind": "queens", **queens.puzzle_record(replace(puzzle, queens=placed))})
    grid = puzzle.regions
    assert grid is not None
    turns = rng.sample(range(n), n)
    light = (35, 50) if page.dark else (62, 86)
    colours = [hsl(360 * k / n + rng.uniform(-6, 6), rng.uniform(40, 85), rng.uniform(*light)) for k in turns]
    style = rng.choice(["thick", "thin", "gaps", "white"])
    gap, line = 0.06 * page.side if style == "gaps" else 0.0, "#fff" if style == "white" else "#000"
    css = f"border-radius:{rng.choice([0.0, 0.15]) * page.side:.1f}px" if gap else "border:.5px solid rgba(0,0,0,.35)"
    cells = list(product(range(n), range(n)))
    for r, c in cells:
        page.cell((r, c), f"background:{colours[grid[r][c]]};{css}", inset=gap / 2)
    if not gap:
        own: dict[Cell, int] = {(r, c): grid[r][c] for r, c in cells}
        ends = [edge(cell, way) for cell in cells for way in AROUND if own.get(beside(cell, way)) != own[cell]]
        page.edges(ends, line, (0.07 if style == "thick" else 0.035) * page.side)
    face, crown, cross = rng.choice(SYMBOLS), rng.choice("♛♛♕👑"), rng.choice("✕×•")
    crossed = 0.25 if rng.random() < 0.5 else 0.0
    for cell in cells:
        if cell in placed:
            page.cell(cell, f"font:{0.7 * page.side:.1f}px '{face}';color:#000", crown)
        elif cell not in answer.cells() and rng.random() < crossed:
            page.cell(cell, f"font:{0.4 * page.side:.1f}px '{face}';color:#333", cross)
    return page


def chequered_page(rng: Random) -> Page:
    """A chessboard with some queens, or a board for a knight, square or not."""
    face, black, tour = rng.choice(SYMBOLS), rng.random() < 0.7, rng.random() < 0.5
    if tour:
        start = tours.make(rng, rng.choice([5, 6, 8, 8]), rng.choice([5, 6, 7, 8, 8]))
        rows, cols = start.rows, start.cols
        men: tuple[Cell, ...] = (start.start,)
        truth = {"kind": "knight", **knight.puzzle_record(start)}
        glyph = rng.choice("♞♘") if black else "♞"
    else:
        puzzle, _ = chess.make(rng, rng.choice([4, 5, 6, 8, 8, 10]), rng.randint(0, 3))
        rows = cols = puzzle.n
        men, truth = puzzle.queens, {"kind": "queens", **queens.puzzle_record(puzzle)}
        glyph = rng.choice("♛♛♕") if black else "♛"
    page = new_page(rng, rows, cols, truth)
    colours, coordinates = rng.choice(CHEQUERS), rng.choice(["none", "outside", "inside"])
    for r, c in product(range(rows), range(cols)):
        page.cell((r, c), f"background:{colours[(r + c) % 2]}")
    if rng.random() < 0.5:
        page.block((0, 0), (rows, cols), f"border:4px solid {rng.choice(['#222', '#654', '#999'])}", inset=-4)
    if coordinates != "none":
        outside = coordinates == "outside"
        at_rank, at_file = ((0.0, -0.65), (0.65, 0.0)) if outside else ((-0.38, -0.38), (0.38, 0.38))
        marks = [((row, 0), at_rank, str(rows - row)) for row in range(rows)]
        marks += [((rows - 1, col), at_file, "abcdefghij"[col]) for col in range(cols)]
        for cell, (down, right), text in marks:
            colour = page.ink if outside else colours[(sum(cell) + 1) % 2]
            css = f"font:600 {0.18 * page.side:.1f}px sans-serif;color:{colour}"
            x, y = page.left + (cell[1] + right) * page.side, page.top + (cell[0] + down) * page.side
            page.box(x, y, (page.side, page.side), css, text)
    edge = "" if black else "-webkit-text-stroke:1px #000;"
    for man in men:
        page.cell(man, f"{edge}font:{0.75 * page.side:.1f}px '{face}';color:{'#000' if black else '#fff'}", glyph)
    return page


# --- balls ------------------------------------------------------------------------------------------------------------


def balls_page(rng: Random, board: str) -> Page:
    """A tray with some of its twelve pieces, as balls or discs, with letters or without."""
    rules, pieces = BOARDS[board], rng.choice(["standard", "iq"])
    puzzle, _ = balls.make(rng, rules, pieces=pieces, given=rng.choice([3, 5, 6, 7, 8, 9, 11]))
    layout = rules.tray.layout
    cols, rows = (ceil(length) for length in layout.size)
    page = new_page(rng, rows, cols, {"kind": board, "rows": list(puzzle.rows), "set": pieces}, layout.corners)
    middles = {cell: layout.centre(cell) for cell in layout.cells}
    at = {cell: (page.left + x * page.side, page.top + y * page.side) for cell, (x, y) in middles.items()}
    tray = hsl(page.hue, rng.uniform(0, 40), rng.uniform(10, 30) if rng.random() < 0.6 else rng.uniform(80, 97))
    if rng.random() < 0.7:
        css = f"background:{tray};border-radius:{rng.choice([0, 12, 24])}px"
        page.block((0, 0), (rows, cols), css, inset=-rng.uniform(8, 22))
    colours = {letter: _jittered(rng, COLOURS[pieces][letter]) for letter in LETTERS}
    wide, pit_wide = rng.uniform(0.7, 0.98) * page.side, rng.uniform(0.45, 0.95) * page.side
    shaded, lettered, joined = rng.random() < 0.5, rng.random() < 0.25, rng.random() < 0.4
    shadow = rng.choice(["", f"box-shadow:inset 0 {0.06 * page.side:.1f}px {0.1 * page.side:.1f}px rgba(0,0,0,.5);"])
    pit = f"border-radius:50%;background:{rng.choice(['rgba(0,0,0,.25)', 'rgba(128,128,128,.35)'])};{shadow}"
    found = {cell: puzzle.rows[cell[0]][cell[1]].upper() for cell in layout.cells}
    for cell, other in combinations(at, 2) if joined else ():
        (x0, y0), (x1, y1) = at[cell], at[other]
        if found[cell] == found[other] != EMPTY and hypot(x1 - x0, y1 - y0) < 1.1 * page.side:
            css = f"background:{colours[found[cell]]};transform:rotate({atan2(y1 - y0, x1 - x0):.4f}rad)"
            long, broad = page.side, 0.4 * wide
            page.box((x0 + x1 - long) / 2, (y0 + y1 - broad) / 2, (long, broad), css)
    for cell, (x, y) in at.items():
        letter, size = found[cell], wide
        if letter == EMPTY:
            css, size, letter = pit, pit_wide, ""
        elif shaded:
            spots = f"#fff -25%,{colours[letter]} 40%,color-mix(in srgb,{colours[letter]} 45%,#000) 110%"
            css = f"border-radius:50%;background:radial-gradient(circle at 35% 30%,{spots})"
        else:
            css = f"border-radius:50%;background:{colours[letter]}"
        text = letter if lettered else ""
        page.box(x - size / 2, y - size / 2, (size, size), f"{css};font:600 {0.4 * size:.1f}px sans-serif", text)
    return page


def _jittered(rng: Random, rgb: Iterable[float]) -> str:
    """A colour near another one."""
    return "rgb({},{},{})".format(*(min(255, max(0, round(part + rng.gauss(0, 8)))) for part in rgb))


PAGES: Mapping[str, Callable[[Random], Page]] = {
    "stitch": stitch_page, "patches": patches_page, "regions": regions_page, "chequered": chequered_page,
    "pyramid": partial(balls_page, board="pyramid"), "kanoodle": partial(balls_page, board="kanoodle"),
}  # fmt: skip
"""By name, what makes a page."""
