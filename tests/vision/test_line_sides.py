"""How much each side of a board's cells is seen: faint lines, badges beside lines, texture that has lines anywhere."""

import cv2
import numpy as np

from vision.boards.line_sides import ONE_QUIET, LineSides, line_sides
from vision.boards.states import board_at
from vision.pictures.bending import regrown
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

SIDE, ROWS, COLS = 40, 7, 5


def board(ink: int, noise: float, every: float = 1.0) -> Picture:
    """Lines ``ink`` darker than their page, ``every`` so many cells, with noise."""
    picture = np.full(((ROWS + 4) * SIDE, (COLS + 4) * SIDE, 3), 200, np.uint8)
    for k in np.arange(0, COLS + every / 2, every):
        x = round((2 + k) * SIDE)
        cv2.line(picture, (x, 2 * SIDE), (x, (2 + ROWS) * SIDE), (200 - ink,) * 3, 1)
    for k in np.arange(0, ROWS + every / 2, every):
        y = round((2 + k) * SIDE)
        cv2.line(picture, (2 * SIDE, y), ((2 + COLS) * SIDE, y), (200 - ink,) * 3, 1)
    grain = np.random.default_rng(3).normal(0, noise, picture.shape)
    return np.asarray(np.clip(picture + grain, 0, 255), np.uint8)


def place() -> FlatPlacement:
    return FlatPlacement(
        np.diag([SIDE, SIDE, 1.0]) + np.array([(0, 0, 2 * SIDE), (0, 0, 2 * SIDE), (0, 0, 0)]), (COLS, ROWS)
    )


def looked_at(picture: Picture) -> LineSides:
    return line_sides(Photo(picture), place())


def test_lines_as_faint_as_the_noise_are_worth_something_each_and_much_together() -> None:
    picture = board(ink=7, noise=7)
    sides = looked_at(picture)
    elsewhere = line_sides(Photo(picture), regrown(place(), (0.5, 0.5, -0.5, -0.5))).upright
    assert 0.2 < sides.upright.mean() < 0.9
    assert elsewhere.mean() < 0.1


def test_a_badge_beside_a_line_does_not_hide_it() -> None:
    picture = board(ink=40, noise=2)
    cv2.rectangle(picture, (4 * SIDE + 6, 4 * SIDE + 6), (5 * SIDE - 6, 5 * SIDE - 6), (30, 30, 160), -1)
    sides = looked_at(picture)
    row, col = 2, 2
    assert min(sides.upright[row, col : col + 2]) >= ONE_QUIET
    assert min(sides.level[row : row + 2, col]) >= ONE_QUIET


def test_a_board_does_not_go_on_into_noise() -> None:
    picture = board(ink=12, noise=1)
    below = picture[(2 + ROWS) * SIDE + 2 :]
    below[:] = np.clip(below + np.random.default_rng(5).normal(0, 60, below.shape), 0, 255)
    found = board_at(Photo(picture), place())
    assert found is not None
    assert found.inside.shape == (ROWS, COLS)


def test_a_board_goes_on_under_a_patch_that_lies_across_its_last_rows() -> None:
    picture = board(ink=60, noise=1)
    last = slice((2 + ROWS - 3) * SIDE, (2 + ROWS) * SIDE), slice(2 * SIDE, (2 + COLS) * SIDE)
    picture[last] = (120, 200, 120)
    part = regrown(place(), (0, 0, 0, -3))
    found = board_at(Photo(picture), part)
    assert found is not None
    assert found.inside.shape == (ROWS, COLS)


def test_strands_that_run_one_way_are_seen_that_way_only() -> None:
    picture = board(ink=0, noise=2)
    picture[:, 2 * SIDE : (3 + COLS) * SIDE : SIDE] -= 40
    sides = looked_at(picture)
    assert sides.upright.mean() > 0.8
    assert sides.level.mean() < 0.2
