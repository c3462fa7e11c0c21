"""What a search says of the number of answers."""

from collections.abc import Iterator

import pytest

from solvers.budget import BudgetSpentError
from solvers.verdict import Verdict, search


def found(answers: int, endless: bool = False) -> Iterator[int]:
    yield from range(answers)
    if endless:
        raise BudgetSpentError("time is up")


@pytest.mark.parametrize(
    ("answers", "endless", "at_most", "verdict", "complete"),
    [
        (0, False, 2, Verdict.NONE, True),
        (1, False, 2, Verdict.UNIQUE, True),
        (2, False, 2, Verdict.SEVERAL, False),
        (2, False, 9, Verdict.SEVERAL, True),
        (1, False, 1, Verdict.UNCHECKED, False),
        (0, True, 2, Verdict.GAVE_UP, False),
        (1, True, 2, Verdict.GAVE_UP, False),
        (3, True, 9, Verdict.SEVERAL, False),
    ],
)
def test_verdicts(answers: int, endless: bool, at_most: int, verdict: Verdict, complete: bool) -> None:
    result = search(found(answers, endless), at_most)
    assert result.verdict is verdict
    assert result.complete is complete
    assert result.answers == tuple(range(min(answers, at_most)))
    assert bool(result.note) == (endless and answers < at_most)
