"""Steps on boards of queens, classic or with coloured regions: each places a queen.

Rules, easiest first: a region's, row's or column's last square; a region inside one row or column takes it; a queen
who would leave a region, a row or a column without a square; several regions inside as many rows or columns take them.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from solvers.board import Cell
from solvers.budget import Budget
from solvers.marks import Ink, Mark, Piece, Text
from solvers.message import Message, listed
from solvers.queens import CROWN, Answer, Puzzle, answers
from solvers.steps.reasoning import Clause, Cover, Item, explained_steps
from solvers.steps.step import CHOICE, TRYING, Placed, Standing, Step, spot

RULES = (
    "a region's last square",
    "a row's or column's last square",
    "a region inside one row or column takes it",
    "a queen here would empty a region, a row or a column",
    "regions inside as many rows or columns take them",
    TRYING,
    CHOICE,
)
REGION, LINE, INSIDE, EMPTIES, TOGETHER = range(5)

CROSS = Ink(rgb=(190, 30, 45))
CROSS_SIZE = 0.4
"""Height of the crosses on squares that are excluded, of a square's side."""


def begun(puzzle: Puzzle) -> tuple[Puzzle, Standing]:
    """The empty board, and the queens that stand on it."""
    return replace(puzzle, queens=()), tuple(Placed((cell,)) for cell in puzzle.queens)


def placings(puzzle: Puzzle, answer: Answer) -> Standing:
    """The square of each queen."""
    return tuple(Placed((cell,)) for cell in answer.cells())


def completions(puzzle: Puzzle, standing: Collection[Placed], budget: Budget) -> Iterator[Answer]:
    """All full boards on which these queens stand."""
    queens = tuple(sorted(cell for placed in standing for cell in placed.cells))
    return answers(replace(puzzle, queens=queens), budget)


class _Words:
    """Deductions about queens in words. An item is ``("row", 0)``, ``("column", 0)`` or ``("region", 0)``."""

    rules = 5

    def __init__(self, puzzle: Puzzle, squares: Sequence[Cell]) -> None:
        self.puzzle, self.squares = puzzle, squares

    @cached_property
    def cells(self) -> dict[Item, tuple[Cell, ...]]:
        """The squares of each row, column and region."""
        found: dict[Item, list[Cell]] = {}
        for cell in self.squares:
            for item in _lines(self.puzzle, cell):
                found.setdefault(item, []).append(cell)
        return {item: tuple(cells) for item, cells in found.items()}

    def item(self, item: Item) -> Clause:
        assert isinstance(item, tuple)
        side, number = item
        cells = self.cells[item]
        if side == "region":
            return Message("the region of {cell}", cell=spot(cells[0])), cells
        return Message("row {number}" if side == "row" else "column {number}", number=number + 1), cells

    def option(self, option: int) -> str:
        return spot(self.squares[option])

    def last(self, item: Item) -> int:
        return REGION if _is_region(item) else LINE

    def sharing(self, item: Item, other: Item) -> int | None:
        return INSIDE if other in self.cells and _is_region(item) != _is_region(other) else None

    def clashing(self, item: Item) -> int:
        return EMPTIES

    def subset(self, count: int) -> int:
        return TOGETHER

    def say_last(self, item: Item, option: int) -> Clause:
        name, cells = self.item(item)
        left = "{line} has one square left for its queen: {cell}"
        return Message(left, line=name, cell=self.option(option)), cells

    def say_sharing(self, item: Item, other: Item) -> Clause:
        (inner, cells), (outer, _) = self.item(item), self.item(other)
        inside = "what is left of {inner} lies inside {outer}, which takes its queen"
        return Message(inside, inner=inner, outer=outer), cells

    def say_clashing(self, item: Item, options: Sequence[int]) -> Clause:
        name, cells = self.item(item)
        squares = listed([self.option(option) for option in options])
        leaves = "a queen on {squares} would leave {line} without a square"
        return Message(leaves, squares=squares, line=name), cells

    def say_subset(self, items: Sequence[Item], lines: Sequence[Item]) -> Clause:
        inner, outer = [self.item(item) for item in items], [self.item(line)[0] for line in lines]
        cells = tuple(cell for _, cells in inner for cell in cells)
        names = listed([name for name, _ in inner], 6)
        return Message("{inner} lie inside {outer} and take them", inner=names, outer=listed(outer, 6)), cells


def _is_region(item: Item) -> bool:
    return isinstance(item, tuple) and item[0] == "region"


def _lines(puzzle: Puzzle, cell: Cell) -> list[Item]:
    """The row, the column and the region of a square."""
    r, c = cell
    found: list[Item] = [("row", r), ("column", c)]
    return [*found, ("region", puzzle.regions[r][c])] if puzzle.regions is not None else found


def _further(puzzle: Puzzle, cell: Cell) -> list[Item]:
    """What else only one queen may stand on: the diagonals, or the blocks of 2 x 2."""
    r, c = cell
    if puzzle.regions is None:
        return [("rising", r + c), ("falling", r - c)]
    return [("block", (r - i, c - j)) for i in (0, 1) for j in (0, 1)]


def steps(puzzle: Puzzle, standing: Collection[Placed], budget: Budget) -> Iterator[Step]:
    """One queen after the other; see :class:`solvers.steps.step.Guide`.

    Raises:
        BudgetSpentError: from the iterator, when the budget is used up.
    """
    if next(completions(puzzle, standing, budget), None) is None:
        return
    squares: list[Cell] = [(r, c) for r in range(puzzle.n) for c in range(puzzle.n)]
    words = _Words(puzzle, squares)
    rows, columns, regions = (
        [item for item in words.cells if isinstance(item, tuple) and item[0] == side]
        for side in ("row", "column", "region")
    )
    pairs = [(regions, rows), (regions, columns), (rows, regions), (columns, regions)] if regions else []
    cover = Cover(
        [*regions, *rows, *columns],
        [(*_lines(puzzle, cell), *_further(puzzle, cell)) for cell in squares],
        lines=pairs,
    )

    def complete(lying: Collection[Placed]) -> Iterator[Standing]:
        return (placings(puzzle, answer) for answer in completions(puzzle, lying, budget))

    placed = [Placed((cell,)) for cell in squares]
    for step in explained_steps(cover, placed, words, standing, complete, budget=budget):
        crosses: list[Mark] = [Text(squares[option], "x", CROSS, CROSS_SIZE) for option in step.excluded]
        queen = Piece(squares[step.option], "queen", CROWN)
        yield Step(placed[step.option], (*crosses, queen), step.cells, RULES[step.rule], step.because)
