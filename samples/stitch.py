"""Stitch boards as pictures: any look, straight or bent, whole or with places missing, from open to solved."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from samples import looks, phone
from samples.canvas import Canvas, Points, Type, circle_outline, closed
from samples.fonts import families
from samples.looks import Filled, Hole, Style
from samples.nets import Net, bent_net, cell_outline, straight_net
from samples.puzzles.outlines import Form
from samples.puzzles.stitch import make
from samples.sample import INK, Sample
from samples.textures import Bgr, cloth, gradient, rope, woven
from solvers import stitch
from solvers.board import BOTTOM, LEFT, RIGHT, TOP, Cell
from solvers.stitch import UNKNOWN, Answer, Patch, Stitch
from vision.clues.cloth import SURFACES
from vision.pictures.photo import Picture

CELL, THREAD, OUTLINE, PATCH = range(1, len(SURFACES))

SUPERSAMPLE = 2
"""The board is drawn this much larger and reduced: widths of a fraction of a pixel come out as they should."""

SEAM = 0.04
"""Width of what parts a filled patch from what lies round it, in cells, where a label of parts is drawn."""

UNIQUE_UP_TO = 260
"""Cells up to which boards get exactly one answer; making larger ones unique takes long."""


def draw(
    rng: np.random.Generator,
    *,
    style: str | Style | None = None,
    rows: int | None = None,
    cols: int | None = None,
    filled: float | None = None,
    holes: int = 0,
    form: Form = "bitten",
    bend: float = 0.0,
    device: str | None = None,
    family: str | None = None,
    beside: bool = False,
    ropes: bool = False,
    wiped: bool = False,
    unique: bool = True,
) -> Sample:
    """A random Stitch board on a random screen.

    Args:
        rng: decides everything that is not given.
        style: a family of :data:`samples.looks.FAMILIES`, or a style; None for any common family.
        rows: height of the board in cells; None for 4 to 14.
        cols: width of the board in cells.
        filled: the share of patches that are found already, 0..1; None for any.
        holes: how many cells are missing.
        form: where they are missing; a family's style is made one for it by :func:`samples.looks.irregular`, but for
            "bitten".
        bend: how strongly cells are bent, 0 straight, 1 as in the game's hoops.
        device: a name of :data:`samples.phone.DEVICES`; None for any.
        family: of the digits' face, see :mod:`samples.fonts`; None for any that is here.
        beside: whether things as large as cells stand near the board.
        ropes: whether the board is part of a picture that is laid with rope.
        wiped: whether one clue is not drawn: what is left is no puzzle, and the truth is of kind "other".
        unique: whether boards that are not too large get exactly one answer.
    """
    family = family or str(rng.choice(families()))
    if not isinstance(style, Style):
        style = looks.FAMILIES[style or str(rng.choice(looks.COMMON))](rng, family)
        style = style if form == "bitten" else looks.irregular(rng, style)
    rows, cols = rows or int(rng.integers(4, 15)), cols or int(rng.integers(4, 11))
    # Clues without numbers fit what is left of a wiped board as well.
    hints = style.clue.frame == "shape" and rng.random() < 0.8 and not wiped
    puzzle, answer = make(
        Random(int(rng.integers(2**32))),
        rows,
        cols,
        holes=holes,
        form=form,
        unique=unique and rows * cols <= UNIQUE_UP_TO,
        hints=hints,
    )
    share = float(rng.choice([0.0, 0.0, rng.random(), 1.0])) if filled is None else filled
    found = {patch.clue for patch in answer if rng.random() < share}
    device = device or str(rng.choice(list(phone.DEVICES)))
    dressing = Dressing(beside, ropes, _open_clue(rng, puzzle, found) if wiped else None)
    return picture(rng, puzzle, answer, found=found, style=style, device=device, bend=bend, dressing=dressing)


def _open_clue(rng: np.random.Generator, puzzle: Stitch, found: Collection[Cell]) -> Cell:
    """A clue of more than one cell whose patch is not found yet, if there is one."""
    large = [cell for cell in puzzle.clue_cells if puzzle.clue(cell) != 1] or puzzle.clue_cells
    cells = [cell for cell in large if cell not in found] or large
    return cells[int(rng.integers(len(cells)))]


@dataclass(frozen=True)
class Dressing:
    """What is drawn besides a board, and what is not.

    Attributes:
        beside: whether things as large as cells stand near the board.
        ropes: whether the board is part of a picture that is laid with rope.
        wiped: a clue that is not drawn: what is left is no puzzle.
    """

    beside: bool = False
    ropes: bool = False
    wiped: Cell | None = None


def picture(
    rng: np.random.Generator,
    puzzle: Stitch,
    answer: Answer,
    *,
    found: Collection[Cell],
    style: Style,
    device: str = "bare",
    bend: float = 0.0,
    dressing: Dressing | None = None,
) -> Sample:
    """This board with these patches found, in this style, on this screen."""
    box_ratio = puzzle.cols / puzzle.rows
    stage = phone.stage(rng, device, box_ratio)
    net = straight_net(puzzle, stage.box) if bend == 0 else bent_net(rng, puzzle, stage.box, bend)
    page = _page(rng, style, stage.size_wh, net.side)
    dressing = dressing or Dressing()
    canvas = Canvas(_among_ropes(rng, page, net, style) if dressing.ropes else page)
    phone.furnish(rng, canvas, stage, style.ink, "Shikaku" if style.name != "game" else "")
    _draw_board(rng, canvas, net, Board(puzzle, answer, frozenset(found), dressing.wiped), style)
    truth = _truth(puzzle, answer, found, net, bend)
    if dressing.beside:
        (left, top), _, (right, bottom), _ = truth["corners"]
        phone.put_beside(rng, canvas, page, (left, top, right, bottom), ink=style.ink, side=net.side)
    truth = truth if dressing.wiped is None else {**truth, "kind": "other"}
    return Sample(canvas.picture, truth, parts=canvas.parts)


# --- drawing ----------------------------------------------------------------------------------------------------------


def _page(rng: np.random.Generator, style: Style, size_wh: tuple[int, int], side: float) -> npt.NDArray[np.uint8]:
    """What lies behind the board."""
    ground = style.page
    if ground.kind == "cloth":
        pale = sum(ground.first) >= looks.PALE  # linen is fine and even, the game's cloth coarse and deep
        strand = side * float(rng.uniform(0.05, 0.08) if pale else rng.uniform(0.14, 0.21))
        return cloth(size_wh, max(2.0, strand), ground.first, rng, depth=0.35 if pale else 1.0)
    if ground.kind == "woven":
        repeat, depth = side * float(rng.uniform(0.1, 0.5)), float(rng.uniform(0.1, 0.6))
        return woven(size_wh, max(4.0, repeat), float(rng.uniform(0, 180)), ground.first, rng, depth=depth)
    if ground.kind == "gradient":
        return gradient(size_wh, ground.first, ground.second, float(rng.choice([90, 90, 60])), ground.steps)
    return np.full((size_wh[1], size_wh[0], 3), ground.first, np.uint8)


def _among_ropes(rng: np.random.Generator, page: Picture, net: Net, style: Style) -> Picture:
    """The page laid with pieces of rope, or of what covers patches, of like colours or of theirs, but for the cells."""
    canvas, (height, width) = Canvas(page), page.shape[:2]
    laid = woven if style.filled.kind == "woven" else rope
    colour, as_patches = rng.integers(30, 256, 3), bool(rng.random() < 0.5)
    for _ in range(int(rng.integers(1, 5))):
        middle, reach = rng.uniform((0, 0), (width, height)), rng.uniform(0.15, 0.6) * min(width, height)
        angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(5, 10))))
        reaches = reach * rng.uniform(0.5, 1.2, len(angles))
        piece = middle + np.column_stack([np.cos(angles), np.sin(angles) * rng.uniform(0.6, 2.0)]) * reaches[:, None]
        dye = style.threads[int(rng.integers(len(style.threads)))] if as_patches else colour + rng.normal(0, 25, 3)
        blue, green, red = (int(v) for v in np.clip(dye, 10, 255))
        wide, along = net.side * float(rng.uniform(0.17, 0.3)), float(rng.uniform(0, 180))
        canvas.fill(piece, partial(laid, repeat_px=wide, angle_deg=along, colour=(blue, green, red), rng=rng))
    bare = np.zeros((height, width), np.uint8)
    for cell in net.cells:
        cv2.fillPoly(bare, [np.rint(net.outline([cell])).astype(np.int32)], (1,))
    return np.where(bare[..., None] > 0, page, canvas.picture)


@dataclass(frozen=True)
class Board:
    """A puzzle, its answer, the clues whose patches the player has found, and one that is not drawn."""

    puzzle: Stitch
    answer: Answer
    found: frozenset[Cell]
    wiped: Cell | None = None


def _draw_board(rng: np.random.Generator, canvas: Canvas, net: Net, board: Board, style: Style) -> None:
    """The board onto the page, drawn larger and reduced."""
    edges = np.vstack([net.to_px(cell_outline(cell)) for cell in board.puzzle.cells])
    margin = 0.25 * net.side + 4
    x0, y0 = (max(0, int(v)) for v in edges.min(axis=0) - margin)
    x1, y1 = (int(v) for v in np.minimum(edges.max(axis=0) + margin, canvas.size_wh))
    part = canvas.picture[y0:y1, x0:x1]
    large = cv2.resize(part, None, fx=SUPERSAMPLE, fy=SUPERSAMPLE, interpolation=cv2.INTER_CUBIC)
    # Pixel i covers i - 0.5 .. i + 0.5: enlarging moves centres by half a pixel.
    artist = _Artist(rng, Canvas(np.asarray(large, np.uint8)), net.scaled(SUPERSAMPLE, (x0 - 0.25, y0 - 0.25)), board)
    artist.draw(style)
    size_wh = x1 - x0, y1 - y0
    canvas.picture[y0:y1, x0:x1] = cv2.resize(artist.canvas.picture, size_wh, interpolation=cv2.INTER_AREA)
    canvas.parts[y0:y1, x0:x1] = cv2.resize(artist.canvas.parts, size_wh, interpolation=cv2.INTER_NEAREST)


class _Artist:
    """Draws one board: panel, tiles, lines, patches, outline, clues, in this order."""

    style: Style

    def __init__(self, rng: np.random.Generator, canvas: Canvas, net: Net, board: Board) -> None:
        self.rng, self.canvas, self.net = rng, canvas, net
        self.puzzle, self.answer, self.found = board.puzzle, board.answer, board.found
        self.wiped = board.wiped
        self.owner: Mapping[Cell, Cell] = stitch.contents(self.puzzle, self.answer)  # type: ignore[assignment]

    def draw(self, style: Style) -> None:
        """All of it."""
        self.style = style
        order = self.rng.permutation(len(style.threads))
        shuffled = [style.threads[int(index)] for index in order]
        self.thread: dict[Cell, Bgr] = {
            patch.clue: shuffled[index % len(shuffled)] for index, patch in enumerate(self.answer)
        }
        self.marked = self._marked(style.hole)
        if style.hole is not None and style.hole.ground is not None:
            for cell in sorted(self.marked):
                self.canvas.fill(self.net.outline([cell], style.gap / 2, style.radius), style.hole.ground)
        for cell in self.puzzle.cells:
            self.canvas.mark(self.net.outline([cell]), CELL)
            if style.panel is not None:
                self.canvas.fill(self.net.outline([cell]), style.panel)
            if style.cell is not None:
                self.canvas.fill(self.net.outline([cell], style.gap / 2, style.radius), style.cell)
        if style.filled.keeps_lines:
            self._patches()
        with self.canvas.showing(THREAD):
            self._lines()
        if not style.filled.keeps_lines:
            self._patches()
        with self.canvas.showing(OUTLINE):
            self._rim()
        self._dots()
        for cell in self.puzzle.clue_cells:
            if cell != self.wiped:
                self._clue(cell)

    def _marked(self, hole: Hole | None) -> set[Cell]:
        """The places without a cell that are marked."""
        if hole is None:
            return set()
        missing = {place for place, clue in self._places() if clue is None}
        if hole.where == "box":
            return missing
        outside = {place for place in missing if any(near not in dict(self._places()) for near in _beside(place))}
        while reached := {near for place in outside for near in _beside(place)} & missing - outside:
            outside |= reached
        return missing - outside

    def _places(self) -> Iterator[tuple[Cell, int | None]]:
        for r, row in enumerate(self.puzzle.clues):
            for c, clue in enumerate(row):
                yield (r, c), clue

    def _lines(self) -> None:
        """The borders between cells, but not within a patch that hides them."""
        line = self.style.line
        if line.kind == "none":
            return
        lined = self.net.cells | (self.marked if self.style.hole and self.style.hole.lined else set())
        for cell in sorted(lined):
            for side, other in ((RIGHT, (cell[0], cell[1] + 1)), (BOTTOM, (cell[0] + 1, cell[1]))):
                if other in lined and not self._hidden(cell, other):
                    self._stroke(self.net.border(cell, side), line.kind, line.width, line.colour)

    def _hidden(self, cell: Cell, other: Cell) -> bool:
        same = self.owner.get(cell) == self.owner.get(other)
        return same and self.owner.get(cell) in self.found and not self.style.filled.keeps_lines

    def _rim(self) -> None:
        """The outline of the board: every border with no cell beyond it, and none that is marked as lined or boxed."""
        line, hole = self.style.outline, self.style.hole
        if line.kind == "none":
            return
        boxed = hole is not None and hole.where == "box"
        inside = self.net.cells | (self.marked if boxed or (hole is not None and hole.lined) else set())
        for cell in sorted(inside):
            for side, other in zip((TOP, RIGHT, BOTTOM, LEFT), _beside(cell), strict=True):
                if other not in inside:
                    self._stroke(self.net.border(cell, side), line.kind, line.width, line.colour)

    def _dots(self) -> None:
        dots = self.style.dots
        if dots is None:
            return
        empty = [cell for cell in self.puzzle.cells if not self.puzzle.clue(cell)]
        corners = {(r + dr, c + dc) for r, c in self.puzzle.cells for dr in (0, 1) for dc in (0, 1)}
        places = [(c, r) for r, c in corners] if dots.where == "corners" else [(c + 0.5, r + 0.5) for r, c in empty]
        for at in self.net.to_px(places):
            self.canvas.disc(at, dots.size / 2 * self.net.side, dots.colour)

    def _stroke(self, track: Points, kind: str, width: float, colour: Bgr) -> None:
        wide = width * self.net.side
        if kind in {"stitched", "running"}:
            # Thread lies on the cloth: its shadow, a thin grey seam that shows between stitches, a glint on each.
            self.canvas.line(track + 0.3 * wide, 1.2 * wide, (26, 22, 22), kind)
            self.canvas.line(track, 0.4 * wide, (150, 146, 146), "plain")
            hand = int(self.rng.integers(2**32))  # thread and glint shake alike
            self.canvas.line(track, wide, colour, kind, np.random.default_rng(hand))
            blue, green, red = (v + (255 - v) // 3 for v in colour)
            self.canvas.line(track - 0.18 * wide, 0.35 * wide, (blue, green, red), kind, np.random.default_rng(hand))
        else:
            self.canvas.line(track, wide, colour, kind)

    def _patches(self) -> None:
        for patch in self.answer:
            if patch.clue in self.found:
                self._patch(patch, self.style.filled, self.style.filled.colour or self.thread[patch.clue])

    def _patch(self, patch: Patch, style: Filled, colour: Bgr) -> None:
        outline = self.net.outline(patch.block.cells, style.inset, style.radius)
        side = self.net.side
        if style.kind == "rope":
            angle = float(self.rng.uniform(-30, 30)) + (0 if patch.block.width >= patch.block.height else 90)
            width = style.strand * side * float(self.rng.uniform(0.17, 0.24))
            self.canvas.fill(outline, lambda size_wh: rope(size_wh, width, angle, colour, self.rng, depth=style.depth))
        elif style.kind == "woven":
            angle, width = float(self.rng.uniform(0, 180)), style.strand * side * float(self.rng.uniform(0.2, 0.6))
            self.canvas.fill(outline, lambda size_wh: woven(size_wh, width, angle, colour, self.rng, depth=style.depth))
        else:
            self.canvas.fill(outline, colour, style.alpha)
        if style.border:
            self.canvas.line(closed(outline), style.border * side, colour)
        self.canvas.mark(self.net.outline(patch.block.cells), PATCH)
        self.canvas.mark_line(closed(self.net.outline(patch.block.cells)), SEAM * side, THREAD)

    def _clue(self, cell: Cell) -> None:
        clue, side = self.style.clue, self.net.side
        centre, number = self.net.centre(cell), self.puzzle.clue(cell)
        done = cell in self.found
        thread = self.thread[cell]
        if clue.frame != "none" and not (done and self.style.filled.covers):
            self._frame(cell, centre, clue.frame_colour or thread)
        if number == UNKNOWN:
            return
        text = str(number)
        height = clue.height * side * (1.0, 0.92, 0.75)[len(text) - 1]
        colour = clue.colour or (_lively(thread) if sum(self.style.page.first) < looks.PALE else thread)
        if done and self.style.filled.clue is not None and clue.frame in {"none", "circle"}:
            colour = self.style.filled.clue
        if clue.shadow or (done and self.style.filled.covers):
            shadow = centre + 0.05 * height
            self.canvas.digits(shadow, text, Type(clue.family, height, clue.weight + 0.05), (14, 12, 12))
        with self.canvas.showing(INK):
            self.canvas.digits(centre, text, Type(clue.family, height, clue.weight), colour)

    def _frame(self, cell: Cell, centre: Points, colour: Bgr) -> None:
        side, frame = self.net.side, self.style.clue.frame
        if frame == "circle":
            self.canvas.line(closed(circle_outline(centre, 0.4 * side)), 0.035 * side, colour)
        elif frame == "disc":
            self.canvas.disc(centre, 0.4 * side, colour)
        else:
            shape = self.puzzle.shapes.get(cell, "any") if frame == "shape" else "square"
            for half_w, half_h in _BADGES[shape]:
                box = (
                    centre[0] - half_w * side,
                    centre[1] - half_h * side,
                    centre[0] + half_w * side,
                    centre[1] + half_h * side,
                )
                self.canvas.rounded(box, 0.08 * side, colour, 0.72 if shape == "any" else 1.0)


def _beside(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The places above, to the right, below and to the left."""
    r, c = cell
    return (r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)


