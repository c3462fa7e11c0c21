"""Boards of coloured regions as people send them: what once went wrong."""

import numpy as np
import pytest

from samples import regions as drawn
from vision import queens
from vision.kind import Aids
from vision.pictures.photo import Photo
from vision.pictures.upright import quarter_turns
from vision.reading import NotFound


def sent(seed: int) -> drawn.Sample:
    return drawn.capture(np.random.default_rng([seed, *b"regions-captures"]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [8054, 8078, 9001, 9057, 9068])
def test_a_capture_is_read(seed: int) -> None:
    """On five rows all queens stand already, or crosses hide the grid, or all cells are dimmed; crosses that a
    compression blurred into stars; a tree whose trunk is all that shows plainly of it.
    """
    sample = sent(seed)
    photo = Photo(sample.picture)
    places = queens.find(photo, Aids())
    assert not isinstance(places, NotFound)
    read = queens.read(photo, places[0], Aids())
    assert not isinstance(read, NotFound)
    assert not read.doubts
    assert sorted(read.puzzle.queens) == sorted(map(tuple, sample.truth["queens"]))
    assert read.puzzle.n == sample.truth["n"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [9012, 9049])
def test_small_print_does_not_turn_a_page(seed: int) -> None:
    """Tall letters run into their neighbours there, and what is left to differ are two descenders."""
    assert quarter_turns(Photo(sent(seed).picture)) == 0
