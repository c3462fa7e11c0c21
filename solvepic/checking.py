"""Whether what a player has placed can be in the answer, and if not, what cannot."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

from solvepic.registry import Kind
from solvers.budget import Budget, BudgetSpentError
from solvers.marks import Fence, Ink
from solvers.message import Message
from solvers.steps.step import Placed, Standing, Step, spot

MOST_WRONG = 4
"""So many things are taken away together, at most, where a puzzle has several answers."""

MOST_RIVALS = 6
"""Sets that could be meant, of which no more are looked for."""


@dataclass(frozen=True)
class Check:
    """What was found of that which stands on a board.

    Attributes:
        standing: what stands.
        wrong: what cannot be in the answer; the fewest that have to be taken away.
        rivals: other sets of as many, any of which could be meant in place of ``wrong``.
        complete: whether all is placed, and rightly.
        settled: whether this was found out; where it was not, the rest says nothing.
    """

    standing: Standing
    wrong: Standing = ()
    rivals: tuple[Standing, ...] = ()
    complete: bool = False
    settled: bool = True

    @property
    def suspect(self) -> Standing:
        """What is wrong or may be."""
        return tuple(dict.fromkeys(placed for wrong in (self.wrong, *self.rivals) for placed in wrong))

    @property
    def right(self) -> Standing:
        """What stands less what is wrong."""
        return tuple(placed for placed in self.standing if placed not in self.wrong)


def checked(kind: Kind, puzzle: Any, standing: Standing, budget: Budget) -> Check:
    """Check what stands on a board; ``puzzle`` is what was begun with, without it."""
    try:
        return _checked(kind, puzzle, standing, budget)
    except BudgetSpentError:
        return Check(standing, settled=False)


def _checked(kind: Kind, puzzle: Any, standing: Standing, budget: Budget) -> Check:
    guide = kind.guide
    whole = next(guide.completions(puzzle, standing, budget), None)
    if whole is not None:
        return Check(standing, complete=set(guide.placings(puzzle, whole)) == set(standing))
    answers = list(islice(guide.completions(puzzle, (), budget), 2))
    if not answers:
        return Check(standing, settled=False)
    if len(answers) == 1:
        right = set(guide.placings(puzzle, answers[0]))
        return Check(standing, tuple(placed for placed in standing if placed not in right))
    for count in range(1, min(MOST_WRONG, len(standing)) + 1):
        found = list(islice(_wrong(kind, puzzle, standing, count, budget), 1 + MOST_RIVALS))
        if found:
            return Check(standing, found[0], tuple(found[1:]))
    return Check(standing, settled=False)


def _wrong(kind: Kind, puzzle: Any, standing: Standing, count: int, budget: Budget) -> Iterator[Standing]:
    """The sets of so many things without which the rest has an answer."""
    for wrong in combinations(standing, count):
        rest = [placed for placed in standing if placed not in wrong]
        if next(kind.guide.completions(puzzle, rest, budget), None) is not None:
            yield wrong


WRONG_INK = Ink(rgb=(213, 94, 0))

MISPLACED = "it cannot be in the answer"
"""The rule of a step that takes something away."""


def taken_away(check: Check) -> tuple[Step, ...]:
    """What is to be done before anything else: a step for each thing that is wrong."""
    return tuple(
        Step(
            placed,
            (Fence(placed.cells, WRONG_INK, "doubt"),),
            placed.cells,
            MISPLACED,
            Message("{what} cannot be in the answer: take it away", what=described(placed)),
        )
        for placed in check.wrong
    )


def described(placed: Placed) -> str:
    """One thing that stands, in words: its name and its cells."""
    first, last = spot(placed.cells[0]), spot(placed.cells[-1])
    where = first if len(placed.cells) == 1 else f"{first}-{last}"
    return Message("{what} on {where}", what=placed.name, where=where) if placed.name else where
