"""Thin plates: what they keep, what they smooth, how they slope."""

import numpy as np
import pytest

from vision.pictures.thin_plate import ThinPlate, fitted

RNG = np.random.default_rng(4)
KNOTS = RNG.uniform(0, 6, (20, 2))
POINTS = RNG.uniform(0, 6, (300, 2))


def bowed(points: np.ndarray) -> np.ndarray:
    return 0.3 * np.column_stack([np.sin(points[:, 1] / 2), np.cos(points[:, 0] / 2)])


def plate(stiffness: float = 1e-6) -> ThinPlate:
    return fitted(POINTS, bowed(POINTS), np.ones(len(POINTS)), KNOTS, stiffness)


def test_what_is_smooth_is_followed_between_the_points() -> None:
    between = RNG.uniform(1, 5, (50, 2))
    assert np.abs(plate().at(between) - bowed(between)).max() < 0.03


def test_a_stiff_plate_does_not_bend() -> None:
    stiff, (one, other) = plate(1e6), np.array([(0.0, 0.0), (6.0, 4.0)])
    halfway = stiff.at(np.array([(one + other) / 2]))
    assert halfway == pytest.approx(stiff.at(np.array([one, other])).mean(axis=0, keepdims=True), abs=1e-3)


@pytest.mark.parametrize("knots", [3, 20])
def test_what_does_not_bend_is_kept_as_it_is(knots: int) -> None:
    moved = POINTS @ np.array([(0.1, -0.2), (0.05, 0.1)]) + (0.3, -0.4)
    found = fitted(POINTS, moved, np.ones(len(POINTS)), KNOTS[:knots], 1.0)
    assert np.abs(found.at(POINTS) - moved).max() < 1e-5


def test_what_is_surer_counts_for_more() -> None:
    moved, deviations = bowed(POINTS), np.ones(len(POINTS))
    moved[::10] += 2.0
    deviations[::10] = 100.0
    found = fitted(POINTS, moved, deviations, KNOTS, 1e-6)
    assert np.abs(found.at(POINTS) - bowed(POINTS)).max() < 0.05


def test_its_slope_is_its_derivative() -> None:
    found, step = plate(), 1e-5
    for axis in (0, 1):
        along = step * np.eye(2)[axis]
        told = (found.at(POINTS + along) - found.at(POINTS - along)) / (2 * step)
        assert np.abs(found.slope(POINTS)[..., axis] - told).max() < 1e-6
