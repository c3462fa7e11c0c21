"""Lattices that cut each cell of a board into four or nine are told from the board's own.

A lattice of half the pitch has every line of the board as well, and in a photo the half of a faint or dashed line may
be seen where the whole is not: along a shorter side there is less of a bend, of moire and of gaps. But on the lines
between the board's own hardly anything is seen.
"""

from dataclasses import replace

import numpy as np

from vision.boards.cell_sides import MIN_LINES, SIDE_SEEN, Floats, enclosed, grid_score
from vision.boards.fitting import GridGuess
from vision.boards.grids import find_grids
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement
from vision.trace import Trace

STRAY = 0.12
"""What is seen on lines that are not there, at most, of what is seen on the board's own."""


def find_whole_grids(photo: Photo, trace: Trace | None = None, *, thorough: bool = True) -> list[GridGuess]:
    """The grids of :func:`vision.boards.grids.find_grids` with whole cells."""
    return [of_whole_cells(guess) for guess in find_grids(photo, trace, thorough=thorough)]


def of_whole_cells(guess: GridGuess) -> GridGuess:
    """A measured guess with cells two or three times as large where the lines between are not there."""
    if not guess.worth or guess.bent is not None:
        return guess
    for times in (3, 2):
        rows, cols = guess.rows // times, guess.cols // times
        if guess.rows % times or guess.cols % times or min(rows, cols) < MIN_LINES:
            continue
        between = [part for k in range(1, times) for part in (guess.upright[:, k::times], guess.level[k::times])]
        own = guess.upright[:, ::times], guess.level[::times]
        if max(float(part.mean()) for part in between) <= STRAY * min(float(part.mean()) for part in own):
            upright = guess.upright[:, ::times].reshape(rows, times, -1).max(axis=1)
            level = guess.level[::times].reshape(-1, cols, times).max(axis=2)
            return _with_sides(guess, upright, level, times)
    return guess


def _with_sides(guess: GridGuess, upright: Floats, level: Floats, times: int) -> GridGuess:
    """The same place cut into cells so many times as large, with what is seen of their sides."""
    inside = enclosed(upright > SIDE_SEEN, level > SIDE_SEEN)
    rows, cols = inside.shape
    score = grid_score(upright > SIDE_SEEN, level > SIDE_SEEN, inside, 0.0, guess.explained)
    matrix = guess.placement.matrix @ np.diag([times, times, 1.0])
    placement = FlatPlacement(matrix, (cols, rows), score)
    return replace(
        guess, placement=placement, rows=rows, cols=cols, score=score, upright=upright, level=level, inside=inside
    )
