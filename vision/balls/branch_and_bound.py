"""Branch and bound for the cheapest ways to fill a ball board with pieces and empty cells.

The cells are taken in a fixed order, those with the fewest ways first. A cell is filled by a piece or stays empty; what
the cells still to come will cost at least, each by itself, is known beforehand, so a way that is already too dear is
left early [1]_. Not only the cheapest filling is wanted but all that cost little more.

.. [1] A. H. Land, A. G. Doig, "An automatic method of solving discrete programming problems", Econometrica 28(3), 1960.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from solvers.ball_trays import EMPTY, LETTERS, Tray

PATIENCE = 40_000
"""Nodes of one search; photos need some hundreds, a hard drawing 20,000."""


@dataclass(frozen=True, eq=False)
class Lay:
    """One way to lay a piece that is worth considering: its pits as a mask and as numbers, and what it costs."""

    mask: int
    cells: tuple[int, ...]
    letter: str
    cost: float

    @property
    def share(self) -> float:
        """The cost of each of its cells."""
        return self.cost / len(self.cells)


class Search:
    """One search."""

    def __init__(self, tray: Tray, lays: list[Lay], bare: list[float], least: list[float]) -> None:
        """Prepare a search.

        Args:
            tray: the board.
            lays: the ways to lay a piece, those of the least share first.
            bare: what each cell costs as an empty one; infinite where it cannot be.
            least: what each cell costs at least.
        """
        self.bare, self.least = bare, least
        # Beside each lay its mask with a bit more for its letter, for there is one piece of each, and what its cells
        # cost at least, which is taken off what is left when it is laid.
        first = max(tray.index.values()) + 1
        letter_bit = {letter: 1 << (first + k) for k, letter in enumerate(LETTERS)}
        self.holders: list[list[tuple[Lay, int, float]]] = [[] for _ in bare]
        for lay in lays:
            way = lay, lay.mask | letter_bit[lay.letter], sum(least[cell] for cell in lay.cells)
            for cell in lay.cells:
                self.holders[cell].append(way)
        self.order = sorted(range(len(bare)), key=lambda k: len(self.holders[k]))
        self.bits = [1 << tray.index[tray.cells[k]] for k in self.order]
        self.rows = [EMPTY] * len(bare)
        self.nodes, self.bound = 0, math.inf

    @property
    def gave_up(self) -> bool:
        """Whether the search ran out of patience, so that it may have missed something."""
        return self.nodes > PATIENCE

    def run(self, bound: float) -> Iterator[tuple[str, float]]:
        """Fillings in the order found, each at most as dear as ``bound``, with their costs."""
        self.bound = bound
        yield from self._descend(0, 0, 0.0, sum(self.least))

    def tighten(self, bound: float) -> None:
        """Leave out whatever is dearer than this from now on: only the caller knows what a whole filling is worth."""
        self.bound = min(self.bound, bound)

    def _descend(self, place: int, used: int, cost: float, rest: float) -> Iterator[tuple[str, float]]:
        """Fill the cells that are not ``used``, with letters that are not; cells before ``place`` in the order are."""
        self.nodes += 1
        if cost + rest > self.bound or self.nodes > PATIENCE:
            return
        while place < len(self.bits) and used & self.bits[place]:
            place += 1
        if place == len(self.bits):
            yield "".join(self.rows), cost
            return
        cell = self.order[place]
        ways = [way for way in self.holders[cell] if not way[1] & used]
        bare = self.bare[cell]
        # The cheapest way first: a good division early keeps the bound low.
        empty_first = not ways or bare <= ways[0][0].share
        emptied = used | self.bits[place], cost + bare, rest - self.least[cell]
        if empty_first and math.isfinite(bare):
            yield from self._descend(place + 1, *emptied)
        for lay, mask, least in ways:
            left = rest - least
            if cost + lay.cost + left > self.bound:
                continue
            for c in lay.cells:
                self.rows[c] = lay.letter
            yield from self._descend(place + 1, used | mask, cost + lay.cost, left)
            for c in lay.cells:
                self.rows[c] = EMPTY
        if not empty_first and math.isfinite(bare):
            yield from self._descend(place + 1, *emptied)
