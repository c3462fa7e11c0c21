"""Rows of buttons beside a board are told from its own rows, unless those have a clue or are covered."""

import numpy as np
import numpy.typing as npt
import pytest

from solvers.stitch import parse
from vision.clues.placed import Sides, seen_sides
from vision.clues.unruled import cells_of, less_strips, less_unlined, unruled, unruled_ends
from vision.pictures.bending import regrown
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement
from vision.reading import Doubt, Reading


def sides(rows: int = 6, cols: int = 5) -> Sides:
    """All sides between cells are seen."""
    return Sides(np.ones((rows, cols - 1)), np.ones((rows - 1, cols)))


def test_a_board_that_is_divided_throughout_has_no_buttons() -> None:
    assert unruled_ends([sides()]) == (0, 0, 0, 0)


def test_a_row_below_without_lines_between_its_cells_is_no_row() -> None:
    seen = sides()
    seen.across[-1] = (0, 1, 0, 0)
    assert unruled_ends([seen]) == (0, 0, 0, 1)


def test_columns_at_both_sides_may_be_something_else() -> None:
    seen = sides(cols=6)
    seen.down[:, [0, -1]] = 0
    assert unruled_ends([seen]) == (1, 0, 1, 0)


def test_where_other_rows_are_not_divided_either_nothing_is_told() -> None:
    seen = sides()
    seen.across[-2:] = 0
    seen.across[1] = (0, 1, 0, 1)
    assert unruled_ends([seen]) == (0, 0, 0, 0)


def test_a_legend_may_be_several_rows_high_but_not_most_of_the_board() -> None:
    seen = sides(rows=10)
    seen.across[-3:] = 0
    seen.across[-1] = 1  # letters
    assert unruled_ends([seen]) == (0, 0, 0, 3)
    seen.across[-6:] = 0
    assert unruled_ends([seen]) == (0, 0, 0, 0)


def test_one_contrast_that_shows_it_is_enough() -> None:
    strong, weak = sides(), sides()
    strong.across[:] = 0
    weak.across[0] = 0
    assert unruled_ends([strong, weak]) == (0, 1, 0, 0)


def test_the_cells_of_outermost_rows() -> None:
    assert cells_of((0, 0, 0, 1), 3, 2) == {(2, 0), (2, 1)}
    assert cells_of((1, 0, 0, 0), 2, 3) == {(0, 0), (1, 0)}


@pytest.mark.parametrize(
    ("text", "doubted", "sizes"),
    [
        (". 2 . .\n. 6 . .\n. . 4 ?", (2, 3), []),  # nobody doubts a clue in each outermost row and column but the left
        (". 2 . .\n. 6 . .\n. . 6 .", (2, 2), [(4, 2)]),
        (". 3 . .\n. 3 . .\n. . 6 .", (2, 2), []),  # six on eight cells
        (". 5 . .\n. ? . .\n. . 6 .", (2, 2), [(4, 2)]),  # a badge without number may be three
    ],
)
def test_a_board_may_be_less_a_row_of_which_all_is_doubted_where_its_clues_add_up(
    text: str, doubted: tuple[int, int], sizes: list[tuple[int, int]]
) -> None:
    place = FlatPlacement.from_corners([(10, 20), (90, 20), (90, 80), (10, 80)], (4, 3))
    found = Reading(parse(text), place, 0.9, (Doubt(doubted, "6", 0.3, "faint"),))
    assert [regrown(place, strip).size for strip in less_strips(place, found)] == sizes


def board_in(light: npt.NDArray[np.floating], last: int = 195) -> tuple[Photo, FlatPlacement]:
    """Six rows of five tiles on paper, in this light for each column; lines in the last column are so bright."""
    flat = np.full((6 * 40, 5 * 40, 3), 215, np.uint8)
    for at in range(0, 6 * 40, 40):
        flat[at : at + 2] = 195
        flat[at : at + 2, 4 * 40 + 2 :] = last
    flat[:, ::40] = flat[:, 1::40] = 195
    page = np.pad(flat, ((60, 60), (60, 60), (0, 0)), constant_values=215)
    lit = page * np.repeat(np.pad(light, (2, 2), "edge"), 40)[20:-20][None, :, None]
    return Photo(lit.astype(np.uint8)), FlatPlacement.from_corners([(60, 60), (260, 60), (260, 300), (60, 300)], (5, 6))


def test_a_column_in_a_shadow_is_ruled_and_one_without_lines_is_not() -> None:
    photo, place = board_in(np.array([1, 1, 1, 1, 0.4]))
    assert unruled_ends(seen_sides(photo, place)) == (0, 0, 1, 0)
    assert unruled(photo, place, seen_sides(photo, place)) == (0, 0, 0, 0)
    photo, place = board_in(np.ones(5), last=215)
    assert unruled(photo, place, seen_sides(photo, place)) == (0, 0, 1, 0)


@pytest.mark.parametrize(("doubted", "sizes"), [((7, 1), [(5, 6)]), ((0, 0), [])])
def test_a_legend_below_a_board_of_faint_lines_is_none_of_its_rows_unless_a_clue_is_sure_there(
    doubted: tuple[int, int], sizes: list[tuple[int, int]]
) -> None:
    page = np.full((9 * 40, 5 * 40), 215.0)
    page[: 6 * 40 + 1 : 40] = page[: 6 * 40, ::40] = 209
    page[7 * 40 + 5 : 7 * 40 + 20 : 4, 20:180] = 90
    page = np.pad(page, 60, constant_values=215) + np.random.default_rng(3).normal(0, 1.5, (9 * 40 + 120, 5 * 40 + 120))
    photo = Photo(np.repeat(page.clip(0, 255).astype(np.uint8)[..., None], 3, axis=2))
    place = FlatPlacement.from_corners([(60, 60), (260, 60), (260, 420), (60, 420)], (5, 9))
    clues = "\n".join([". . . . 9", *[". . . . ."] * 6, ". 9 . . .", ". . . . ."])
    found = Reading(parse(clues), place, 0.9, (Doubt(doubted, "9", 0.3, "faint"),))
    assert [regrown(place, strip).size for strip in less_unlined(photo, place, found)] == sizes
