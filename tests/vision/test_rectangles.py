"""Boxes in a picture that may be rectangular boards."""

import numpy as np

from samples import regions, stitch
from vision.boards.rectangles import rectangles
from vision.boards.states import board_at
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, lie_alike

NEAR = 0.2
"""How far the corners of a box may lie from those that were drawn, in cells."""


def test_a_whole_board_is_a_box_as_it_was_drawn() -> None:
    for seed in (3, 4, 5):
        sample = regions.draw(np.random.default_rng(seed), n=7)
        drawn = FlatPlacement.from_corners(sample.truth["corners"], (7, 7))
        assert any(lie_alike(drawn, box, NEAR) for box in rectangles(Photo(sample.picture))), seed


def test_a_board_with_steps_is_no_box() -> None:
    sample = stitch.draw(np.random.default_rng(6), style="light", rows=9, cols=7, holes=12, filled=0.0, device="phone")
    photo = Photo(sample.picture)
    boxes = rectangles(photo)
    told = [board_at(photo, box) for box in boxes]
    assert boxes
    assert all(board is None or not board.inside.all() for board in told)


def test_the_boxes_of_a_picture_are_the_same_objects_each_time() -> None:
    photo = Photo(regions.draw(np.random.default_rng(3), n=6).picture)
    assert rectangles(photo)
    assert all(one is other for one, other in zip(rectangles(photo), rectangles(photo), strict=True))


def test_bare_paper_has_none() -> None:
    assert rectangles(Photo(np.full((400, 300, 3), 240, np.uint8))) == []
