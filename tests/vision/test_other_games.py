"""Numbers on a grid that are another game's are told from a Stitch board's, and a misread board is no other game."""

import numpy as np
import pytest

from solvers import stitch
from solvers.stitch import Stitch
from vision.clues.other_games import another_game

SUDOKU = """
    5 3 . . 7 . . . . / 6 . . 1 9 5 . . . / . 9 8 . . . . 6 . / 8 . . . 6 . . . 3 / 4 . . 8 . 3 . . 1
    / 7 . . . 2 . . . 6 / . 6 . . . . 2 8 . / . . . 4 1 9 . . 5 / . . . . 8 . . 7 9
"""
ZIP = "1 . . . . 2 / . . 8 . . . / . 3 . . 7 . / . . . 4 . . / 6 . . . . . / . . . . 5 9"
BLOCKS = ". 2 . 4 / 2 . . 8 / . 16 2 . / 4 . . 32"
MINES = (
    "1 . 1 . . . . 1 / . 2 . . 3 . 1 . / . . 1 . . 2 . . / 1 . . . 1 "
    ". . 1 / . 1 . 2 . . . . / . . . . . 1 . 1 / 2 . . 1 . . . . / . . 1 . . . 1 ."
)
BOARD = "4 . . . . 6 / . . 6 . . . / . . . . 6 . / . 4 . . . . / 6 . . . . 4 / . . . . . ."


@pytest.mark.parametrize(
    ("text", "game"),
    [
        (SUDOKU, "Sudoku"),
        (ZIP, "Zip"),
        (BLOCKS, "2048"),
        (MINES, "Minesweeper"),
        ("40 90 . 4 / 35 . 60 . / . 80 75 9", "another kind"),
        (BOARD, ""),
    ],
)
def test_the_game_is_told_by_its_numbers(text: str, game: str) -> None:
    told = another_game(stitch.parse(text), ())
    assert game in told
    assert bool(told) == bool(game)


@pytest.mark.parametrize("seed", range(40))
def test_a_board_of_which_a_number_was_misread_or_lost_is_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board = stitch.parse(BOARD)
    cell = board.clue_cells[int(rng.integers(len(board.clue_cells)))]
    clues = [list(row) for row in board.clues]
    clues[cell[0]][cell[1]] = int(rng.choice([0, 3, 5, 7, 8, 9, 12]))
    assert another_game(Stitch(tuple(map(tuple, clues))), ()) == ""


def test_boards_of_which_two_numbers_are_others_are_hardly_ever_another_game_even_where_that_is_known() -> None:
    board, named = stitch.parse(ONES), 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        clues = [list(row) for row in board.clues]
        for row, col in rng.permutation(board.clue_cells)[:2]:
            clues[row][col] = int(rng.integers(1, 13))
        named += bool(another_game(Stitch(tuple(map(tuple, clues))), (), 2))
    assert named <= 10


def test_clues_that_tell_a_shape_alone_are_no_numbers() -> None:
    assert another_game(stitch.parse("40 90 ?w 4 / 35 . 60 . / . 80 75 9"), ()) == ""


ONES = """
    . . . . . 12 . . / . . . . . . . 3 / . . . . 3 . . . / 4 . 12 . . . . . / 2 . . . . . 8 .
    / . . . . 1 . . 1 / . 5 . . . . 8 . / . . 10 . 2 . . . / 2 . . . . . . 3 / . . . . . . . .
    / . . . . 12 . . . / . . . 5 . . . . / . . . . . 3 . . / 5 . 8 . . 2 . 1
"""


def test_a_board_with_clues_of_one_cell_of_which_one_was_lost_is_no_other_game() -> None:
    board = stitch.parse(ONES)
    for row, col in board.clue_cells:
        clues = [list(each) for each in board.clues]
        clues[row][col] = 0
        assert another_game(Stitch(tuple(map(tuple, clues))), ()) == "", (row, col)


LINESWEEPER = """
    . 3 . . . . 5 . . . / . . . . . . . . . . / . 6 . 5 . . . . . 5 / . . 5 . . 7 . . . . / . . . . 6 . . . . .
    / . . 7 6 . . . 7 . 5 / . . . . . . . . . . / . 7 . . 8 . 8 . 8 . / . . . . . . . . . . / 3 . . . . . . 5 . .
"""
NUMBERMAZE = """
    . . . . . . . . . / . 3 . 5 . . 4 . 7 / . . . . . . . . . / . # . . # . 6 8 . / 2 . # # . . . . .
    / # . 1 . . # . # . / . . . . . . . . . / 9 . 10 . . . # . # / # . . 11 # . . . #
"""


def test_numbers_that_no_board_has_are_counts_of_neighbours() -> None:
    board = stitch.parse(LINESWEEPER)
    assert another_game(board, ()) == another_game(board, (), 2) == "a game of counts, such as Minesweeper"


def test_numbers_in_order_are_told_whatever_the_outline() -> None:
    assert another_game(stitch.parse(NUMBERMAZE), ()) == "a game of numbers in order, such as Zip"


def test_two_tiles_are_2048_only_if_they_fit_no_board() -> None:
    board = stitch.parse(". . . . / 2 . . . / . . . . / . . 2 .")
    assert another_game(board, ()) == ""
    assert another_game(board, (), 2) == "2048"


def test_where_more_is_unsure_than_known_nothing_is_told() -> None:
    board = stitch.parse(MINES)
    assert another_game(board, board.clue_cells[:3])
    assert another_game(board, board.clue_cells[: len(board.clue_cells) // 2 + 1]) == ""
