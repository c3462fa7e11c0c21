"""Tours of narrow boards, found, counted or disproven by merging equal states.

On boards three or four squares wide Warnsdorff's rule goes wrong, and a search that steps back may do so for ages. But
there a *frontier* method is quick [1]_. It takes the squares one after the other, along the board, and chooses for each
its two steps to squares not yet taken. All that matters for the rest of the board is then told by the squares at the
frontier: which have both their steps, which have none, and which are the two ends of one piece of the way. Ways that
agree in this are one state, so their number stays small however long the board is.

An open tour becomes a ring by one more place, next to every square, that lies between its end and its start.

With four rows the states still grow to many thousands, but such a tour has a structure to use. From a square of an
outer row every move leads to an inner one, and there are as many of both, so a tour that starts outside alternates
between them, save for one move between inner rows. Until that move the outer squares are all of one colour, and after
it of the other: it is two tours of half the squares, on boards with far fewer moves.

References:
    .. [1] D. E. Knuth, The Art of Computer Programming, volume 4A, section 7.1.4, answer to exercise 225 ("Simpath").
"""

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from solvers.budget import Budget
from solvers.tours import MOVES, Square
from solvers.warnsdorff import Graph, Tour

_DONE = -1  # the mate of a square that has both its steps
_BETWEEN = -2  # the place between the end of an open tour and its start

Mates = dict[int, int]
"""For each square of the frontier: the other end of its piece of the way, itself if it has no step yet, or done."""

Step = tuple[int, int]


def frontier_tour(
    graph: Graph, start: int, order: Sequence[int], *, closed: bool, budget: Budget, end: int | None = None
) -> Tour | None:
    """A path from ``start`` through every square, or None when there is none.

    Args:
        graph: the board, of at least two squares.
        start: the first square.
        order: all squares, in the order in which to take them: along the board.
        closed: the last square must be a neighbour of the first.
        budget: one node is spent per state.
        end: the last square of an open path; None for any.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    if start == end:
        return None
    first = _first_state(start, closed)
    states = {_key(first): first}
    # Each layer tells for each of its states the state that it came from and the steps taken since.
    layers: list[dict[Hashable, tuple[Hashable, tuple[Step, ...]]]] = []
    for square, ahead, left in _sweep(graph, order):
        budget.spend(len(states))
        layer: dict[Hashable, tuple[Hashable, tuple[Step, ...]]] = {}
        grown: dict[Hashable, Mates] = {}
        for key, before in states.items():
            for steps, after in _ways_on(square, before, ahead, left, end in (None, square)):
                new = _key(after)
                if new not in layer:
                    layer[new] = key, steps
                    grown[new] = after
        layers.append(layer)
        states = grown
    return _traced(layers, start, next(iter(states))) if states else None


def count_tours(graph: Graph, start: int, order: Sequence[int], *, closed: bool, budget: Budget) -> int:
    """How many paths lead from ``start`` through every square, or how many closed tours there are.

    The arguments are those of :func:`frontier_tour`. A closed tour counts once, not once for either sense.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    first = _first_state(start, closed)
    states = {_key(first): (first, 1)}
    for square, ahead, left in _sweep(graph, order):
        budget.spend(len(states))
        grown: dict[Hashable, tuple[Mates, int]] = {}
        for before, ways in states.values():
            for _, after in _ways_on(square, before, ahead, left, True):
                new = _key(after)
                grown[new] = after, ways + (grown[new][1] if new in grown else 0)
        states = grown
    return sum(ways for _, ways in states.values())


def _first_state(start: int, closed: bool) -> Mates:
    """Nothing is laid; an open way begins with the step from the place between to its start."""
    return {} if closed else {_BETWEEN: start, start: _BETWEEN}


def _sweep(graph: Graph, order: Sequence[int]) -> Iterator[tuple[int, list[int], int]]:
    """The squares in order; with each the neighbours that come after it, and how many squares do."""
    taken: set[int] = set()
    for square in order:
        taken.add(square)
        yield square, [u for u in graph[square] if u not in taken], len(graph) - len(taken)


