"""Makes boards for the knight that are known to have a tour: rectangles, and boards cut out along a walk."""

from random import Random

from solvers.board import Cell
from solvers.knight import Answer, Puzzle
from solvers.tours import MOVES, SMALLEST


def make(rng: Random, rows: int, cols: int, *, closed: bool = False) -> Puzzle:
    """A rectangle and a start on it from which a tour exists.

    Raises:
        ValueError: a side is shorter than 5, or both are odd and the tour is to be closed.
    """
    if min(rows, cols) < SMALLEST or (closed and rows * cols % 2):
        raise ValueError(f"not every board of {rows} x {cols} squares has such a tour")
    while True:
        start = rng.randrange(rows), rng.randrange(cols)
        if rows * cols % 2 == 0 or sum(start) % 2 == 0:
            return Puzzle(rows, cols, start, closed)


def make_with_holes(rng: Random, rows: int, cols: int, squares: int) -> tuple[Puzzle, Answer]:
    """A board whose squares are those of a random walk without return, and the walk; all others are holes.

    The walk ends early where it is caught, so there may be fewer squares than asked for.
    """
    walk: list[Cell] = [(rng.randrange(rows), rng.randrange(cols))]
    while len(walk) < squares:
        r, c = walk[-1]
        onward = [(r + dr, c + dc) for dr, dc in MOVES if 0 <= r + dr < rows and 0 <= c + dc < cols]
        onward = [cell for cell in onward if cell not in walk]
        if not onward:
            break
        walk.append(rng.choice(onward))
    holes = tuple(sorted({(r, c) for r in range(rows) for c in range(cols)} - set(walk)))
    step = abs(walk[0][0] - walk[-1][0]), abs(walk[0][1] - walk[-1][1])
    return Puzzle(rows, cols, walk[0], False, holes), Answer(tuple(walk), len(walk) == 1 or sorted(step) == [1, 2])
