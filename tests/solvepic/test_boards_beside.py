"""A picture with several boards: one is solved, the others are named."""

import re

import numpy as np
import pytest

import solvepic
from benchmarks.sets import sample_of
from solvepic.outcome import Status
from vision.boards.boxes import boxes_beside
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, box_corners


def framed(*boards: tuple[int, int, int]) -> Photo:
    """A page with ruled squares: left, top, side."""
    page = np.full((400, 800, 3), 255, np.uint8)
    for left, top, side in boards:
        for at in np.linspace(0, side - 1, 6).astype(int):
            page[top + at, left : left + side] = page[top : top + side, left + at] = 0
    return Photo(page)


def placed(left: int, top: int, side: int) -> FlatPlacement:
    return FlatPlacement(np.array([(side / 5, 0, left), (0, side / 5, top), (0, 0, 1.0)]), (5, 5))


def test_parts_beside_a_board_are_those_as_large_that_lie_on_none() -> None:
    first, second, small = (20, 20, 200), (400, 50, 240), (300, 300, 40)
    photo = framed(first, second, small)
    (found,) = boxes_beside(photo, [placed(*first)])
    assert np.abs(box_corners(found)[[0, 2]].ravel() - (400, 50, 640, 290)).max() <= 8
    assert boxes_beside(photo, [placed(*first), placed(*second)]) == []
    assert boxes_beside(framed(second), [placed(0, 0, 400)]) == [], "it lies on the board"


@pytest.mark.slow
def test_a_board_of_another_kind_beside_the_solved_one_is_named() -> None:
    one, two = (sample_of(name, seed) for name, seed in (("knight-screens", 5000), ("pages-whole", 6000)))
    height = max(len(one.picture), len(two.picture))
    shown = [np.pad(each.picture, ((0, height - len(each.picture)), (0, 40), (0, 0)), "edge") for each in (one, two)]
    result = solvepic.solve(np.hstack(shown))
    assert (result.status, result.kind.name) == (Status.SOLVED, "knight")
    (note,) = result.notes
    named = np.array([[float(v) for v in corner.split(",")] for corner in re.findall(r"[\d.]+,[\d.]+", note)])
    assert np.abs(named - two.truth["corners"] - (shown[0].shape[1], 0)).max() < 10, "a third of a cell"
