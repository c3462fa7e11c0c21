"""How many ways n queens stand on an empty n x n board: all placements at once, row by row, in NumPy.

The classic bit-parallel search [1]_ keeps three sets of columns: those taken, and those that the queens above attack
along either diagonal. From row to row the diagonals move by one column. Here the three sets lie side by side in one
64-bit word, a gap between them for what moves out, and one array holds the words of *all* placements of the rows so
far. A whole row is then a few operations on arrays. Where an array grows too long for the cache it is cut, and each
part is taken to the last row by itself.

References:
    .. [1] M. Richards, "Backtracking algorithms in MCPL using bit patterns and recursion", Cambridge 1997.
"""

import numpy as np
from numpy.typing import NDArray

from solvers.budget import Budget

LARGEST = 19
"""Three sets of so many columns, each with a gap of two bits, fit in 64 bits."""

_PART = 1 << 16
"""Placements that are taken on together: half a megabyte, which most processors' second cache holds."""

Words = NDArray[np.uint64]


class _Layout:
    """Where the three sets of columns lie in a word."""

    def __init__(self, n: int) -> None:
        """Sets of ``n`` columns."""
        pitch, columns = n + 2, (1 << n) - 1
        self.n = n
        self.columns = np.uint64(columns)
        self.left = np.uint64(columns << pitch)
        self.right = np.uint64(columns << 2 * pitch)
        self.pitch = np.uint64(pitch)
        self.pitch2 = np.uint64(2 * pitch)
        self.in_all = np.uint64(1 | 1 << pitch | 1 << 2 * pitch)


def count_placements(n: int, budget: Budget | None = None) -> int:
    """How many ways there are; mirror images count each.

    Args:
        n: rows and columns of the board, 1 to 19.
        budget: one node is spent per queen placed.

    Raises:
        ValueError: ``n`` is out of range.
        BudgetSpentError: the budget is used up.
    """
    if not 1 <= n <= LARGEST:
        raise ValueError(f"boards of 1 to {LARGEST} rows can be counted, not of {n}")
    if n == 1:
        return 1
    layout, budget = _Layout(n), budget or Budget()

    def from_first(columns: list[int]) -> int:
        first = np.array([1 << c for c in columns], np.uint64) * layout.in_all
        return _count(layout, first, 1, budget)

    # A queen of the first row in the left half stands for its mirror image too.
    return 2 * from_first(list(range(n // 2))) + (from_first([n // 2]) if n % 2 else 0)


def _count(layout: _Layout, placed: Words, rows: int, budget: Budget) -> int:
    """In how many ways these placements of the first ``rows`` rows can be completed, all together."""
    budget.spend(len(placed))
    one = np.uint64(1)
    attacked = placed & layout.columns
    attacked |= ((placed & layout.left) << one) & layout.left
    attacked |= ((placed & layout.right) >> one) & layout.right
    free = ~(attacked | attacked >> layout.pitch | attacked >> layout.pitch2) & layout.columns
    if rows == layout.n - 1:
        return int(np.count_nonzero(free))
    further = []
    while True:
        open_still = free != 0
        attacked, free = attacked[open_still], free[open_still]
        if not len(free):
            break
        lowest = free & (~free + one)
        further.append(attacked | lowest * layout.in_all)
        free ^= lowest
    if not further:
        return 0
    grown = np.concatenate(further)
    return sum(_count(layout, grown[i : i + _PART], rows + 1, budget) for i in range(0, len(grown), _PART))
