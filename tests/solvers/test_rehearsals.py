"""Every kind can be watched while it searches: the steps are marks on its own board, and they end in the answer."""

from typing import Any

import pytest

from solvepic.registry import KINDS
from solvers.budget import Budget, BudgetSpentError
from solvers.marks import Arrow, Move

BOARDS = {
    "stitch": "4 . . 2\n. . . .\n. . . 2\n. 8 . .",
    "queens": "4/4/4/4",
    "knight": "N4/5/5/5/5",
    "kanoodle": "EEGGGJJJJII/AEEEGC....I/AAA.GC...II/BB...C...../BBB.CC.....",
    "pyramid": "B/BB/BB./HH../HHH../....../......./......../........./..........",
    "triazzle": "halves 0,0,2 11,7,2 0,7,9 4,0,9 1,1,8 9,3,6 8,3,1 7,11,5 6,0,10 6,6,3 1,8,10 5,3,0 11,8,4 4,11,6 "
    "4,5,5 0,0,10 / 1 1 1 2 7 7 10 9 0 1 2 1",
}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_step_marks_cells_of_the_board(kind: Any) -> None:
    puzzle = kind.rules.parse(BOARDS[kind.name])
    cells = set(kind.rules.layout(puzzle).cells)
    steps: list[Any] = []
    kind.rules.rehearse(puzzle, Budget(nodes=400_000), steps.append)
    assert len(steps) > 1
    for step in steps:
        for mark in step():
            assert not isinstance(mark, Arrow)
            named = (
                {mark.source, mark.target} if isinstance(mark, Move) else set(getattr(mark, "cells", ())) or {mark.cell}
            )
            assert named <= cells


def test_a_rehearsal_stops_when_its_budget_is_spent() -> None:
    queens = next(kind for kind in KINDS if kind.name == "queens").rules
    with pytest.raises(BudgetSpentError):
        queens.rehearse(queens.parse("/".join(["24"] * 24)), Budget(nodes=10), lambda step: None)