def _lively(thread: Bgr) -> Bgr:
    """A thread's colour as bright as it gets: on dark cloth clues shine."""
    blue, green, red = (min(255, int(v * 215 / max(thread))) for v in thread)
    return blue, green, red


_BADGES: dict[str, list[tuple[float, float]]] = {
    "square": [(0.3, 0.3)],
    "tall": [(0.24, 0.34)],
    "wide": [(0.34, 0.24)],
    "any": [(0.36, 0.25), (0.25, 0.36)],
}
"""Half width and half height of the boxes that make up a badge, in cells."""


# --- truth ------------------------------------------------------------------------------------------------------------


def _truth(puzzle: Stitch, answer: Answer, found: Collection[Cell], net: Net, bend: float) -> dict[str, Any]:
    """The label's fields."""
    if bend == 0:
        frame = net.to_px([(0, 0), (puzzle.cols, 0), (puzzle.cols, puzzle.rows), (0, puzzle.rows)])
    else:
        edges = np.vstack([net.to_px(cell_outline(cell)) for cell in puzzle.cells])
        (left, top), (right, bottom) = edges.min(axis=0), edges.max(axis=0)
        frame = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    truth: dict[str, Any] = {"kind": "stitch", **stitch.puzzle_record(puzzle), "corners": frame.round(2).tolist()}
    truth["unique"] = True if puzzle.rows * puzzle.cols <= UNIQUE_UP_TO else None
    truth["filled_clues"] = [list(cell) for cell in sorted(found)]
    truth["solution"] = stitch.answer_record(puzzle, answer)
    if bend:
        truth["bent"] = True
        truth["cell_centers"] = {f"{r},{c}": net.centre((r, c)).round(2).tolist() for r, c in puzzle.cells}
        corners = {
            cell: [(cell[1] + dx, cell[0] + dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))] for cell in puzzle.cells
        }
        truth["mesh"] = {f"{r},{c}": net.to_px(corners[r, c]).round(2).tolist() for r, c in puzzle.cells}
    return truth
