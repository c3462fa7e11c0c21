from itertools import pairwise

import pytest

from solvers.budget import Budget, BudgetSpentError
from solvers.tours import closed_tour, far_first, knight_graph, tour
from solvers.warnsdorff import first_tour, tours


def is_tour(rows: int, cols: int, squares: list[int], closed: bool) -> bool:
    """Checked with complex numbers, on purpose unlike the solver's own ways."""
    places = [complex(*divmod(square, cols)) for square in squares]
    steps = [*pairwise(places), *([(places[-1], places[0])] if closed else [])]
    return sorted(squares) == list(range(rows * cols)) and all(abs((b - a) ** 2) == 5 for a, b in steps)


def test_the_checker_can_say_no() -> None:
    ring = closed_tour(6, 6)
    assert is_tour(6, 6, ring, True)
    assert not is_tour(6, 6, [*ring[1:], ring[1]], True)
    assert not is_tour(6, 6, [ring[1], ring[0], *ring[2:]], True)


def test_closed_tours_of_all_sizes() -> None:
    for rows in range(5, 24):
        for cols in range(5, 24):
            if rows * cols % 2 == 0:
                assert is_tour(rows, cols, closed_tour(rows, cols), True), (rows, cols)


@pytest.mark.parametrize("size", [(5, 5), (5, 9), (7, 11), (9, 11), (11, 11), (13, 7)])
def test_odd_boards_are_toured_from_every_square_of_the_corners_colour(size: tuple[int, int]) -> None:
    rows, cols = size
    for square in range(rows * cols):
        start = divmod(square, cols)
        found = tour(rows, cols, start)
        assert (found is None) == (sum(start) % 2 == 1), start
        assert found is None or (found[0] == square and is_tour(rows, cols, found, False)), start


@pytest.mark.slow
def test_closed_tours_of_all_sizes_up_to_60() -> None:
    """A closed tour serves every start."""
    for rows in range(5, 61):
        for cols in range(5, 61):
            if rows * cols % 2 == 0:
                assert is_tour(rows, cols, closed_tour(rows, cols), True), (rows, cols)


@pytest.mark.slow
def test_odd_boards_up_to_25_are_toured_from_every_start() -> None:
    """On these every odd block, every start in it and every choice of neighbouring blocks occurs."""
    for rows in range(5, 26, 2):
        for cols in range(5, 26, 2):
            for square in range(0, rows * cols, 2):
                found = tour(rows, cols, divmod(square, cols))
                assert found is not None, (rows, cols, square)
                assert found[0] == square
                assert is_tour(rows, cols, found, False), (rows, cols, square)


@pytest.mark.slow
def test_odd_boards_up_to_59_are_toured_from_some_starts() -> None:
    for rows in range(5, 60, 6):
        for cols in range(27, 60, 2):
            for square in range(0, rows * cols, 2 * cols + 38):
                found = tour(rows, cols, divmod(square, cols))
                assert found is not None, (rows, cols, square)
                assert is_tour(rows, cols, found, False), (rows, cols, square)


def test_a_large_board_is_toured() -> None:
    found = tour(200, 201, (100, 77))
    assert found is not None
    assert found[0] == 100 * 201 + 77
    assert is_tour(200, 201, found, True)


def test_warnsdorff_goes_straight_through_the_chessboard() -> None:
    graph, rank = knight_graph(8, 8), far_first(8, 8)
    for start in range(64):
        budget = Budget(nodes=64)  # no step back at all
        found = first_tour(graph, start, rank, False, budget)
        assert found is not None
        assert is_tour(8, 8, list(found), False)


def test_the_search_is_complete_and_says_when_there_is_nothing() -> None:
    graph, rank = knight_graph(3, 4), far_first(3, 4)
    assert sum(1 for start in range(12) for _ in tours(graph, start, rank, False, Budget())) == 16
    assert first_tour(knight_graph(3, 3), 0, far_first(3, 3), False, Budget()) is None


def test_the_budget_is_kept() -> None:
    with pytest.raises(BudgetSpentError):
        first_tour(knight_graph(4, 4), 0, far_first(4, 4), False, Budget(nodes=20))
