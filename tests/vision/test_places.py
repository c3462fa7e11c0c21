"""Which grids are read: those on whose lattices boards lie."""

from dataclasses import replace

import numpy as np
import pytest

from samples import stitch
from vision.boards.fitting import GridGuess
from vision.boards.grids import distinct
from vision.clues.places import plain_places
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement


def guess(rows: int, cols: int, side: float, score: float, evidence: float) -> GridGuess:
    corners = np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)]) * side
    place = FlatPlacement.from_corners(corners, (cols, rows), score)
    sides = np.ones((rows, cols + 1)), np.ones((rows + 1, cols))
    return GridGuess(place, rows, cols, score, 0.4, *sides, evidence=evidence)


def drawn_guess(evidence: float = 0.0, pitch: float = 1.0) -> tuple[Photo, GridGuess]:
    """A drawn board of 7 x 6 cells, and a guess at its place, of so many cells' side."""
    sample = stitch.draw(np.random.default_rng(3), look="light", rows=7, cols=6)
    (left, top), _, (right, bottom), _ = sample.truth["corners"]
    size = round(6 / pitch), round(7 / pitch)
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    place = FlatPlacement.from_corners(corners, size, 0.7)
    return Photo(sample.picture), replace(guess(size[1], size[0], 1.0, 0.7, evidence), placement=place)


def test_of_grids_at_a_place_that_is_read_on_which_a_board_lies() -> None:
    photo, right = drawn_guess()
    _, finer = drawn_guess(pitch=0.5)
    assert [place.size for place in plain_places(photo, [finer, right])] == [(6, 7)]
    assert plain_places(photo, [finer]) == []


@pytest.mark.parametrize(("evidence", "side"), [(270.0, 61.0), (200.0, 60.0)])
def test_of_two_guesses_that_say_the_same_the_one_of_which_more_is_seen_is_kept(evidence: float, side: float) -> None:
    """One that took the edge of the page for the board's own is evidence a little more."""
    first, second = guess(7, 8, 60, 0.62, 280), guess(7, 8, 61, 0.67, evidence)
    assert [found.corners_px[1, 0] for found in distinct([first, second])] == [8 * side]
