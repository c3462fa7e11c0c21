"""Stitch boards drawn a second way, by conventions that :mod:`samples.stitch` does not share.

One generator teaches its own habits: what is measured on its pictures alone says little of those of others. This one
draws with Pillow at a multiple of the final size, as a page is laid out: lines as long strokes across many cells or
as the gaps between boxes, the outline as one closed path, blocked cells as crosswords have them, and round the board
coordinates, an example, keys, a legend, paragraphs.
"""

from collections.abc import Collection
from random import Random
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from samples.fonts import digit_face
from samples.page_furniture import Furniture
from samples.page_styles import Point, Rgb, Style, blend, hue, random_style
from samples.puzzles.outlines import FORMS, Form
from samples.puzzles.stitch import make
from samples.sample import Sample
from solvers import stitch
from solvers.board import Cell
from solvers.stitch import Answer, Patch, Stitch

FINER = 2
"""The page is drawn this many times as large and reduced."""

BRIGHT = 380
"""Sum of red, green and blue from which dark numbers are easier to read than white ones."""

MOST_MISSING = 0.4
"""Share of places without a cell at most."""


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
    unique: bool = True,
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
        unique: whether it gets exactly one answer.
    """
    style = style or random_style(rng)
    rows, cols = rows or int(rng.integers(5, 15)), cols or int(rng.integers(5, 11))
    share = float(rng.uniform(0.05, MOST_MISSING)) if missing is None else missing
    form = form or FORMS[int(rng.integers(len(FORMS)))]
    seed = Random(int(rng.integers(2**32)))
    puzzle, answer = make(seed, rows, cols, holes=round(share * rows * cols), form=form, unique=unique)
    part = float(rng.choice([0.0, rng.random()])) if filled is None else filled
    found = {patch.clue for patch in answer if rng.random() < part}
    hidden: Cell | None = None
    if wiped:
        open_ones = [c for c in puzzle.clue_cells if c not in found and puzzle.clue(c) != 1] or list(puzzle.clue_cells)
        hidden = open_ones[int(rng.integers(len(open_ones)))]
    sheet = _Sheet(rng, puzzle, style)
    sheet.furniture().put(furnished)
    sheet.board(answer, found, hidden)
    left, top, side = sheet.left / FINER - 0.5, sheet.top / FINER - 0.5, sheet.side / FINER
    truth: dict[str, Any] = {"kind": "stitch", **stitch.puzzle_record(puzzle)}
    truth["corners"] = [[left + c * side, top + r * side] for c, r in ((0, 0), (cols, 0), (cols, rows), (0, rows))]
    truth["unique"] = unique or None
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
        self.side = FINER * int(rng.integers(22, 90))
        if rng.random() < 0.3:
            self.side += int(rng.integers(FINER))  # not a whole number of pixels on the final page
        before, after = rng.uniform(0.35, 2.6, 2), rng.uniform(0.35, 2.6, 2)
        if rng.random() < 0.4:  # a page with much room
            before[1] += rng.uniform(1, 4)
            after[1] += rng.uniform(1, 5)
        self.left, self.top = (round(float(v) * self.side) for v in before)
        width = self.left + round((self.cols + float(after[0])) * self.side)
        height = self.top + round((self.rows + float(after[1])) * self.side)
        self.page = self._paper(width - width % FINER, height - height % FINER)
        self.pen = ImageDraw.Draw(self.page)
        seed = rng.permutation(12)
        self.colours = [
            hue((int(k) + rng.uniform(0, 0.6)) / 12, rng.uniform(0.4, 0.8), rng.uniform(0.7, 1)) for k in seed
        ]

    def furniture(self) -> Furniture:
        """What can be put round the board."""
        return Furniture(
            self.rng, self.page, self.style, self.colours, self.rows, self.cols, self.left, self.top, self.side
        )

    def _paper(self, width: int, height: int) -> Image.Image:
        """The bare page."""
        style = self.style
        page = Image.new("RGB", (width, height), style.paper)
        if style.texture == "slope":
            mask = Image.linear_gradient("L").resize((width, height))
            page.paste(style.second, (0, 0), mask.rotate(float(self.rng.choice([0, 180]))))
        elif style.texture == "blotches":
            coarse = self.rng.integers(0, 256, (7, 5), np.uint8)
            page.paste(style.second, (0, 0), Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC))
        elif style.texture == "weave":
            strand = max(4, round(0.09 * self.side))
            y, x = np.mgrid[0 : 4 * strand, 0 : 4 * strand] % (2 * strand)
            over = (x < strand) == (y < strand)
            across = np.where(over, x, y) % strand / strand
            tile = (255 * np.sin(np.pi * across) ** 2).astype(np.uint8)
            tiled = np.tile(tile, (height // len(tile) + 1, width // len(tile) + 1))[:height, :width]
            page.paste(style.second, (0, 0), Image.fromarray(tiled))
        elif style.texture == "squares":
            pen = ImageDraw.Draw(page)
            for x in range(self.left % self.side, width, self.side):
                pen.line([(x, 0), (x, height)], style.second, FINER)
            for y in range(self.top % self.side, height, self.side):
                pen.line([(0, y), (width, y)], style.second, FINER)
        return page

    # --- the board ----------------------------------------------------------------------------------------------------

    def board(self, answer: Answer, found: Collection[Cell], hidden: Cell | None) -> None:
        """Grounds, holes, patches, lines, outline, numbers."""
        self.owner = {cell: patch.clue for patch in answer for cell in patch.block.cells}
        shown = self._shown_holes()
        ruled = self.cells | (shown if self.style.hole == "ruled" else set())
        lined = ruled | (self._enclosed() if self.style.open_holes else set())
        lined |= shown if self.style.hole_lined else set()
        self._grounds(ruled, shown)
        patches = [patch for patch in answer if patch.clue in found]
        if self.style.found in {"tint", "colour", "hatched"}:
            for patch in patches:
                self._found(patch)
        if self.style.rule == "lines":
            covered = {p.clue for p in patches} if self.style.found == "colour" else set()
            self._lines(lined, covered)
        if self.style.found == "glaze":
            for patch in patches:
                self._glaze(patch)
        open_holes = self._enclosed() if self.style.open_holes else set()
        self._outline(self.cells | open_holes | (shown if self.style.hole in {"block", "tint", "ruled"} else set()))
        if self.style.found in {"border", "loop"}:
            for patch in patches:
                self._found(patch)
        for cell in self.puzzle.clue_cells:
            if cell != hidden:
                self._number(cell, cell in found)

    def _grounds(self, ruled: set[Cell], shown: set[Cell]) -> None:
        """All that lies under patches, lines and numbers."""
        if self.style.panel:
            self._panel(self.style.panel)
        if self.style.shadow:
            self._shadow()
        for place in sorted(ruled) if self.style.rule == "tiles" else ():
            self.pen.rectangle(self._box(place, -self.style.line_width), fill=self.style.line)
        for cell in sorted(self.cells):
            self._ground(cell)
        for place in sorted(shown):
            self._hole(place)
        if self.style.lit:
            lit = sorted(self.cells)[int(self.rng.integers(len(self.cells)))]
            self.pen.rectangle(self._box(lit, 0.04), fill=blend(self.style.paper, self.colours[0], 0.5))

    def _box(self, cell: Cell, inset: float = 0.0) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of a cell, both ends painted."""
        r, c = cell
        x, y, d = self.left + c * self.side, self.top + r * self.side, inset * self.side
        return x + d, y + d, x + self.side - d - 1, y + self.side - d - 1

    def _at(self, row: float, col: float) -> Point:
        return self.left + col * self.side, self.top + row * self.side

    def _panel(self, colour: Rgb) -> None:
        """A sheet of another colour under the board."""
        rim = float(self.rng.uniform(0.1, 0.35)) * self.side
        (x0, y0), (x1, y1) = self._at(0, 0), self._at(self.rows, self.cols)
        self.pen.rounded_rectangle((x0 - rim, y0 - rim, x1 + rim - 1, y1 + rim - 1), 0.5 * rim, colour)

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
        which = int(self.rng.integers(len(style.cell))) if style.mixed else sum(cell)
        colour = style.cell[which % len(style.cell)] if style.cell else style.panel or style.paper
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
        if self.style.hole == "page":
            return set()
        return self.places - self.cells if self.style.hole_outside else self._enclosed()

    def _enclosed(self) -> set[Cell]:
        """The places without a cell that cells enclose."""
        missing = self.places - self.cells
        outside = {place for place in missing if any(near not in self.places for near in _near(place))}
        while reached := {near for place in outside for near in _near(place)} & missing - outside:
            outside |= reached
        return missing - outside

    def _hole(self, place: Cell) -> None:
        style, box = self.style, self._box(place)
        if style.hole == "block":
            self.pen.rectangle(box, fill=blend(style.paper, style.ink, 0.9))
        elif style.hole == "tint":
            self.pen.rectangle(box, fill=style.hole_colour)
        elif style.hole == "hatched":
            x0, y0, x1, y1 = self._box(place, style.line_width / 2 if style.rule in {"boxes", "tiles"} else 0.0)
            self._hatch((x0, y0, x1 + 1, y1 + 1), style.hole_colour)
        elif style.hole == "sign":
            self.pen.regular_polygon((*self._at(place[0] + 0.5, place[1] + 0.5), 0.35 * self.side), 3, fill=style.ink)
        elif style.hole == "crossed":
            x0, y0, x1, y1 = self._box(place, 0.2)
            for ends in ([(x0, y0), (x1, y1)], [(x0, y1), (x1, y0)]):
                self.pen.line(ends, blend(style.paper, style.ink, 0.6), max(1, round(0.06 * self.side)))

    def _hatch(self, box: tuple[float, float, float, float], colour: Rgb) -> None:
        """Slanted strokes within a box."""
        style, width, height = self.style, round(box[2] - box[0]), round(box[3] - box[1])
        step = max(4, round(style.hatch * self.side))
        stamp = Image.new("L", (width, height), 0)
        pen = ImageDraw.Draw(stamp)
        for x in range(-height, width, step):
            ends = (0, height) if style.hatch_falls else (height, 0)
            pen.line([(x, ends[0]), (x + height, ends[1])], 255, max(1, round(style.hatch_part * step)))
        self.page.paste(colour, (round(box[0]), round(box[1])), stamp)

    def _lines(self, ruled: set[Cell], covered: Collection[Cell]) -> None:
        """Each line is one stroke as far as it goes; holes that are not ruled have none within."""
        ringed = ruled if self.style.hole == "ruled" or self.style.hole_lined else self.cells
        for across in (True, False):
            for k in range((self.rows if across else self.cols) + 1):
                start: int | None = None
                length = self.cols if across else self.rows
                for i in range(length + 1):
                    low, high = ((k - 1, i), (k, i)) if across else ((i, k - 1), (i, k))
                    drawn = i < length and low in ruled and high in ruled and bool({low, high} & ringed)
                    if drawn and self.owner.get(low) in covered and self.owner.get(low) == self.owner.get(high):
                        drawn = False
                    if drawn and start is None:
                        start = i
                    if not drawn and start is not None:
                        ends = [self._at(k, start), self._at(k, i)]
                        self._stroke(ends if across else [self._at(start, k), self._at(i, k)])
                        start = None

    def _stroke(self, ends: list[Point]) -> None:
        style, width = self.style, max(1, round(self.style.line_width * self.side))
        for piece in _pieces(ends, style.dashes, self.side):
            self.pen.line(self._by_hand(piece) if style.shaky else piece, style.line, width, joint="curve")

    def _by_hand(self, ends: list[Point]) -> list[Point]:
        """A straight line as a hand draws it."""
        (x0, y0), (x1, y1) = ends
        share = np.linspace(0, 1, 2 + round((abs(x1 - x0) + abs(y1 - y0)) / self.side * 3))[:, None]
        track = np.array([(x0, y0)]) * (1 - share) + np.array([(x1, y1)]) * share
        return [(x, y) for x, y in track + self.rng.normal(0, self.style.shaky * self.side, track.shape)]

    def _outline(self, inside: set[Cell]) -> None:
        """The closed paths round the cells."""
        style = self.style
        if style.outline is None:
            return
        width = max(1.0, style.outline_width * self.side)
        if style.outline_round:
            self._round_outline(inside, width, style.outline)
            return
        rings = [(width, style.outline_at * width)]
        if style.double:
            rings.append((max(1.0, width / 3), style.outline_at * width + 1.2 * width + 2))
        for path in _paths(inside):
            for wide, out in rings:
                moved = [self._shifted(path, k, out) for k in range(len(path))]
                for side in zip(moved, moved[1:] + moved[:1], strict=True):
                    for (x0, y0), (x1, y1) in _pieces(list(side), style.outline_dashes, self.side):
                        left, top = min(x0, x1) - wide / 2, min(y0, y1) - wide / 2
                        box = (left, top, left + (abs(x1 - x0) + wide - 1), top + (abs(y1 - y0) + wide - 1))
                        self.pen.rectangle(box, fill=style.outline)

    def _round_outline(self, inside: set[Cell], width: float, colour: Rgb) -> None:
        """All that lies within a width outside of the cells."""
        mask = Image.new("L", self.page.size, 255)
        pen = ImageDraw.Draw(mask)
        for cell in inside:
            pen.rectangle(self._box(cell), fill=0)
        away = cv2.distanceTransform(np.asarray(mask), cv2.DIST_L2, 5)
        near = np.where((away > 0) & (away <= width), 255, 0).astype(np.uint8)
        self.page.paste(colour, (0, 0), Image.fromarray(near))

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
        colour = self._patch_colour(patch.clue)
        if style.found == "border":
            self.pen.rectangle(box, outline=colour, width=max(2, round(0.06 * self.side)))
        elif style.found == "loop":
            self.pen.rounded_rectangle(box, 0.35 * self.side, None, colour, max(2, round(0.05 * self.side)))
        elif style.found == "hatched":
            self._hatch((x0, y0, x1, y1), colour)
        elif style.found == "tint":
            self.pen.rectangle((x0, y0, x1 - 1, y1 - 1), fill=blend(style.paper, colour, 0.45))
        else:
            self.pen.rounded_rectangle(box, 0.15 * self.side, colour)

    def _glaze(self, patch: Patch) -> None:
        """A colour over a patch through which its lines are seen."""
        (top, left), (bottom, right) = min(patch.block.cells), max(patch.block.cells)
        inset = float(self.rng.choice([0.0, 0.05])) * self.side
        (x0, y0), (x1, y1) = self._at(top, left), self._at(bottom + 1, right + 1)
        mask = Image.new("L", (round(x1 - x0 - 2 * inset), round(y1 - y0 - 2 * inset)), 0)
        width, height = mask.size
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, width - 1, height - 1), 2 * inset, 120)
        self.page.paste(self._patch_colour(patch.clue), (round(x0 + inset), round(y0 + inset)), mask)

    def _patch_colour(self, clue: Cell) -> Rgb:
        return self.colours[self.puzzle.clue_cells.index(clue) % len(self.colours)]

    def _number(self, cell: Cell, done: bool) -> None:
        style, text = self.style, str(self.puzzle.clue(cell))
        x, y = self._at(cell[0] + 0.5 + style.off[1], cell[1] + 0.5 + style.off[0])
        room = 1 - 2 * max(map(abs, style.off)) if style.badge == "none" else 0.42
        height = min(style.height, room) * self.side * (1.0, 0.85)[len(text) - 1]
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
            colour = (20, 20, 20) if sum(self._patch_colour(cell)) > BRIGHT else (255, 255, 255)
        elif done:
            colour = blend(style.paper, colour, style.dimmed)
        self.pen.text((x, y), text, colour, digit_face(style.type, round(height)), anchor="mm")

    def finished(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The page at its final size, ``uint8 (H, W, 3)`` BGR."""
        small = np.asarray(self.page.reduce(FINER))[..., ::-1]
        if self.style.grain:
            noise = self.rng.standard_normal((*small.shape[:2], 1), dtype=np.float32) * np.float32(self.style.grain)
            small = np.clip(small + noise, 0, 255).astype(np.uint8)
        return np.ascontiguousarray(small)


def _pieces(ends: list[Point], dashes: tuple[float, float] | None, side: float) -> list[list[Point]]:
    """The dashes of a straight line; the line itself where there are none."""
    (x0, y0), (x1, y1) = ends
    length = abs(x1 - x0) + abs(y1 - y0)
    if dashes is None or length == 0:
        return [ends]
    dash, gap = (part * side / length for part in dashes)
    starts = np.arange(0, 1, dash + gap)
    return [
        [(x0 + (x1 - x0) * at, y0 + (y1 - y0) * at) for at in (float(start), min(1.0, float(start) + dash))]
        for start in starts
    ]


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
