"""Bent lattices from fields of phases that are known."""

import numpy as np
import numpy.typing as npt
import pytest

from vision.boards.unwrapping import Field, bent_lattice_of
from vision.pictures.placement import Points

ROWS, COLS, SIDE = 7, 8, 12
HOLE = (3, 4)


def bent(at: Points) -> Points:
    """Where places of the field lie on the board, ``(N, 2)``: its lines swing by more than a cell."""
    x, y = np.asarray(at, np.float64).T / SIDE - 1.5
    return np.column_stack([x - 0.8 * np.sin(y), y + 0.7 * np.sin(0.9 * x)])


def field(sure: float) -> tuple[Field, npt.NDArray[np.bool_], Points]:
    """A field, its cells, and the middle of each cell in it; half of the places of a block of cells tell nothing."""
    side = SIDE * (max(ROWS, COLS) + 3)
    ys, xs = np.mgrid[:side, :side]
    at = np.column_stack([xs.ravel(), ys.ravel()])
    board = bent(at)
    col, row = np.floor(board).T
    cells = (col >= 0) & (col < COLS) & (row >= 0) & (row < ROWS) & ((row != HOLE[0]) | (col != HOLE[1]))
    rng = np.random.default_rng(7)
    waves = 0.97 * np.exp(2j * np.pi * board)
    blurred = (col >= 5) & (col < 7) & (row >= 1) & (row < 3) & (rng.random(len(at)) < 0.5)
    waves[blurred] = sure * np.exp(2j * np.pi * rng.random((np.count_nonzero(blurred), 2)))
    inside = cells.reshape(side, side)
    odds = np.where(inside, 5, -5).astype(np.float32)
    middles = np.array([at[np.argmin(((board - (c + 0.5, r + 0.5)) ** 2).sum(axis=1))] for r, c in _cells()])
    return Field(waves.T.reshape(2, side, side).astype(np.complex64), odds, np.eye(3)), inside, middles.astype(float)


def _cells() -> list[tuple[int, int]]:
    return [cell for cell in np.ndindex(ROWS, COLS) if cell != HOLE]


@pytest.mark.parametrize("sure", [0.97, 0.4])
def test_every_cell_is_counted_whatever_the_bend_and_past_what_tells_nothing(sure: float) -> None:
    told, cells, middles = field(sure)
    grid = bent_lattice_of(told, cells)
    assert grid is not None
    assert grid.size == (COLS, ROWS)
    rows, cols = np.floor(grid.to_board(middles)).astype(int).T[::-1]
    assert list(zip(rows.tolist(), cols.tolist(), strict=True)) == _cells()


def test_what_has_no_phases_has_no_bent_lattice() -> None:
    told, cells, _ = field(0.97)
    blank = Field(np.zeros_like(told.waves), told.odds, told.to_photo)
    assert bent_lattice_of(blank, cells) is None
