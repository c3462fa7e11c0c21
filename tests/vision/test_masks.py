"""What is done to masks."""

import numpy as np

from vision.pictures.masks import box_of, largest, opened

RING = np.array(
    [
        [1, 1, 1, 0, 0, 1],
        [1, 0, 1, 0, 0, 0],
        [1, 1, 1, 1, 0, 1],
        [0, 0, 0, 1, 0, 0],
    ],
    np.uint8,
)


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
