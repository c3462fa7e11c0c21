"""Stitch boards drawn a second way, by conventions that :mod:`samples.stitch` does not share.

One generator teaches its own habits: what is measured on its pictures alone says little of those of others. This one
draws with Pillow at a multiple of the final size, as a page is laid out: lines as long strokes across many cells or
as the gaps between boxes, the outline as one closed path, blocked cells as crosswords have them, and round the board
coordinates, an example, keys, a legend, paragraphs.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from samples.fonts import digit_face, face, families
from samples.puzzles.outlines import FORMS, Form
from samples.puzzles.stitch import make
from samples.sample import Sample
from solvers import stitch
from solvers.board import Cell
from solvers.stitch import Answer, Patch, Stitch

Rgb = tuple[int, int, int]
Pen = ImageDraw.ImageDraw
Point = tuple[float, float]

FINER = 2
"""The page is drawn this many times as large and reduced."""

MOST_MISSING = 0.4
"""Share of places without a cell at most."""


@dataclass(frozen=True)
class Style:
    """How a page looks; lengths in cells.

    Attributes:
        paper: its colour.
        grain: spread of the noise in it, in grey levels.
        ink: of words and numbers.
        cell: the cells' colours, one or two in turn; empty for the paper's.
        rule: how cells are divided: long lines, a box for each, tiles on a sheet, crosses at the corners, nothing.
        line: colour of the lines or the sheet.
        line_width: of the lines, or of the gaps between boxes and tiles.
        radius: of the corners of boxes and tiles.
        dashes: length of dashes and gaps; None for whole lines.
        outline: colour of the board's outline; None for none.
        outline_width: its width.
        outline_at: where it runs: 0 on the border, 0.5 outside of it, -0.5 inside, in its widths.
        double: whether a second thin outline runs round the first.
        shadow: whether the board throws a shadow.
        hole: places without a cell: the page, a block of ink, a tint, hatched, crossed out, ruled as cells are.
        hole_outside: whether places that cells do not enclose are shown so too.
        type: family of the digits' face.
        height: of the digits.
        off: of the numbers from the middles of their cells, right and down.
        badge: what is behind a number: nothing, a disc, a ring, a square.
        badge_colour: of it.
        found: patches that were found: a border, a tint, a colour, hatched, a loop with round corners.
    """

    paper: Rgb
    grain: float
    ink: Rgb
    cell: tuple[Rgb, ...]
    rule: str
    line: Rgb
    line_width: float
    radius: float
    dashes: tuple[float, float] | None
    outline: Rgb | None
    outline_width: float
    outline_at: float
    double: bool
    shadow: bool
    hole: str
    hole_outside: bool
    type: str
    height: float
    off: Point
    badge: str
    badge_colour: Rgb
    found: str


def random_style(rng: np.random.Generator) -> Style:
    """Any page: pale or dark, of fair or faint contrast, with hairlines or bars."""
    dark = bool(rng.random() < 0.35)
    tint = rng.uniform(-6, 6, 3)
    paper = _clipped((rng.uniform(10, 55) if dark else rng.uniform(222, 255)) + tint)
    ink = _clipped((rng.uniform(200, 255) if dark else rng.uniform(0, 70)) + rng.uniform(-12, 12, 3))
    if rng.random() < 0.2:
        ink = _blend(ink, _colour(rng), 0.6)
    rule = str(rng.choice(["lines", "boxes", "tiles", "crosses", "none"], p=[0.56, 0.16, 0.16, 0.06, 0.06]))
    ground = str(rng.choice(["paper", "own", "two"], p=[0.5, 0.35, 0.15]))
    # Cells of either tone differ from the paper: else nobody could see where the board ends.
    shade = float(rng.uniform(0.05, 0.14))
    own, second = (_blend(paper, ink, shade * share) for share in (1.0, float(rng.uniform(1.6, 2.4))))
    cell: tuple[Rgb, ...] = {"paper": (), "own": (own,), "two": (own, second)}[ground]
    if rule == "none" and len(cell) < 2:
        cell = (own, second)
    if rule in {"tiles", "crosses"} and not cell:
        cell = (own,)
    line = _blend(paper, ink, float(rng.choice([rng.uniform(0.15, 0.4), rng.uniform(0.4, 1.0)])))
    thin, thick = rng.uniform(0.01, 0.03), rng.uniform(0.03, 0.09)
    line_width = float(rng.choice([thin, thick]))
    outlined = str(rng.choice(["none", "thick", "same", "thin"], p=[0.25, 0.35, 0.25, 0.15]))
    if rule == "crosses" and outlined == "none":
        outlined = "same"
    # Of two tones a tint may be a third one, and what is ruled like cells without a colour is told by the clues alone.
    holes = [0.65, 0.15, 0.0 if len(cell) > 1 else 0.1, 0.05, 0.05, 0.1 if len(cell) == 1 and rule == "lines" else 0.0]
    holes[0] += 1 - sum(holes)
    return Style(
        paper=paper,
        grain=float(rng.choice([0.0, 0.0, rng.uniform(1, 6)])),
        ink=ink,
        cell=cell,
        rule=rule,
        line=line,
        line_width=line_width * (1.6 if rule in {"boxes", "tiles"} else 1.0),
        radius=float(rng.choice([0.0, rng.uniform(0.05, 0.3)])) if rule in {"boxes", "tiles"} else 0.0,
        dashes=(float(rng.uniform(0.06, 0.17)), float(rng.uniform(0.06, 0.17))) if rng.random() < 0.15 else None,
        outline=None if outlined == "none" else line if outlined == "same" else _blend(paper, ink, 0.9),
        outline_width={"thick": float(rng.uniform(0.06, 0.16)), "thin": 0.015}.get(outlined, line_width),
        outline_at=float(rng.choice([0.0, 0.5, -0.5])),
        double=bool(rng.random() < 0.08),
        shadow=bool(rng.random() < 0.12),
        hole=str(
            rng.choice(["page", "block", "tint", "hatched", "crossed", "ruled"], p=[0.6, 0.1, 0.1, 0.05, 0.05, 0.1])
        ),
        hole_outside=bool(rng.random() < 0.3),
        type=str(rng.choice(families())),
        height=float(rng.uniform(0.3, 0.6)),
        off=(float(rng.normal(0, 0.015)), float(rng.normal(0, 0.02))),
        badge=str(rng.choice(["none", "disc", "ring", "square"], p=[0.7, 0.12, 0.1, 0.08])),
        badge_colour=_colour(rng, 0.75),
        found=str(rng.choice(["border", "tint", "colour", "hatched", "loop"], p=[0.25, 0.3, 0.3, 0.08, 0.07])),
    )


def draw(
    rng: np.random.Generator,
    *,
    style: Style | None = None,
    rows: int | None = None,
    cols: int | None = None,
    missing: float | None = None,
    form: Form | None = None,
    filled: float | None = None,
    furnished: float = 0.5,
    wiped: bool = False,
) -> Sample:
    """A random Stitch board on a random page.

    Args:
        rng: decides everything that is not given.
        style: of the page.
        rows: height of the board in cells; None for 5 to 14.
        cols: width of the board in cells; None for 5 to 10.
        missing: the share of places without a cell, 0..1; None for 0.05 to 0.4.
        form: where they are missing.
        filled: the share of patches that are found already, 0..1; None for none of them or any.
        furnished: how likely each thing beside the board is, 0..1.
        wiped: whether one clue is not drawn: what is left is no puzzle, and the truth is of kind "other".
    """
    style = style or random_style(rng)
    rows, cols = rows or int(rng.integers(5, 15)), cols or int(rng.integers(5, 11))
    share = float(rng.uniform(0.05, MOST_MISSING)) if missing is None else missing
    form = form or FORMS[int(rng.integers(len(FORMS)))]
    seed = Random(int(rng.integers(2**32)))
    puzzle, answer = make(seed, rows, cols, holes=round(share * rows * cols), form=form, unique=True)
    part = float(rng.choice([0.0, rng.random()])) if filled is None else filled
    found = {patch.clue for patch in answer if rng.random() < part}
    hidden: Cell | None = None
    if wiped:
        open_ones = [c for c in puzzle.clue_cells if c not in found and puzzle.clue(c) != 1] or list(puzzle.clue_cells)
        hidden = open_ones[int(rng.integers(len(open_ones)))]
    sheet = _Sheet(rng, puzzle, style)
    sheet.furnish(furnished)
    sheet.board(answer, found, hidden)
    left, top, side = sheet.left / FINER - 0.5, sheet.top / FINER - 0.5, sheet.side / FINER
    truth: dict[str, Any] = {"kind": "stitch", **stitch.puzzle_record(puzzle)}
    truth["corners"] = [[left + c * side, top + r * side] for c, r in ((0, 0), (cols, 0), (cols, rows), (0, rows))]
    truth["unique"] = True
    truth["filled_clues"] = [list(cell) for cell in sorted(found)]
    truth["solution"] = stitch.answer_record(puzzle, answer)
    return Sample(sheet.finished(), truth if hidden is None else {**truth, "kind": "other"})


class _Sheet:
    """A page under the pen; its lengths are pixels of the enlarged page."""

    def __init__(self, rng: np.random.Generator, puzzle: Stitch, style: Style) -> None:
        self.rng, self.puzzle, self.style = rng, puzzle, style
        self.rows, self.cols = puzzle.rows, puzzle.cols
        self.cells: set[Cell] = set(puzzle.cells)
        self.places: set[Cell] = {(r, c) for r in range(self.rows) for c in range(self.cols)}
        self.side = FINER * int(rng.integers(26, 78))
        if rng.random() < 0.3:
            self.side += int(rng.integers(FINER))  # not a whole number of pixels on the final page
        before, after = rng.uniform(0.35, 2.6, 2), rng.uniform(0.35, 2.6, 2)
        if rng.random() < 0.4:  # a page with much room
            before[1] += rng.uniform(1, 4)
            after[1] += rng.uniform(1, 5)
        self.left, self.top = (round(float(v) * self.side) for v in before)
        width = self.left + round((self.cols + float(after[0])) * self.side)
        height = self.top + round((self.rows + float(after[1])) * self.side)
        self.page = Image.new("RGB", (width - width % FINER, height - height % FINER), style.paper)
        self.pen = ImageDraw.Draw(self.page)
        seed = rng.permutation(12)
        self.colours = [
            _hue((int(k) + rng.uniform(0, 0.6)) / 12, rng.uniform(0.4, 0.8), rng.uniform(0.7, 1)) for k in seed
        ]

    # --- the board ----------------------------------------------------------------------------------------------------

    def board(self, answer: Answer, found: Collection[Cell], hidden: Cell | None) -> None:
        """Grounds, holes, patches, lines, outline, numbers."""
        if self.style.shadow:
            self._shadow()
        self.owner = {cell: patch.clue for patch in answer for cell in patch.block.cells}
        shown = self._shown_holes()
        ruled = self.cells | (shown if self.style.hole == "ruled" else set())
        if self.style.rule == "tiles":
            grow = self.style.line_width
            for r, c in sorted(ruled):
                self.pen.rectangle(self._box((r, c), -grow), fill=self.style.line)
        for cell in sorted(self.cells):
            self._ground(cell)
        for place in sorted(shown):
            self._hole(place)
        patches = [patch for patch in answer if patch.clue in found]
        if self.style.found in {"tint", "colour", "hatched"}:
            for patch in patches:
                self._found(patch)
        if self.style.rule == "lines":
            covered = {p.clue for p in patches} if self.style.found == "colour" else set()
            self._lines(ruled, covered)
        self._outline(self.cells | (shown if self.style.hole in {"block", "tint", "ruled"} else set()))
        if self.style.found in {"border", "loop"}:
            for patch in patches:
                self._found(patch)
        for cell in self.puzzle.clue_cells:
            if cell != hidden:
                self._number(cell, cell in found)

    def _box(self, cell: Cell, inset: float = 0.0) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of a cell, both ends painted."""
        r, c = cell
        x, y, d = self.left + c * self.side, self.top + r * self.side, inset * self.side
        return x + d, y + d, x + self.side - d - 1, y + self.side - d - 1

    def _at(self, row: float, col: float) -> Point:
        return self.left + col * self.side, self.top + row * self.side

    def _shadow(self) -> None:
        mask = Image.new("L", self.page.size, 0)
        pen, off = ImageDraw.Draw(mask), 0.1 * self.side
        for cell in self.cells:
            x0, y0, x1, y1 = self._box(cell)
            pen.rectangle((x0 + off, y0 + off, x1 + off, y1 + off), fill=110)
        mask = mask.reduce(4).filter(ImageFilter.GaussianBlur(0.02 * self.side)).resize(mask.size)
        self.page.paste((0, 0, 0), (0, 0), mask)
        for cell in self.cells:
            self.pen.rectangle(self._box(cell), fill=self.style.paper)

    def _ground(self, cell: Cell) -> None:
        style = self.style
        colour = style.cell[sum(cell) % len(style.cell)] if style.cell else style.paper
        if style.rule == "boxes":
            width = max(1, round(0.5 * style.line_width * self.side))
            box = self._box(cell, style.line_width)
            self.pen.rounded_rectangle(box, style.radius * self.side, colour, style.line, width)
        elif style.rule == "tiles":
            self.pen.rounded_rectangle(self._box(cell, style.line_width / 2), style.radius * self.side, colour)
        elif style.cell:
            self.pen.rectangle(self._box(cell), fill=colour)
        if style.rule == "crosses":
            arm, width = 0.12 * self.side, max(1, round(style.line_width * self.side))
            for x, y in (self._at(cell[0] + i, cell[1] + j) for i in (0, 1) for j in (0, 1)):
                self.pen.line([(x - arm, y), (x + arm, y)], style.line, width)
                self.pen.line([(x, y - arm), (x, y + arm)], style.line, width)

    def _shown_holes(self) -> set[Cell]:
        """The places without a cell that do not just show the page."""
        missing = self.places - self.cells
        if self.style.hole == "page" or self.style.hole_outside:
            return set() if self.style.hole == "page" else missing
        outside = {place for place in missing if any(near not in self.places for near in _near(place))}
        while reached := {near for place in outside for near in _near(place)} & missing - outside:
            outside |= reached
        return missing - outside

    def _hole(self, place: Cell) -> None:
        style, box = self.style, self._box(place)
        if style.hole == "block":
            self.pen.rectangle(box, fill=_blend(style.paper, style.ink, 0.9))
        elif style.hole == "tint":
            self.pen.rectangle(box, fill=_blend(style.paper, style.ink, 0.2))
        elif style.hole == "hatched":
            self._hatch((box[0], box[1], box[2] + 1, box[3] + 1), _blend(style.paper, style.ink, 0.5))
        elif style.hole == "crossed":
            x0, y0, x1, y1 = self._box(place, 0.2)
            for ends in ([(x0, y0), (x1, y1)], [(x0, y1), (x1, y0)]):
                self.pen.line(ends, _blend(style.paper, style.ink, 0.6), max(1, round(0.06 * self.side)))

    def _hatch(self, box: tuple[float, float, float, float], colour: Rgb) -> None:
        """Slanted strokes within a box."""
        width, height = round(box[2] - box[0]), round(box[3] - box[1])
        step = max(4, round(0.16 * self.side))
        stamp = Image.new("L", (width, height), 0)
        pen = ImageDraw.Draw(stamp)
        for x in range(-height, width, step):
            pen.line([(x, height), (x + height, 0)], 255, max(1, step // 4))
        self.page.paste(colour, (round(box[0]), round(box[1])), stamp)

    def _lines(self, ruled: set[Cell], covered: Collection[Cell]) -> None:
        """Each line is one stroke as far as it goes."""
        for across in (True, False):
            for k in range((self.rows if across else self.cols) + 1):
                start: int | None = None
                length = self.cols if across else self.rows
                for i in range(length + 1):
                    low, high = ((k - 1, i), (k, i)) if across else ((i, k - 1), (i, k))
                    drawn = i < length and low in ruled and high in ruled
                    if drawn and self.owner.get(low) in covered and self.owner.get(low) == self.owner.get(high):
                        drawn = False
                    if drawn and start is None:
                        start = i
                    if not drawn and start is not None:
                        ends = [self._at(k, start), self._at(k, i)]
                        self._stroke(ends if across else [self._at(start, k), self._at(i, k)])
                        start = None

    def _stroke(self, ends: list[Point]) -> None:
        width = max(1, round(self.style.line_width * self.side))
        if self.style.dashes is None:
            self.pen.line(ends, self.style.line, width)
            return
        (x0, y0), (x1, y1) = ends
        dash, gap = (part * self.side for part in self.style.dashes)
        length = abs(x1 - x0) + abs(y1 - y0)
        ux, uy, at = (x1 - x0) / length, (y1 - y0) / length, 0.0
        while at < length:
            end = min(length, at + dash)
            self.pen.line([(x0 + ux * at, y0 + uy * at), (x0 + ux * end, y0 + uy * end)], self.style.line, width)
            at += dash + gap

    def _outline(self, inside: set[Cell]) -> None:
        """The closed paths round the cells."""
        style = self.style
        if style.outline is None:
            return
        width = max(1.0, style.outline_width * self.side)
        rings = [(width, style.outline_at * width)]
        if style.double:
            rings.append((max(1.0, width / 3), style.outline_at * width + 1.2 * width + 2))
        for path in _paths(inside):
            for wide, out in rings:
                moved = [self._shifted(path, k, out) for k in range(len(path))]
                half = wide / 2
                for (x0, y0), (x1, y1) in zip(moved, moved[1:] + moved[:1], strict=True):
                    box = (min(x0, x1) - half, min(y0, y1) - half, max(x0, x1) + half - 1, max(y0, y1) + half - 1)
                    self.pen.rectangle(box, fill=style.outline)

    def _shifted(self, path: list[Cell], k: int, out: float) -> Point:
        """A corner of a path with the board on its right, moved outwards by ``out`` pixels."""
        (r0, c0), (r, c), (r1, c1) = path[k - 1], path[k], path[(k + 1) % len(path)]
        normals = [(-_sign(c - c0), _sign(r - r0)), (-_sign(c1 - c), _sign(r1 - r))]
        dy, dx = (sum(axis) for axis in zip(*normals, strict=True))
        x, y = self._at(r, c)
        return x + dx * out, y + dy * out

    def _found(self, patch: Patch) -> None:
        style = self.style
        top, left = min(patch.block.cells)
        bottom, right = max(patch.block.cells)
        inset = {"colour": 0.05, "border": 0.07, "loop": 0.12}.get(style.found, 0.0) * self.side
        (x0, y0), (x1, y1) = self._at(top, left), self._at(bottom + 1, right + 1)
        box = (x0 + inset, y0 + inset, x1 - inset - 1, y1 - inset - 1)
        colour = self.colours[self.puzzle.clue_cells.index(patch.clue) % len(self.colours)]
        if style.found == "border":
            self.pen.rectangle(box, outline=colour, width=max(2, round(0.06 * self.side)))
        elif style.found == "loop":
            self.pen.rounded_rectangle(box, 0.35 * self.side, None, colour, max(2, round(0.05 * self.side)))
        elif style.found == "hatched":
            self._hatch((x0, y0, x1, y1), colour)
        elif style.found == "tint":
            self.pen.rectangle((x0, y0, x1 - 1, y1 - 1), fill=_blend(style.paper, colour, 0.45))
        else:
            self.pen.rounded_rectangle(box, 0.15 * self.side, colour)

    def _number(self, cell: Cell, done: bool) -> None:
        style, text = self.style, str(self.puzzle.clue(cell))
        x, y = self._at(cell[0] + 0.5 + style.off[1], cell[1] + 0.5 + style.off[0])
        height = min(style.height, 0.42 if style.badge != "none" else 1.0) * self.side * (1.0, 0.85)[len(text) - 1]
        colour, reach = style.ink, 0.38 * self.side
        if style.badge == "disc":
            self.pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=style.badge_colour)
        elif style.badge == "square":
            self.pen.rounded_rectangle(
                (x - reach, y - reach, x + reach, y + reach), 0.08 * self.side, style.badge_colour
            )
        elif style.badge == "ring":
            self.pen.ellipse(
                (x - reach, y - reach, x + reach, y + reach), None, style.ink, max(2, round(0.04 * self.side))
            )
        if style.badge in {"disc", "square"}:
            colour = (255, 255, 255)
        elif done and style.found == "colour":
            colour = (20, 20, 20)
        self.pen.text((x, y), text, colour, digit_face(style.type, round(height)), anchor="mm")

    # --- the page round it --------------------------------------------------------------------------------------------

    def furnish(self, chance: float) -> None:
        """What stands round the board: each thing where there is room for it."""
        for thing in (self._heading, self._coordinates, self._below, self._margin):
            if self.rng.random() < chance:
                thing()

    def _heading(self) -> None:
        room = self.top / self.side
        if room < 1:
            return
        words = ["Shikaku", "Rectangles", "Puzzle 12", "No. 7", "9 x 9", "Daily  04:31", "DIVIDE BY SQUARES"]
        size = float(self.rng.uniform(0.35, 0.7)) * self.side
        y = self.top - float(self.rng.uniform(0.6, max(0.7, room - 0.4))) * self.side
        self._words((self.left + self.cols * self.side / 2, y), str(self.rng.choice(words)), size, "mm")

    def _coordinates(self) -> None:
        """Letters and numbers along the board, as chess has them."""
        if min(self.left, self.top) < 0.7 * self.side or self.rng.random() < 0.5:
            return
        size = float(self.rng.uniform(0.25, 0.4)) * self.side
        lettered = bool(self.rng.random() < 0.6)
        for c in range(self.cols):
            self._words(self._at(-0.4, c + 0.5), "ABCDEFGHIJKLMN"[c] if lettered else str(c + 1), size, "mm")
        for r in range(self.rows):
            self._words(self._at(r + 0.5, -0.4), str(r + 1), size, "mm")

    def _below(self) -> None:
        """Keys, a legend or a paragraph under the board."""
        bottom = self.top + self.rows * self.side
        room = (self.page.height - bottom) / self.side
        if room < 1.5:
            return
        y = bottom + float(self.rng.uniform(0.2, min(1.0, room - 1.2))) * self.side
        kinds: tuple[Callable[[float], None], ...] = (self._keys, self._legend, self._paragraph, self._buttons)
        kinds[int(self.rng.integers(len(kinds)))](y)

    def _keys(self, y: float) -> None:
        """A row of boxes as large as cells, with the board's own lines."""
        count = int(self.rng.integers(3, self.cols + 1))
        width = max(1, round(self.style.line_width * self.side))
        for k in range(count):
            x = self.left + k * self.side
            self.pen.rectangle((x, y, x + self.side, y + self.side), None, self.style.line, width)
            self._words((x + self.side / 2, y + self.side / 2), str(k + 1), 0.5 * self.side, "mm")

    def _legend(self, y: float) -> None:
        """Patches as an example: small rectangles with their numbers."""
        x, step = float(self.left), self.side * float(self.rng.choice([0.6, 1.0]))
        width = max(1, round(self.style.line_width * self.side))
        for wide, colour in zip((1, 2, 3), self.colours, strict=False):
            self.pen.rectangle((x, y, x + wide * step, y + step), colour, self.style.ink, width)
            self._words((x + wide * step / 2, y + step / 2), str(wide), 0.5 * step, "mm")
            x += (wide + 0.5) * step

    def _paragraph(self, y: float) -> None:
        """The rules in small print."""
        size = float(self.rng.uniform(0.2, 0.35)) * self.side
        lines = [
            "Divide the board into rectangles.",
            "Each holds one number,",
            "which tells its area: 4 = 2 x 2 or 1 x 4.",
        ]
        for line in lines:
            self._words((self.left, y), line, size, "la")
            y += 1.5 * size

    def _buttons(self, y: float) -> None:
        """Wide buttons side by side."""
        width, gap = self.cols * self.side / 3, 0.15 * self.side
        for k, word in enumerate(("Check", "Undo", "New")):
            box = (self.left + k * width + gap, y, self.left + (k + 1) * width - gap, y + 0.8 * self.side)
            self.pen.rounded_rectangle(box, 0.2 * self.side, _blend(self.style.paper, self.style.ink, 0.15))
            self._words(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), word, 0.35 * self.side, "mm")

    def _margin(self) -> None:
        """A small example board or a frame to the right of the board."""
        left = self.left + self.cols * self.side
        room = (self.page.width - left) / self.side
        if room < 1.6:
            return
        pitch = self.side * float(self.rng.choice([0.4, 0.7, 1.0]))
        count = int((room - 0.6) * self.side / pitch)
        x, y = left + 0.3 * self.side, self.top + float(self.rng.uniform(0, self.rows / 2)) * self.side
        width = max(1, round(self.style.line_width * self.side))
        for r in range(3):
            for c in range(min(count, 3)):
                corner = (x + c * pitch, y + r * pitch)
                self.pen.rectangle((*corner, corner[0] + pitch, corner[1] + pitch), None, self.style.line, width)
                if self.rng.random() < 0.4:
                    middle = (corner[0] + pitch / 2, corner[1] + pitch / 2)
                    self._words(middle, str(self.rng.integers(1, 9)), 0.5 * pitch, "mm")

    def _words(self, at: Point, text: str, size: float, anchor: str) -> None:
        self.pen.text(at, text, self.style.ink, face(self.style.type, max(6, round(size))), anchor=anchor)

    def finished(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The page at its final size, ``uint8 (H, W, 3)`` BGR."""
        small = np.asarray(self.page.reduce(FINER))[..., ::-1]
        if self.style.grain:
            noise = self.rng.standard_normal((*small.shape[:2], 1), dtype=np.float32) * np.float32(self.style.grain)
            small = np.clip(small + noise, 0, 255).astype(np.uint8)
        return np.ascontiguousarray(small)


def _paths(inside: set[Cell]) -> list[list[Cell]]:
    """The closed paths round a set of cells, corner by corner, the cells on the right of the way."""
    steps: dict[Cell, list[Cell]] = {}
    for r, c in sorted(inside):
        corners = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
        for k, near in enumerate(_near((r, c))):
            if near not in inside:
                steps.setdefault(corners[k], []).append(corners[(k + 1) % 4])
    paths = []
    while steps:
        start = next(iter(steps))
        path, at = [start], steps[start].pop()
        while at != start:
            path.append(at)
            at = steps[at].pop()
        steps = {corner: ends for corner, ends in steps.items() if ends}
        paths.append(
            [b for a, b, c in zip(path[-1:] + path, path, path[1:] + path[:1], strict=False) if _turns(a, b, c)]
        )
    return paths


def _turns(a: Cell, b: Cell, c: Cell) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) != (b[1] - a[1]) * (c[0] - b[0])


def _near(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The places above, to the right, below and to the left."""
    r, c = cell
    return (r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _clipped(values: Any) -> Rgb:
    red, green, blue = (int(v) for v in np.clip(np.broadcast_to(values, 3), 0, 255))
    return red, green, blue


def _blend(first: Rgb, second: Rgb, share: float) -> Rgb:
    """A colour that is ``share`` of the way from one to another."""
    return _clipped(np.array(first) * (1 - share) + np.array(second) * share)


def _hue(turn: float, saturation: float, value: float) -> Rgb:
    """A colour by its hue, 0..1."""
    ramp = np.clip(np.abs((turn * 6 + np.array([0, 4, 2])) % 6 - 3) - 1, 0, 1)
    return _clipped(255 * value * (1 - saturation + saturation * ramp))


def _colour(rng: np.random.Generator, value: float = 0.8) -> Rgb:
    return _hue(rng.random(), float(rng.uniform(0.5, 0.95)), value)
