"""The interface of a puzzle kind's rules: a module with these functions is a kind.

``solvers/<kind>.py`` is the plug-in; the protocol lets the type checkers name what is missing or wrong. ``P`` is the
kind's puzzle, ``A`` its answer, both frozen dataclasses. Uniqueness needs no code in a kind: whoever wants to know
takes at most two answers.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from solvers.board import Cell, Layout
from solvers.budget import Budget
from solvers.marks import Mark

P = TypeVar("P")
A = TypeVar("A")

Record = dict[str, Any]
"""A JSON object."""

Frame = Callable[[], Sequence[Mark]]
"""Draws up the marks of a step of a search when they are wanted: most steps are never looked at."""


@dataclass(frozen=True)
class Choices:
    """What may stand on a cell, for whoever lets people choose.

    Attributes:
        words: words that :meth:`Rules.put` takes, each a choice by itself; empty for nothing.
        most: the largest number that may stand there; 0 where no numbers do.
        shapes: letters of which one may follow a number, or ``?`` in its place.
        parts: how many numbers with commas between tell what stands there, where it takes more than one.
    """

    words: tuple[str, ...]
    most: int = 0
    shapes: tuple[str, ...] = ()
    parts: int = 1


class Rules(Protocol[P, A]):
    """What ``solvers/<kind>.py`` must offer."""

    def parse(self, text: str) -> P:
        """The puzzle that ``text`` tells; the inverse of :meth:`write`. Raises ValueError with a sentence."""

    def write(self, puzzle: P) -> str:
        """The puzzle as a short text: ``parse(write(p)) == p``."""

    def put(self, puzzle: P, cell: Cell, text: str) -> P:
        """The puzzle with something else on a cell, in the words of :meth:`write`; empty text takes away what stands.

        Raises:
            ValueError: with a sentence that says what may stand there, or that there is no such cell.
        """

    def word(self, puzzle: P, cell: Cell) -> str:
        """What stands on a cell, as :meth:`put` takes it; empty for nothing."""

    def choices(self, puzzle: P) -> Choices:
        """What :meth:`put` may put onto a cell of the board."""

    def title(self, puzzle: P) -> str:
        """What the board is in a few words for people, such as ``14 x 8 board, 23 clues``."""

    def layout(self, puzzle: P) -> Layout:
        """The cells of the board."""

    def faults(self, puzzle: P) -> list[str]:
        """Everything that is wrong with the puzzle as such, each a clause without full stop; empty when nothing is."""

    def answers(self, puzzle: P, budget: Budget) -> Iterator[A]:
        """All answers, lazily, each once.

        Raises:
            BudgetSpentError: from the iterator, when the budget is used up.
        """

    def explain(self, puzzle: P, budget: Budget) -> list[str]:
        """Why a puzzle without faults has no answer, as far as one place of the board shows it; clauses as above.

        Empty when only the whole search tells, or when there is an answer.

        Raises:
            BudgetSpentError: the budget is used up.
        """

    def holds(self, puzzle: P, answer: A) -> bool:
        """Whether ``answer`` keeps every rule; written independently of :meth:`answers`."""

    def contents(self, puzzle: P, answer: A) -> Mapping[Cell, Hashable]:
        """What the answer puts on each cell, so that two answers can be compared cell by cell."""

    def marks(self, puzzle: P, answer: A) -> Sequence[Mark]:
        """How the answer is drawn."""

    def given(self, puzzle: P) -> Sequence[Mark]:
        """How what stands on the board is told: a text on each cell that carries something, as ``--set`` takes it, and
        a fence round each region where the board is divided into some.
        """

    def rehearse(self, puzzle: P, budget: Budget, show: Callable[[Frame], None]) -> None:
        """Search for the first answer and show every step: what lies on the board after it, dead ends included."""

    def puzzle_record(self, puzzle: P) -> Record:
        """The field ``puzzle`` of the JSON output."""

    def answer_record(self, puzzle: P, answer: A) -> Record:
        """The field ``solution`` of the JSON output."""
