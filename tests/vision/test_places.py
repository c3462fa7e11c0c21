"""Which grids are worth reading: what is surely one, beside what looks better and is not as sure."""

import numpy as np
import pytest

from vision.boards.fitting import GridGuess
from vision.clues.places import plain_places
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement


def guess(rows: int, cols: int, side: float, score: float, worth: float) -> GridGuess:
    corners = np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)]) * side
    place = FlatPlacement.from_corners(corners, (cols, rows), score)
    sides = np.ones((rows, cols + 1)), np.ones((rows + 1, cols)), np.ones((rows, cols), bool)
    return GridGuess(place, rows, cols, score, 0.4, *sides, worth=worth)


@pytest.mark.parametrize(("worth", "places"), [(110.0, 2), (80.0, 1)])
def test_a_grid_that_is_sure_is_read_beside_larger_cells_that_look_better(worth: float, places: int) -> None:
    """Rope hides most lines of a board, and the page round it has a few that fit larger cells."""
    better, sure = guess(4, 4, 180, 0.66, 48), guess(14, 9, 45, 0.4, worth)
    photo = Photo(np.zeros((800, 800, 3), np.uint8))
    found = plain_places(photo, [better, sure])
    assert len(found) == places
    assert found[0].size == (4, 4)
