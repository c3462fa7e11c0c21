"""Stitch, known as Shikaku: cut the board into rectangles, one clue in each, its number the rectangle's area.

The daily board of the Stitch app is a plain grid. Its hoop boards are patches of embroidery with bent cells, any
outline and holes; LinkedIn's Patches adds clues that give a shape (square, tall, wide) and perhaps no number. All are
the same puzzle on a mesh of four-sided cells: a rectangle is a block found by walking right and down from cell to cell.

As text, a row of the board is a line of words: ``.`` an empty cell, ``#`` a hole, ``6`` a clue; a letter after the
number tells the shape (``6s`` square, ``6t`` tall, ``6w`` wide, ``6a`` any), ``?`` stands for an unknown number
(``?``, ``?w``). Lines such as ``1,2 right 4,0`` or ``1,2 right -`` after the rows tell where the mesh is not a grid:
what lies across a side of a cell. ``/`` may stand for the end of a line. ::

    4 . 2
    . . .
    . 3 .
"""

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, reduce
from itertools import combinations, product
from operator import and_, or_
from typing import NamedTuple

from solvers.blocks import MOST_KNOWN, Block, Grid, Mesh, Want, partitions, shape_of
from solvers.board import Cell, Layout, grid_layout, linked
from solvers.budget import Budget
from solvers.kind import Choices, Frame, Record
from solvers.marks import Fill, Ink, Mark, Text
from solvers.message import Message, counted, square
from solvers.rehearsal import rehearse_cover
from solvers.tones import tones

UNKNOWN = -1
"""The clue of a cell that names a rectangle without giving its area."""

SHAPES = ("square", "tall", "wide", "any")
"""What a clue may say of its rectangle: as high as wide, higher than wide, wider than high, or nothing."""

SIDES = ("top", "right", "bottom", "left")
"""The words for the sides of a cell, in the order of :class:`solvers.board.Layout`."""

Link = tuple[Cell, int, Cell | None]
"""Across this side of this cell lies that cell, or nothing."""


