"""Ball trays with a known answer: fill one at random, then take pieces out again."""

from itertools import islice
from random import Random

from solvers.ball_trays import EMPTY, LETTERS, bits
from solvers.balls import Answer, BallRules, Balls
from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.exact_cover import covers

PATIENCE = 3_000
"""Nodes before a random filling is begun anew: a good start takes far fewer, a bad one may take millions."""

EFFORT = 20_000
"""Nodes for one test of uniqueness."""


def fill(rng: Random, rules: BallRules, pieces: str = "standard") -> Answer:
    """A tray filled at random. Not all fillings are equally likely."""
    empty = Balls(tuple(EMPTY * width for width in rules.tray.widths), pieces)
    letters, free, ways = rules.options(empty)
    while True:
        rng.shuffle(ways)
        items = [*letters, *bits(free)]
        try:
            chosen = next(covers(items, [(letter, *bits(lay)) for letter, lay in ways], (), Budget(nodes=PATIENCE)))
        except BudgetSpentError:
            continue
        return rules.filled(empty, [ways[index] for index in chosen])


def make(
    rng: Random, rules: BallRules, *, pieces: str = "standard", given: int = 6, singles: int = 0, unique: bool = False
) -> tuple[Balls, Answer]:
    """A random puzzle and an answer of it.

    Args:
        rng: the only source of chance.
        rules: those of the tray.
        pieces: the set.
        given: how many pieces lie there in advance, 0 to 12; with ``unique`` the least number, more are left where
            they are needed.
        singles: of how many of the other pieces a single ball is given.
        unique: whether the answer must be the only one (single balls not counted).
    """
    answer = fill(rng, rules, pieces)
    cells = Balls(answer, pieces).cells_of(LETTERS)
    order = rng.sample(LETTERS, len(LETTERS))
    kept = list(order)
    for letter in order:
        if len(kept) <= given:
            break
        fewer = [other for other in kept if other != letter]
        if not unique or _only_one(rules, _given(answer, pieces, cells, fewer)):
            kept = fewer
    puzzle = _given(answer, pieces, cells, kept)
    open_ = [letter for letter in order if letter not in kept]
    hints = {rng.choice(cells[letter]): letter.lower() for letter in open_[:singles]}
    rows = ("".join(hints.get((r, c), ball) for c, ball in enumerate(row)) for r, row in enumerate(puzzle.rows))
    return Balls(tuple(rows), pieces), answer


def _given(answer: Answer, pieces: str, cells: dict[str, list[Cell]], kept: list[str]) -> Balls:
    """The puzzle in which only the pieces ``kept`` lie there."""
    there = {cell for letter in kept for cell in cells[letter]}
    rows = ("".join(b if (r, c) in there else EMPTY for c, b in enumerate(row)) for r, row in enumerate(answer))
    return Balls(tuple(rows), pieces)


def _only_one(rules: BallRules, puzzle: Balls) -> bool:
    """Whether the puzzle has one answer, found out with little effort."""
    try:
        return len(list(islice(rules.answers(puzzle, Budget(nodes=EFFORT)), 2))) == 1
    except BudgetSpentError:
        return False
