"""What is done to masks."""

import cv2
import numpy as np

from vision.pictures.masks import box_of, filled, largest, opened

RING = np.array(
    [
        [1, 1, 1, 0, 0, 1],
        [1, 0, 1, 0, 0, 0],
        [1, 1, 1, 1, 0, 1],
        [0, 0, 0, 1, 0, 0],
    ],
    np.uint8,
)


def test_a_hole_is_filled_and_a_bay_is_not() -> None:
    assert np.array_equal(filled(RING), np.where([[0, 0, 0, 0, 0, 0], [0, 1, *4 * [0]], *2 * [6 * [0]]], 1, RING))


def test_a_turned_mask_is_filled_as_well() -> None:
    assert np.array_equal(filled(np.rot90(RING)), np.rot90(filled(RING)))


def test_holes_are_what_outlines_enclose() -> None:
    for mask in np.random.default_rng(5).random((20, 30, 40)) < 0.55:
        outlines = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
        drawn = cv2.drawContours(np.zeros(mask.shape, np.uint8), outlines, -1, 1, -1)
        assert np.array_equal(filled(mask), drawn > 0)


def test_the_largest_part_hangs_together_at_sides() -> None:
    assert np.array_equal(largest(RING), (RING > 0) & (np.arange(6) < 5))
    assert not largest(np.zeros((3, 3), bool)).any()


def test_opened_is_without_lines() -> None:
    mask = np.zeros((9, 20), bool)
    mask[1:8, 1:8] = mask[4] = True
    assert opened(mask, 3)[4, 4]
    assert not opened(mask, 3)[4, 12]


def test_the_box_is_as_small_as_it_may_be() -> None:
    assert box_of(RING[:, 3:] * (np.arange(3) < 1)) == (slice(2, 4), slice(0, 1))
