"""Badges with and without a number."""

import numpy as np

from vision.clues.badges import Badge
from vision.clues.blank_badges import blank_badges
from vision.pictures.photo import Picture

STRONG, PALE = (0, 180, 215), (245, 225, 215)


def cell(fill: tuple[int, int, int], *, number: bool, dirt: int = 0) -> tuple[Picture, Badge]:
    """A cell full of its badge's colour, with a white number or none, and the dirt of compression."""
    crop = np.full((40, 40, 3), fill, np.uint8)
    crop[16:20, 16:26, 0] += dirt
    if number:
        crop[13:27, 18:22] = 255
    return crop, Badge("any", (0.1, 0.1, 0.9, 0.9), fill, 100.0, 1.0)


def blank(*cells: tuple[Picture, Badge], read: list[int]) -> set[int]:
    crops, badges = zip(*cells, strict=True)
    return blank_badges(crops, badges, read)


def test_dirt_on_a_strong_colour_is_no_number_where_those_on_pale_ones_hardly_stand_out() -> None:
    numbered = cell(PALE, number=True)
    assert blank(numbered, numbered, cell(STRONG, number=False, dirt=34), read=[0, 1]) == {2}
    assert blank(numbered, numbered, cell(STRONG, number=True), read=[0, 1]) == set()


def test_where_no_number_was_read_an_even_badge_is_blank() -> None:
    assert blank(cell(STRONG, number=False), cell(STRONG, number=True), read=[]) == {0}


def test_a_cell_without_a_badge_has_no_blank_one() -> None:
    crop, badge = cell(STRONG, number=False)
    assert blank_badges([crop, crop], [None, badge], []) == {1}


def test_a_wide_badge_a_bit_off_the_middle_of_its_cell_is_blank_and_one_with_a_number_is_not() -> None:
    plain = np.full((40, 40, 3), 250, np.uint8)
    plain[8:25, 4:36] = STRONG
    numbered = plain.copy()
    numbered[10:23, 17:21] = 255
    found = Badge("wide", (0.1, 0.2, 0.9, 0.625), STRONG, 100.0, 1.0)
    assert blank((plain, found), (numbered, found), cell(PALE, number=True), read=[2]) == {0}
