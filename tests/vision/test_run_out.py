"""Boards whose lines run on to where the picture ends."""

from dataclasses import replace

import numpy as np
import pytest

from samples import looks, stitch
from samples.looks import Line
from vision.boards.run_out import runs_out_at
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

ROWS, COLS = 6, 5


def _drawn() -> tuple[Picture, tuple[float, float, float, float]]:
    """A ruled board on a page, a little noise over it, and its left, top, right and bottom in pixels."""
    style = looks.light(np.random.default_rng(1), "builtin")
    style = replace(
        style, panel=None, line=Line("plain", (150, 150, 150), 0.03), outline=Line("plain", (90, 90, 90), 0.04)
    )
    sample = stitch.draw(
        np.random.default_rng(4), style=style, rows=ROWS, cols=COLS, filled=0.0, device="phone", family="builtin"
    )
    noisy = sample.picture + np.random.default_rng(2).normal(0, 4, sample.picture.shape)
    (left, top), _, (right, bottom), _ = sample.truth["corners"]
    return np.clip(noisy, 0, 255).astype(np.uint8), (left, top, right, bottom)


def _place(box: tuple[float, float, float, float], size: tuple[int, int]) -> FlatPlacement:
    left, top, right, bottom = box
    return FlatPlacement.from_corners([(left, top), (right, top), (right, bottom), (left, bottom)], size, 1)


@pytest.mark.parametrize("cut", ["top", "right", "bottom", "left"])
def test_a_board_that_the_picture_cuts_within_its_next_row_runs_out_there(cut: str) -> None:
    picture, (left, top, right, bottom) = _drawn()
    side = (right - left) / COLS
    part, box, size = {
        "top": (np.s_[round(top + 0.6 * side) :], (left, 0.4 * side, right, bottom - top - 0.6 * side), (5, 5)),
        "right": (np.s_[:, : round(right - 0.6 * side)], (left, top, right - side, bottom), (4, 6)),
        "bottom": (np.s_[: round(bottom - 0.6 * side)], (left, top, right, bottom - side), (5, 5)),
        "left": (np.s_[:, round(left + 0.6 * side) :], (0.4 * side, top, right - left - 0.6 * side, bottom), (4, 6)),
    }[cut]
    assert runs_out_at(Photo(np.ascontiguousarray(picture[part])), _place(box, size), np.ones(size[::-1], bool)) == cut


def test_a_whole_board_with_a_narrow_margin_does_not() -> None:
    picture, (left, top, right, bottom) = _drawn()
    margin = 0.5 * (right - left) / COLS
    x0, y0, x1, y1 = (round(v) for v in (max(0, left - margin), top - margin, right + margin, bottom + margin))
    place = _place((left - x0, top - y0, right - x0, bottom - y0), (COLS, ROWS))
    assert runs_out_at(Photo(np.ascontiguousarray(picture[y0:y1, x0:x1])), place, np.ones((ROWS, COLS), bool)) is None
