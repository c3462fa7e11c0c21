"""Paths through every square, by always going where the fewest ways lead on.

Warnsdorff's rule [1]_ goes to the neighbour with the fewest unvisited neighbours of its own: the squares that are hard
to reach are visited while they can be. Where several are equal, Roth [2]_ takes the one farthest from the centre of
the board. The rule is a good guess and no more, so here it only *orders* a complete search, which steps back when

- a neighbour that is left behind has no way on and is not the last square, or
- two neighbours of the square left are left with one way each: only one can be the end, or
- the tour is to return and no unvisited neighbour of the start is left.

A search that took a wrong turn early can try for ages, so a few short tries with ties broken at random (seeded) go
ahead of the systematic one; that one proves, given time, that there is no tour.

References:
    .. [1] H. C. von Warnsdorf, "Des Rösselsprunges einfachste und allgemeinste Lösung", Schmalkalden 1823.
    .. [2] A. Roth, "The problem of the knight: a fast and simple algorithm", Mathematica in Education 1998.
"""

import random
from collections.abc import Iterator, Sequence

from solvers.budget import Budget, BudgetSpentError

Graph = Sequence[Sequence[int]]
"""The neighbours of each square, squares being numbered from 0."""

Tour = tuple[int, ...]
"""Squares in the order in which they are visited."""

_TRIES = 40
"""Short tries before the systematic search: on boards of chess size nearly every first one succeeds."""
_NODES_PER_TRY = 4
"""Nodes of a short try, in multiples of the number of squares; a try that goes well needs one."""


def first_tour(graph: Graph, start: int, rank: Sequence[float], closed: bool, budget: Budget) -> Tour | None:
    """A path from ``start`` through every square, or None when there is none.

    Args:
        graph: the board.
        start: the first square.
        rank: decides between squares with equally many ways on; the smaller goes first.
        closed: the last square must be a neighbour of the first.
        budget: one node is spent per square entered.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    squares = len(graph)
    for seed in range(_TRIES):
        purse = Budget(nodes=_NODES_PER_TRY * squares, seconds=budget.seconds_left())
        chance = random.Random(seed)
        # The first try is Roth's; the others are Roth's with a little luck, more of it every time.
        shaken = [value + seed * chance.random() for value in rank] if seed else rank
        try:
            return next(tours(graph, start, shaken, closed, purse), None)
        except BudgetSpentError:
            pass
        finally:
            budget.spend(purse.spent)
    return next(tours(graph, start, rank, closed, budget), None)


def tours(
    graph: Graph, start: int, rank: Sequence[float], closed: bool, budget: Budget, *, begun: Sequence[int] = ()
) -> Iterator[Tour]:
    """All paths from ``start`` through every square, those of Warnsdorff's rule first; see :func:`first_tour`.

    A path may have ``begun``, with the squares before ``start``; a closed one returns to the first of them.
    """
    squares = len(graph)
    ways = [len(around) for around in graph]  # unvisited neighbours
    visited = [False] * squares
    path = [*begun, start]
    choices: list[list[int]] = []
    home = set(graph[path[0]]) if closed else set()
    home_left = len(home)

    def enter(square: int) -> None:
        nonlocal home_left
        visited[square] = True
        home_left -= square in home
        for u in graph[square]:
            ways[u] -= 1

    def leave(square: int) -> None:
        nonlocal home_left
        visited[square] = False
        home_left += square in home
        for u in graph[square]:
            ways[u] += 1

    def onward() -> list[int]:
        """Where to go next, the best last."""
        left = squares - len(path)
        if not left:
            return []
        ahead = [u for u in graph[path[-1]] if not visited[u]]
        if left == 1:
            return ahead if not closed or home_left else []
        if closed and not home_left:
            return []
        # Nobody comes back to a neighbour that is not entered now unless another way leads to it, and through.
        poor = [u for u in ahead if ways[u] <= 1]
        if any(ways[u] == 0 for u in poor):
            return []
        if closed:
            poor = [u for u in poor if u not in home]
        if len(poor) > (1 if closed else 2):
            return []
        if len(poor) == (1 if closed else 2):
            ahead = poor
        ahead.sort(key=lambda u: (-ways[u], -rank[u]))
        return ahead

    for square in path:
        enter(square)
        choices.append([])
    choices[-1] = onward()
    while choices:
        budget.spend()
        if len(path) == squares and (not closed or path[-1] in home or squares == 1):
            yield tuple(path)
        if choices[-1]:
            square = choices[-1].pop()
            path.append(square)
            enter(square)
            choices.append(onward())
        else:
            choices.pop()
            leave(path.pop())
