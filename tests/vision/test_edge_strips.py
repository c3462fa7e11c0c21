"""Strips of drawn trays: what is the same looks the same, dots are found and coloured, wherever they lie."""

import numpy as np
import pytest

from samples.triazzle import TrayStyle, random_puzzle, render
from solvers import triazzle
from solvers.triazzle import TRAY, Puzzle
from vision.pictures.photo import Photo
from vision.trays.slots import find_tray
from vision.trays.strips import (
    LENGTH,
    ROWS,
    Strips,
    continuities,
    cut_strips,
    find_marks,
    own_part,
    sheet,
    similarities,
)

LAYOUT = triazzle.layout(Puzzle((), ()))


def cut(style: TrayStyle, seed: int) -> tuple[Strips, np.ndarray, Puzzle]:
    """The strips of a flat drawn tray, and the code of each."""
    rng = np.random.default_rng(seed)
    puzzle = random_puzzle(rng, style.match, style.symbols)
    photo = Photo(render(puzzle, style, rng).picture)
    labels = [c for tile in puzzle.tiles for c in tile] + [c for c in puzzle.border if c is not None]
    place = find_tray(photo)
    assert place
    return cut_strips(photo, place, LAYOUT, TRAY), np.array(labels), puzzle


@pytest.fixture(scope="module")
def creatures() -> tuple[Strips, np.ndarray, Puzzle]:
    return cut(TrayStyle(symbols=5, litter=3), 23)


@pytest.mark.slow
def test_same_halves_are_more_alike_than_others(creatures: tuple[Strips, np.ndarray, Puzzle]) -> None:
    strips, labels, _ = creatures
    similarity = similarities(strips.details)
    pairs = np.triu_indices(60, 1)
    same = np.equal.outer(labels, labels)[pairs]
    assert np.percentile(similarity[pairs][same], 5) > np.percentile(similarity[pairs][~same], 99)


def test_picture_runs_on_between_mates_more_than_between_others(creatures: tuple[Strips, np.ndarray, Puzzle]) -> None:
    strips, labels, puzzle = creatures
    on = continuities(strips.shown)
    fits = np.equal.outer(labels, [puzzle.mate(int(code)) for code in labels])
    assert np.median(on[fits]) > np.median(on[~fits]) + 0.2


def test_strips_have_their_shape_and_sheet(creatures: tuple[Strips, np.ndarray, Puzzle]) -> None:
    strips, _, _ = creatures
    assert strips.lab.shape == (60, ROWS, LENGTH, 3)
    assert sheet(strips, range(60)).shape == (6 * (ROWS + 4), 10 * (LENGTH + 4), 3)
    part = own_part()
    assert np.array_equal(part, part[:, ::-1])
    assert 0.2 < part.mean() < 0.8


@pytest.mark.slow
def test_dots_are_found_and_told_apart_by_colour() -> None:
    strips, labels, _ = cut(TrayStyle(match="equal", symbols=6, ground="wood", litter=0), 22)
    marks = find_marks(strips)
    assert marks is not None
    similarity = marks.similarities()
    same = np.equal.outer(labels, labels)
    assert similarity[same].min() > 0.8
    assert similarity[~same].max() < 0.5