@dataclass(frozen=True)
class Stitch:
    """A board with its clues.

    Attributes:
        clues: rows of cells; a positive number is the area of its rectangle, :data:`UNKNOWN` a clue without number,
            0 an empty cell, None no cell at all (a hole, or outside of an irregular outline).
        shapes: for clue cells, one of :data:`SHAPES`; a clue that is not named here may have any.
        links: where the mesh differs from a grid. A link is told once for each of the two cells that it concerns.
    """

    clues: tuple[tuple[int | None, ...], ...]
    shapes: Mapping[Cell, str] = field(default_factory=dict, hash=False)
    links: tuple[Link, ...] = ()

    @property
    def rows(self) -> int:
        """Height of the smallest box round the board, in cells."""
        return len(self.clues)

    @property
    def cols(self) -> int:
        """Width of the smallest box round the board, in cells."""
        return len(self.clues[0]) if self.clues else 0

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the board, row by row."""
        return tuple((r, c) for r, row in enumerate(self.clues) for c, clue in enumerate(row) if clue is not None)

    @cached_property
    def clue_cells(self) -> tuple[Cell, ...]:
        """The cells that carry a clue, row by row."""
        return tuple((r, c) for r, row in enumerate(self.clues) for c, clue in enumerate(row) if clue)

    def clue(self, cell: Cell) -> int | None:
        """What stands on a cell."""
        return self.clues[cell[0]][cell[1]]

    def want(self, cell: Cell) -> Want:
        """What the clue on a cell asks of its rectangle."""
        return _want(self.clues[cell[0]][cell[1]], self.shapes.get(cell, "any"))

    @cached_property
    def board(self) -> Grid | Mesh:
        """Where blocks are found."""
        return _board(self.rows, self.cols, self.cells, self.links)


@lru_cache(maxsize=MOST_KNOWN)
def _board(rows: int, cols: int, cells: tuple[Cell, ...], links: tuple[Link, ...]) -> Grid | Mesh:
    """One for all puzzles on the same cells: a reader tries many clues on one board."""
    return Mesh(_layout(rows, cols, cells, links).neighbours) if links else Grid(rows, cols, cells)


@cache
def _want(number: int | None, shape: str) -> Want:
    return Want(None if number is None or number == UNKNOWN else frozenset((number,)), shape)


class Patch(NamedTuple):
    """One rectangle of an answer and the cell of the clue that it belongs to."""

    clue: Cell
    block: Block


Answer = tuple[Patch, ...]
"""One patch for each clue, in the order of :attr:`Stitch.clue_cells`."""


# --- as text ---------------------------------------------------------------------------------------------------------

_WORD = re.compile(r"(?P<number>\d+|\?)(?P<shape>[stwa]?)")
_LINK = re.compile(r"(\d+),(\d+) (top|right|bottom|left) (?:(\d+),(\d+)|-)")


def parse(text: str) -> Stitch:
    """The puzzle that ``text`` tells; the inverse of :func:`write`.

    Raises:
        ValueError: a word or a line is not understood, or the rows differ in length.
    """
    lines = [" ".join(line.split()) for line in text.replace("/", "\n").splitlines() if line.strip()]
    links = tuple(_parse_link(line) for line in lines if "," in line)
    shapes: dict[Cell, str] = {}
    clues: list[tuple[int | None, ...]] = []
    for r, line in enumerate(line for line in lines if "," not in line):
        row: list[int | None] = []
        for c, word in enumerate(line.split()):
            number, shape = _parse_word(word, f"row {r + 1}, column {c + 1}")
            row.append(number)
            if shape:
                shapes[r, c] = shape
        clues.append(tuple(row))
    if not clues:
        raise ValueError("no board there: write its rows, such as '4 . / . .'")
    for r, cells in enumerate(clues):
        if len(cells) != len(clues[0]):
            raise ValueError(f"row {r + 1} has {len(cells)} cells, the first row has {len(clues[0])}")
    puzzle = Stitch(tuple(clues), shapes, links)
    stray = [cell for a, _, b in links for cell in (a, b) if cell is not None and cell not in set(puzzle.cells)]
    if stray:
        raise ValueError(f"a link names {stray[0][0]},{stray[0][1]}, where the board has no cell")
    return puzzle


def _parse_word(word: str, place: str) -> tuple[int | None, str | None]:
    """The clue and the shape that a word tells."""
    if word in (".", "#"):
        return (0 if word == "." else None), None
    match = _WORD.fullmatch(word)
    if match is None or match["number"].strip("0") == "":
        raise ValueError(f"{word!r} at {place} is neither '.', '#', nor a clue such as 6, 6t or ?w")
    number = UNKNOWN if match["number"] == "?" else int(match["number"])
    return number, next((shape for shape in SHAPES if shape[0] == match["shape"]), None)


def _parse_link(line: str) -> Link:
    """The link that a line tells."""
    match = _LINK.fullmatch(line)
    if match is None:
        raise ValueError(f"{line!r} is not a link such as '1,2 right 4,0' or '1,2 right -'")
    row, col, side, other_row, other_col = match.groups()
    other = None if other_row is None else (int(other_row), int(other_col))
    return (int(row), int(col)), SIDES.index(side), other


def write(puzzle: Stitch) -> str:
    """The puzzle as text."""
    lines = [" ".join(word(puzzle, (r, c)) or "." for c in range(puzzle.cols)) for r in range(puzzle.rows)]
    for (row, col), side, other in puzzle.links:
        lines.append(f"{row},{col} {SIDES[side]} " + ("-" if other is None else f"{other[0]},{other[1]}"))
    return "\n".join(lines)


def put(puzzle: Stitch, cell: Cell, text: str) -> Stitch:
    """The puzzle with another clue on a cell: ``12``, ``6t``, ``?``, or nothing; see :class:`solvers.kind.Rules`.

    What is no cell may be called ``hole`` once more.
    """
    word = text.strip().lower()
    if cell not in puzzle.cells:
        if word in ("#", "hole"):
            return puzzle
        raise ValueError(Message("there is no cell at {cell}", cell=square(cell)))
    if word in ("#", "hole"):
        raise ValueError(Message("the clues that were read need the cell at {cell}: it is no hole", cell=square(cell)))
    number, shape = (0, None) if word in ("", "0") else _parse_word(word, square(cell))
    if number is None or number > len(puzzle.cells):
        why = "{text!r} cannot stand at {cell}: a clue is from 1 to {most}"
        raise ValueError(Message(why, text=text, cell=square(cell), most=len(puzzle.cells)))
    row, col = cell
    clues = [list(cells) for cells in puzzle.clues]
    clues[row][col] = number
    shapes = {other: named for other, named in puzzle.shapes.items() if other != cell}
    return replace(puzzle, clues=tuple(map(tuple, clues)), shapes=shapes | ({cell: shape} if shape else {}))


def word(puzzle: Stitch, cell: Cell) -> str:
    """The clue of a cell, ``#`` for a hole, or nothing."""
    clue = puzzle.clue(cell)
    if not clue:
        return "#" if clue is None else ""
    return ("?" if clue == UNKNOWN else str(clue)) + puzzle.shapes.get(cell, "")[:1]


