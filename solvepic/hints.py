"""``--hint``: one step of an answer, for whoever wants to find the rest alone."""

from collections.abc import Sequence
from dataclasses import replace

from solvers.marks import Mark, Move, Path, Text


def hint(marks: Sequence[Mark]) -> list[Mark]:
    """The first mark that tells something: one patch, one piece, one move, the first step of a path."""
    for mark in marks:
        match mark:
            case Move() if mark.source == mark.target and mark.turn == 0:
                continue
            case Path():
                return [replace(mark, cells=mark.cells[:2], closed=False)]
            case Text():
                continue
            case _:
                return [mark]
    return list(marks[:1])
