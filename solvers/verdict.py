"""How many answers a puzzle has, as far as anybody needs to know: none, one, several, or not found out."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Generic, TypeVar

from solvers.budget import BudgetSpentError

A = TypeVar("A")


class Verdict(Enum):
    """What a search of a puzzle came to."""

    UNIQUE = "one solution"
    SEVERAL = "several solutions"
    NONE = "no solution"
    GAVE_UP = "gave up"
    UNCHECKED = "one of many solutions"


@dataclass(frozen=True)
class Search(Generic[A]):
    """The first answers of a puzzle and what they say.

    Attributes:
        verdict: how many answers there are.
        answers: the answers found, at most as many as were asked for; one may stand here even when the search gave up.
        complete: whether these are all the answers there are.
        note: why the search gave up, else empty.
    """

    verdict: Verdict
    answers: tuple[A, ...]
    complete: bool = False
    note: str = ""


def search(found: Iterable[A], at_most: int = 2) -> Search[A]:
    """Take at most ``at_most`` answers and say what they mean.

    With ``at_most=1`` the search stops at the first answer and the verdict is UNCHECKED. A search whose budget runs out
    has given up, unless two answers had been found by then: there are several, whatever else there is.
    """
    answers: list[A] = []
    complete, note = False, ""
    try:
        # One by one, so that an answer found before the budget ran out is not lost.
        for answer in islice(found, at_most):
            answers.append(answer)  # noqa: PERF402
        complete = len(answers) < at_most
    except BudgetSpentError as spent:
        note = str(spent)
    return Search(_verdict(len(answers), complete, at_most), tuple(answers), complete, note)


def _verdict(found: int, complete: bool, at_most: int) -> Verdict:
    if found > 1:
        return Verdict.SEVERAL
    if complete:
        return Verdict.UNIQUE if found else Verdict.NONE
    return Verdict.UNCHECKED if found == at_most else Verdict.GAVE_UP