def four_row_tour(cols: int, start: Square, budget: Budget) -> list[Square] | None:
    """An open tour of a board of four rows from a square of an outer row, or None when there is none.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    first, second = _Half(cols, sum(start) % 2), _Half(cols, 1 - sum(start) % 2)
    onward: dict[Square, list[Square] | None] = {}
    for last in first.inner:
        opening = None
        for r, c in ((last[0] ^ 3, last[1] - 2), (last[0] ^ 3, last[1] + 2)):  # the move between the rows 1 and 2
            if not 0 <= c < cols:
                continue
            if (r, c) not in onward:
                onward[r, c] = second.tour((r, c), None, budget)
            rest = onward[r, c]
            if rest is not None:
                opening = opening or first.tour(start, last, budget)
                if opening is None:
                    break
                return opening + rest
    return None


class _Half:
    """The outer squares of one colour of a board of four rows, and the inner squares that they lead to."""

    def __init__(self, cols: int, colour: int) -> None:
        """The squares column by column, and the moves between outer and inner ones."""
        self._squares = [(r, c) for c in range(cols) for r in range(4) if ((r + c) % 2 == colour) == (r in (0, 3))]
        self._number = {square: i for i, square in enumerate(self._squares)}
        self.inner = [square for square in self._squares if square[0] in (1, 2)]
        self._graph = [
            [
                self._number[u]
                for dr, dc in MOVES
                if (u := (r + dr, c + dc)) in self._number and (r in (0, 3)) != (u[0] in (0, 3))
            ]
            for r, c in self._squares
        ]

    def tour(self, start: Square, end: Square | None, budget: Budget) -> list[Square] | None:
        """A path through all these squares, or None."""
        last = None if end is None else self._number[end]
        order = range(len(self._squares))
        found = frontier_tour(self._graph, self._number[start], order, closed=False, budget=budget, end=last)
        return None if found is None else [self._squares[i] for i in found]


def _key(mates: Mates) -> Hashable:
    return tuple(sorted(mates.items()))


def _ways_on(
    square: int, before: Mates, ahead: Sequence[int], left: int, may_end: bool
) -> Iterator[tuple[tuple[Step, ...], Mates]]:
    """The ways to give a square both its steps, and the frontier after each; ``left`` squares come after it."""
    rest = dict(before)
    end = rest.pop(square, square)
    if end == _DONE:
        yield (), rest
        return
    options = [u for u in ahead if rest.get(u, u) != _DONE]
    if may_end and rest.get(_BETWEEN, _DONE) != _DONE:
        options.append(_BETWEEN)
    if end != square:
        for one in options:
            after = _joined(rest, end, one, left)
            if after is not None:
                yield ((square, one),), after
        return
    for one, other in combinations(options, 2):
        far = rest.get(one, one)
        after = _joined(rest if far == one else rest | {one: _DONE}, far, other, left)
        if after is not None:
            yield ((square, one), (square, other)), after


def _joined(mates: Mates, end: int, square: int, left: int) -> Mates | None:
    """Join a piece, whose far end is ``end``, to a square; None when that closes a ring with squares left out."""
    far = mates.get(square, square)
    after = dict(mates)
    if square == end:
        after[square] = _DONE
        ready = sum(u != _BETWEEN for u in after)
        return after if ready == left and all(mate == _DONE for mate in after.values()) else None
    if far != square:
        after[square] = _DONE
    after[end], after[far] = far, end
    return after


def _traced(layers: Sequence[dict[Hashable, tuple[Hashable, tuple[Step, ...]]]], start: int, last: Hashable) -> Tour:
    """The way of which ``last`` is the state after the last layer."""
    links: dict[int, list[int]] = {}
    state = last
    for layer in reversed(layers):
        state, steps = layer[state]
        for one, other in steps:
            links.setdefault(one, []).append(other)
            links.setdefault(other, []).append(one)
    path = [start]
    before, at = _BETWEEN, start
    while len(path) < len(layers):
        before, at = at, next(u for u in links[at] if u != before)
        path.append(at)
    return tuple(path)
