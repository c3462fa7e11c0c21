"""Makes levels of the coloured-region Queens game: connected regions of all shapes and sizes, exactly one answer.

Queens are placed so that none touch, one region grows around each at random, and as long as there is a second answer,
one of its squares is given to a neighbouring region that makes it impossible.
"""

from random import Random

from solvers.budget import Budget
from solvers.queens import Answer, Puzzle, answers

Grid = list[list[int]]

REPAIRS = 400
"""Squares that may change hands before a level is thrown away and a new one begun."""


def make(rng: Random, n: int) -> tuple[Puzzle, Answer]:
    """A level of ``n`` x ``n`` squares (4 to about 16) with exactly one answer, and that answer."""
    while True:
        columns = _placed(rng, n)
        grid = _grown(rng, columns)
        if _repaired(rng, grid, columns):
            return Puzzle(n, (), tuple(tuple(row) for row in grid)), Answer(tuple(columns))


def _placed(rng: Random, n: int) -> list[int]:
    """The column of each row's queen, no two touching."""
    while True:
        columns = rng.sample(range(n), n)
        # A few swaps nearly always cure the rows where queens touch; n = 4 has two answers only.
        for _ in range(20 * n):
            bad = [r for r in range(n - 1) if abs(columns[r] - columns[r + 1]) < 2]
            if not bad:
                return columns
            a, b = rng.choice(bad), rng.randrange(n)
            columns[a], columns[b] = columns[b], columns[a]


def _grown(rng: Random, columns: list[int]) -> Grid:
    """Regions around the queens; each has an appetite of its own, so some stay small and some fill the board."""
    n = len(columns)
    grid = [[-1] * n for _ in range(n)]
    for r, c in enumerate(columns):
        grid[r][c] = r
    appetite = [rng.random() ** 2 + 0.02 for _ in range(n)]
    free = n * n - n
    while free:
        region = rng.choices(range(n), appetite)[0]
        edge = [
            (i, j)
            for r in range(n)
            for c in range(n)
            if grid[r][c] == region
            for i, j in _around(r, c, n)
            if grid[i][j] == -1
        ]
        if edge:
            i, j = rng.choice(edge)
            grid[i][j] = region
            free -= 1
        elif any(-1 in row for row in grid):
            appetite[region] = 0.0
            if not any(appetite):
                appetite = [1.0] * n
    return grid


def _around(r: int, c: int, n: int) -> list[tuple[int, int]]:
    return [(i, j) for i, j in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)) if 0 <= i < n and 0 <= j < n]


def _repaired(rng: Random, grid: Grid, columns: list[int]) -> bool:
    """Whether changing squares of other answers left only one."""
    n = len(columns)
    for _ in range(REPAIRS):
        puzzle = Puzzle(n, (), tuple(tuple(row) for row in grid))
        other = next((a.columns for a in answers(puzzle, Budget()) if list(a.columns) != columns), None)
        if other is None:
            return True
        squares = [(r, c) for r, c in enumerate(other) if columns[r] != c]
        rng.shuffle(squares)
        if not any(_given_away(rng, grid, r, c) for r, c in squares):
            return False
    return False


def _given_away(rng: Random, grid: Grid, r: int, c: int) -> bool:
    """Give a square to a neighbouring region, where its own stays connected."""
    n, own = len(grid), grid[r][c]
    takers = [grid[i][j] for i, j in _around(r, c, n) if grid[i][j] != own]
    if not takers or not _connected_without(grid, r, c):
        return False
    grid[r][c] = rng.choice(takers)
    return True


def _connected_without(grid: Grid, r: int, c: int) -> bool:
    n, own = len(grid), grid[r][c]
    squares = {(i, j) for i in range(n) for j in range(n) if grid[i][j] == own} - {(r, c)}
    if not squares:
        return False
    reached, queue = set(), [next(iter(sorted(squares)))]
    while queue:
        here = queue.pop()
        if here in squares and here not in reached:
            reached.add(here)
            queue += _around(*here, n)
    return reached == squares
