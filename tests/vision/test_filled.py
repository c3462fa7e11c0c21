"""Boards whose patches hide nearly all lines: the sizes that their outline allows, and whether they are whole."""

from dataclasses import replace
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from benchmarks.sets import sample_of
from benchmarks.stages import photo_of_a_board
from samples import looks
from samples import stitch as drawn
from samples.camera import Shot, photograph
from samples.fonts import BUILTIN
from samples.sample import Sample
from solvers.blocks import Block
from solvers.stitch import Patch, Stitch
from vision import stitch as eyes
from vision.boards import grids, views
from vision.boards.beyond import goes_on
from vision.boards.filled import MOST_SIZES, UNPROVED, filled_grids, unproved
from vision.boards.fitting import GridGuess
from vision.boards.frontal import frontal_views
from vision.clues import places
from vision.kind import Aids
from vision.pictures.bending import regrown, rotated
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, turned
from vision.reading import NotFound


def halves(look: str) -> Sample:
    """A board of 4 x 6 cells with two patches of 12, both placed: one line is left inside it."""
    clues = [[0] * 6 for _ in range(4)]
    clues[2][1] = clues[3][4] = 12
    puzzle = Stitch(tuple(map(tuple, clues)))
    blocks = [Block(tuple((r, c) for r in range(4) for c in range(left, left + 3)), 4, 3) for left in (0, 3)]
    answer = (Patch((2, 1), blocks[0]), Patch((3, 4), blocks[1]))
    rng = np.random.default_rng(3)
    chosen = looks.FAMILIES[look](rng, BUILTIN)
    return drawn.picture(rng, puzzle, answer, found=puzzle.clue_cells, look=chosen, device="bare")


@pytest.mark.parametrize("look", [pytest.param("game", marks=pytest.mark.slow), "linen"])
def test_the_size_is_among_those_that_two_patches_allow(look: str) -> None:
    sample = halves(look)
    found = filled_grids(Photo(sample.picture))
    assert 1 <= len(found) <= 2 * MOST_SIZES
    right = [guess for guess in found if (guess.rows, guess.cols) == (4, 6)]
    cell = np.ptp(np.array(sample.truth["corners"])[:, 0]) / 6
    assert any(np.abs(guess.corners_px - sample.truth["corners"]).max() < 0.15 * cell for guess in right)
    # Nothing but their clues can prove them, also once they are turned.
    assert all(rotated(guess.placement, 1).score <= UNPROVED for guess in found)
    # Cells are square, whatever is offered.
    assert all(guess.rows * 6 == pytest.approx(guess.cols * 4, rel=0.05) for guess in found)


@pytest.mark.slow
def test_a_lattice_on_woven_cloth_is_no_outline_beside_which_that_of_a_board_is_small() -> None:
    found = filled_grids(Photo(sample_of("stitch-screens", 91650).picture))
    assert (4, 9) in {(guess.rows, guess.cols) for guess in found}


@pytest.mark.slow
def test_strands_that_stand_out_as_much_as_threads_do_not_hide_the_size() -> None:
    # A screenshot of the game, on whose rope there are many times the edges that there are on the lines.
    sample = sample_of("stitch-game", 87049)
    found = filled_grids(Photo(sample.picture))
    true = np.array(sample.truth["corners"])
    right = [guess for guess in found if (guess.rows, guess.cols) == (14, 8)]
    assert any(np.abs(guess.corners_px - true).max() < 0.15 * np.ptp(true[:, 0]) / 8 for guess in right)


def test_a_page_without_an_outline_offers_nothing() -> None:
    page: Picture = np.full((400, 300, 3), 240, np.uint8)
    page[100:108:2, 40:260] = 30
    assert filled_grids(Photo(page)) == []


@cache
def photo_of_a_full_board(look: str) -> Sample:
    """All patches placed, seen from the side."""
    page = drawn.draw(np.random.default_rng(4), look=look, rows=7, cols=6, filled=1.0, device="bare", family=BUILTIN)
    shot = Shot((900, 700), tilt_deg=25, tilt_towards_deg=70, turn_deg=8, noise=3, quality=85)
    return photograph(page, shot, np.random.default_rng(4))


@pytest.mark.slow
@pytest.mark.parametrize("look", ["light", "tiles", "game"])
def test_the_size_is_found_in_a_photo(look: str) -> None:
    sample = photo_of_a_full_board(look)
    true = FlatPlacement.from_corners(sample.truth["corners"], (6, 7))
    places = eyes.find(Photo(sample.picture), Aids())
    corners = [(0, 0), (6, 0), (6, 7), (0, 7)]
    assert not isinstance(places, NotFound)
    right = [place for place in places if place.size == (6, 7)]
    assert any(np.abs(true.to_board(place.to_photo(corners)) - corners).max() < 0.15 for place in right)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed",
    [
        79013,
        pytest.param(83005, id="badges hide that patches cover it"),
        pytest.param(90026, id="a small board has few lines"),
    ],
)
def test_a_quick_look_offers_a_full_board_to_be_proved_by_its_clues(seed: int) -> None:
    sample = photo_of_a_board(seed)
    rows, cols = len(sample.truth["clues"]), len(sample.truth["clues"][0])
    photo = Photo(sample.picture)
    places = eyes.find(photo, Aids(thorough=False))
    assert not isinstance(places, NotFound)
    assert [(sorted(place.size), place.score) for place in places] == [(sorted((rows, cols)), UNPROVED)]