def choices(puzzle: Stitch) -> Choices:
    """A number, and where clues name shapes one of these."""
    return Choices(("",), len(puzzle.cells), tuple(shape[0] for shape in SHAPES) if puzzle.shapes else ())


def title(puzzle: Stitch) -> str:
    """Such as ``8 x 14 board, 23 clues``."""
    size, cells, clues = f"{puzzle.rows} x {puzzle.cols}", len(puzzle.cells), len(puzzle.clue_cells)
    board = Message("{size} bent board" if puzzle.links else "{size} board", size=size)
    if cells < puzzle.rows * puzzle.cols:
        board = Message("{board} of {cells} cells", board=board, cells=cells)
    return Message("{board}, {clues}", board=board, clues=counted(clues, "1 clue", "{count} clues"))


def layout(puzzle: Stitch) -> Layout:
    """The cells of the board, as unit squares; links change what lies across their sides."""
    return _layout(puzzle.rows, puzzle.cols, puzzle.cells, puzzle.links)


def _layout(rows: int, cols: int, cells: Sequence[Cell], links: Sequence[Link]) -> Layout:
    return linked(grid_layout(rows, cols, set(product(range(rows), range(cols))).difference(cells)), links)


# --- what is wrong with it -------------------------------------------------------------------------------------------


def faults(puzzle: Stitch) -> list[str]:
    """Everything that is wrong with the clues as such; empty when nothing is."""
    ragged = [r for r, row in enumerate(puzzle.clues) if len(row) != puzzle.cols]
    if ragged:
        why = "row {row} has {cells} cells, the first row has {cols}"
        return [Message(why, row=r + 1, cells=len(puzzle.clues[r]), cols=puzzle.cols) for r in ragged]
    if not puzzle.clue_cells:
        return ["the board has no clues"]
    malformed = [*_bad_clues(puzzle), *_bad_links(puzzle)]
    found = [*malformed, *_bad_sum(puzzle)]
    if malformed:
        return found
    candidates = _candidates(puzzle)
    stuck = [cell for cell, masks in zip(puzzle.clue_cells, candidates, strict=True) if not masks]
    if stuck:
        # The cells that a stuck clue leaves alone are not another fault.
        why = "no rectangle of {size} fits round the clue at {cell}"
        return found + [Message(why, size=_asked(puzzle, cell), cell=square(cell)) for cell in stuck]
    reached = reduce(or_, (mask for masks in candidates for mask in masks), 0)
    return found + [
        Message("no clue's rectangle can reach the cell at {cell}", cell=square(cell))
        for cell in puzzle.cells
        if not puzzle.board.mask(cell) & reached
    ]


