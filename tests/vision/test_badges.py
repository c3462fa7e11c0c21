"""Badges on drawn cells: their shapes, on light, dark and tinted grounds, and the cells that carry none."""

import cv2
import numpy as np
import pytest

from samples.canvas import Canvas, Type
from samples.fonts import BUILTIN
from vision.clues.badges import badge, number_on
from vision.pictures.photo import Picture

Box = tuple[float, float, float, float]
BOXES: dict[str, list[Box]] = {
    "square": [(0.22, 0.22, 0.78, 0.78)],
    "tall": [(0.28, 0.15, 0.72, 0.85)],
    "wide": [(0.15, 0.28, 0.85, 0.72)],
    "any": [(0.28, 0.15, 0.72, 0.85), (0.15, 0.28, 0.85, 0.72)],
}


def cell(shape: str, side: int = 80, ground: int = 250, fill: tuple[int, int, int] = (40, 90, 220)) -> Picture:
    picture = np.full((side, side, 3), ground, np.uint8)
    for x0, y0, x1, y1 in BOXES.get(shape, []):
        cv2.rectangle(picture, (int(x0 * side), int(y0 * side)), (int(x1 * side), int(y1 * side)), fill, -1)
    return picture


@pytest.mark.parametrize("shape", BOXES)
@pytest.mark.parametrize("side", [32, 80, 160])
@pytest.mark.parametrize("ground", [250, 25])
def test_shapes(shape: str, side: int, ground: int) -> None:
    found = badge(cell(shape, side, ground))
    assert found is not None
    assert found.shape == shape
    assert found.fill_bgr == (40, 90, 220)


def test_grid_lines_and_a_number_do_not_change_the_shape() -> None:
    picture = cell("tall", 80)
    picture[:3] = picture[:, :3] = 120
    cv2.rectangle(picture, (34, 28), (46, 52), (255, 255, 255), -1)
    found = badge(picture)
    assert found is not None
    assert found.shape == "tall"


def test_no_badge_in_an_empty_cell_or_behind_a_bare_number() -> None:
    assert badge(cell("none")) is None
    picture = cell("none")
    cv2.rectangle(picture, (36, 28), (44, 52), (20, 20, 20), -1)
    assert badge(picture) is None
    ring = cell("none")
    cv2.circle(ring, (40, 40), 28, (20, 20, 20), 3)
    assert badge(ring) is None


@pytest.mark.parametrize("digit", "2456")
def test_a_bold_digit_is_no_rectangle(digit: str) -> None:
    found = badge(digit_cell(digit))
    assert found is None or found.shape == "any"  # which says nothing, and is read as the cell it is


def digit_cell(digit: str, side: int = 96) -> Picture:
    """A cell that a bold digit nearly fills, as on placed patches."""
    canvas = Canvas(np.full((side, side, 3), (30, 140, 250), np.uint8))
    canvas.digits(np.array([side / 2, side / 2]), digit, Type(BUILTIN, 0.55 * side, 0.08), (255, 255, 255))
    return canvas.picture


def test_a_number_stands_free_on_a_plain_of_the_badges_colour() -> None:
    picture = cell("tall", 80)
    found = badge(picture)
    assert found is not None
    plain = number_on(picture, found)
    assert plain.shape == picture.shape
    assert (plain[2, 2] == found.fill_bgr).all()


def test_a_number_that_sticks_out_of_its_badge_does_not_change_the_shape() -> None:
    picture = cell("tall", 80, ground=40)
    for left in (18, 44):  # two bold strokes of ink that cover more of the middle than the badge does
        cv2.rectangle(picture, (left, 26), (left + 18, 54), (255, 255, 255), -1)
    found = badge(picture)
    assert found is not None
    assert (found.shape, found.overrun) == ("tall", True)
    assert found.fill_bgr == (40, 90, 220)
    assert number_on(picture, found) is picture


def test_a_badge_of_which_a_bold_number_leaves_but_a_thin_rim_is_one() -> None:
    picture = cell("wide", 64)
    top, bottom = int(0.28 * 64), int(0.72 * 64)
    cv2.rectangle(picture, (22, top + 2), (42, bottom - 1), (255, 255, 255), -1)
    found = badge(picture)
    assert found is not None
    assert found.shape == "wide"
