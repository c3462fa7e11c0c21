"""Boards with bent cells: their lattice, what is written on their cells, and whole readings."""

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from shared_files import shared

from samples import stitch as samples
from samples.fonts import families
from samples.sample import Sample
from solvers.budget import Budget
from solvers.stitch import Stitch
from vision import stitch
from vision.boards.phases import lattices
from vision.boards.states import board_at
from vision.clues.ink import crops
from vision.kind import PROMISING, Aids
from vision.numbers.digits import digit_reader, lean_deg
from vision.pictures.bending import BentPlacement, leaning
from vision.pictures.loading import load
from vision.pictures.masks import box_of
from vision.pictures.photo import Photo
from vision.reading import NotFound, Reading

SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "stitch"


@cache
def drawn(seed: int, filled: float = 0.0, rows: int = 4, cols: int = 5) -> Sample:
    rng, face = np.random.default_rng(seed), families()[0]
    return samples.draw(
        rng, look="game", filled=filled, holes=2, bend=0.6, rows=rows, cols=cols, device="tablet", family=face
    )


def aids() -> Aids:
    return Aids(digits=digit_reader(), budget=Budget(seconds=20))


def read(photo: Photo) -> Reading[Stitch]:
    places = stitch.find(photo, aids())
    assert not isinstance(places, NotFound), places
    reading = stitch.read(photo, places[0], aids())
    assert isinstance(reading, Reading), reading
    return reading


def clues_of(reading: Reading[Stitch]) -> list[list[int | None]]:
    return [list(row) for row in reading.puzzle.clues]


def bent_lattice(photo: Photo) -> BentPlacement:
    return next(grid for grid in lattices(photo) if isinstance(grid, BentPlacement))


@pytest.mark.parametrize("filled", [0.0, 0.5])
def test_crossings_of_the_lattice_lie_where_threads_cross_or_ropes_hide_that(filled: float) -> None:
    sample = drawn(5, filled)
    grid = bent_lattice(Photo(sample.picture))
    for name, corners in sample.truth["mesh"].items():
        middle = grid.to_board([np.mean(corners, axis=0)])[0]
        assert np.abs(middle % 1 - 0.5).max() < 0.15, name
        crossings = grid.to_board(corners)
        assert np.abs(crossings - np.rint(crossings)).max() < 0.2, name


def test_its_places_are_cells_where_the_board_is() -> None:
    sample, photo = drawn(5), Photo(drawn(5).picture)
    board = board_at(photo, bent_lattice(photo))
    assert board is not None
    cells = np.array([[clue is not None for clue in row] for row in sample.truth["clues"]])
    assert np.array_equal(board.inside[box_of(board.inside)], cells[box_of(cells)])


def test_bent_boards_are_plain_already_on_the_quick_look() -> None:
    places = stitch.find(Photo(drawn(5).picture), Aids(thorough=False))
    assert not isinstance(places, NotFound)
    assert places[0].score >= PROMISING


def test_what_is_written_on_bent_cells_is_cut_out_upright() -> None:
    sample = drawn(5, rows=7, cols=7)
    photo = Photo(sample.picture)
    board = board_at(photo, bent_lattice(photo))
    assert board is not None
    place = board.placement
    assert isinstance(place, BentPlacement)
    cells = [(r, c) for r, row in enumerate(sample.truth["clues"]) for c, clue in enumerate(row) if clue]
    lean = lean_deg(crops(photo, place, cells))
    assert abs(lean) < 6
    assert lean_deg(crops(photo, leaning(place, 15), cells)) == pytest.approx(lean + 15, abs=6)


@pytest.mark.parametrize("seed", [5, pytest.param(6, marks=pytest.mark.slow)])
def test_open_boards_are_read_whole(seed: int) -> None:
    reading = read(Photo(drawn(seed).picture))
    assert clues_of(reading) == drawn(seed).truth["clues"]
    assert not reading.doubts


@pytest.mark.slow
@pytest.mark.parametrize("filled", [0.0, 0.4])
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_board_whose_numbers_lie_on_their_side_is_read_upright(filled: float, quarters: int) -> None:
    sample = drawn(11, filled=filled)
    reading = read(Photo(np.ascontiguousarray(np.rot90(sample.picture, quarters))))
    assert clues_of(reading) == sample.truth["clues"]


@pytest.mark.slow
def test_filled_patches_are_cut_into_cells_by_the_lattice_that_runs_on_under_them() -> None:
    sample = drawn(11, filled=0.4)
    reading = read(Photo(sample.picture))
    found = {tuple(cell) for cell in sample.truth["filled_clues"]}
    assert found
    assert clues_of(reading) == sample.truth["clues"]
    for name, corners in sample.truth["mesh"].items():
        row, col = (int(part) for part in name.split(","))
        away = reading.placement.to_photo([(col + 0.5, row + 0.5)])[0] - np.mean(corners, axis=0)
        assert np.linalg.norm(away) < 0.2 * np.sqrt(cv2.contourArea(np.array(corners, np.float32)))
    boxes = [box for box in sample.truth["solution"]["rectangles"] if tuple(box["clue"]) in found]
    whole = {
        frozenset((box["top"] + i, box["left"] + j) for i in range(box["height"]) for j in range(box["width"]))
        for box in boxes
    }
    assert {frozenset(placed.cells) for placed in reading.placed} == whole


@pytest.mark.slow
@pytest.mark.parametrize("light", [1.0, 0.6])
def test_pale_patches_are_cut_as_well_and_in_dim_light(light: float) -> None:
    photo = Photo(cv2.convertScaleAbs(load(SAMPLES / "hoop.jpg").photo.bgr, alpha=light).astype(np.uint8))
    assert clues_of(read(photo)) == json.loads((SAMPLES / "hoop.json").read_text())["clues"]


@pytest.mark.parametrize("look", ["paper", "weave"])
def test_plain_paper_and_bare_cloth_are_no_board(look: str) -> None:
    picture = np.full((300, 400, 3), 240, np.uint8)
    cv2.rectangle(picture, (100, 80), (300, 220), (40, 40, 200), -1)
    if look == "weave":
        picture = np.random.default_rng(1).integers(20, 60, (300, 400, 1), dtype=np.uint8).repeat(3, axis=2)
    assert isinstance(stitch.find(Photo(picture), aids()), NotFound)


@pytest.mark.corpus
def test_the_games_own_hoop_is_read_whole() -> None:
    picture = shared("corpus/stitch/stitch_app_ipad_hoop.jpg")
    reading = read(load(picture).photo)
    assert clues_of(reading) == json.loads(picture.with_suffix(".json").read_text())["clues"]
    assert isinstance(reading.placement, BentPlacement)
    assert not reading.doubts
