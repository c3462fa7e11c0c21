"""Queens as bits: every square of the board is one bit of a Python integer.

A set of squares is then a number, and "which squares of this row are still free" is one AND, whatever the size of the
board. The search keeps the free squares and, for every *line* that still needs its queen (rows, columns, and the
coloured regions where there are some), the free squares of that line. It always turns to the line with the fewest
squares left: Knuth's advice for exact cover [1]_, and what makes hopeless boards fail early.

On a board of hundreds of rows the sets of squares are themselves large, and there the same search keeps the free
columns of each row only. The empty board needs no search: it has an explicit solution for any size [2]_.

References:
    .. [1] D. E. Knuth, "Dancing links", 2000, arXiv:cs/0011047.
    .. [2] B. Bernhardsson, "Explicit solutions to the N-queens problem for all N", SIGART Bulletin 2 (1991), p. 7;
       first given by E. Pauls, Deutsche Schachzeitung 29 (1874).
"""

import random
from collections.abc import Iterator, Sequence

from solvers.budget import Budget

Columns = tuple[int, ...]
"""A placement: the column of the queen of each row, 0-based."""

Regions = Sequence[Sequence[int]]


class Lines:
    """The squares of an ``n`` x ``n`` board as bits (square ``(r, c)`` is bit ``r * n + c``) and its lines as masks.

    Attributes:
        n: rows and columns of the board.
        needed: the masks of the lines that need exactly one queen each.
        per_queen: how many of these lines go through each square.
    """

    def __init__(self, n: int, regions: Regions | None = None) -> None:
        """Lay out the lines; with ``regions`` (whole numbers) the queens mind touching squares, not diagonals."""
        self.n = n
        self._rows = [((1 << n) - 1) << (r * n) for r in range(n)]
        first_col = sum(1 << (r * n) for r in range(n))
        self._cols = [first_col << c for c in range(n)]
        self.needed = self._rows + self._cols
        self.per_queen = 2
        self._region_at: list[int] = []
        if regions is None:
            self._falling, self._rising = _diagonals(n)
        else:
            flat = [region for row in regions for region in row]
            masks = dict.fromkeys(flat, 0)
            for square, region in enumerate(flat):
                masks[region] |= 1 << square
            self._region_at = [masks[region] for region in flat]
            self.needed = self.needed + list(masks.values())
            self.per_queen = 3

    def barred(self, square: int) -> int:
        """The squares where no other queen may stand once one stands on ``square``, itself among them."""
        n = self.n
        r, c = divmod(square, n)
        straight = self._rows[r] | self._cols[c]
        if not self._region_at:
            return straight | self._falling[r - c + n - 1] | self._rising[r + c]
        bit = 1 << square
        three = bit | (bit << 1 if c < n - 1 else 0) | (bit >> 1 if c else 0)
        # What the shift pushes below the last row was never free, so it does no harm.
        return straight | three << n | three >> n | self._region_at[square]


def _diagonals(n: int) -> tuple[list[int], list[int]]:
    """The falling diagonals by ``r - c + n - 1`` and the rising ones by ``r + c``, as masks."""
    falling, rising = [0] * (2 * n - 1), [0] * (2 * n - 1)
    for r in range(n):
        for c in range(n):
            bit = 1 << (r * n + c)
            falling[r - c + n - 1] |= bit
            rising[r + c] |= bit
    return falling, rising


def placements(
    lines: Lines, given: Sequence[int], budget: Budget, shuffle: random.Random | None = None
) -> Iterator[Columns]:
    """All ways to put one queen on every line such that none bars another, each once.

    Args:
        lines: the board.
        given: squares on which queens stand already.
        budget: one node is spent per queen tried.
        shuffle: tries the squares of a line in random order instead of from left to right.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    n = lines.n
    columns = [0] * n
    free = (1 << (n * n)) - 1
    for square in given:
        if not free >> square & 1:
            return
        free &= ~lines.barred(square)
        columns[square // n] = square % n
    chosen = set(given)
    open_lines = [line & free for line in lines.needed if not any(line >> square & 1 for square in chosen)]

    def place(open_lines: list[int], free: int, missing: int) -> Iterator[Columns]:
        if not missing:
            yield tuple(columns)
            return
        budget.spend()
        narrowest = min(open_lines, key=int.bit_count)
        for square in _squares(narrowest, shuffle):
            still_free = free & ~lines.barred(square)
            # A line through the new queen has no free square any more and drops out; if others do too, they are lost.
            rest = [left for line in open_lines if (left := line & still_free)]
            if len(rest) == (missing - 1) * lines.per_queen:
                columns[square // n] = square % n
                yield from place(rest, still_free, missing - 1)

    if all(open_lines) and len(open_lines) == (n - len(chosen)) * lines.per_queen:
        yield from place(open_lines, free, n - len(chosen))


def _squares(mask: int, shuffle: random.Random | None) -> list[int]:
    """The positions of the bits that are set."""
    squares = []
    while mask:
        low = mask & -mask
        squares.append(low.bit_length() - 1)
        mask ^= low
    if shuffle:
        shuffle.shuffle(squares)
    return squares


def placements_by_row(
    n: int, given: Sequence[int], budget: Budget, shuffle: random.Random | None = None
) -> Iterator[Columns]:
    """The placements of the classic game as :func:`placements` finds them, for boards of hundreds of rows.

    It branches on rows only, which takes far less memory and time per queen and sees a little less far ahead.
    """
    columns = [0] * n
    rows, free = list(range(n)), [(1 << n) - 1] * n
    for square in given:
        r, c = divmod(square, n)
        if r not in rows or not free[rows.index(r)] >> c & 1:
            return
        columns[r] = c
        rows, free = _with_queen(rows, free, r, c)
    if not rows:
        yield tuple(columns)
        return

    def branch(rows: list[int], free: list[int]) -> tuple[list[int], list[int], int, list[int]]:
        budget.spend()
        counts = list(map(int.bit_count, free))
        narrowest = counts.index(min(counts))
        return rows, free, rows[narrowest], _squares(free[narrowest], shuffle)

    stack = [branch(rows, free)]
    while stack:
        rows, free, row, choices = stack[-1]
        if not choices:
            stack.pop()
            continue
        columns[row] = choices.pop()
        rows, free = _with_queen(rows, free, row, columns[row])
        if not rows:
            yield tuple(columns)
        elif all(free):
            stack.append(branch(rows, free))


def _with_queen(rows: list[int], free: list[int], row: int, column: int) -> tuple[list[int], list[int]]:
    """The other rows and their free columns once a queen stands there."""
    bit = 1 << column
    others = [
        (r, mask & ~(bit | bit << abs(r - row) | bit >> abs(r - row))) for r, mask in zip(rows, free, strict=True)
    ]
    return [r for r, _ in others if r != row], [mask for r, mask in others if r != row]


def explicit(n: int) -> Columns | None:
    """One solution of the empty board without any search, for every ``n`` that has one ([2]_); else None.

    The queens climb the board in knight's moves, first on the odd columns and then on the even ones; for ``n`` of the
    form 6k + 2 and 6k + 3 a few trade places.
    """
    if n in {2, 3} or n < 1:
        return None
    # 0-based: the second, fourth, ... column comes first.
    odd: Sequence[int] = range(1, n, 2)
    even: Sequence[int] = range(0, n, 2)
    if n % 6 == 2:
        even = [2, 0, *even[3:], 4]
    elif n % 6 == 3:
        odd = [*odd[1:], odd[0]]
        even = [*even[2:], 0, 2]
    return (*odd, *even)
