"""Boards whose patches hide nearly all lines: where they lie, and whether they are whole."""

from collections.abc import Callable, Sequence
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
from vision import stitch as reader
from vision.boards.states import Board, board_at
from vision.kind import PROMISING, Aids
from vision.pictures.bending import BentPlacement, regrown
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement, box_corners
from vision.reading import NotFound


def halves(style: str) -> Sample:
    """A board of 4 x 6 cells with two patches of 12, both placed: one line is left inside it."""
    clues = [[0] * 6 for _ in range(4)]
    clues[2][1] = clues[3][4] = 12
    puzzle = Stitch(tuple(map(tuple, clues)))
    blocks = [Block(tuple((r, c) for r in range(4) for c in range(left, left + 3)), 4, 3) for left in (0, 3)]
    answer = (Patch((2, 1), blocks[0]), Patch((3, 4), blocks[1]))
    rng = np.random.default_rng(3)
    chosen = looks.FAMILIES[style](rng, BUILTIN)
    return drawn.picture(rng, puzzle, answer, found=puzzle.clue_cells, style=chosen, device="bare")


def told_on(photo: Photo, places: Sequence[Placement] | NotFound) -> list[Board]:
    """The boards that are told on the straight ones of some places."""
    assert not isinstance(places, NotFound)
    straight = [place for place in places if isinstance(place, FlatPlacement | BentPlacement)]
    return [board for place in straight if (board := board_at(photo, place))]


def found_at(sample: Sample) -> list[FlatPlacement | BentPlacement]:
    """The places of a drawn board that are found with its rows and columns."""
    photo = Photo(sample.picture)
    clues, corners = sample.truth["clues"], np.array(sample.truth["corners"])
    boards = told_on(photo, reader.find(photo, Aids()))
    right = [board.placement for board in boards if board.odds.shape == (len(clues), len(clues[0]))]
    cell = np.ptp(corners[:, 0]) / len(clues[0])
    return [place for place in right if np.abs(box_corners(place) - corners).max() < 0.15 * cell]


@pytest.mark.slow
@pytest.mark.parametrize(
    "sample",
    [
        pytest.param(lambda: halves("game"), id="two patches of rope"),
        pytest.param(lambda: halves("linen"), id="two patches of linen"),
        pytest.param(lambda: sample_of("stitch-screens", 91650), id="a board on woven cloth"),
        pytest.param(lambda: sample_of("stitch-game", 87049), id="rope with more edges than there are lines"),
    ],
)
def test_a_full_board_is_found_on_a_screen(sample: Callable[[], Sample]) -> None:
    assert found_at(sample())


@cache
def photo_of_a_full_board(style: str) -> Sample:
    """All patches placed, seen from the side."""
    page = drawn.draw(np.random.default_rng(4), style=style, rows=7, cols=6, filled=1.0, device="bare", family=BUILTIN)
    shot = Shot((900, 700), tilt_deg=25, tilt_towards_deg=70, turn_deg=8, noise=3, quality=85)
    return photograph(page, shot, np.random.default_rng(4))


@pytest.mark.slow
@pytest.mark.parametrize(
    "style",
    [
        pytest.param("light", marks=pytest.mark.xfail(reason="its phases are told wrongly under patches", strict=True)),
        "tiles",
        "game",
    ],
)
def test_the_size_is_found_in_a_photo(style: str) -> None:
    assert found_at(photo_of_a_full_board(style))


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed",
    [
        79013,
        pytest.param(83005, id="badges hide that patches cover it"),
        pytest.param(90026, id="a small board has few lines"),
    ],
)
def test_a_quick_look_finds_a_full_board(seed: int) -> None:
    sample = photo_of_a_board(seed)
    rows, cols = len(sample.truth["clues"]), len(sample.truth["clues"][0])
    photo = Photo(sample.picture)
    places = reader.find(photo, Aids(thorough=False))
    assert not isinstance(places, NotFound)
    assert sorted((rows, cols)) in [sorted(board.odds.shape) for board in told_on(photo, places)]
    assert all(place.score >= PROMISING for place in places)


def cells_of(rectangle: dict[str, int]) -> set[tuple[int, int]]:
    top, left, height, width = (rectangle[name] for name in ("top", "left", "height", "width"))
    return {(r, c) for r in range(top, top + height) for c in range(left, left + width)}


@pytest.mark.parametrize("style", ["light", pytest.param("game", marks=pytest.mark.slow)])
def test_beyond_patches_that_make_a_rectangle_the_board_goes_on(style: str) -> None:
    sample = photo_of_a_full_board(style)
    photo, place = Photo(sample.picture), FlatPlacement.from_corners(sample.truth["corners"], (6, 7))
    patches = [cells_of(one) for one in sample.truth["solution"]["rectangles"]]
    parts = 0
    for (left, right), (top, bottom) in product(combinations(range(7), 2), combinations(range(8), 2)):
        inside = {(r, c) for r in range(top, bottom) for c in range(left, right)}
        if 12 <= len(inside) < 42 and all(patch <= inside or not patch & inside for patch in patches):
            parts += 1
            board = board_at(photo, regrown(place, (-left, -top, right - 6, bottom - 7)))
            assert board is not None
            assert board.inside.shape == (7, 6)
    assert parts
