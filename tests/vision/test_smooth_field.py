"""A smooth field told from some of its points."""

import numpy as np
import pytest

from vision.pictures.smooth_field import fitted

Points = np.ndarray


def bent(points: Points) -> Points:
    return 2 + 0.9 * points[:, 0] - 0.2 * points[:, 1] + 0.4 * np.sin(points[:, 0] / 2) * np.cos(points[:, 1] / 3)


def grid(step: float, far: float = 8.0) -> Points:
    ticks = np.arange(0, far + step / 2, step)
    return np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)


def test_a_plane_is_known_everywhere() -> None:
    known = grid(2.0)
    field = fitted(known, 1 + 0.5 * known[:, 0] - known[:, 1])
    mean, deviation = field.at(np.array([(3.3, 5.1), (20.0, -4.0)]))
    assert mean == pytest.approx([1 + 1.65 - 5.1, 1 + 10 + 4], abs=0.01)
    assert (deviation < 0.1).all()


def test_what_lies_in_a_gap_is_told_with_its_uncertainty() -> None:
    known = grid(1.0)
    gap = np.abs(known - 4).max(axis=1) < 3.5
    field = fitted(known[~gap], bent(known[~gap]))
    mean, deviation = field.at(known[gap])
    assert (np.abs(mean - bent(known[gap])) < 3 * deviation).all()
    assert np.abs(mean - bent(known[gap])).max() < 0.1
    assert deviation.max() > 2 * field.at(known[~gap])[1].max(), "where nothing is seen less is known"
    assert field.at(np.array([(40.0, 40.0)]))[1][0] == pytest.approx(np.sqrt(field.variance)), "far away nothing is"
