"""Cells and holes of drawn boards, told by the network alone."""

import cv2
import numpy as np

from samples import pages
from samples import stitch as drawn
from samples.sample import Sample
from vision.boards.states import Board, board_at, board_within, is_straight, log_odds
from vision.pictures.bending import regrown
from vision.pictures.flatten import cell_side_px
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement


def cells_of(sample: Sample) -> np.ndarray:
    return np.array([[clue is not None for clue in row] for row in sample.truth["clues"]])


def grid_of(sample: Sample) -> FlatPlacement:
    rows, cols = cells_of(sample).shape
    return FlatPlacement.from_corners(sample.truth["corners"], (cols, rows))


def stepped(seed: int) -> Sample:
    return drawn.draw(
        np.random.default_rng(seed), style="tiles", rows=7, cols=6, holes=8, form="stepped", device="phone", filled=0.0
    )


LEAST_EXACT = 9
"""Of twelve boards, those of which every place is told by the network alone."""


def test_stepped_outlines_are_told_place_by_place() -> None:
    samples = [stepped(seed) for seed in range(1, 13)]
    boards = [board_at(Photo(sample.picture), grid_of(sample)) for sample in samples]
    exact = [np.array_equal(board.inside, cells_of(one)) for board, one in zip(boards, samples, strict=True)]
    assert sum(exact) >= LEAST_EXACT


def test_the_outline_is_the_same_from_a_part_of_the_grid() -> None:
    sample = stepped(4)
    photo, grid = Photo(sample.picture), grid_of(sample)
    found = board_at(photo, regrown(grid, (0, -2, 0, -1)))
    assert (found.inside == cells_of(sample)).all()
    assert np.allclose(found.placement.to_photo([(0, 0)]), grid.to_photo([(0, 0)]), atol=0.5)


def test_a_board_is_followed_to_its_end_where_the_grid_lies_a_row_too_high() -> None:
    sample = stepped(4)
    found = board_at(Photo(sample.picture), regrown(grid_of(sample), (0, 1, 0, -4)))
    assert np.array_equal(found.inside, cells_of(sample))


def test_a_board_whose_picture_is_bent_by_a_part_of_a_cell_is_not_straight() -> None:
    sample = stepped(4)
    height, width = sample.picture.shape[:2]
    ys, xs = np.mgrid[:height, :width].astype(np.float32)
    side_px = cell_side_px(grid_of(sample))
    waved = cv2.remap(
        sample.picture,
        xs + 0.15 * side_px * np.sin(ys / side_px),
        ys + 0.15 * side_px * np.sin(xs / side_px),
        cv2.INTER_LINEAR,
    )
    assert is_straight(Photo(sample.picture), grid_of(sample))
    assert not is_straight(Photo(waved), grid_of(sample))


def test_a_whole_page_of_the_second_generator_has_no_hole() -> None:
    sample = pages.draw(np.random.default_rng(2), rows=7, cols=6, missing=0.0, filled=0.0, furnished=1.0)
    assert board_at(Photo(sample.picture), grid_of(sample)).inside.all()


def test_the_box_is_kept_where_the_user_named_it() -> None:
    sample = stepped(5)
    grid = regrown(grid_of(sample), (1, 1, 1, 1))
    assert board_within(Photo(sample.picture), grid).odds.shape == (9, 8)


def test_places_outside_of_the_picture_are_no_cells() -> None:
    sample = stepped(6)
    lattice = regrown(grid_of(sample), (40, 0, 0, 0))
    assert np.isneginf(log_odds(Photo(sample.picture), lattice)[:, 0]).all()


def test_a_board_turns_and_is_cut_with_its_odds() -> None:
    place = FlatPlacement.from_corners([(0, 0), (30, 0), (30, 20), (0, 20)], (3, 2))
    board = Board(place, np.array([[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]))
    assert board.turned(1).odds.shape == (3, 2)
    assert board.turned(4).odds.tolist() == board.odds.tolist()
    cut = board.cut((slice(0, 2), slice(0, 2)))
    assert cut.inside.all()
    assert cut.placement.size == (2, 2)
