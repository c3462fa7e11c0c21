"""A step towards the answer with its reason, and the interface of a kind's steps.

``solvers/steps/<kind>.py`` is the third module of a kind, beside its rules and its reader. What a player has placed is
told in the same way for all kinds: a patch, a piece or a queen is :class:`Placed`.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from solvers.board import Cell
from solvers.budget import Budget
from solvers.marks import Mark

P = TypeVar("P")
A = TypeVar("A")

TRYING = "trying"
"""The rule of a step that none of the rules tells: a search has proven it."""

CHOICE = "one of several answers"
"""The rule of a step that is not forced, because the puzzle has more than one answer."""


@dataclass(frozen=True)
class Placed:
    """One thing that stands on a board: a patch, a piece, a queen, the squares of a path.

    Attributes:
        cells: the cells it takes; sorted, but for a path, whose squares stand in its order.
        name: what tells it from others that could take the same cells; empty where nothing could.
    """

    cells: tuple[Cell, ...]
    name: str = ""


Standing = tuple[Placed, ...]
"""What stands on a board, each once."""


@dataclass(frozen=True)
class Step:
    """What comes next and why.

    Attributes:
        placed: what is put onto the board.
        marks: how the step is drawn, with what the reasoning excludes.
        cells: the cells to look at, those of ``placed`` not among them unless the reason names them.
        rule: one of the kind's ``RULES``; the hardest that the step takes.
        because: why, a sentence without full stop; a :class:`solvers.message.Message`, all through.
    """

    placed: Placed
    marks: tuple[Mark, ...]
    cells: tuple[Cell, ...]
    rule: str
    because: str


class Guide(Protocol[P, A]):
    """What ``solvers/steps/<kind>.py`` must offer."""

    @property
    def RULES(self) -> Sequence[str]:  # noqa: N802  (a constant of the module)
        """The rules that a step may name, easiest first, :data:`TRYING` and :data:`CHOICE` among them."""

    def begun(self, puzzle: P) -> tuple[P, Standing]:
        """The puzzle without what a player may have placed, and what that is."""

    def placings(self, puzzle: P, answer: A) -> Standing:
        """All that an answer places."""

    def completions(self, puzzle: P, standing: Collection[Placed], budget: Budget) -> Iterator[A]:
        """All answers that keep what stands, lazily, each once; none when something cannot stand at all.

        Args:
            puzzle: as :meth:`begun` tells it.
            standing: what stands.
            budget: for the search.

        Raises:
            BudgetSpentError: from the iterator, when the budget is used up.
        """

    def steps(self, puzzle: P, standing: Collection[Placed], budget: Budget) -> Iterator[Step]:
        """One step after the other from what stands to an answer, each as easy as can be; none when there is no answer.

        Args:
            puzzle: as :meth:`begun` tells it.
            standing: what stands; all of it has to be part of one answer.
            budget: for reasoning and for the searches where no rule tells.

        Raises:
            BudgetSpentError: from the iterator, when the budget is used up.
        """


def spot(cell: Cell) -> str:
    """A cell as people name it, counted from 1: ``r3c4``."""
    return f"r{cell[0] + 1}c{cell[1] + 1}"
