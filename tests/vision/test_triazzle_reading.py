"""Drawn trays from picture to arrangement: creatures and dots, flat and in photos, and trays that cannot be read."""

from itertools import islice

import numpy as np
import pytest

from benchmarks.sets import sample_of
from samples.camera import photograph, random_shot
from samples.sample import Sample
from samples.triazzle import random_puzzle, random_style, render, with_apex
from solvers import triazzle as rules
from solvers.budget import Budget
from solvers.triazzle import Answer, Puzzle
from vision import triazzle as reader
from vision.kind import Aids
from vision.pictures.photo import Photo
from vision.reading import NotFound, Reading
from vision.trays.slots import CORNERS


def drawn(seed: int, match: rules.Match, shot: bool) -> Sample:
    rng = np.random.default_rng(seed)
    style = random_style(rng, match)
    sample = render(random_puzzle(rng, match, style.symbols), style, rng)
    return photograph(sample, random_shot(rng, (1600, 1200), hardness=0.7), rng) if shot else sample


def read(picture: np.ndarray) -> Reading[Puzzle] | NotFound:
    photo = Photo(np.array(picture))
    places = reader.find(photo, Aids())
    return reader.read(photo, places[0], Aids()) if places else places


def solved(sample: Sample) -> bool:
    """Whether the picture is read without doubts, and everything that its codes allow keeps the rules of the truth."""
    reading = read(sample.picture)
    if not reading or reading.doubts:
        return False
    corners = np.array(sample.truth["corners"])
    found = reading.placement.to_photo(CORNERS)
    apex = min(range(3), key=lambda k: float(np.abs(np.roll(corners, -k, axis=0) - found).max()))
    truth = with_apex(sample.truth, apex)
    puzzle = Puzzle(tuple(map(tuple, truth["tiles"])), tuple(truth["border"]), truth["match"])
    answers = list(islice(rules.answers(reading.puzzle, Budget()), 3))
    wrong = [answer for answer in answers if not rules.holds(puzzle, Answer(answer.placed))]
    assert not wrong, "called solved but wrong"
    return bool(answers) and reading.puzzle.match == puzzle.match


@pytest.mark.parametrize("match", ["halves", pytest.param("equal", marks=pytest.mark.slow)])
def test_flat_tray_is_solved(match: rules.Match) -> None:
    assert solved(drawn(31, match, shot=False))


@pytest.mark.slow
def test_tray_in_photo_is_solved() -> None:
    assert solved(drawn(33, "halves", shot=True))


@pytest.mark.slow
def test_tray_with_several_solutions_is_read_and_all_of_them_are_told() -> None:
    rng = np.random.default_rng(41)
    style = random_style(rng, "halves")
    reading = read(render(random_puzzle(rng, "halves", style.symbols, several=True), style, rng).picture)
    assert reading
    assert not reading.doubts
    assert len(list(islice(rules.answers(reading.puzzle, Budget()), 2))) == 2


def test_truth_told_from_another_apex_is_the_same_puzzle() -> None:
    truth = drawn(31, "halves", shot=False).truth
    turned = with_apex(truth, 1)
    assert turned["tiles"] != truth["tiles"]
    assert with_apex(turned, 2) == truth
    puzzle = Puzzle(tuple(map(tuple, turned["tiles"])), tuple(turned["border"]), "halves")
    assert len(list(rules.answers(puzzle, Budget()))) == 1


@pytest.mark.slow
def test_tray_with_covered_pieces_is_not_guessed() -> None:
    sample = drawn(31, "halves", shot=False)
    picture = np.array(sample.picture)
    height, width = picture.shape[:2]
    picture[height // 2 :, : width // 2] = 128  # a sheet of paper over a quarter of the picture
    reading = read(picture)
    assert not reading or reading.doubts


def test_a_weave_under_square_cells_shows_no_pieces() -> None:
    found = read(sample_of("holes-outlined", 2149201).picture)
    assert isinstance(found, NotFound)
    assert "square cells" in found.reason


def test_two_corners_are_refused() -> None:
    found = reader.find(Photo(np.zeros((50, 50, 3), np.uint8)), Aids(corners_px=((0.0, 0.0), (9.0, 9.0))))
    assert isinstance(found, NotFound)
    assert "three corners" in found.reason


@pytest.mark.slow
@pytest.mark.parametrize("shot", [False, True])
def test_most_fresh_trays_are_solved(shot: bool) -> None:
    kinds: list[rules.Match] = ["halves", "halves", "equal"]
    done = [solved(drawn(500 + k, kinds[k % 3], shot)) for k in range(24)]
    assert sum(done) >= 22, [k for k, good in enumerate(done) if not good]


def test_pieces_are_alike_however_they_are_turned() -> None:
    # What a weave showed that was taken for a tray: six different pieces; drawn trays have nine or more.
    weave = [(2, 0, 5), (5, 2, 0), (0, 5, 2), (4, 3, 1), (3, 1, 4)] * 3
    assert reader._different(weave) == 2 < reader.LEAST_DIFFERENT
    tray = random_puzzle(np.random.default_rng(3), "halves", 8)
    assert reader._different(tray.tiles) >= reader.LEAST_DIFFERENT
