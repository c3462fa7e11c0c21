"""The sides of a lattice's cells: which are seen, what they enclose, where the board ends, how good a grid it is."""

import numpy as np
import pytest

from vision.boards.cell_sides import (
    SIDE_PRESENT,
    Bools,
    Floats,
    board_extent,
    edge_points,
    explained_part,
    fitted_lines,
    grid_score,
    side_evidence,
    whole_side_evidence,
)

PITCH = 40


def lines(count: int) -> Floats:
    return np.linspace(20.0, 20.0 + PITCH * count, count + 1)


def edges(rows: int, cols: int) -> tuple[Bools, Bools]:
    """Upright and level edges of a ruled board of square cells."""
    upright = np.zeros((rows * PITCH + 60, cols * PITCH + 60), dtype=bool)
    level = np.zeros_like(upright)
    xs, ys = lines(cols).astype(int), lines(rows).astype(int)
    upright[ys[0] : ys[-1] + 1, xs] = True
    level[ys, xs[0] : xs[-1] + 1] = True
    return upright, level


def test_evidence_is_the_part_of_a_side_that_shows_an_edge() -> None:
    upright, _ = edges(5, 4)
    upright[60:100, 60] = False  # the side between the first and the second cell of the second row
    upright[140:150, 100] = False  # a badge covers a third of the middle of another
    seen = side_evidence(upright, lines(4), lines(5))
    assert seen.shape == (5, 5)
    assert seen[1, 1] == 0
    assert 0.5 < seen[3, 2] < 0.9
    assert np.sort(seen.ravel())[2] == 1


def test_a_round_badge_beside_a_side_is_no_side() -> None:
    upright, _ = edges(4, 4)
    y, x = np.indices(upright.shape)
    upright[60:100, 100] = False
    upright |= (np.abs(np.hypot(x - 120, y - 80) - 17) < 1) & (np.abs(y - 80) < 10)
    assert side_evidence(upright, lines(4), lines(4))[1, 2] > SIDE_PRESENT
    seen = whole_side_evidence(upright, lines(4), lines(4))
    assert seen[1, 2] <= SIDE_PRESENT / 2
    assert seen[[0, 2, 3], 2].min() == 1


def whole(rows: int, cols: int) -> tuple[Bools, Bools]:
    """All sides of a board are seen."""
    return np.ones((rows, cols + 1), dtype=bool), np.ones((rows + 1, cols), dtype=bool)


def test_a_board_ends_where_cells_are_not_enclosed() -> None:
    sides_v, sides_h = whole(8, 7)
    sides_v[:2], sides_h[:2] = False, False
    sides_v[:, -1] = False
    assert board_extent(sides_v, sides_h) == (2, 8, 0, 6)


def test_an_irregular_board_keeps_a_row_of_few_cells() -> None:
    sides_v, sides_h = whole(6, 8)
    sides_v[0, 2:], sides_h[0, 2:] = False, False  # one cell and a half of the first row
    sides_v[3:, -1] = False  # and the last column is missing below
    sides_h[3:, -1] = False
    assert board_extent(sides_v, sides_h) == (0, 6, 0, 8)


def test_no_board_without_enclosed_cells() -> None:
    sides_v, sides_h = whole(6, 6)
    assert board_extent(sides_v & False, sides_h & False) is None


def test_lines_move_to_where_the_edges_are() -> None:
    upright, _ = edges(6, 6)
    off = lines(6) + 2.0
    moved = fitted_lines(upright, off, side_evidence(upright, off, lines(6)))
    assert np.allclose(moved, lines(6), atol=0.1)


def test_edge_points_say_where_the_edge_of_each_side_is() -> None:
    upright, _ = edges(5, 5)
    shifted = np.roll(upright, 3, axis=1)
    points = edge_points(shifted, lines(5), lines(5), side_evidence(shifted, lines(5), lines(5)))
    assert len(points) == 30
    assert np.allclose(points[:, 1], lines(5)[points[:, 0].astype(int)] + 3)


def test_edges_on_lines_explain_a_board_and_scattered_ones_do_not() -> None:
    upright, level = edges(6, 6)
    assert explained_part(upright, level, lines(6), lines(6)) > 0.95
    noise = np.random.default_rng(1).random(upright.shape) < 0.1
    assert explained_part(noise, noise.copy(), lines(6), lines(6)) < 0.1


@pytest.mark.parametrize("worse", ["hidden", "elsewhere", "unexplained"])
def test_less_of_a_grid_scores_less(worse: str) -> None:
    sides_v, sides_h = whole(8, 8)
    inside = np.ones((8, 8), dtype=bool)
    best = grid_score(sides_v, sides_h, inside, 0.0, 1.0)
    assert best > 0.85
    hidden = sides_v.copy()
    hidden[:, 1:-1:2] = False
    scores = {
        "hidden": grid_score(hidden, sides_h, inside, 0.0, 1.0),
        "elsewhere": grid_score(sides_v, sides_h, inside, 0.8, 1.0),
        "unexplained": grid_score(sides_v, sides_h, inside, 0.0, 0.0),
    }
    assert scores[worse] < best - 0.1
