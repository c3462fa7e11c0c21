"""What numbers on a grid are called: ``python -m benchmarks.named_games [--count N]``.

Numbers alone, no pictures. The collected Shikaku boards of a folder ``shared`` beside the checkout should be no other
game: as they are, with one clue or two misread or missing, with a row and a column cut off. The numbers of other games,
drawn from fixed seeds, should be.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from benchmarks.steps import collected
from solvers.stitch import Stitch
from vision.clues.other_games import another_game
from vision.stitch import MISFITS

Grid = npt.NDArray[np.int64]

LARGEST = 300
"""Cells of the largest boards that are taken: 537 boards."""

MISREAD_AS = 12
"""A misread clue is any number up to this."""


def misread(rng: np.random.Generator, clues: Grid, count: int) -> Grid:
    """The board with so many clues that are others or missing, one as often as the other."""
    spoilt, cells = clues.copy(), np.argwhere(clues > 0)
    for row, col in rng.permutation(cells)[:count]:
        spoilt[row, col] = rng.integers(1, MISREAD_AS, endpoint=True) if rng.random() < 0.5 else 0
    return spoilt


def sudoku(rng: np.random.Generator) -> Grid:
    """A Sudoku of 9 x 9, a third to a half of it given: bands, rows, columns and digits of one are exchanged."""
    order = [np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)]) for _ in range(2)]
    rows, cols = order[0][:, None], order[1][None, :]
    full = rng.permutation(9)[(3 * (rows % 3) + rows // 3 + cols) % 9] + 1
    return np.where(rng.random((9, 9)) < rng.uniform(0.3, 0.5), full, 0)


def in_order(rng: np.random.Generator) -> Grid:
    """Numbers in order from 1 on, as Zip has them."""
    side, last = rng.integers(5, 9), rng.integers(6, 15)
    grid = np.zeros(side * side, np.int64)
    grid[rng.permutation(side * side)[:last]] = np.arange(last) + 1
    return grid.reshape(side, side)


def fifteen(rng: np.random.Generator) -> Grid:
    """Tiles with numbers, one place free."""
    side = rng.integers(3, 6)
    return rng.permutation(side * side).reshape(side, side)


def calendar(rng: np.random.Generator) -> Grid:
    """The days of a month in weeks."""
    first, days = rng.integers(7), rng.integers(28, 32)
    grid = np.zeros(42, np.int64)
    grid[first : first + days] = np.arange(days) + 1
    return grid.reshape(6, 7)


def mines(rng: np.random.Generator) -> Grid:
    """How many neighbours are mines, on some of the cells that are none and have such."""
    rows, cols = rng.integers(7, 13, 2)
    hidden = rng.random((rows, cols)) < rng.uniform(0.12, 0.25)
    around = np.pad(hidden, 1).astype(np.int64)
    counts = sum(around[r : r + rows, c : c + cols] for r in range(3) for c in range(3))
    return np.where(~hidden & (rng.random((rows, cols)) < rng.uniform(0.4, 0.9)), counts, 0)


def powers(rng: np.random.Generator) -> Grid:
    """Tiles of 2048."""
    tiles = 2 ** np.minimum(rng.geometric(0.5, (4, 4)), 11)
    return np.where(rng.random((4, 4)) < rng.uniform(0.4, 0.9), tiles, 0)


def sums(rng: np.random.Generator) -> Grid:
    """Any numbers up to 45 on some of the cells."""
    rows, cols = rng.integers(5, 11, 2)
    return np.where(rng.random((rows, cols)) < rng.uniform(0.2, 0.6), rng.integers(3, 46, (rows, cols)), 0)


GAMES: dict[str, Callable[[np.random.Generator], Grid]] = {
    "sudoku": sudoku,
    "in order": in_order,
    "fifteen": fifteen,
    "calendar": calendar,
    "mines": mines,
    "2048": powers,
    "sums": sums,
}


def named(grids: Iterable[Grid], errors: int = 0) -> Counter[str]:
    """How many grids are called what; ``errors`` is known of how many numbers must be others."""
    games = (another_game(Stitch(tuple(map(tuple, grid.tolist()))), (), errors) for grid in grids if grid.any())
    return Counter(game for game in games if game)


def main() -> None:
    """Print a line a sort of grid."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.named_games", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--count", type=int, default=60, help="grids of each other game")
    asked = parser.parse_args()
    boards = [np.array(one["clues"]) for one in collected("shikaku.jsonl") if one["rows"] * one["cols"] <= LARGEST]
    for count in range(3):
        spoilt = [misread(np.random.default_rng([seed, count]), board, count) for seed, board in enumerate(boards)]
        called = named(spoilt, MISFITS if count >= MISFITS else 0)
        print(f"{len(boards)} Shikaku boards, {count} clues misread or missing: {called.total()} called {dict(called)}")
    called = named((board[1:, 1:] for board in boards), MISFITS)
    print(f"the same, a row and a column cut off: {called.total()} called {dict(called)}")
    for game, draw in GAMES.items():
        called = named((draw(np.random.default_rng([seed, 27])) for seed in range(asked.count)), MISFITS)
        print(f"{game}: {called.total()} of {asked.count} called {dict(called)}")


if __name__ == "__main__":
    main()
