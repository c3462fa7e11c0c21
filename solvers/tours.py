"""Knight's tours of boards of any size, put together from tours of small ones.

A closed tour of a large board is made of closed tours of blocks, as Parberry does it [1]_: where two neighbouring
blocks have parallel steps, both steps are replaced by the two that lead across, and two rings become one::

    a-b and c-d   become   a-c and b-d

Here every block's tour goes through the square diagonally inside its top left corner from two given sides. These two
steps fit the steps that every closed tour must make from the top right corner of the block to the left and from the
bottom left corner of the block above, so any two blocks can be joined. Blocks are 6, 8 or 10 one way and 5 to 9 the
other; Warnsdorff's rule finds each in a fraction of a millisecond.

A board with an odd number of squares has no closed tour. There one block is odd both ways, is made to contain the
start, and is toured by an open path from it; the rings around it are joined to the path. That this works for every
start is the theorem of Conrad and others [2]_ for square boards; for the others the tests try it.

References:
    .. [1] I. Parberry, "An efficient algorithm for the knight's tour problem", Discrete Applied Mathematics 73 (1997).
    .. [2] A. Conrad, T. Hindrichs, H. Morsy, I. Wegener, "Solution of the knight's Hamiltonian path problem on
       chessboards", Discrete Applied Mathematics 50 (1994).
"""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, product

import numpy as np
from numpy.typing import NDArray

from solvers.budget import Budget, BudgetSpentError
from solvers.warnsdorff import first_tour, tours

MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
"""A knight's moves as (rows, columns), clockwise."""

SMALLEST = 5
"""Boards with both sides at least this long have tours: closed ones if a side is even, else open ones."""

_ODD_SIDES = (7, 5, 9, 11)
"""Sides of the odd block, in the order of trying. There are no rows or at least 6 on either side of the block, so 11 is
needed for the middle of a board of 11."""

_TRIES = 30
"""Paths tried for the odd block before the board is cut otherwise; mostly the first or second can be joined."""

_NODES_PER_SQUARE = 8
"""Search nodes for each of them, in multiples of the squares of the block."""

Square = tuple[int, int]
Block = tuple[int, int]
Step = tuple[int, int]


def knight_graph(rows: int, cols: int) -> list[list[int]]:
    """The squares a knight's move away from each square ``r * cols + c``."""
    return [
        [(r + dr) * cols + c + dc for dr, dc in MOVES if 0 <= r + dr < rows and 0 <= c + dc < cols]
        for r in range(rows)
        for c in range(cols)
    ]


def far_first(rows: int, cols: int) -> list[float]:
    """Roth's rank of each square: the farther from the centre of the board, the smaller."""
    middle_r, middle_c = (rows - 1) / 2, (cols - 1) / 2
    return [-((r - middle_r) ** 2) - (c - middle_c) ** 2 for r in range(rows) for c in range(cols)]


def tour(rows: int, cols: int, start: Square) -> list[int] | None:
    """A tour of a rectangle with both sides at least 5 long, closed if a side is even; squares are ``r * cols + c``.

    None when there is none: both sides odd, and the start on the colour that has one square less.
    """
    if rows * cols % 2 == 0:
        ring = closed_tour(rows, cols)
        at = ring.index(start[0] * cols + start[1])
        return ring[at:] + ring[:at]
    return None if sum(start) % 2 else _open_tour(rows, cols, start)