def _asked(puzzle: Stitch, cell: Cell) -> str:
    """The area and shape that a clue asks for, in words."""
    clue, shape = puzzle.clue(cell), puzzle.shapes.get(cell, "any")
    size = "any size" if clue is None or clue == UNKNOWN else counted(clue, "1 cell", "{count} cells")
    return size if shape == "any" else Message("{size} and {shape} shape", size=size, shape=shape)


def _bad_clues(puzzle: Stitch) -> Iterator[str]:
    for cell in puzzle.clue_cells:
        clue = puzzle.clue(cell)
        if clue is not None and clue < UNKNOWN:
            yield Message("the clue at {cell} is {clue}; a clue is a positive number", cell=square(cell), clue=clue)
    for cell, shape in puzzle.shapes.items():
        if cell not in puzzle.clue_cells:
            yield Message("a shape is given at {cell}, where no clue stands", cell=square(cell))
        if shape not in SHAPES:
            known = ", ".join(SHAPES)
            yield Message(
                "the shape at {cell} is {shape!r}; known are {known}", cell=square(cell), shape=shape, known=known
            )


def _bad_links(puzzle: Stitch) -> Iterator[str]:
    if not puzzle.links:
        return
    neighbours = layout(puzzle).neighbours
    for cell, across in neighbours.items():
        for other in across:
            if other is not None and cell not in neighbours[other]:
                why = "the mesh leads from {cell} to {other} but not back"
                yield Message(why, cell=square(cell), other=square(other))


def _bad_sum(puzzle: Stitch) -> Iterator[str]:
    total, unknown, size = clue_sum(puzzle)
    if not unknown and total != size:
        yield Message("the clues add up to {total}, but the board has {size} cells", total=total, size=size)
    elif unknown and total + unknown > size:
        why = "the numbers add up to {total}, {unknown} more clues need a cell each, and the board has {size} cells"
        yield Message(why, total=total, unknown=unknown, size=size)


# --- solving ---------------------------------------------------------------------------------------------------------


def _candidates(puzzle: Stitch, allowed: Mapping[Cell, Collection[int]] | None = None) -> list[list[int]]:
    """For each clue the masks of the blocks it may have."""
    wants = {cell: puzzle.want(cell) for cell in puzzle.clue_cells}
    for cell, areas in (allowed or {}).items():
        wants[cell] = Want(frozenset(areas), wants[cell].shape)
    return puzzle.board.candidates(wants)


def _answers(puzzle: Stitch, candidates: Sequence[list[int]], budget: Budget) -> Iterator[Answer]:
    board = puzzle.board
    for masks in partitions(candidates, board.everything, budget):
        yield tuple(Patch(cell, board.block(m)) for cell, m in zip(puzzle.clue_cells, masks, strict=True))


def answers(puzzle: Stitch, budget: Budget) -> Iterator[Answer]:
    """All answers, lazily, each once.

    Raises:
        BudgetSpentError: from the iterator, when the budget is used up.
    """
    return _answers(puzzle, _candidates(puzzle), budget)


def explain(puzzle: Stitch, budget: Budget) -> list[str]:
    """Two clues that cannot do without the same cell, whichever rectangles they get: nobody can have both."""
    needed = [(cell, reduce(and_, masks)) for cell, masks in zip(puzzle.clue_cells, _candidates(puzzle), strict=True)]
    budget.spend(len(needed))
    found: list[str] = []
    for (one, mine), (other, theirs) in combinations(needed, 2):
        if mine & theirs:
            shared = next(cell for cell in puzzle.cells if puzzle.board.mask(cell) & mine & theirs)
            why = "the clues at {one} and {other} both need the cell at {shared}, whichever rectangles they get"
            found.append(Message(why, one=square(one), other=square(other), shared=square(shared)))
    return found


def answers_among(puzzle: Stitch, allowed: Mapping[Cell, Collection[int]], budget: Budget) -> Iterator[Answer]:
    """All answers when the clues at some cells may have any of several areas.

    For a reader who is not sure of every clue: one search over all readings at once. Which number each clue must have
    is what :func:`numbers` says of an answer.

    Args:
        allowed: for doubtful clue cells, the areas to be considered; other clues keep their own number.
    """
    return _answers(puzzle, _candidates(puzzle, allowed), budget)


