"""Boards whose cells dots mark."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from samples import looks, stitch
from samples.looks import NO_LINE, Dots, Line, Look
from samples.sample import Sample
from vision.boards.dotted import dotted_boards
from vision.pictures.photo import Photo, Picture

INK = (40, 40, 40)


def _look(where: str, outline: Line = NO_LINE) -> Look:
    plain = looks.light(np.random.default_rng(1), "builtin")
    dots = Dots("corners" if where == "corners" else "middles", INK, 0.1)
    clue = replace(plain.clue, frame="none", colour=INK, height=0.4)
    return replace(plain, panel=None, line=NO_LINE, outline=outline, clue=clue, dots=dots)


def _drawn(where: str, outline: Line = NO_LINE, device: str = "phone") -> Sample:
    look = _look(where, outline)
    return stitch.draw(np.random.default_rng(4), look=look, rows=7, cols=6, filled=0.0, device=device, family="builtin")


def _found(picture: Picture) -> list[tuple[tuple[float, float], list[list[float]]]]:
    boards = dotted_boards(Photo(picture))
    return [(board.size, board.to_photo([(0, 0), board.size]).round(1).tolist()) for board in boards]


@pytest.mark.parametrize("outline", [NO_LINE, Line("plain", INK, 0.04)], ids=["bare", "outlined"])
@pytest.mark.parametrize("where", ["corners", "middles"])
def test_a_board_is_where_its_dots_say(where: str, outline: Line) -> None:
    sample = _drawn(where, outline)
    ends = np.array(sample.truth["corners"])[[0, 2]]
    side = (ends[1] - ends[0])[0] / 6
    assert any(
        size == (6, 7) and np.abs(np.array(at) - ends).max() < 0.05 * side for size, at in _found(sample.picture)
    )


def test_words_and_lines_are_no_dots() -> None:
    ruled = replace(looks.light(np.random.default_rng(1), "builtin"), line=Line("plain", INK, 0.03))
    sample = stitch.draw(
        np.random.default_rng(4), look=ruled, rows=7, cols=6, filled=0.0, device="phone", family="builtin"
    )
    assert _found(sample.picture) == []


def test_a_lattice_that_goes_on_is_not_told_in_part() -> None:
    picture = np.full((400, 500, 3), 250, np.uint8)
    for x, y in np.ndindex(10, 8):
        if y < 7 or x % 2:  # of the last row every other dot is there
            cv2.circle(picture, (40 + 44 * x, 40 + 44 * y), 3, INK, -1, cv2.LINE_AA)
    assert all(size[1] > 6 for size, _ in _found(picture))


def test_an_outline_that_cuts_dots_off_is_none() -> None:
    picture = np.full((300, 300, 3), 250, np.uint8)
    rng = np.random.default_rng(6)
    for x, y in rng.integers(10, 290, (150, 2)).tolist():
        cv2.circle(picture, (x, y), 3, INK, -1, cv2.LINE_AA)
    assert _found(picture) == []
