"""Whether the part of a bent Stitch board that was read is what was drawn there.

Where the cells under filled patches are not certain, a reading may leave such patches alone: then its rows and columns
are its own, and parts that only a filled patch joins have no place relative to each other. What counts is what is
drawn: each cell that was read lies on one true cell, with the clue that stands there; each patch of the answer covers
a true patch; and the patches that are not among them are filled already, each of them named as left alone.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.solving import Record
from solvers.board import Cell

NEAR = 0.4
"""The middle of a cell that was read lies within this part of the cell's side of the true one."""


def open_part_is_right(record: Record, truth: Mapping[str, Any]) -> bool:
    """Whether all that was read of a bent board is right, and nothing is missing but filled patches that are named."""
    if record["kind"] != "stitch" or record["solution"] is None or "mesh" not in truth:
        return False
    true_cell = _true_cells(record, truth)
    if None in true_cell.values() or len(set(true_cell.values())) < len(true_cell):
        return False
    clues = record["puzzle"]["clues"]
    if any(clues[r][c] != truth["clues"][true[0]][true[1]] for (r, c), true in true_cell.items() if true):
        return False
    mine = {frozenset(true_cell[cell[0], cell[1]] for cell in patch) for patch in record["patches"]}
    patches = {tuple(box["clue"]): _cells_of(box) for box in truth["solution"]["rectangles"]}
    left = {clue for clue, cells in patches.items() if cells not in mine}
    filled = {tuple(cell) for cell in truth["filled_clues"]}
    numbers = sorted(str(truth["clues"][row][col]) for row, col in left)
    return mine <= set(patches.values()) and left <= filled and sorted(record["left_alone"]) == numbers


def _true_cells(record: Record, truth: Mapping[str, Any]) -> dict[Cell, Cell | None]:
    """For each cell that was read the true one that lies there; None where none does."""
    names = [tuple(int(part) for part in name.split(",")) for name in truth["mesh"]]
    centres = np.array([truth["cell_centers"][f"{row},{col}"] for row, col in names])
    quads = np.array([truth["mesh"][f"{row},{col}"] for row, col in names])
    sides = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).min(axis=1)
    cells = [(int(row), int(col)) for row, col, _, _ in record["cell_centers"]]
    middles = np.array(record["cell_centers"])[:, 2:]
    away = np.linalg.norm(middles[:, None] - centres[None], axis=2)
    nearest = away.argmin(axis=1)
    near = away.min(axis=1) <= NEAR * sides[nearest]
    return {cell: names[k] if good else None for cell, k, good in zip(cells, nearest, near, strict=True)}


def _cells_of(box: Mapping[str, int]) -> frozenset[Cell]:
    return frozenset((box["top"] + i, box["left"] + j) for i in range(box["height"]) for j in range(box["width"]))