def spare_blocks(puzzle: Stitch, budget: Budget) -> Iterator[Block]:
    """For each answer with one rectangle more than there are clues, that rectangle: in it a clue is missing.

    Each rectangle once, lazily; none where the clues do not leave cells over, or one has no number.
    """
    total, unknown, size = clue_sum(puzzle)
    if unknown or total >= size:
        return
    candidates = _candidates(puzzle)
    for mask in puzzle.board.spare(size - total, puzzle.clue_cells):
        left = [[own for own in masks if not own & mask] for masks in candidates]
        if next(partitions([*left, [mask]], puzzle.board.everything, budget), None) is not None:
            yield puzzle.board.block(mask)


def numbers(answer: Answer) -> dict[Cell, int]:
    """The area that each clue has in an answer."""
    return {patch.clue: len(patch.block.cells) for patch in answer}


def clue_sum(puzzle: Stitch) -> tuple[int, int, int]:
    """The sum of the known clues, how many clues are without number, and how many cells the board has."""
    values = [clue for row in puzzle.clues for clue in row if clue]
    known = [value for value in values if value != UNKNOWN]
    return sum(known), len(values) - len(known), len(puzzle.cells)


def areas_possible(puzzle: Stitch, cells: Iterable[Cell] | None = None) -> dict[Cell, frozenset[int]]:
    """For each clue cell, or each of those asked for, the areas that some rectangle round it has which holds no other
    clue.

    This depends on where clues stand and on their shapes, not on the numbers read: a number that is not in the set was
    misread, or a clue elsewhere was.
    """
    any_area = {cell: Want(None, puzzle.want(cell).shape) for cell in puzzle.clue_cells}
    asked = list(any_area if cells is None else cells)
    blocks = zip(asked, puzzle.board.candidates(any_area, asked), strict=True)
    return {cell: frozenset(mask.bit_count() for mask in masks) for cell, masks in blocks}


def certain(puzzle: Stitch, budget: Budget) -> dict[Cell, Cell]:
    """The cells that belong to the same clue in every answer, each with that clue; empty when there is no answer.

    Each cell of a first answer is put to the question: is there an answer in which another clue has it? Every answer
    found on the way settles many cells at once.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    candidates = _candidates(puzzle)
    first = next(partitions(candidates, puzzle.board.everything, budget), None)
    if first is None:
        return {}
    # For each clue, the cells it has in all answers so far, and those of them that are proven.
    shared, proven = list(first), [0] * len(first)
    for clue in range(len(shared)):
        while doubtful := shared[clue] & ~proven[clue]:
            cell = doubtful & -doubtful
            elsewhere = [*candidates]
            elsewhere[clue] = [mask for mask in candidates[clue] if not mask & cell]
            other = next(partitions(elsewhere, puzzle.board.everything, budget), None)
            if other is None:
                proven[clue] |= cell
            else:
                shared = [mine & theirs for mine, theirs in zip(shared, other, strict=True)]
    return {
        cell: owner
        for owner, mask in zip(puzzle.clue_cells, shared, strict=True)
        for cell in puzzle.cells
        if puzzle.board.mask(cell) & mask
    }


# --- judging and showing an answer -----------------------------------------------------------------------------------


def holds(puzzle: Stitch, answer: Answer) -> bool:
    """Whether the patches cover the board, without overlap, each a rectangle with its clue alone in it."""
    covered = [cell for patch in answer for cell in patch.block.cells]
    if sorted(covered) != list(puzzle.cells) or sorted(p.clue for p in answer) != list(puzzle.clue_cells):
        return False
    neighbours = layout(puzzle).neighbours
    return all(_patch_holds(puzzle, patch, neighbours) for patch in answer)


def _patch_holds(puzzle: Stitch, patch: Patch, neighbours: Mapping[Cell, tuple[Cell | None, ...]]) -> bool:
    block, clue = patch.block, puzzle.clue(patch.clue)
    if [cell for cell in block.cells if puzzle.clue(cell)] != [patch.clue]:
        return False
    if len(block.cells) != block.height * block.width or clue not in (UNKNOWN, len(block.cells)):
        return False
    if puzzle.shapes.get(patch.clue, "any") not in ("any", shape_of(block.height, block.width)):
        return False
    return all(_straight(block, i, neighbours) for i in range(len(block.cells)))


def _straight(block: Block, index: int, neighbours: Mapping[Cell, tuple[Cell | None, ...]]) -> bool:
    """Whether the cell's neighbours within the block lie across the right sides, a quarter turn apart."""
    row, col = divmod(index, block.width)
    across = neighbours[block.cells[index]]
    turns = set()
    for quarter, (r, c) in enumerate(((row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1))):
        if 0 <= r < block.height and 0 <= c < block.width:
            other = block.cells[r * block.width + c]
            if other not in across:
                return False
            turns.add((across.index(other) - quarter) % 4)
    return len(turns) <= 1


