"""What borders say about places whose states are in doubt."""

import cv2
import numpy as np
import pytest

from vision.boards.borders import weighed_by_borders

SIDE = 24

OUTLINE, LINE, CLOTH = (60, 110, 230), (200, 200, 200), (45, 40, 40)


def flat(cells: np.ndarray, outline: tuple[int, int, int] = OUTLINE) -> np.ndarray:
    """Places laid flat: thin lines between cells, and thicker ones between cells and holes."""
    picture = np.full((len(cells) * SIDE, cells.shape[1] * SIDE, 3), CLOTH, np.uint8)
    for (r, c), cell in np.ndenumerate(cells):
        if cell:
            cv2.rectangle(picture, (c * SIDE, r * SIDE), ((c + 1) * SIDE, (r + 1) * SIDE), LINE, 1)
    padded = np.pad(cells, 1)
    for (r, c), cell in np.ndenumerate(padded[:-1, :-1]):
        for below, right in ((1, 0), (0, 1)):
            if cell != padded[r + below, c + right]:
                start = (c - 1, r) if below else (c, r - 1)
                cv2.line(picture, tuple(SIDE * x for x in start), (SIDE * c, SIDE * r), outline, 3)
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def board(hole: tuple[int, int] | None = None) -> np.ndarray:
    cells = np.zeros((9, 10), bool)
    cells[2:7, 2:8] = True
    if hole:
        cells[hole] = False
    return cells


def odds(cells: np.ndarray) -> np.ndarray:
    return np.where(cells, 5.0, -5.0)


def test_a_hole_between_four_cells_is_told_by_the_colour_of_its_outline() -> None:
    cells = board(hole=(4, 4))
    told = weighed_by_borders(odds(board()), flat(cells))
    assert np.array_equal(told > 0, cells)


def test_cells_stay_cells_where_all_lines_between_them_look_alike() -> None:
    told = weighed_by_borders(odds(board()), flat(board()))
    assert np.array_equal(told > 0, board())
    assert (told[board()] >= 5).all()


def test_a_cell_that_was_taken_for_a_hole_is_told_by_the_lines_round_it() -> None:
    before = odds(board())
    before[3, 5] = -1.0
    assert weighed_by_borders(before, flat(board()))[3, 5] > 0


def test_an_outline_like_the_lines_between_cells_says_nothing() -> None:
    cells = board(hole=(4, 4))
    told = weighed_by_borders(odds(board()), flat(cells, outline=LINE))
    assert told[4, 4] == pytest.approx(5.0, abs=2.5)


def test_places_outside_of_the_picture_stay_there() -> None:
    before = odds(board())
    before[:, :2] = -np.inf
    told = weighed_by_borders(before, flat(board()))
    assert np.isneginf(told[:, :2]).all()
    assert np.isfinite(told[:, 2:]).all()
