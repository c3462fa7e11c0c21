"""Digits on cloth are told from the threads and the outline, however near they stand; and pieces of these are not."""

import cv2
import numpy as np
import numpy.typing as npt

from solvers.budget import Budget
from vision.clues.numerals import beneath, numerals

SIDE = 60
HIGH = 38
GAPS = np.ones((9, 9), np.uint8)

Ink = npt.NDArray[np.uint8]


def ladder(gap_at: int | None = None) -> Ink:
    """Three cells in a row, wider than high; ``gap_at`` leaves both sides of a piece of the upper
    side open, as between the dashes of an outline.
    """
    ink = np.zeros((2 * SIDE, 5 * SIDE), np.uint8)
    cv2.rectangle(ink, (SIDE, SIDE), (4 * SIDE, SIDE + HIGH), 255, 3)
    for x in (2 * SIDE, 3 * SIDE):
        cv2.line(ink, (x, SIDE), (x, SIDE + HIGH), 255, 3)
    if gap_at is not None:
        for x in (gap_at, gap_at + 22):
            ink[SIDE - 2 : SIDE + 3, x : x + 4] = 0
    return ink


def digit(ink: Ink, x: int, y: int, high: int = 22) -> Ink:
    """A 5, drawn with straight strokes; where it is, ``uint8``."""
    mask = np.zeros_like(ink)
    wide, half = high * 6 // 10, high // 2
    stroke = [(wide, 0), (0, 0), (0, half), (wide, half), (wide, high), (0, high)]
    cv2.polylines(mask, [np.add(stroke, (x, y)).astype(np.int32)], False, 255, 3)
    return mask


def found(ink: Ink) -> npt.NDArray[np.bool_]:
    return numerals(ink, [ink > 0], np.zeros(ink.shape, np.bool_), GAPS, SIDE)


def test_a_digit_that_nearly_fills_its_cell_is_found() -> None:
    mask = digit(ink := ladder(), SIDE + 20, SIDE + 8)
    assert (found(ink | mask) == (mask > 0)).mean() > 0.999


def test_a_dash_of_the_outline_is_none() -> None:
    ink = ladder(gap_at=2 * SIDE + 15)
    mask = digit(ink, SIDE + 20, SIDE + 8)
    assert not found(ink | mask)[mask == 0].any()


def test_a_digit_that_touches_a_thread_is_cut_off_it() -> None:
    ink = ladder()
    others = digit(ink, SIDE + 20, SIDE + 8) | digit(ink, 3 * SIDE + 20, SIDE + 8)
    touching = digit(ink, 3 * SIDE - 15, SIDE + 8)
    assert found(ink | others | touching)[touching > 0].mean() > 0.5


def test_a_small_digit_is_no_speck_and_a_glint_is_no_digit() -> None:
    ink = ladder()
    others = digit(ink, SIDE + 20, SIDE + 8) | digit(ink, 3 * SIDE + 20, SIDE + 8)
    speck, glint = digit(ink, 2 * SIDE + 20, SIDE + 8), digit(ink, 2 * SIDE + 40, SIDE + 8, 9)
    seen = numerals(ink | others, [(ink | others) > 0], (speck | glint) > 0, GAPS, SIDE)
    assert seen[speck > 0].all()
    assert not seen[glint > 0].any()


def test_a_slim_digit_of_another_dye_is_found_even_where_it_parts_its_cell() -> None:
    ink = ladder()
    others = digit(ink, SIDE + 20, SIDE + 8) | digit(ink, 3 * SIDE + 20, SIDE + 8)
    one = np.zeros_like(ink)
    one[SIDE + 6 : SIDE + 32, 2 * SIDE + 28 : 2 * SIDE + 36] = 255
    every = ink | others | one
    seen = numerals(every, [every > 0, one > 0], np.zeros(ink.shape, np.bool_), np.ones((15, 15), np.uint8), SIDE)
    assert not seen[one > 0].any()
    layers = [every > 0, others > 0, one > 0]
    assert numerals(every, layers, np.zeros(ink.shape, np.bool_), np.ones((15, 15), np.uint8), SIDE)[one > 0].all()


def test_where_every_number_is_as_short_as_a_glint_they_tell_how_high_they_are_themselves() -> None:
    ink = ladder()
    specks = digit(ink, SIDE + 20, SIDE + 8) | digit(ink, 3 * SIDE + 20, SIDE + 8)
    seen = numerals(ink, [ink > 0], specks > 0, GAPS, SIDE)
    assert (seen == (specks > 0)).all()


def test_a_line_goes_on_beneath_a_number_that_is_taken_out() -> None:
    line = np.zeros((100, 100), dtype=np.uint8)
    line[48:52, 5:95] = 255
    number = np.zeros((100, 100), dtype=bool)
    number[42:70, 44:62] = True
    found = beneath(np.where(number, 0, line).astype(np.uint8), number, 60.0, Budget())
    assert found[48:52, 46:60].all()
    assert not found[58:].any()
