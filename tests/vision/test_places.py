"""Which grids are worth reading: what is surely one, beside what looks better and is not as sure."""

import numpy as np
import pytest

from vision.boards.fitting import GridGuess
from vision.boards.grids import distinct
from vision.clues import places
from vision.clues.places import plain_places
from vision.kind import Aids
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement


def guess(rows: int, cols: int, side: float, score: float, worth: float) -> GridGuess:
    corners = np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)]) * side
    place = FlatPlacement.from_corners(corners, (cols, rows), score)
    sides = np.ones((rows, cols + 1)), np.ones((rows + 1, cols)), np.ones((rows, cols), bool)
    return GridGuess(place, rows, cols, score, 0.4, *sides, worth=worth)


@pytest.mark.parametrize(("worth", "count"), [(110.0, 2), (80.0, 1)])
def test_a_grid_that_is_sure_is_read_beside_larger_cells_that_look_better(worth: float, count: int) -> None:
    """Rope hides most lines of a board, and the page round it has a few that fit larger cells."""
    better, sure = guess(4, 4, 180, 0.66, 48), guess(14, 9, 45, 0.4, worth)
    photo = Photo(np.zeros((800, 800, 3), np.uint8))
    found = plain_places(photo, [better, sure])
    assert len(found) == count
    assert found[0].size == (4, 4)


@pytest.mark.parametrize(("worth", "side"), [(270.0, 61.0), (200.0, 60.0)])
def test_of_two_guesses_that_say_the_same_the_one_of_which_more_is_seen_is_kept(worth: float, side: float) -> None:
    """One that took the edge of the page for the board's own is worth a little more."""
    first, second = guess(7, 8, 60, 0.62, 280), guess(7, 8, 61, 0.67, worth)
    assert [found.corners_px[1, 0] for found in distinct([first, second])] == [8 * side]


@pytest.mark.parametrize(("worth", "count"), [(300.0, 1), (130.0, 0)])
def test_where_bent_cells_lie_is_asked_only_of_what_may_be_a_part_of_them(
    worth: float, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It costs as much as finding the board, and so much of a bent one never lies straight."""
    monkeypatch.setattr(places, "_among_bent_cells", lambda *_: True)
    photo = Photo(np.zeros((800, 800, 3), np.uint8))
    assert len(plain_places(photo, [guess(8, 8, 60, 0.8, worth)])) == count


def test_of_filled_boards_some_are_read_whatever_else_patches_seem_to_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = Photo(np.zeros((800, 800, 3), np.uint8))
    outlined, wanting = [guess(13, 10, 40, 0.0, 0.0)], [guess(n, n, 40, 0.3, 0.0) for n in range(5, 11)]
    monkeypatch.setattr(places, "filled_grids", lambda _: outlined)
    monkeypatch.setattr(places, "seen_sides", lambda _, place: place)
    monkeypatch.setattr(places, "covered", lambda place: 1 - place.size[1] / 26)
    found = places.tentative_places(photo, wanting, Aids())
    assert [place.size for place in found] == [(5, 5), (6, 6), (7, 7), (10, 13)]
