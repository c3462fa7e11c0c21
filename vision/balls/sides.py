"""Sides of a ball board along which no pits are seen: it may lie one cell farther in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY
from vision.balls.board import Board
from vision.balls.lattice import board_spots, roundness_at
from vision.balls.looks import correlation
from vision.pictures.placement import FlatPlacement
from vision.reading import Doubt

Floats = npt.NDArray[np.float64]

NO_PIT = 0.15
"""Roundness below which a cell shows no rim at all."""

RATHER = 0.15
"""How much more one side must correlate with the pits than another to be the one that has pits; where it was seen, the
difference was 0.6 and more."""

SAME = 0.1
"""Distance in cells below which two places are the same."""


@dataclass(frozen=True, eq=False)
class Side:
    """A side of the board along which no pits are seen, where the board might as well lie one cell farther in.

    Attributes:
        cells: the numbers of the empty cells along it.
        here: how much they look like the board's pits, -1..1.
        there: the same of the places beyond the opposite side.
        farther: the board laid one cell farther in.
    """

    cells: list[int]
    here: float
    there: float
    farther: FlatPlacement


def blank_sides(board: Board, placement: FlatPlacement) -> list[Side]:
    """The sides of the board along which no pits are seen."""
    tray = board.tray
    centres = np.array(tray.centres)
    inner = next(cell for cell in tray.cells if None not in tray.layout.neighbours[cell])
    sides = []
    for other in tray.layout.neighbours[inner]:
        step = np.subtract(tray.layout.centre(other or inner), tray.layout.centre(inner))
        apart = np.hypot(*(centres[:, None] + step - centres[None]).transpose(2, 0, 1))
        cells = np.flatnonzero(apart.min(axis=0) > SAME).tolist()
        if any(board.rows[k] != EMPTY for k in cells):
            continue
        beyond = (centres + step)[apart.min(axis=1) > SAME]
        there = roundness_at(placement.matrix, beyond, board_spots(board.photo, tray))
        if board.roundness[cells].mean() > there.mean() + NO_PIT:
            continue
        move = np.array([(1, 0, step[0]), (0, 1, step[1]), (0, 0, 1)], np.float64)
        farther = replace(placement, matrix=placement.matrix @ move)
        pits = centres[[k for k in board.cells(EMPTY) if k not in cells]]
        here, beyond_it = (correlation(board.photo, placement, pits, lot) for lot in (centres[cells], beyond))
        sides.append(Side(cells, here, beyond_it, farther))
    return sides


def off_by_one(board: Board, sides: Sequence[Side]) -> list[Doubt]:
    """The empty cells along a side that may lie outside the board."""
    why = "no pits are seen along this side; the board may lie one cell farther in"
    doubtful = [side for side in sides if side.here < side.there + RATHER]
    return [Doubt(board.tray.cells[k], EMPTY, 0.4, why) for side in doubtful for k in side.cells]
