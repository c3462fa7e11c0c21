"""Steps on Stitch boards: each places a patch.

Rules, easiest first: only one place is left for a clue; only one clue reaches a cell; a clue covers a cell wherever its
patch lies; a patch would leave a clue or a cell without a place. These four are enough for nearly every published
board.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from operator import or_

from solvers.blocks import partitions
from solvers.board import Cell
from solvers.budget import Budget
from solvers.marks import Fill, Ink
from solvers.message import Message, listed
from solvers.steps.reasoning import Clause, Cover, Item, explained_steps
from solvers.steps.step import CHOICE, TRYING, Placed, Standing, Step, spot
from solvers.stitch import UNKNOWN, Answer, Patch, Stitch, layout

RULES = (
    "only one place left for this clue",
    "only this clue reaches the cell",
    "this clue covers the cell wherever it lies",
    "this rectangle would leave a clue or a cell without a place",
    TRYING,
    CHOICE,
)
PLACE, REACHES, COVERS, LEAVES = range(4)


def begun(puzzle: Stitch) -> tuple[Stitch, Standing]:
    """Patches are no part of a Stitch puzzle: nothing stands on it."""
    return puzzle, ()


def placings(puzzle: Stitch, answer: Answer) -> Standing:
    """The cells of each patch."""
    return tuple(Placed(tuple(sorted(patch.block.cells))) for patch in answer)


def completions(puzzle: Stitch, standing: Collection[Placed], budget: Budget) -> Iterator[Answer]:
    """All answers that hold these patches."""
    candidates = _fixed(puzzle, standing)
    for masks in partitions(candidates, puzzle.board.everything, budget) if candidates else ():
        yield tuple(Patch(cell, puzzle.board.block(m)) for cell, m in zip(puzzle.clue_cells, masks, strict=True))


def _fixed(puzzle: Stitch, standing: Collection[Placed]) -> list[list[int]]:
    """The masks of each clue's rectangles, those of the clues in standing patches these alone; empty where a patch
    cannot stand.
    """
    candidates = puzzle.board.candidates({cell: puzzle.want(cell) for cell in puzzle.clue_cells})
    index = {cell: k for k, cell in enumerate(puzzle.clue_cells)}
    taken = 0
    for placed in standing:
        mask = reduce(or_, map(puzzle.board.mask, placed.cells), 0)
        clues = [index[cell] for cell in placed.cells if cell in index]
        if len(clues) != 1 or mask not in candidates[clues[0]] or mask & taken:
            return []
        candidates[clues[0]] = [mask]
        taken |= mask
    return candidates


class _Words:
    """Deductions on a Stitch board in words. An item is ``("clue", cell)`` or a cell."""

    rules = 4

    def __init__(self, puzzle: Stitch, patches: Sequence[tuple[Cell, tuple[Cell, ...]]]) -> None:
        self.puzzle, self.patches = puzzle, patches

    def item(self, item: Item) -> Clause:
        cell = _cell(item)
        return (self._clue(cell) if _is_clue(item) else spot(cell)), (cell,)

    def option(self, option: int) -> str:
        return _box(self.patches[option][1])

    def last(self, item: Item) -> int:
        return PLACE if _is_clue(item) else REACHES

    def sharing(self, item: Item, other: Item) -> int | None:
        if _is_clue(item) == _is_clue(other):
            return None
        return COVERS if _is_clue(item) else REACHES

    def clashing(self, item: Item) -> int:
        return LEAVES

    def subset(self, count: int) -> int:
        return LEAVES

    def say_last(self, item: Item, option: int) -> Clause:
        clue, cells = self.patches[option]
        if _is_clue(item):
            left = "only one place is left for {what}: {where}"
            return Message(left, what=self._clue(clue), where=_box(cells)), (clue,)
        cell, what = _cell(item), self._clue(clue)
        only = Message("only {what} reaches {cell}, and only as {box}", what=what, cell=spot(cell), box=_box(cells))
        return only, (clue, cell)

    def say_sharing(self, item: Item, other: Item) -> Clause:
        clue, cell = _cell(item if _is_clue(item) else other), _cell(other if _is_clue(item) else item)
        if _is_clue(item):
            covers = "{what} covers {cell} wherever it lies"
            return Message(covers, what=self._clue(clue), cell=spot(cell)), (clue, cell)
        return Message("only {what} reaches {cell}", what=self._clue(clue), cell=spot(cell)), (clue, cell)

    def say_clashing(self, item: Item, options: Sequence[int]) -> Clause:
        name, cells = self.item(item)
        left = Message("{what} without a place" if _is_clue(item) else "{what} uncovered", what=name)
        owners = dict.fromkeys(self.patches[option][0] for option in options)
        clues = tuple(owners)
        if len(options) == 1:
            what = Message("{what} on {where}", what=self._clue(clues[0]), where=self.option(options[0]))
        else:
            boxes = listed([self.option(option) for option in options], 3)
            whose = listed([self._clue(clue) for clue in clues], 3)
            what = Message("{what} on any of {boxes}", what=whose, boxes=boxes)
        return Message("{what} would leave {left}", what=what, left=left), (*clues, *cells)

    def say_subset(self, items: Sequence[Item], lines: Sequence[Item]) -> Clause:
        raise NotImplementedError  # the cover names no lines

    def _clue(self, cell: Cell) -> str:
        number = self.puzzle.clue(cell)
        if number == UNKNOWN:
            return Message("the clue at {cell}", cell=spot(cell))
        return Message("the {number} at {cell}", number=number, cell=spot(cell))


def _is_clue(item: Item) -> bool:
    return isinstance(item, tuple) and item[0] == "clue"


def _cell(item: Item) -> Cell:
    assert isinstance(item, tuple)
    cell: Cell = item[1] if item[0] == "clue" else item
    return cell


def _box(cells: Sequence[Cell]) -> str:
    """``r1c2-r3c4``, from the first cell to the last."""
    return spot(cells[0]) if len(cells) == 1 else f"{spot(cells[0])}-{spot(cells[-1])}"


def steps(puzzle: Stitch, standing: Collection[Placed], budget: Budget) -> Iterator[Step]:
    """One patch after the other; see :class:`solvers.steps.step.Guide`.

    Raises:
        BudgetSpentError: from the iterator, when the budget is used up.
    """
    candidates = puzzle.board.candidates({cell: puzzle.want(cell) for cell in puzzle.clue_cells})
    if not candidates or not all(candidates) or not _fixed(puzzle, standing):
        return
    found = zip(puzzle.clue_cells, candidates, strict=True)
    patches = [(clue, tuple(sorted(puzzle.board.block(mask).cells))) for clue, masks in found for mask in masks]
    cover = Cover(
        [*(("clue", cell) for cell in puzzle.clue_cells), *puzzle.cells],
        [(("clue", clue), *cells) for clue, cells in patches],
    )

    def complete(lying: Collection[Placed]) -> Iterator[Standing]:
        return (placings(puzzle, answer) for answer in completions(puzzle, lying, budget))

    placed = [Placed(cells) for _, cells in patches]
    tones = _Tones(puzzle)
    for step in explained_steps(cover, placed, _Words(puzzle, patches), standing, complete, budget=budget):
        clue, cells = patches[step.option]
        mark = Fill(cells, Ink(tone=tones.of(cells), like=clue))
        yield Step(placed[step.option], (mark,), step.cells, RULES[step.rule], step.because)


class _Tones:
    """Tones in which patches that touch differ, as far as they are known."""

    def __init__(self, puzzle: Stitch) -> None:
        self.neighbours = layout(puzzle).neighbours
        self.tones: dict[Cell, int] = {}

    def of(self, cells: Sequence[Cell]) -> int:
        """The first tone that no patch beside these cells has."""
        beside = {self.tones.get(other) for cell in cells for other in self.neighbours[cell] if other is not None}
        tone = next(tone for tone in range(len(beside) + 1) if tone not in beside)
        self.tones.update(dict.fromkeys(cells, tone))
        return tone
