"""Makes classic Queens boards on which some queens stand already, with an answer that completes them."""

from random import Random

from solvers.budget import Budget
from solvers.queens import Answer, Puzzle
from solvers.queens_bits import Lines, placements


def make(rng: Random, n: int, given: int) -> tuple[Puzzle, Answer]:
    """A board of ``n`` x ``n`` squares with ``given`` queens of a full board, and that full board.

    Raises:
        ValueError: no full board of that size exists (2 and 3), or it has not so many queens.
    """
    columns = next(placements(Lines(n), (), Budget(), rng), None)
    if columns is None or not 0 <= given <= n:
        raise ValueError(f"there is no full board of {n} x {n} squares with {given} queens on it")
    rows = sorted(rng.sample(range(n), given))
    return Puzzle(n, tuple((r, columns[r]) for r in rows)), Answer(columns)
