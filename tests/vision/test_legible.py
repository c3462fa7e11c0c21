"""Boards that are too small or too blurred are told from those that are not."""

import cv2
import numpy as np
import pytest

from samples import stitch
from vision.clues.legible import illegible
from vision.pictures.flatten import cell_side_px
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement


def _seen(side_px: float, blur_px: float) -> str:
    """What is said of a board whose cells have this side, blurred by this standard deviation."""
    sample = stitch.draw(np.random.default_rng(4), style="light", rows=6, cols=5, device="bare")
    corners = np.array(sample.truth["corners"])
    factor = side_px / cell_side_px(FlatPlacement.from_corners(corners, (5, 6)))
    picture = cv2.resize(sample.picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    picture = cv2.GaussianBlur(picture, (0, 0), blur_px) if blur_px else picture
    place = FlatPlacement.from_corners((corners + 0.5) * factor - 0.5, (5, 6))
    return illegible(Photo(np.asarray(picture, np.uint8)), place)


@pytest.mark.parametrize("side_px", [16, 24, 60])
def test_a_sharp_board_of_some_size_is_legible(side_px: float) -> None:
    assert _seen(side_px, 0) == ""


@pytest.mark.parametrize("side_px", [6, 8, 11])
def test_a_small_one_is_not_and_its_size_is_said(side_px: float) -> None:
    assert _seen(side_px, 0).startswith(f"its cells are {side_px} pixels wide; numbers are read from 16 on")


def test_a_blurred_one_is_as_small_as_it_shows() -> None:
    said = _seen(40, 4)
    assert said.startswith("its cells are 40 pixels wide, and so blurred that they show no more than")
    assert said.endswith("take it larger or sharper")
    assert _seen(40, 0.5) == ""
