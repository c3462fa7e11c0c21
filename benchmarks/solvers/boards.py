"""Races of queens, knights and triangles."""

from collections.abc import Callable, Hashable
from functools import partial
from itertools import islice, product

from benchmarks.solvers.peers import SEARCHES
from benchmarks.solvers.race import Race
from solvers import knight, queens, triazzle
from solvers.budget import Budget
from solvers.tours import MOVES, closed_tour

ARTICLE_TRAY = (
    "halves 4,10,8 2,8,11 11,2,0 3,10,1 7,7,1 2,11,11 6,1,3 8,9,0 6,9,0 11,10,8 6,9,8 6,6,9 1,5,9 10,11,4 10,3,4 5,5,7"
    " / 3 7 4 7 8 0 10 5 11 9 2 10"
)
"""The Triazzle of the article."""


def queens_cover(n: int) -> tuple[list[Hashable], list[tuple[Hashable, ...]]]:
    """n queens as exact cover; a diagonal without queen is covered by an option of its own."""
    lines: list[Hashable] = [(kind, i) for kind in ("row", "column") for i in range(n)]
    diagonals: list[Hashable] = [(kind, i) for kind in ("falling", "rising") for i in range(1 - n, 2 * n - 1)]
    options: list[tuple[Hashable, ...]] = [
        (("row", r), ("column", c), ("falling", r - c), ("rising", r + c)) for r, c in product(range(n), repeat=2)
    ]
    held = {item for option in options for item in option}
    kept = [item for item in diagonals if item in held]
    return [*lines, *kept], [*options, *((item,) for item in kept)]


def plain_queens(n: int) -> int:
    """The textbook's count: row by row, each column compared with all queens above."""
    placed: list[int] = []

    def ways() -> int:
        row = len(placed)
        if row == n:
            return 1
        found = 0
        for column in range(n):
            if all(column != c and abs(column - c) != row - r for r, c in enumerate(placed)):
                placed.append(column)
                found += ways()
                placed.pop()
        return found

    return ways()


def plain_tour(rows: int, cols: int, start: tuple[int, int]) -> int:
    """Warnsdorff's rule as it is mostly written: no tie-break, no way back. How many squares it reaches."""

    def onward(cell: tuple[int, int]) -> list[tuple[int, int]]:
        r, c = cell
        return [
            (r + dr, c + dc)
            for dr, dc in MOVES
            if 0 <= r + dr < rows and 0 <= c + dc < cols and (r + dr, c + dc) not in visited
        ]

    visited = {start}
    here = start
    while ahead := onward(here):
        here = min(ahead, key=lambda cell: len(onward(cell)))
        visited.add(here)
    return len(visited)


def plain_tray(puzzle: triazzle.Puzzle) -> int:
    """How many solutions a plain search finds: slot by slot, every piece in every turn."""
    joint = {edge: number for number, edge in enumerate(triazzle.TRAY.outer)}
    for number, (one, other) in enumerate(triazzle.TRAY.inner, len(joint)):
        joint[one] = joint[other] = number
    demand: dict[int, int] = {k: puzzle.mate(code) for k, code in enumerate(puzzle.border) if code is not None}
    used = [False] * len(puzzle.tiles)

    def ways(slot: int) -> int:
        if slot == triazzle.SLOTS:
            return 1
        joints = [joint[slot, edge] for edge in range(3)]
        found = 0
        for piece, turn in product(range(len(used)), range(3)):
            codes = puzzle.tiles[piece]
            shown = [codes[(edge - turn) % 3] for edge in range(3)]
            if used[piece] or any(demand.get(j, code) != code for j, code in zip(joints, shown, strict=True)):
                continue
            fresh = [(j, code) for j, code in zip(joints, shown, strict=True) if j not in demand]
            demand.update((j, puzzle.mate(code)) for j, code in fresh)
            used[piece] = True
            found += ways(slot + 1)
            used[piece] = False
            for j, _ in fresh:
                del demand[j]
        return found

    return ways(0)


def _tour(rows: int, cols: int, start: tuple[int, int], closed: bool) -> int:
    closed_tour.cache_clear()  # nothing remembered from the turn before
    puzzle = knight.Puzzle(rows, cols, start, closed)
    return len(next(knight.answers(puzzle, Budget())).path)


def _all_starts(tour: Callable[[int, int, tuple[int, int]], int]) -> int:
    return min(tour(8, 8, divmod(square, 8)) for square in range(64))


def _warm(rows: int, cols: int, start: tuple[int, int]) -> int:
    return len(next(knight.answers(knight.Puzzle(rows, cols, start), Budget())).path)


def _cover_peers(n: int, names: tuple[str, ...]) -> dict[str, Callable[[], int]]:
    # More than the answers there are, and not so many that exact-cover, which makes room for all, runs out of memory.
    return {name: partial(lambda search: search(*queens_cover(n), 20_000), SEARCHES[name]) for name in names}


def _complete(puzzle: queens.Puzzle) -> int:
    return len(list(islice(queens.answers(puzzle, Budget()), 1)))


def _tray(puzzle: triazzle.Puzzle) -> int:
    return len(list(triazzle.answers(puzzle, Budget())))


def races() -> list[Race]:
    """All races of this module."""
    tray = triazzle.parse(ARTICLE_TRAY)
    some = queens.Puzzle(100, tuple((r, (2 * r + 1) % 101) for r in range(0, 20, 4)))
    return [
        Race(
            "Triazzle of the article, all answers",
            partial(_tray, tray),
            {"plain search": partial(plain_tray, tray)},
            0.06,
        ),
        Race(
            "Knight 8 x 8, from the corner",
            partial(_tour, 8, 8, (0, 0), False),
            {"Warnsdorff, plain": partial(plain_tour, 8, 8, (0, 0))},
            0.1,
        ),
        Race("Knight 8 x 8, from all 64 starts", partial(_all_starts, _warm), bar_ms=6.4),
        Race("Knight 60 x 60", partial(_tour, 60, 60, (7, 9), False), {}),
        Race("Knight 1,000 x 1,000, open", partial(_tour, 1000, 1000, (3, 4), False), bar_ms=600),
        Race("Knight 1,000 x 1,000, closed", partial(_tour, 1000, 1000, (3, 4), True), bar_ms=500),
        Race(
            "Queens, count 8",
            partial(queens.count, queens.Puzzle(8)),
            {"plain search": partial(plain_queens, 8), **_cover_peers(8, ("exact-cover", "xcover", "clingo"))},
            0.2,
        ),
        Race("Queens, count 12", partial(queens.count, queens.Puzzle(12)), _cover_peers(12, ("xcover",)), 8),
        Race("Queens, 100 rows with 5 given, one answer", partial(_complete, some)),
        Race("Queens, one answer for 1,000,000 rows", partial(_complete, queens.Puzzle(1_000_000)), bar_ms=50),
    ]
