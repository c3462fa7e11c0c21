"""Boards in photos: lines measured one by one, bent paper, corners that the user names."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

import solvepic
from benchmarks.stages import photo_of_a_board
from samples import stitch as drawn
from samples.camera import Shot, photograph
from samples.sample import Sample
from solvepic.outcome import Status
from solvers.budget import Budget
from vision import stitch
from vision.boards.phases import lattices
from vision.boards.pointed import board_between
from vision.boards.states import board_at
from vision.chessboards import saddles
from vision.kind import Aids
from vision.numbers.digits import digit_reader
from vision.pictures.bending import BentPlacement, regrown, rotated
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement
from vision.reading import NotFound, Reading

ROWS, COLS = 8, 6

TILTED = Shot((1000, 800), tilt_deg=27, tilt_towards_deg=40, turn_deg=12, light=0.3, shadow=0.3, noise=3, quality=80)


@cache
def taken(shot: Shot) -> Sample:
    rng = np.random.default_rng(11)
    board = drawn.draw(rng, style="light", rows=ROWS, cols=COLS, filled=0.0, device="bare", family="builtin")
    flat = FlatPlacement.from_corners(board.truth["corners"], (COLS, ROWS))
    mesh = flat.to_photo(lattice()).tolist()
    return photograph(replace(board, truth={**board.truth, "mesh": {"all": mesh}}), shot, rng)


def lattice() -> np.ndarray:
    y, x = np.indices((ROWS + 1, COLS + 1))
    return np.column_stack([x.ravel(), y.ravel()]).astype(np.float64)


def true_place(sample: Sample) -> FlatPlacement:
    return FlatPlacement.from_corners(sample.truth["corners"], (COLS, ROWS))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [79002, 79016])
def test_moire_and_weave_are_no_chequers(seed: int) -> None:
    photo = Photo(photo_of_a_board(seed).picture)
    found = saddles.lattices(photo.reduced(saddles.QUICK_PX).gray)
    assert any(len(lattice.nodes) >= saddles.PLAIN for lattice in found)
    assert not saddles.are_plain(photo)


@pytest.mark.parametrize(("bend", "noise"), [(0.0, 3), (0.0, 40), (0.02, 3)])
def test_a_board_is_found_where_it_lies(bend: float, noise: float) -> None:
    sample = taken(replace(TILTED, bend=bend, bend_along_deg=30, noise=noise))
    found, *_ = lattices(Photo(sample.picture))
    truth = np.array(sample.truth["mesh"]["all"])
    assert found.size == (COLS, ROWS)
    assert np.linalg.norm(found.to_board(truth) - lattice(), axis=1).mean() < 0.05


def test_the_rim_of_the_picture_stands_for_an_outline() -> None:
    sample = taken(Shot((1000, 800), noise=2))
    left, top = np.array(sample.truth["corners"])[0].round().astype(int)
    right, bottom = np.array(sample.truth["corners"])[2].round().astype(int)
    found, *_ = lattices(Photo(np.ascontiguousarray(sample.picture[top:bottom, left:right])))
    assert found.size == (COLS, ROWS)


@pytest.mark.parametrize("bend", [0.0, 0.02])
def test_a_part_of_a_board_is_known_by_the_cells_beyond_it(bend: float) -> None:
    sample = taken(replace(TILTED, bend=bend, bend_along_deg=30))
    photo = Photo(sample.picture)
    place, *_ = lattices(photo)
    for less in [(0, 0, 0, 0), (-1, 0, 0, 0), (0, -2, 0, 0), (0, 0, -1, 0), (0, 0, 0, -3)]:
        board = board_at(photo, regrown(place, less))
        assert board is not None
        assert board.inside.shape == (ROWS, COLS)
        assert board.inside.all()


def ruled_page(rows: int, cols: int, margin: int, beside: int, streaks: int = 0) -> tuple[Photo, FlatPlacement]:
    """A faint board on a page that ends just beyond it, on a table with streaks where its lines would run on, and with
    so many half-way between these; and where it lies."""
    left, top, side = 200, 160, 60
    right, bottom = left + cols * side, top + rows * side
    picture = np.full((bottom + 160, right + 160, 3), 90, np.uint8)
    if streaks:
        for y in [*range(top, bottom + 1, side), *(top + (row * 2 + 1) * side // 2 for row in range(streaks))]:
            picture[y - 2 : y + 3] = 130
    picture[top - margin : bottom + margin, left - beside : right + beside] = 225
    picture[top : bottom + 1, left : right + 1 : side] = picture[top : bottom + 1 : side, left : right + 1] = 205
    noisy = np.clip(picture + np.random.default_rng(1).normal(0, 3, picture.shape), 0, 255).astype(np.uint8)
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    return Photo(noisy), FlatPlacement.from_corners(corners, (cols, rows))


@pytest.mark.parametrize(("rows", "cols"), [(4, 10), (5, 12)])
def test_the_edge_of_a_page_on_both_sides_of_a_board_is_no_line_of_it(rows: int, cols: int) -> None:
    photo, place = ruled_page(rows, cols, margin=9, beside=18)
    found, *_ = lattices(photo)
    assert found.size == (cols, rows)
    assert np.abs(place.to_board(found.to_photo([(0, 0), (cols, rows)])) - [(0, 0), (cols, rows)]).max() < 0.1


def test_the_grain_of_a_table_is_no_row_of_a_board() -> None:
    photo, place = ruled_page(4, 8, margin=12, beside=12, streaks=2)
    board = board_at(photo, place)
    assert board is not None
    assert board.inside.shape == (4, 8)


def test_a_part_of_a_board_in_the_dark_is_known_by_the_cells_beyond_it() -> None:
    sample = taken(TILTED)
    noise = np.random.default_rng(0).normal(0, 4, sample.picture.shape)
    photo, place = Photo(np.clip(0.12 * sample.picture + noise, 0, 255).astype(np.uint8)), true_place(sample)
    for less in [(0, 0, 0, 0), (-1, 0, 0, 0), (0, -2, 0, 0), (0, 0, -1, 0), (0, 0, 0, -3)]:
        board = board_at(photo, regrown(place, less))
        assert board is not None
        assert board.inside.shape == (ROWS, COLS)


@pytest.mark.slow
def test_a_heading_is_no_row_of_a_board() -> None:
    sample = taken(TILTED)
    photo, place = Photo(sample.picture), true_place(sample)
    aids = Aids(digits=digit_reader())
    for more in [(0, 1, 0, 0), (0, 0, 1, 0)]:
        found = stitch.read(photo, regrown(place, more), aids)
        assert isinstance(found, Reading)
        assert not found.doubts
        assert [list(row) for row in found.puzzle.clues] == sample.truth["clues"]


@pytest.mark.slow
def test_the_margins_of_a_page_at_both_ends_of_a_board_are_no_rows() -> None:
    sample = taken(TILTED)
    photo, place = Photo(sample.picture), true_place(sample)
    place, aids = regrown(place, (0, 1, 0, 1)), Aids(digits=digit_reader())
    found = stitch.read(photo, place, aids)
    assert isinstance(found, Reading)
    assert [list(row) for row in found.puzzle.clues] == sample.truth["clues"]


def test_a_bent_place_leads_back_and_can_be_turned() -> None:
    shift = np.zeros((2, 10))
    shift[0, 5], shift[1, 3] = 0.15, -0.1
    flat = FlatPlacement.from_corners([(10, 20), (410, 30), (400, 560), (5, 540)], (6, 8), 0.7)
    bent = BentPlacement(flat, shift, np.eye(3), (6, 8))
    inside = np.array([(0.5, 0.5), (5.5, 7.0), (3.0, 4.0)])
    assert np.allclose(bent.to_board(bent.to_photo(inside)), inside, atol=1e-3)
    assert np.allclose(bent.scaled(0.5).to_photo(inside), (bent.to_photo(inside) + 0.5) * 0.5 - 0.5)
    once = rotated(bent, 1)
    assert once.size == pytest.approx((8, 6))
    # What is at the bottom left comes to the top left when a picture is turned clockwise.
    assert np.allclose(once.to_photo([(0, 0)]), bent.to_photo([(0, 8)]))
    assert np.allclose(rotated(once, 3).to_photo(inside), bent.to_photo(inside))


def test_corners_that_the_user_names_are_enough() -> None:
    sample = taken(TILTED)
    pointed = np.array(sample.truth["corners"]) + np.array([(3, -4), (-4, 2), (2, 3), (-3, -2)])
    place = board_between(Photo(sample.picture), [(x, y) for x, y in pointed])
    assert place is not None
    assert place.size == pytest.approx((COLS, ROWS))
    assert np.abs(place.to_photo([(0, 0), (COLS, ROWS)]) - np.array(sample.truth["corners"])[[0, 2]]).max() < 3
    assert board_between(Photo(np.full((400, 400, 3), 200, np.uint8)), [(9, 9), (300, 9), (300, 300), (9, 300)]) is None


@pytest.mark.slow
@pytest.mark.parametrize("turn_deg", [171, 262])
def test_a_board_photographed_upside_down_or_from_the_side_is_read(turn_deg: float) -> None:
    sample = taken(replace(TILTED, turn_deg=turn_deg))
    photo = Photo(sample.picture)
    assert {*lattices(photo)[0].size} == {ROWS, COLS}
    aids = Aids(digits=digit_reader(), budget=Budget(seconds=60))
    places = stitch.find(photo, aids)
    assert not isinstance(places, NotFound)
    found = stitch.read(photo, places[0], aids)
    assert isinstance(found, Reading)
    assert [list(row) for row in found.puzzle.clues] == sample.truth["clues"]
    assert not found.doubts


def test_stitch_reads_the_board_between_the_corners() -> None:
    sample = taken(TILTED)
    corners = tuple((x, y) for x, y in sample.truth["corners"])
    aids = Aids(digits=digit_reader(), budget=Budget(seconds=60), corners_px=corners)
    photo = Photo(sample.picture)
    places = stitch.find(photo, aids)
    assert not isinstance(places, NotFound)
    found = stitch.read(photo, places[0], aids)
    assert isinstance(found, Reading)
    assert [list(row) for row in found.puzzle.clues] == sample.truth["clues"]
    assert not stitch.find(photo, replace(aids, corners_px=corners[:3]))


def test_a_tilted_board_that_no_camera_took_is_none() -> None:
    """A face of a cube that is drawn in space looks like a board; its patches may bend round the edge."""
    board = drawn.draw(np.random.default_rng(11), style="light", rows=ROWS, cols=COLS, filled=0.0, device="bare")
    corners = np.array(board.truth["corners"], dtype=np.float32)
    slanted = np.array([(300, 200), (700, 320), (690, 760), (320, 900)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(corners, slanted)
    drawn_in_space = cv2.warpPerspective(board.picture, matrix, (1000, 1000), borderValue=(255, 180, 130))
    assert lattices(Photo(drawn_in_space)) == []
    noisy = np.clip(drawn_in_space + np.random.default_rng(3).normal(0, 4, drawn_in_space.shape), 0, 255)
    assert {grid.size for grid in lattices(Photo(noisy.astype(np.uint8)))} == {(COLS, ROWS)}


@pytest.mark.slow
def test_numbers_that_are_numbers_upside_down_as_well_are_doubted_in_a_photo() -> None:
    """The page's only numbers are 1 and 9, and it lies upside down."""
    outcome = solvepic.solve(photo_of_a_board(5155).picture, kind="stitch", time_limit=60.0)
    assert outcome.status is Status.UNREADABLE
    assert outcome.reading is not None
    assert "turned upside down it is another number" in {doubt.why for doubt in outcome.reading.doubts}


@pytest.mark.slow
def test_tiles_with_numbers_are_no_balls() -> None:
    """Seen along its diagonals, a board of tiles is a lattice of round things, and a corner of it a triangle."""
    outcome = solvepic.solve(photo_of_a_board(7161).picture, time_limit=120.0)
    assert outcome.kind is not None
    assert outcome.kind.name == "stitch"
    assert outcome.status is Status.SOLVED


@pytest.mark.slow
def test_one_number_on_badges_tells_which_side_is_up() -> None:
    sample = photo_of_a_board(5139)
    rows, cols = sample.truth["rows"], sample.truth["cols"]
    lying = rotated(FlatPlacement.from_corners(sample.truth["corners"], (cols, rows)), 1)
    found = stitch.read(Photo(sample.picture), lying, Aids(digits=digit_reader()))
    assert isinstance(found, Reading)
    assert [list(row) for row in found.puzzle.clues] == sample.truth["clues"]
    assert not found.doubts
