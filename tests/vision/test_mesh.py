"""Boards of bent cells: the map to the picture, its seams, and the way back."""

from collections.abc import Callable

import numpy as np
import pytest

from vision.pictures.mesh import MeshPlacement, Sides
from vision.pictures.placement import Points

TICKS = np.linspace(0, 1, 9)


def bent(board: Points) -> Points:
    """A smooth map of the plane: waves and a lean."""
    x, y = board[:, 0], board[:, 1]
    return np.column_stack([100 * x + 9 * np.sin(2 * y) + 12 * y, 90 * y + 8 * np.cos(1.7 * x)])


def leaning(board: Points) -> Points:
    """A flat board that leans."""
    return np.asarray(board @ np.array([(100.0, 10.0), (-12.0, 95.0)]))


def sides(row: int, col: int, moved: Callable[[Points], Points] = bent) -> Sides:
    along, still = TICKS, np.zeros_like(TICKS)
    top, bottom = (moved(np.column_stack([col + along, still + row + k])) for k in (0, 1))
    left, right = (moved(np.column_stack([still + col + k, row + along])) for k in (0, 1))
    return top, right, bottom, left


@pytest.fixture
def placement() -> MeshPlacement:
    cells = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1)]
    return MeshPlacement({cell: sides(*cell) for cell in cells}, (2, 3))


def test_points_inside_follow_the_bend(placement: MeshPlacement) -> None:
    points = np.array([(0.5, 0.5), (1.3, 0.8), (0.2, 1.6), (1.5, 2.5)])
    assert np.abs(placement.to_photo(points) - bent(points)).max() < 1.5


def test_cells_share_the_curve_between_them(placement: MeshPlacement) -> None:
    heights = np.linspace(0.05, 1.95, 30)
    before, after = (placement.to_photo(np.column_stack([np.full(30, 1 + dx), heights])) for dx in (-1e-6, 1e-6))
    assert np.abs(before - after).max() < 1e-3


def test_a_point_outside_goes_to_the_rim_of_the_nearest_cell(placement: MeshPlacement) -> None:
    assert np.allclose(placement.to_photo([(0.5, -3.0)]), placement.to_photo([(0.5, 0.0)]))


def test_the_way_back_ends_near_the_start(placement: MeshPlacement) -> None:
    points = np.array([(0.5, 0.5), (1.25, 0.75), (0.2, 1.6)])
    assert np.abs(placement.to_board(placement.to_photo(points)) - points).max() < 0.1


def test_scaling_moves_the_middles_of_pixels_along(placement: MeshPlacement) -> None:
    points = np.array([(0.5, 0.5), (1.5, 2.5)])
    assert np.allclose(placement.scaled(3.0).to_photo(points), placement.to_photo(points) * 3 + 1)
    assert placement.scaled(3.0).size == placement.size


@pytest.mark.parametrize("quarters", [0, 1, 2, 3, 5])
def test_a_turned_board_lies_where_it_lay(placement: MeshPlacement, quarters: int) -> None:
    points = np.array([(0.2, 0.4), (1.5, 0.3), (1.2, 2.7)])
    turned, at = placement, points
    for _ in range(quarters):
        turned, at = turned.turned(1), np.column_stack([turned.size[1] - at[:, 1], at[:, 0]])
    assert np.allclose(placement.turned(quarters).to_photo(at), placement.to_photo(points))
    assert placement.turned(quarters).size == turned.size
