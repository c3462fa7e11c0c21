"""Boards of every look and size are found, and where they lie."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from benchmarks.sets import sample_of
from samples import chess, regions, standing, stitch
from samples.camera import Shot, photograph
from samples.sample import Sample
from vision.chessboards import chequers
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.saddles import Lattice, are_plain, lattices
from vision.kind import Aids
from vision.pictures.photo import Photo
from vision.reading import NotFound

BAR = 0.03
"""Corners lie this part of a cell from the truth at most."""


def drawn(**changes: object) -> Sample:
    return chess.draw(np.random.default_rng(3), replace(chess.Scene(device="old phone"), **changes))  # type: ignore[arg-type]


def found(photo: Photo, aids: Aids | None = None) -> ChequeredPlacement:
    places = chequers.find(photo, aids or Aids())
    assert not isinstance(places, NotFound)
    return places[0]


def off(place: ChequeredPlacement, sample: Sample) -> float:
    """The distance of the farthest corner from the truth, in cells."""
    seen = place.to_photo([(0, 0), (place.cols, 0), (place.cols, place.rows), (0, place.rows)])
    corners = np.array(sample.truth["corners"])
    side = np.linalg.norm(corners[1] - corners[0]) / place.cols
    return float(np.linalg.norm(seen - corners, axis=1).max() / side)


def some(values: Sequence[Any], fast: int) -> list[Any]:
    """All values as parameters, those after the first ``fast`` marked slow."""
    return [pytest.param(v, marks=[] if i < fast else [pytest.mark.slow]) for i, v in enumerate(values)]


@pytest.mark.parametrize("theme", some(["night", "print", *sorted({*chess.THEMES} - {"night", "print"})], 2))
def test_every_theme(theme: str) -> None:
    sample = drawn(theme=theme, pieces={(0, 0): "queen", (4, 5): "queen", (6, 2): "queen"})
    place = found(Photo(sample.picture))
    assert (place.rows, place.cols) == (8, 8)
    assert off(place, sample) < BAR
    assert place.level


def test_highlights_on_a_small_board_of_low_contrast_do_not_hide_it() -> None:
    """Half of its nine crossings touch a highlighted square; one channel of colour shows them all."""
    sample = drawn(rows=4, cols=4, theme="night", device="bare", pieces={(1, 2): "knight"}, clutter=True)
    photo = Photo(sample.picture)
    place = found(photo, Aids(thorough=True))
    assert (place.rows, place.cols) == (4, 4)
    assert off(place, sample) < BAR


@pytest.mark.parametrize(
    ("kind", "seed", "side"), [("queens", 40132, 5), ("queens", 40238, 4), ("knight", 40565, 5), ("queens", 42821, 5)],
    ids=["a line is spoilt", "too few crossings tell that it is level", "a row is left out", "a column with a queen"],
)  # fmt: skip
def test_small_boards_nearly_white_are_seen_by_their_two_colours(kind: str, seed: int, side: int) -> None:
    sample = sample_of(f"{kind}-screens", seed)
    place = found(Photo(sample.picture))
    assert (place.rows, place.cols) == (side, side)
    assert off(place, sample) < BAR
    assert place.level


@pytest.mark.parametrize(("kind", "seed", "size"), [("queens", 40044, (16, 16)), ("knight", 40030, (14, 16))])
def test_blocks_of_chequers_do_not_hide_the_chequers(kind: str, seed: int, size: tuple[int, int]) -> None:
    """On a small picture only every third line is seen."""
    place = found(Photo(sample_of(f"{kind}-screens", seed).picture))
    assert (place.rows, place.cols) == size


@pytest.mark.parametrize("theme", ["print", "black and white", "blue"])
def test_a_row_of_the_page_beside_an_oblong_board_is_none_of_it(theme: str) -> None:
    sample = drawn(rows=7, cols=8, theme=theme, pieces={(2, 3): "knight"})
    photo = photograph(sample, Shot(size_wh=(1200, 900)), np.random.default_rng(4))
    for seen in (sample, photo):
        place = found(Photo(seen.picture))
        assert (place.rows, place.cols) == (7, 8)
        assert off(place, seen) < BAR


@pytest.mark.parametrize("size", some([(4, 4), (5, 6), (5, 5), (11, 11), (16, 16), (8, 6)], 2))
def test_every_size(size: tuple[int, int]) -> None:
    rows, cols = size
    sample = drawn(rows=rows, cols=cols, coordinates="outside")
    place = found(Photo(sample.picture))
    assert (place.rows, place.cols) == (rows, cols)
    assert off(place, sample) < BAR


def test_cells_that_are_not_square() -> None:
    sample = drawn(stretch=0.8)
    place = found(Photo(sample.picture))
    assert off(place, sample) < BAR


@pytest.mark.parametrize("view", some([(20, 90), *product((-35, 0, 20), (10, 90, 200))], 1))
def test_photos(view: tuple[float, float]) -> None:
    turn, towards = view
    shot = Shot((1200, 1000), tilt_deg=35, tilt_towards_deg=towards, turn_deg=turn, light=0.3, noise=3, blur=0.0006)
    sample = photograph(drawn(pieces={(2, 3): "knight"}, device="bare"), shot, np.random.default_rng(5))
    place = found(Photo(sample.picture))
    assert (place.rows, place.cols) == (8, 8)
    assert off(place, sample) < BAR


def test_a_board_seen_from_a_seat_at_the_table() -> None:
    """Its squares look more than twice as wide as high."""
    scene = standing.Scene(None, (1, 2), elevation_deg=24, stuff="blue vinyl", shot=Shot((800, 600), noise=2))
    sample = standing.draw(np.random.default_rng(1), scene)
    place = found(Photo(sample.picture))
    assert (place.rows, place.cols) == (8, 8)
    assert off(place, sample) < BAR


def test_the_darker_colour_is_told() -> None:
    assert not found(Photo(drawn().picture)).dark_first


@pytest.mark.parametrize("share", [0.77, 0.82])
def test_a_board_that_is_cut_is_seen_but_refused(share: float) -> None:
    sample = drawn(device="bare")
    kept = round(share * sample.picture.shape[1])
    places = chequers.find(Photo(sample.picture[:, :kept].copy()), Aids())
    assert isinstance(places, NotFound)
    assert places.board_found
    assert "cut off" in places.reason


def test_other_pictures_have_none() -> None:
    rng = np.random.default_rng(1)
    other = stitch.draw(rng, style="light", rows=8, cols=8, filled=0.3, device="phone", family="builtin")
    noise = rng.integers(0, 255, (300, 400, 3), dtype=np.uint8)
    for picture in (other.picture, noise, np.full((50, 40, 3), 200, np.uint8)):
        assert isinstance(chequers.find(Photo(picture), Aids()), NotFound)


def test_corners_that_the_user_points_at() -> None:
    sample = drawn(rows=10, cols=10)
    corners = tuple((float(x), float(y)) for x, y in sample.truth["corners"])
    place = found(Photo(sample.picture), Aids(corners_px=corners))
    assert (place.rows, place.cols) == (10, 10)
    page = tuple((float(x), float(y)) for x, y in [(0, 0), (300, 0), (300, 60), (0, 60)])
    assert isinstance(chequers.find(Photo(sample.picture), Aids(corners_px=page)), NotFound)


def test_a_size_that_the_user_names_filters() -> None:
    photo = Photo(drawn().picture)
    assert found(photo, Aids(size=(8, 8))).rows == 8
    assert isinstance(chequers.find(photo, Aids(size=(9, 9))), NotFound)


def test_a_lattice_is_numbered_consistently() -> None:
    sample = drawn(device="bare")
    lattice = lattices(Photo(sample.picture).reduced(300).gray)[0]
    assert len(lattice.nodes) == 49
    assert lattices(np.full((60, 60), 128, np.uint8)) == []


@pytest.mark.slow
def test_a_glance_tells_chequers_from_other_boards() -> None:
    assert are_plain(Photo(drawn(pieces={(0, 0): "queen"}).picture))
    assert not are_plain(Photo(regions.draw(np.random.default_rng(1)).picture))
    assert not are_plain(Photo(stitch.draw(np.random.default_rng(1)).picture))


def test_points_in_step_with_the_squares_of_a_board_are_its_squares_even_where_some_lie_beyond() -> None:
    photo = Photo(drawn(device="bare").picture)
    place = found(photo)
    across, down = np.arange(5) + 0.5, np.arange(6) + 3.5
    lattice = np.array(list(product(across, down)))
    assert chequers.are_squares(photo, place.to_photo(lattice))
    assert not chequers.are_squares(photo, place.to_photo(lattice * 0.9))  # a tray that lies on a chequered table
    assert not chequers.are_squares(photo, place.to_photo(lattice + 5))


def test_saddles_of_a_board_are_not_strewn_and_those_of_a_weave_are() -> None:
    places = [(column, row) for column in range(14) for row in range(14)]
    board = Lattice(np.eye(3), frozenset(place for place in places if sum(place) % 2))
    weave = Lattice(np.eye(3), frozenset(places[::5]))
    assert not board.is_strewn
    assert weave.is_strewn