def contents(puzzle: Stitch, answer: Answer) -> Mapping[Cell, Hashable]:
    """For each cell the clue that its rectangle belongs to."""
    return {cell: patch.clue for patch in answer for cell in patch.block.cells}


def marks(puzzle: Stitch, answer: Answer) -> Sequence[Fill]:
    """Each rectangle filled in its clue's colour; rectangles that touch get different tones."""
    palette = tones([patch.block.cells for patch in answer], layout(puzzle).neighbours)
    return [
        Fill(patch.block.cells, Ink(tone=tone, like=patch.clue)) for patch, tone in zip(answer, palette, strict=True)
    ]


def given(puzzle: Stitch) -> Sequence[Text]:
    """The clues."""
    return [Text(cell, word(puzzle, cell)) for cell in puzzle.clue_cells]


def rehearse(puzzle: Stitch, budget: Budget, show: Callable[[Frame], None]) -> None:
    """Search for the first answer without looking ahead and show every step, in the colours of the answer.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    answer = next(answers(puzzle, budget), ())
    inks = dict(zip(puzzle.clue_cells, (mark.ink for mark in marks(puzzle, answer)), strict=False))
    patches = [
        Patch(cell, puzzle.board.block(mask))
        for cell, masks in zip(puzzle.clue_cells, _candidates(puzzle), strict=True)
        for mask in masks
    ]
    items = [*(("clue", cell) for cell in puzzle.clue_cells), *puzzle.cells]
    options = [(("clue", patch.clue), *patch.block.cells) for patch in patches]

    def laid(chosen: tuple[int, ...]) -> Sequence[Mark]:
        return [Fill(patches[i].block.cells, inks.get(patches[i].clue, Ink())) for i in chosen]

    rehearse_cover(items, options, budget, show, laid)


def puzzle_record(puzzle: Stitch) -> Record:
    """``rows``, ``cols``, ``clues`` and, where any are given, ``shapes``."""
    record: Record = {"rows": puzzle.rows, "cols": puzzle.cols, "clues": [list(row) for row in puzzle.clues]}
    if puzzle.shapes or any(puzzle.clue(cell) == UNKNOWN for cell in puzzle.clue_cells):
        record["shapes"] = {f"{r},{c}": puzzle.shapes.get((r, c), "any") for r, c in puzzle.clue_cells}
    return record


def answer_record(puzzle: Stitch, answer: Answer) -> Record:
    """``rectangles``; on a bent board each also names its ``cells``."""
    rectangles = []
    for patch in answer:
        cells = patch.block.cells
        rectangle: Record = {
            "clue": list(patch.clue),
            "top": min(row for row, _ in cells),
            "left": min(col for _, col in cells),
            "height": patch.block.height,
            "width": patch.block.width,
        }
        if puzzle.links:
            rectangle["cells"] = [list(cell) for cell in cells]
        rectangles.append(rectangle)
    return {"rectangles": rectangles}
