"""Steps on trays of balls: each lays a piece.

Rules, easiest first: a pocket that only one piece fills; only one place left for a piece; a pit that only one piece
reaches; a piece that covers a pit wherever it lies; a piece that would leave a pit or another piece without a place.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from solvers.ball_colours import COLOURS
from solvers.ball_trays import EMPTY, LETTERS, Lay, bits, shapes
from solvers.balls import Answer, BallRules, Balls
from solvers.board import Cell
from solvers.budget import Budget
from solvers.marks import Ball, Ink
from solvers.message import Message, listed
from solvers.steps.reasoning import Clause, Cover, Item, explained_steps
from solvers.steps.step import CHOICE, TRYING, Placed, Standing, Step, spot

RULES = (
    "a pocket only one piece fills",
    "only one place left for this piece",
    "a pit only one piece reaches",
    "this piece covers the pit wherever it lies",
    "a piece here would leave a pit or a piece without a place",
    TRYING,
    CHOICE,
)
POCKET, PLACE, REACHES, COVERS, LEAVES = range(5)


class _Words:
    """Deductions about pieces in words. An item is a letter or the number of a pit."""

    rules = 5

    def __init__(self, rules: BallRules, pieces: str, ways: Sequence[Lay]) -> None:
        self.tray, self.ways = rules.tray, ways
        self.sizes = {letter: len(shape) for letter, shape in shapes(pieces).items()}
        self.pits = {index: cell for cell, index in self.tray.index.items()}
        self.pockets: dict[int, int] = {}
        """The number of pits in the pocket of each open pit."""

    def item(self, item: Item) -> Clause:
        return (self._piece(item), ()) if isinstance(item, str) else (spot(self._pit(item)), (self._pit(item),))

    def option(self, option: int) -> str:
        letter, lay = self.ways[option]
        return Message("{what} on {where}", what=self._piece(letter), where=self._where(lay))

    def last(self, item: Item) -> int:
        return PLACE if isinstance(item, str) else REACHES

    def sharing(self, item: Item, other: Item) -> int | None:
        if isinstance(item, str) == isinstance(other, str):
            return None
        return COVERS if isinstance(item, str) else POCKET if self._fills(other, item) else REACHES

    def clashing(self, item: Item) -> int:
        return LEAVES

    def subset(self, count: int) -> int:
        return LEAVES

    def say_last(self, item: Item, option: int) -> Clause:
        letter, lay = self.ways[option]
        if isinstance(item, str):
            left = "only one place is left for {what}: {where}"
            return Message(left, what=self._piece(letter), where=self._where(lay)), ()
        pit, reaches = self._pit(item), "only {what} reaches {cell}, and only on {where}"
        return Message(reaches, what=self._piece(letter), cell=spot(pit), where=self._where(lay)), (pit,)

    def say_sharing(self, item: Item, other: Item) -> Clause:
        if isinstance(item, str):
            pit = self._pit(other)
            covers = "{what} covers {cell} wherever it lies"
            return Message(covers, what=self._piece(item), cell=spot(pit)), (pit,)
        pit, what = self._pit(item), self._piece(other)
        if self._fills(other, item):
            size, fills = self.pockets[self._index(item)], "only {what} fills the pocket of {size} at {cell}"
            return Message(fills, what=what, size=size, cell=spot(pit)), (pit,)
        return Message("only {what} reaches {cell}", what=what, cell=spot(pit)), (pit,)

    def say_clashing(self, item: Item, options: Sequence[int]) -> Clause:
        name, cells = self.item(item)
        left = Message("{what} without a place" if isinstance(item, str) else "{what} unfilled", what=name)
        if len(options) == 1:
            return Message("{what} would leave {left}", what=self.option(options[0]), left=left), cells
        letters = listed(list(dict.fromkeys(self.ways[option][0] for option in options)), 6)
        each = "{count} places of {letters} would each leave {left}"
        return Message(each, count=len(options), letters=letters, left=left), cells

    def say_subset(self, items: Sequence[Item], lines: Sequence[Item]) -> Clause:
        raise NotImplementedError  # the cover names no lines

    @staticmethod
    def _piece(letter: Item) -> str:
        return Message("piece {name}", name=letter)

    def _where(self, lay: int) -> str:
        return listed([spot(cell) for cell in self.tray.cells_in(lay)], 5)

    def _fills(self, letter: Item, pit: Item) -> bool:
        return isinstance(letter, str) and self.pockets.get(self._index(pit)) == self.sizes[letter]

    def _pit(self, item: Item) -> Cell:
        return self.pits[self._index(item)]

    @staticmethod
    def _index(item: Item) -> int:
        assert isinstance(item, int)
        return item


@dataclass(frozen=True)
class BallSteps:
    """The functions of :class:`solvers.steps.step.Guide` for one tray."""

    rules: BallRules

    def begun(self, puzzle: Balls) -> tuple[Balls, Standing]:
        """The tray with its single balls alone, and the pieces that lie in it."""
        bare = tuple("".join(EMPTY if ball in LETTERS else ball for ball in row) for row in puzzle.rows)
        return replace(puzzle, rows=bare), _pieces(puzzle)

    def placings(self, puzzle: Balls, answer: Answer) -> Standing:
        """The cells and the letter of each piece."""
        return _pieces(Balls(answer, puzzle.pieces))

    def completions(self, puzzle: Balls, standing: Collection[Placed], budget: Budget) -> Iterator[Answer]:
        """All answers that keep these pieces where they lie."""
        begun = self._laid(puzzle, standing)
        return iter(()) if begun is None else self.rules.answers(begun, budget)

    def _laid(self, puzzle: Balls, standing: Collection[Placed]) -> Balls | None:
        """The tray with these pieces laid; None where they cannot all lie there."""
        rows = [list(row) for row in puzzle.rows]
        for placed in standing:
            for row, place in placed.cells:
                if rows[row][place] not in (EMPTY, placed.name.lower()):
                    return None
                rows[row][place] = placed.name
        begun = replace(puzzle, rows=tuple("".join(row) for row in rows))
        return None if self.rules.faults(begun) else begun

    def steps(self, puzzle: Balls, standing: Collection[Placed], budget: Budget) -> Iterator[Step]:
        """One piece after the other; see :class:`solvers.steps.step.Guide`.

        Raises:
            BudgetSpentError: from the iterator, when the budget is used up.
        """
        begun = self._laid(puzzle, standing)
        if begun is None:
            return
        letters, free, ways = self.rules.options(begun)
        words = _Words(self.rules, puzzle.pieces, ways)
        cover = Cover([*letters, *bits(free)], [(letter, *bits(lay)) for letter, lay in ways])
        placed = [Placed(tuple(self.rules.tray.cells_in(lay)), letter) for letter, lay in ways]

        def complete(lying: Collection[Placed]) -> Iterator[Standing]:
            return (self.placings(puzzle, answer) for answer in self.completions(puzzle, [*standing, *lying], budget))

        colours, hints = COLOURS[puzzle.pieces], puzzle.cells_of(LETTERS.lower())
        words.pockets = self._pockets(free)
        for step in explained_steps(cover, placed, words, (), complete, budget=budget):
            letter, lay = ways[step.option]
            free &= ~lay
            words.pockets = self._pockets(free)
            hint = hints.get(letter.lower())
            ink = Ink(LETTERS.index(letter), colours[letter], hint[0] if hint else None)
            ball = Ball(placed[step.option].cells, ink, letter)
            yield Step(placed[step.option], (ball,), step.cells, RULES[step.rule], step.because)

    def _pockets(self, free: int) -> dict[int, int]:
        """For each free pit the number of pits that hang together with it."""
        tray, left = self.rules.tray, free
        sizes: dict[int, int] = {}
        while left:
            pocket, grown = 0, left & -left
            while grown != pocket:
                pocket = grown
                grown |= free & (pocket << 1 | pocket >> 1 | pocket << tray.stride | pocket >> tray.stride)
            sizes |= dict.fromkeys(bits(pocket), pocket.bit_count())
            left &= ~pocket
        return sizes


def _pieces(puzzle: Balls) -> Standing:
    return tuple(Placed(tuple(sorted(cells)), letter) for letter, cells in puzzle.cells_of(LETTERS).items())
