"""CIELAB, there and back."""

import cv2
import numpy as np

from vision.pictures.lab import bgr, converted, lab

COLOURS = np.random.default_rng(3).integers(0, 256, (40, 50, 3), np.uint8)


def test_colours_lie_where_the_standard_has_them() -> None:
    red, grey = lab(np.array([(0, 0, 255), (119, 119, 119)], np.uint8))
    assert np.allclose(red, (53.24, 80.09, 67.20), atol=0.6)
    assert np.allclose(grey, (50.03, 0, 0), atol=0.6)


def test_black_and_white_have_no_hue() -> None:
    ends = lab(np.array([(0, 0, 0), (255, 255, 255)], np.uint8))
    assert np.allclose(ends, [(0, 0, 0), (100, 0, 0)], atol=1e-3)


def test_and_back() -> None:
    assert np.abs(bgr(lab(COLOURS)) - COLOURS).max() < 0.9


def test_converted_is_what_opencv_says_for_any_shape() -> None:
    shares = COLOURS.astype(np.float32) / 255
    expected = cv2.cvtColor(shares, cv2.COLOR_BGR2LAB)
    assert np.array_equal(converted(shares, cv2.COLOR_BGR2LAB), expected)
    assert np.array_equal(converted(shares.reshape(10, 4, 50, 3), cv2.COLOR_BGR2LAB).reshape(40, 50, 3), expected)
    assert np.array_equal(converted(shares[0, 0], cv2.COLOR_BGR2LAB), expected[0, 0])
