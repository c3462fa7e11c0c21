"""Which lattices are read: those on which boards lie."""

import numpy as np

from samples import stitch
from vision.boards.states import boards_on
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement


def test_of_lattices_at_a_place_that_is_read_on_which_a_board_lies() -> None:
    sample = stitch.draw(np.random.default_rng(3), look="light", rows=7, cols=6)
    photo, corners = Photo(sample.picture), sample.truth["corners"]
    right, finer = (FlatPlacement.from_corners(corners, size) for size in ((6, 7), (12, 14)))
    assert [place.size for place in boards_on(photo, [finer, right])] == [(6, 7)]
    assert boards_on(photo, [finer]) == []
