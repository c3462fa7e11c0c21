"""Which places of a lattice look alike."""

import numpy as np
import pytest

from vision.boards.clusters import alike_places
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement

SIDE = 30


def photo_of(colours: np.ndarray) -> Photo:
    """A board whose places have these colours, ``(rows, cols, 3)``."""
    return Photo(np.ascontiguousarray(colours.astype(np.uint8).repeat(SIDE, 0).repeat(SIDE, 1)))


def placement_of(colours: np.ndarray) -> FlatPlacement:
    rows, cols = colours.shape[:2]
    return FlatPlacement(np.diag([SIDE, SIDE, 1.0]), (cols, rows))


def clusters_of(colours: np.ndarray, among: np.ndarray | None = None) -> list[np.ndarray]:
    every = np.ones(colours.shape[:2], np.bool_) if among is None else among
    return alike_places(photo_of(colours), placement_of(colours), every)


def test_places_of_one_colour_are_a_cluster() -> None:
    tinted = np.array([[True, False, False], [False, False, True], [True, False, False]])
    found = clusters_of(np.where(tinted[..., None], (120, 180, 90), (110, 110, 110)))
    assert sorted(mask.tolist() for mask in found) == sorted([tinted.tolist(), (~tinted).tolist()])


def test_a_colour_that_fades_is_one_cluster() -> None:
    faded = (60 + 5 * np.add.outer(np.arange(6), np.arange(6)))[..., None] * np.ones(3)
    faded[2, 2:4] = faded[4, 1] = (20, 30, 220)
    red = (faded == (20, 30, 220)).all(axis=2)
    found = [mask.tolist() for mask in clusters_of(faded)]
    assert red.tolist() in found
    assert (~red).tolist() in found


@pytest.mark.parametrize("seed", range(3))
def test_places_of_colours_that_stand_nowhere_apart_are_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    assert not clusters_of(100 + rng.permutation(49).reshape(7, 7)[..., None] * np.ones(3))


def test_only_places_that_are_asked_for_are_compared() -> None:
    colours = np.full((3, 3, 3), 90)
    among = np.eye(3, dtype=np.bool_)
    colours[0, 1] = (250, 0, 0)
    assert not clusters_of(colours, among)  # all of them are alike
    colours[0, 0] = colours[1, 1] = (0, 0, 250)
    (found,) = clusters_of(colours, among)
    assert found.tolist() == [[True, False, False], [False, True, False], [False, False, False]]
    assert not clusters_of(colours, np.zeros((3, 3), np.bool_))


def test_places_with_a_pattern_are_others_than_plain_ones_of_its_colour() -> None:
    shown = np.full((4 * SIDE, 4 * SIDE, 3), 120, np.uint8)
    hatched = np.zeros((4, 4), np.bool_)
    hatched[0, 0] = hatched[2, 1] = hatched[3, 3] = True
    stripes = np.array([60, 120, 120, 180, 120])[np.arange(SIDE) // 3 % 5][:, None, None]
    for row, col in np.argwhere(hatched):
        shown[row * SIDE : (row + 1) * SIDE, col * SIDE : (col + 1) * SIDE] = stripes
    found = alike_places(Photo(shown), placement_of(np.zeros((4, 4, 3))), np.ones((4, 4), np.bool_))
    assert hatched.tolist() in [mask.tolist() for mask in found]
