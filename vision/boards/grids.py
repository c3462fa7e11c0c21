"""The lattices of a picture with what is seen of the sides of their cells.

Where lattices lie, the phases of their cells tell (:mod:`vision.boards.phases`); what is seen across their sides,
:mod:`vision.boards.line_sides`.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards.line_sides import PRESENT, line_sides
from vision.boards.phases import SAME, Grid, lattices
from vision.boards.states import board_at
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, box_corners, lie_alike
from vision.trace import Trace

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GridGuess:
    """A place where a grid may lie.

    Attributes:
        placement: maps the grid's board units (cells) to pixels of the photo that was searched.
        rows: number of rows of the box around the board.
        cols: number of columns.
        score: 0..1, the part of the sides of its cells that is seen.
        upright: ``float64 (rows, cols + 1)``, 0..1: how much of the side between cells ``(r, c - 1)`` and ``(r, c)``
            shows an edge.
        level: ``float64 (rows + 1, cols)``, the same for the side between ``(r - 1, c)`` and ``(r, c)``.
    """

    placement: FlatPlacement
    rows: int
    cols: int
    score: float
    upright: Floats
    level: Floats

    @cached_property
    def corners_px(self) -> Floats:
        """``float64 (4, 2)``: top left, top right, bottom right, bottom left, in pixels."""
        return box_corners(self.placement)


def find_grids(photo: Photo, trace: Trace | None = None) -> list[GridGuess]:
    """The grids in a picture, the best seen first, in pixels of ``photo``; computed once for each picture."""
    guesses = photo.derive(_find_grids)
    if trace is not None:
        for guess in guesses[:3]:
            trace.note(f"grid {guess.rows} x {guess.cols}, score {guess.score:.2f}")
        trace.picture("grids", lambda: draw_guesses(photo, guesses[:3]))
    return list(guesses)


def _find_grids(photo: Photo) -> list[GridGuess]:
    """The lattices as far as the cells of a board on them reach, where that is a rectangle; and as they were found."""
    places: list[Grid] = []
    for grid in lattices(photo):
        board = photo.derive_at(board_at, grid)
        whole = [board.placement] if board is not None and board.inside.all() else []
        for place in (*whole, grid):
            if not any(lie_alike(place, other, SAME) for other in places):
                places.append(place)
    return [_measured(photo, place) for place in places]


def _measured(photo: Photo, grid: Grid) -> GridGuess:
    sides = line_sides(photo, grid)
    upright, level = ((seen >= PRESENT).astype(np.float64) for seen in (sides.upright, sides.level))
    score = float(np.concatenate([upright.ravel(), level.ravel()]).mean())
    flat = grid if isinstance(grid, FlatPlacement) else grid.sheet
    return GridGuess(replace(flat, score=score), len(upright), len(level[0]), score, upright, level)


def draw_guesses(photo: Photo, guesses: list[GridGuess]) -> Picture:
    """A stage picture: the first guess in green, the next ones in orange and red."""
    canvas = photo.bgr.copy()
    thick = max(1, round(max(canvas.shape) / 800))
    for guess, colour in reversed(list(zip(guesses, [(0, 200, 0), (0, 140, 255), (0, 0, 255)], strict=False))):
        for row in range(guess.rows + 1):
            ends = guess.placement.to_photo([(0, row), (guess.cols, row)]).round().astype(int)
            cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), colour, thick)
        for col in range(guess.cols + 1):
            ends = guess.placement.to_photo([(col, 0), (col, guess.rows)]).round().astype(int)
            cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), colour, thick)
    return canvas
