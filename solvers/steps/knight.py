"""Steps of a knight's tour: each goes on by a move.

Warnsdorff's rule goes where the fewest ways lead on, for these squares are hard to come to later. It is a good guess
and no more, so each move is one of a tour that was found; where the rule would lead elsewhere, the step says so.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.knight import NUMBER_SIZE, WHITE, Answer, Puzzle, answers, board_of, faults, path_answer
from solvers.marks import Ink, Path, Text
from solvers.message import Message, listed
from solvers.steps.step import CHOICE, TRYING, Placed, Standing, Step, spot
from solvers.warnsdorff import first_tour, tours

RULES = (
    "the only square left to go to",
    "the square with the fewest ways on (Warnsdorff)",
    "one of the squares with the fewest ways on (Warnsdorff)",
    TRYING,
    CHOICE,
)
ONLY, FEWEST, EQUAL, TRIED, _ = range(5)

EFFORT = 40
"""Search nodes a square for a tour by Warnsdorff's rule; boards on which it takes more have one by construction."""


def begun(puzzle: Puzzle) -> tuple[Puzzle, Standing]:
    """The knight stands at its start, and no move is made."""
    return puzzle, ()


def placings(puzzle: Puzzle, answer: Answer) -> Standing:
    """The moves, each from a square to a square, in order."""
    return tuple(map(Placed, pairwise(answer.path)))


def completions(puzzle: Puzzle, standing: Collection[Placed], budget: Budget) -> Iterator[Answer]:
    """All tours that begin with these moves."""
    path = _path(puzzle, standing)
    if path is None or faults(puzzle):
        return
    if len(path) == 1:
        yield from answers(puzzle, budget)
        return
    board = board_of(puzzle)
    *behind, here = [board.number[cell] for cell in path]
    for found in tours(board.graph, here, board.rank, puzzle.closed, budget, begun=behind):
        yield path_answer(tuple([board.squares[square] for square in found]))


def _path(puzzle: Puzzle, standing: Collection[Placed]) -> list[Cell] | None:
    """The squares in the order of the visit; None where the moves are no path from the start."""
    onward: dict[Cell, Cell] = {placed.cells[0]: placed.cells[1] for placed in standing}
    path, board = [puzzle.start], board_of(puzzle)
    while path[-1] in onward:
        here = path[-1]
        after = onward.pop(here)
        if after in path or after not in board.number or board.number[after] not in board.graph[board.number[here]]:
            return None
        path.append(after)
    return None if onward else path


def steps(puzzle: Puzzle, standing: Collection[Placed], budget: Budget) -> Iterator[Step]:
    """One move after the other; see :class:`solvers.steps.step.Guide`. No move is forced where others also lead to a
    tour.

    Raises:
        BudgetSpentError: from the iterator, when the budget is used up.
    """
    path = _path(puzzle, standing)
    tour = None if path is None or faults(puzzle) else _tour(puzzle, path, budget)
    if path is None or tour is None:
        return
    board = board_of(puzzle)
    ahead = {cell: [board.squares[u] for u in board.graph[board.number[cell]]] for cell in tour}
    visited = set(path)
    for number, (here, there) in enumerate(pairwise(tour), 2):
        if number <= len(path):
            continue
        open_ones = [cell for cell in ahead[here] if cell not in visited]
        ways = {cell: sum(other not in visited for other in ahead[cell]) for cell in open_ones}
        rule, because = _why(here, there, ways)
        marks = (Path((here, there), Ink(tone=0)), Text(there, str(number), WHITE, NUMBER_SIZE))
        yield Step(Placed((here, there)), marks, (here, *open_ones), RULES[rule], because)
        visited.add(there)


def _tour(puzzle: Puzzle, path: Sequence[Cell], budget: Budget) -> tuple[Cell, ...] | None:
    """A tour that begins with a path, by Warnsdorff's rule as far as it carries."""
    board = board_of(puzzle)
    if len(path) == 1:
        purse = Budget(nodes=EFFORT * len(board.squares), parent=budget)
        try:
            found = first_tour(board.graph, board.number[path[0]], board.rank, puzzle.closed, purse)
        except BudgetSpentError:
            budget.spend(0)  # where all of the time is up
        else:
            return None if found is None else tuple([board.squares[square] for square in found])
    moves = [Placed(pair) for pair in pairwise(path)]
    answer = next(completions(puzzle, moves, budget), None)
    return None if answer is None else answer.path


def _why(here: Cell, there: Cell, ways: dict[Cell, int]) -> tuple[int, str]:
    """Why the knight goes to a square, given the ways on from each that is open."""
    others = {cell: count for cell, count in ways.items() if cell != there}
    if not others:
        return ONLY, Message("from {here} only {there} is left to go to", here=spot(here), there=spot(there))
    rest = [
        Message("{cell} {count}", cell=spot(cell), count=count)
        for cell, count in sorted(others.items(), key=lambda one: one[1])
    ]
    least, mine = min(others.values()), ways[there]
    if mine < least:
        rule, why = FEWEST, "from {here}, {there} has {ways} on, the fewest: it is hard to come to later ({others})"
    elif mine == least:
        rule, why = EQUAL, "from {here}, {there} has {ways} on, as few as any ({others})"
    else:
        rule = TRIED
        why = "from {here}, {there} has {ways} on, more than others ({others}), but trying shows that it leads on"
    return rule, Message(why, here=spot(here), there=spot(there), ways=_counted(mine), others=listed(rest, 8))


def _counted(count: int) -> str:
    return Message("{count} ways", count=count) if count > 1 else Message("1 way" if count else "no ways")