@pytest.mark.slow
def test_a_full_board_whose_strokes_are_a_quarter_of_all_is_in_the_likeliest_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = [view._replace(share=0.24) for view in frontal_views(Photo(photo_of_a_board(79013).picture))]
    monkeypatch.setattr(views, "frontal_views", lambda photo: seen)
    assert grids.in_likeliest_view(Photo(photo_of_a_board(79013).picture))


@pytest.mark.slow
def test_where_patches_are_few_what_is_no_plain_grid_waits_for_the_thorough_look() -> None:
    assert isinstance(eyes.find(Photo(photo_of_a_board(79000).picture), Aids(thorough=False)), NotFound)


def full_board(look: str = "light") -> tuple[Photo, GridGuess]:
    """A photo of a board whose patches are placed, and the grid on it of which hardly a line is seen."""
    sample = photo_of_a_full_board(look)
    place = FlatPlacement.from_corners(sample.truth["corners"], (6, 7), 0.4)
    sides = np.zeros((7, 7)), np.zeros((8, 6)), np.ones((7, 6), dtype=bool)
    return Photo(sample.picture), GridGuess(place, 7, 6, 0.4, 0.4, *sides)


@pytest.mark.slow
def test_numbers_at_a_glance_promise_a_board_whichever_side_is_up() -> None:
    photo, guess = full_board()
    place = unproved(guess).placement
    assert eyes.promises(photo, place)
    assert eyes.promises(photo, turned(place, 1))
    assert not eyes.promises(photo, guess.placement), "a place of which more is seen waits for its turn"
    # Where the cells would be if it were cut otherwise no numbers stand.
    assert not eyes.promises(photo, replace(place, size=(13, 17), matrix=place.matrix @ np.diag([6 / 13, 7 / 17, 1])))


def test_a_further_look_that_shows_the_same_grid_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    photo, guess = full_board()
    nudged = replace(guess.placement, matrix=guess.placement.matrix @ np.array([(1, 0, 0.01), (0, 1, 0.01), (0, 0, 1)]))
    moved = replace(guess.placement, matrix=guess.placement.matrix @ np.array([(1, 0, 0.2), (0, 1, 0), (0, 0, 1)]))
    filled = replace(guess, explained=0.2, worth=70.0)  # not much of a grid, but for its clues
    looks = [[replace(filled, placement=each)] for each in (guess.placement, nudged, moved)]
    monkeypatch.setattr(places, "tilted_looks", lambda photo: iter(looks))
    monkeypatch.setattr(places, "covered", lambda sides: 1.0)
    found = list(places.further_places(photo, Aids()))
    assert [place.to_photo([(0, 0)]).tolist() for place in found] == [
        each.to_photo([(0, 0)]).tolist() for each in (guess.placement, moved)
    ]
    # What a search saw of the edges in another grid says nothing of what was made of it.
    monkeypatch.setattr(places, "tilted_looks", lambda photo: iter([[replace(guess, resized=True)]]))
    assert list(places.further_places(photo, Aids())) == []


def test_a_grid_that_two_looks_show_best_is_one_whatever_patches_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    photo, guess = full_board()
    place = replace(guess.placement, score=0.6)
    nudged = replace(place, matrix=place.matrix @ np.array([(1, 0, 0.01), (0, 1, 0.01), (0, 0, 1)]))
    looks = [[replace(guess, placement=each, score=0.6)] for each in (place, nudged, place)]
    monkeypatch.setattr(places, "covered", lambda sides: 0.0)
    for shown in range(4):
        monkeypatch.setattr(places, "tilted_looks", lambda photo, shown=shown: iter(looks[:shown]))
        assert [each.score for each in places.further_places(photo, Aids())] == [0.6] * (shown > 1)
    # One that is plain needs no second look.
    plain = [[replace(guess, placement=place, score=0.6, worth=130.0)]]
    monkeypatch.setattr(places, "tilted_looks", lambda photo: iter([*plain, *plain]))
    assert [each.score for each in places.further_places(photo, Aids())] == [0.6]
    # Other lines beside the same ones are another grid.
    looks[1] = [replace(guess, placement=replace(nudged, size=(5, 7)), cols=5, score=0.6)]
    monkeypatch.setattr(places, "tilted_looks", lambda photo: iter(looks[:2]))
    assert list(places.further_places(photo, Aids())) == []


def cells_of(rectangle: dict[str, int]) -> set[tuple[int, int]]:
    top, left, height, width = (rectangle[name] for name in ("top", "left", "height", "width"))
    return {(r, c) for r in range(top, top + height) for c in range(left, left + width)}


@pytest.mark.parametrize("look", ["light", pytest.param("game", marks=pytest.mark.slow)])
def test_patches_that_make_a_rectangle_are_no_whole_board(look: str) -> None:
    sample = photo_of_a_full_board(look)
    photo, place = Photo(sample.picture), FlatPlacement.from_corners(sample.truth["corners"], (6, 7))
    patches = [cells_of(one) for one in sample.truth["solution"]["rectangles"]]
    assert not goes_on(photo, place, filled=True)
    parts = 0
    for (left, right), (top, bottom) in product(combinations(range(7), 2), combinations(range(8), 2)):
        inside = {(r, c) for r in range(top, bottom) for c in range(left, right)}
        if 12 <= len(inside) < 42 and all(patch <= inside or not patch & inside for patch in patches):
            parts += 1
            assert goes_on(photo, regrown(place, (-left, -top, right - 6, bottom - 7)), filled=True)
    assert parts
