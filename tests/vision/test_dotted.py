"""Boards whose cells dots mark."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from samples import looks, stitch
from samples.looks import NO_LINE, Dots, Line, Look
from samples.sample import Sample
from vision.boards.dotted import dotted_boards
from vision.boards.states import board_at
from vision.clues.places import likely_places
from vision.kind import Aids
from vision.pictures.photo import Photo

INK = (40, 40, 40)


def _look(where: str, outline: Line = NO_LINE) -> Look:
    plain = looks.light(np.random.default_rng(1), "builtin")
    dots = Dots("corners" if where == "corners" else "middles", INK, 0.1)
    clue = replace(plain.clue, frame="none", colour=INK, height=0.4)
    return replace(plain, panel=None, line=NO_LINE, outline=outline, clue=clue, dots=dots)


def _drawn(where: str, outline: Line = NO_LINE, device: str = "phone") -> Sample:
    look = _look(where, outline)
    return stitch.draw(np.random.default_rng(4), look=look, rows=7, cols=6, filled=0.0, device=device, family="builtin")


@pytest.mark.parametrize("outline", [NO_LINE, Line("plain", INK, 0.04)], ids=["bare", "outlined"])
@pytest.mark.parametrize("where", ["corners", "middles"])
def test_one_of_two_lattices_has_the_lines_of_the_board(where: str, outline: Line) -> None:
    sample = _drawn(where, outline)
    found = [board.to_board(sample.truth["corners"]) for board in dotted_boards(Photo(sample.picture))]
    off = sorted(float(np.abs(corners - corners.round()).max()) for corners in found)
    assert len(off) == 2
    assert off[0] < 0.05
    assert off[1] > 0.4, "the other has the dots where the first has the middles of its cells"


@pytest.mark.parametrize("where", ["corners", "middles"])
def test_how_far_the_board_reaches_its_cells_tell(where: str) -> None:
    sample = _drawn(where)
    photo = Photo(sample.picture)
    boards = [board_at(photo, place).placement for place in likely_places(photo, [], Aids())]
    whole = np.array([(0, 0), (6, 0), (6, 7), (0, 7)])
    assert any(
        board.size == (6, 7) and np.abs(board.to_board(sample.truth["corners"]) - whole).max() < 0.05
        for board in boards
    )


@pytest.mark.parametrize("size", [(7, 6), (6, 7)])
def test_a_size_is_that_of_the_board_in_either_order_not_of_its_dots(size: tuple[int, int]) -> None:
    photo = Photo(_drawn("corners", Line("plain", INK, 0.04)).picture)
    assert [place.size for place in likely_places(photo, [], Aids(size=size))] == [(6, 7)]
    assert likely_places(photo, [], Aids(size=(5, 4))) == []


def test_words_and_lines_are_no_dots() -> None:
    ruled = replace(looks.light(np.random.default_rng(1), "builtin"), line=Line("plain", INK, 0.03))
    sample = stitch.draw(
        np.random.default_rng(4), look=ruled, rows=7, cols=6, filled=0.0, device="phone", family="builtin"
    )
    assert dotted_boards(Photo(sample.picture)) == []


def test_dots_anywhere_are_no_lattice() -> None:
    picture = np.full((300, 300, 3), 250, np.uint8)
    rng = np.random.default_rng(6)
    for x, y in rng.integers(10, 290, (150, 2)).tolist():
        cv2.circle(picture, (x, y), 3, INK, -1, cv2.LINE_AA)
    assert dotted_boards(Photo(picture)) == []
