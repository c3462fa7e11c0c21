"""What stands on cells is told apart, and what a kind does not know is a doubt."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest

from benchmarks.sets import sample_of
from samples import chess, regions, stitch
from samples.canvas import Canvas
from samples.chess_pieces import QUEENS
from samples.other_games import GAMES, draw
from samples.sample import Sample
from solvepic import solve
from solvepic.outcome import Cause, Outcome, Status
from solvers.board import Cell
from solvers.pyramid import TRAY
from tests.shared_files import shared
from vision import pyramid
from vision.balls.lattice import GOES_ON, goes_on
from vision.cells.reader import CROP_PX, MARKS, Cells, Mark, crops, inputs, part_numbered, probabilities, read
from vision.chessboards import chequers
from vision.chessboards.figures import figures
from vision.chessboards.pieces import WRITTEN
from vision.kind import Aids
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement

LEAST = 0.03
"""Probability below which something is as good as ruled out."""

PIECES: dict[Cell, str] = {(0, 1): "queen", (2, 3): "knight", (5, 5): "queen", (6, 0): "rook"}


def board_of(sample: Sample, rows: int, cols: int) -> tuple[Photo, Cells]:
    photo = Photo(sample.picture)
    return photo, read(photo, FlatPlacement.from_corners(sample.truth["corners"], (cols, rows)))


def diagram(pieces: dict[Cell, str], **changes: object) -> Sample:
    scene = chess.Scene(pieces=pieces, device="bare", **changes)  # type: ignore[arg-type]
    sample = chess.draw(np.random.default_rng(3), scene)
    return Sample(sample.picture, sample.truth)


@pytest.mark.parametrize("style", QUEENS)
def test_pieces_are_seen_and_nothing_else(style: str) -> None:
    _, cells = board_of(diagram(PIECES, style=style, coordinates="inside"), 8, 8)
    empty = cells.chance("empty", "note")
    assert all(empty[cell] < LEAST for cell in PIECES)
    assert all(empty[cell] > 0.5 for cell in np.ndindex(8, 8) if cell not in PIECES)
    named = {cell: MARKS[int(cells.likely[cell].argmax())] for cell in PIECES}
    assert [named[cell] for cell in PIECES if PIECES[cell] in MARKS] == ["queen", "knight", "queen"]


def test_numbers_and_badges() -> None:
    sample = stitch.draw(np.random.default_rng(5), style="patches", rows=7, cols=7, filled=0.0, device="bare")
    _, cells = board_of(sample, 7, 7)
    badges: tuple[Mark, ...] = ("square", "tall", "wide", "any", "blank")
    carrying = np.array(sample.truth["clues"]) != 0
    assert (cells.chance(*badges)[carrying] > 0.5).all()
    assert (cells.chance("empty", "note")[~carrying] > 0.5).all()


def test_crosses_are_notes() -> None:
    sample = regions.draw(np.random.default_rng(11), theme="light", n=8, device="bare")
    _, cells = board_of(sample, 8, 8)
    queens = np.zeros((8, 8), bool)
    for r, c in sample.truth["queens"]:
        queens[r, c] = True
    assert (cells.chance("empty", "note")[~queens] > LEAST).all()


def test_the_colours_of_a_board_say_nothing() -> None:
    sample = diagram(PIECES)
    seen = crops(Photo(sample.picture), FlatPlacement.from_corners(sample.truth["corners"], (8, 8)))
    assert seen.shape == (64, CROP_PX, CROP_PX, 3)
    darker = np.asarray(seen // 2 + 20, np.uint8)
    assert np.abs(inputs(seen)).max() < 3
    same = probabilities(seen).argmax(axis=1) == probabilities(darker).argmax(axis=1)
    assert same.mean() > 0.95


def test_probabilities_add_up() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (5, CROP_PX, CROP_PX, 3), np.uint8)
    likely = probabilities(noise)
    assert likely.shape == (5, len(MARKS))
    assert np.allclose(likely.sum(axis=1), 1, atol=1e-5)


def test_threads_may_share_the_network() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (4, 60, CROP_PX, CROP_PX, 3), np.uint8)
    alone = [probabilities(part) for part in noise]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(probabilities, np.concatenate([noise] * 4)))
    assert all(np.array_equal(one, alone[place % 4]) for place, one in enumerate(together))


def test_an_empty_board_is_solved_and_a_finished_tour_is_not() -> None:
    empty = solve(diagram({}).picture)
    assert (empty.status, empty.kind and empty.kind.name) == (Status.SOLVED, "queens")
    tours = [draw(np.random.default_rng(seed), "tour") for seed in (1, 2)]
    assert all(solve(sample.picture).status is not Status.SOLVED for sample in tours)


def test_a_mark_that_is_not_known_is_a_doubt() -> None:
    sample = diagram({(0, 0): "queen"})
    (left, top), (right, _), *_ = sample.truth["corners"]
    side = (right - left) / 8
    canvas = Canvas(sample.picture)
    canvas.disc((left + 3.5 * side, top + 5.5 * side), 0.4 * side, (30, 30, 200))
    photo = Photo(canvas.picture)
    _, guesses = figures(photo, chequers.find(photo, Aids())[0])  # type: ignore[index, arg-type]
    assert {cell: guess.name for cell, guess in guesses.items()} == {(0, 0): "queen", (5, 3): "odd"}
    assert solve(canvas.picture).status is not Status.SOLVED


def test_half_a_square_grid_is_no_triangle() -> None:
    sample = sample_of("pyramid-photos", 3)
    photo = Photo(sample.picture)
    places = pyramid.find(photo, Aids())
    assert places
    assert goes_on(photo, places[0], TRAY) < GOES_ON  # type: ignore[index, arg-type]
    picture = np.full((700, 700, 3), 250, np.uint8)
    for k in range(11):
        picture[50 + 60 * k - 1 : 52 + 60 * k, 50:650] = 30
        picture[50:652, 50 + 60 * k - 1 : 52 + 60 * k] = 30
    matrix = np.array([(60, 0, 50), (0, 60, 50), (0, 0, 1)], np.float64)
    centres = np.array(TRAY.centres)
    half = np.array([(c + 0.5, r + 0.5) for r in range(10) for c in range(r + 1)])
    affine = np.linalg.lstsq(np.column_stack([centres, np.ones(len(centres))]), half, rcond=None)[0].T
    board = FlatPlacement(matrix @ np.vstack([affine, (0, 0, 1)]), TRAY.layout.size)
    assert goes_on(Photo(picture), board, TRAY) > GOES_ON


@pytest.mark.slow
def test_boards_of_other_games_are_not_solved() -> None:
    drawn = [draw(np.random.default_rng(seed), game) for seed, game in enumerate([*GAMES] * 2)]
    assert not [sample.truth["game"] for sample in drawn if solve(sample.picture).status is Status.SOLVED]


@pytest.mark.parametrize("seed", [10, 12])
def test_a_chequered_board_full_of_numbers_is_told(seed: int) -> None:
    outcome = solve(draw(np.random.default_rng(seed), "tour").picture, time_limit=60)
    assert (outcome.status.value, outcome.cause) == ("no_board", "another_game")
    assert "a chequered board of numbers" in outcome.message


@pytest.mark.slow
def test_a_chequered_board_full_of_numbers_is_told_on_its_side() -> None:
    outcome = solve(sample_of("other-games", 2174033).picture, time_limit=60)  # one square seems to have a knight
    assert (outcome.status.value, outcome.cause) == ("no_board", "another_game")
    assert "a chequered board of numbers" in outcome.message


@pytest.mark.parametrize("quarters", range(4))
def test_numbers_are_counted_whichever_way_up_they_stand(quarters: int) -> None:
    sample = draw(np.random.default_rng(10), "tour")
    high, wide = sample.picture.shape[:2]
    corners = np.array(sample.truth["corners"])
    for _ in range(quarters):  # a quarter clockwise
        corners, high, wide = np.column_stack([high - 1 - corners[:, 1], corners[:, 0]]), wide, high
    photo = Photo(np.ascontiguousarray(np.rot90(sample.picture, -quarters)))
    assert part_numbered(photo, FlatPlacement.from_corners(corners, (8, 8))) > WRITTEN


@cache
def outcomes_of_other_games() -> list[Outcome]:
    folders = [shared(f"corpus/{name}").iterdir() for name in ("other_games_nothing", "nothing")]
    pictures = [path for folder in folders for path in folder if path.suffix != ".json"]
    assert len(pictures) >= 68
    return [solve(path, time_limit=120) for path in pictures]


@pytest.mark.corpus
def test_labelled_pictures_of_other_games_are_not_solved() -> None:
    assert not [outcome.image for outcome in outcomes_of_other_games() if outcome.status is Status.SOLVED]


@pytest.mark.corpus
def test_labelled_pictures_of_other_games_are_told() -> None:
    outcomes = outcomes_of_other_games()
    told = [outcome for outcome in outcomes if outcome.cause in (Cause.NO_BOARD, Cause.ANOTHER_GAME)]
    assert len(told) >= 0.9 * len(outcomes)