@lru_cache(maxsize=4)
def closed_tour(rows: int, cols: int) -> list[int]:
    """A closed tour of a rectangle with both sides at least 5 long, one of them even; not to be changed."""
    if rows % 2:
        turned: list[int] = closed_tour(cols, rows)
        return [square % rows * cols + square // rows for square in turned]
    board = _Mosaic(_even_split(rows), _split(cols, 9))
    board.join_rings()
    return board.ring()


def _open_tour(rows: int, cols: int, start: Square) -> list[int] | None:
    """A tour of a rectangle with two odd sides of at least 5, from a square of the colour of the corners."""
    cuts = product(_cuts_round(rows, start[0]), _cuts_round(cols, start[1]))
    for (heights, i), (widths, j) in cuts:
        board = _Mosaic(heights, widths, (i, j))
        board.join_rings()
        top, left = board.tops[i], board.lefts[j]
        for path in _paths(heights[i], widths[j], (start[0] - top, start[1] - left)):
            if board.join_path([(top + r) * cols + left + c for r, c in path]):
                return board.path(start[0] * cols + start[1])
    return None


def _split(length: int, longest: int) -> list[int]:
    """A length in parts as equal as possible, none longer than ``longest``."""
    parts = -(-length // longest)
    return [length // parts + (i < length % parts) for i in range(parts)]


def _even_split(length: int) -> list[int]:
    """An even length, 0 or at least 6, in parts of 6, 8 and 10."""
    return [2 * half for half in _split(length // 2, 5)]


def _cuts_round(length: int, at: int) -> Iterator[tuple[list[int], int]]:
    """Ways to cut an odd length into even parts and an odd one that contains ``at``; also which of them is odd."""
    for side in _ODD_SIDES:
        for before in range(0, length - side + 1, 2):
            after = length - side - before
            if before <= at < before + side and before not in {2, 4} and after not in {2, 4}:
                ahead = _even_split(before)
                yield [*ahead, side, *_even_split(after)], len(ahead)


class _Mosaic:
    """A board cut into blocks that each have a tour of their own.

    The steps are kept as one number per square, the *sum* of the numbers of the squares before and after it: coming
    from ``a``, the walk goes on to ``sum - a``, and exchanging one neighbour for another adds their difference.

    Attributes:
        cols: columns of the board.
        tops: the first row of each row of blocks, and the end.
        lefts: the first column of each column of blocks, and the end.
        sums: the sum of the neighbours in the tour of each square.
    """

    def __init__(self, heights: Sequence[int], widths: Sequence[int], gap: Block | None = None) -> None:
        """Put a ring into each block save the block ``gap``, given as (row, column) of blocks."""
        self.cols = sum(widths)
        self.tops = [0, *accumulate(heights)]
        self.lefts = [0, *accumulate(widths)]
        self._gap = gap
        self._group = {(i, j): (i, j) for i in range(len(heights)) for j in range(len(widths)) if (i, j) != gap}
        sums = np.zeros((sum(heights), self.cols), np.int64)
        for i, j in self._group:
            rows, cols = slice(*self.tops[i : i + 2]), slice(*self.lefts[j : j + 2])
            corner = rows.start * self.cols + cols.start
            np.add(_ring_sums(heights[i], widths[j], self.cols), 2 * corner, out=sums[rows, cols])
        self.sums: list[int] = sums.ravel().tolist()

    def join_rings(self) -> None:
        """Join neighbouring blocks until the rings cannot be joined any further without the gap."""
        for one in list(self._group):
            for other in ((one[0], one[1] + 1), (one[0] + 1, one[1])):
                if other in self._group and self._root(one) != self._root(other):
                    self._group[self._root(other)] = self._root(one)
                    self._swap(*self._parallel(one, other))

    def join_path(self, path: Sequence[int]) -> bool:
        """Lay a path of squares into the gap and join all rings to it; False, with nothing laid, if that cannot be."""
        assert self._gap is not None
        steps = {frozenset(step) for step in pairwise(path)}
        i, j = self._gap
        found: dict[Block, tuple[Step, Step]] = {}
        for one, other in (((i, j - 1), (i, j)), ((i, j), (i, j + 1)), ((i - 1, j), (i, j)), ((i, j), (i + 1, j))):
            ring = other if one == self._gap else one
            if ring in self._group:
                first, second = self._parallel(one, other)
                if frozenset(first if one == self._gap else second) in steps:
                    found[self._root(ring)] = first, second
        if found.keys() != {self._root(block) for block in self._group}:
            return False
        for before, at in pairwise(path):
            self.sums[at] += before
            self.sums[before] += at
        for first, second in found.values():
            self._swap(first, second)
        return True

    def ring(self) -> list[int]:
        """The squares in order round the ring from the top left corner, whose two steps are the same in every ring."""
        return self._walk(2 * self.cols + 1, 0)

    def path(self, start: int) -> list[int]:
        """The squares in order along the path from its end ``start``, which has one neighbour only."""
        return self._walk(0, start)

    def _walk(self, before: int, at: int) -> list[int]:
        sums = self.sums
        order = [at]
        for _ in range(len(sums) - 1):
            before, at = at, sums[at] - before
            order.append(at)
        return order

    def _root(self, block: Block) -> Block:
        """The block that stands for all that are joined with this one."""
        while self._group[block] != block:
            block = self._group[block]
        return block

    def _parallel(self, one: Block, other: Block) -> tuple[Step, Step]:
        """The parallel steps of two blocks, ``other`` being right of ``one`` or below it."""
        top, left, cols = self.tops[other[0]], self.lefts[other[1]], self.cols
        inside = (top + 1) * cols + left + 1
        if one[0] == other[0]:
            corner = top * cols + left - 1
            return (corner, corner + 2 * cols - 1), (inside, inside + 2 * cols - 1)
        corner = (top - 1) * cols + left
        return (corner, corner - cols + 2), (inside, inside - cols + 2)

    def _swap(self, first: Step, second: Step) -> None:
        """Replace the steps a-b and c-d by a-c and b-d."""
        (a, b), (c, d) = first, second
        self.sums[a] += c - b
        self.sums[b] += d - a
        self.sums[c] += a - d
        self.sums[d] += b - c


@lru_cache(maxsize=64)
def _ring_sums(rows: int, cols: int, pitch: int) -> NDArray[np.int64]:
    """A closed tour of a block that neighbours can be joined to, as sums of neighbours on a board ``pitch`` wide.

    Shape (rows, cols); the numbers count from the block's top left corner.
    """
    inside, sides = cols + 1, {3 * cols, 3}
    graph = [
        [v for v in around if inside not in (u, v) or u in sides or v in sides]
        for u, around in enumerate(knight_graph(rows, cols))
    ]
    ring = first_tour(graph, 0, far_first(rows, cols), True, Budget())
    if ring is None:
        raise ValueError(f"no closed tour of {rows} x {cols} squares has the steps for joining")
    sums = np.zeros((rows, cols), np.int64)
    for before, square, after in zip((ring[-1], *ring), ring, (*ring[1:], ring[0]), strict=False):
        sums[divmod(square, cols)] = sum(u // cols * pitch + u % cols for u in (before, after))
    return sums


def _paths(rows: int, cols: int, start: Square) -> Iterator[list[Square]]:
    """Various paths through a block from ``start``, seeded; few or none when there are none."""
    graph, rank = knight_graph(rows, cols), far_first(rows, cols)
    for seed in range(_TRIES):
        chance = random.Random(seed)
        shaken = [value + seed * chance.random() for value in rank]
        purse = Budget(nodes=_NODES_PER_SQUARE * rows * cols)
        try:
            found = next(tours(graph, start[0] * cols + start[1], shaken, False, purse), None)
        except BudgetSpentError:
            continue
        if found is None:
            return
        yield [divmod(square, cols) for square in found]
