"""How much of the sides of a lattice's cells is seen."""

import numpy as np

from vision.boards.cell_sides import SIDE_PRESENT, Bools, Floats, side_evidence

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
    seen = side_evidence(upright, lines(4), lines(4))
    assert seen[1, 2] <= SIDE_PRESENT / 2
    assert seen[[0, 2, 3], 2].min() == 1
