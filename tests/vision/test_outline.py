"""Which places are cells, where the clues have to tell."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from solvers import stitch as rules
from solvers.board import Cell
from solvers.budget import Budget
from solvers.stitch import UNKNOWN
from vision.clues.beliefs import Belief
from vision.clues.outline import (
    HOLE,
    OPEN,
    Outline,
    evidence_of_clues,
    holes_of,
    likeliest_cells,
    may_be_cells,
    overlooked_clues,
)

SURELY = 0.999


def told(text: str) -> tuple[list[Belief], np.ndarray]:
    """Beliefs in the clues of a board, and which places are its cells."""
    puzzle = rules.parse(text)
    beliefs = [Belief(cell, ((puzzle.clue(cell) or 0, SURELY),)) for cell in puzzle.clue_cells]
    return beliefs, np.array([[clue is not None for clue in row] for row in puzzle.clues])


def outline_of(
    odds: np.ndarray,
    beliefs: Sequence[Belief],
    looks: Callable[[np.ndarray], Sequence[np.ndarray]] = lambda _: (),
    evidence: float = 0.0,
) -> Outline:
    """The outline where what stands on each place says as much for a cell."""
    return likeliest_cells(odds, np.full(odds.shape, evidence), beliefs, Budget(), looks)


def odds_of(cells: np.ndarray, nats: float = 6.0) -> np.ndarray:
    return np.where(cells, nats, -nats)


def test_what_is_seen_plainly_and_fits_the_clues_is_taken() -> None:
    beliefs, cells = told("4 . 2 / . . . / # # 1")
    found = outline_of(odds_of(cells), beliefs)
    assert (found.inside == cells).all()
    assert not found.doubts
    assert not found.changed


def test_a_hole_that_looks_like_a_cell_is_told_by_the_sum() -> None:
    beliefs, cells = told("4 . 2 / . . . / # # 1")
    odds = odds_of(cells)
    odds[2, 0], odds[2, 1] = 1.0, -6.0
    found = outline_of(odds, beliefs)
    assert (found.inside == cells).all()
    assert found.changed


def test_two_places_of_which_either_may_be_the_hole_are_doubts() -> None:
    beliefs, _ = told("2 . . 2")
    odds = np.array([[6.0, 6.0, 6.0, 6.0, 0.5]])
    assert not outline_of(odds, beliefs).doubts  # the last place has no clue in reach
    beliefs = [Belief((0, 2), ((4, SURELY),))]
    found = outline_of(np.array([[0.5, 6.0, 6.0, 6.0, 0.4]]), beliefs)
    assert {doubt.cell for doubt in found.doubts} == {(0, 0), (0, 4)}


def test_a_patch_that_looks_like_the_page_is_board_where_the_clues_need_all_of_the_box() -> None:
    beliefs, cells = told("6 . . 3 / . . . . / 4 . . . ")
    odds = odds_of(cells)
    odds[2] = -4.0
    found = outline_of(odds, [*beliefs[:2], Belief((2, 0), ((4, SURELY),))])
    total = sum(belief.value for belief in beliefs)
    assert bool(found.inside.all()) == (total == cells.size)


def test_of_two_sets_the_one_whose_clues_have_one_answer_alone_is_taken() -> None:
    beliefs, _ = told("2 2 . / . . .")
    found = outline_of(np.array([[6.0, 6.0, 6.0], [0.5, -1.0, -0.4]]), beliefs)
    assert found.inside.tolist() == [[True, True, True], [True, False, False]]
    assert not found.doubts


def test_a_place_that_no_clue_without_a_number_reaches_is_no_cell() -> None:
    clues = [Belief((0, 0), ((UNKNOWN, SURELY),))]
    assert not outline_of(np.array([[6.0, 6.0, 6.0], [-6.0, -6.0, -0.5]]), clues).doubts
    found = outline_of(np.array([[6.0, 6.0, 6.0, 0.5]]), clues)
    assert [doubt.cell for doubt in found.doubts] == [(0, 3)]


def test_clues_without_numbers_tell_nothing() -> None:
    odds = np.array([[6.0, 6.0, -1.0]])
    found = outline_of(odds, [Belief((0, 0), ((UNKNOWN, SURELY),))])
    assert found.inside.tolist() == [[True, True, False]]


def test_holes_with_clues_are_doubts_together_as_they_are_told_together() -> None:
    odds = np.array([[6.0, 6.0, 6.0], [6.0, -8.0, -8.0], [-8.0, -8.0, -8.0]])
    clued = np.zeros(odds.shape)
    clued[2, 0] = 0.99
    assert not overlooked_clues(odds, odds > 0, evidence_of_clues(clued))
    clued[1, 2] = 0.99
    found = overlooked_clues(odds, odds > 0, evidence_of_clues(clued))
    assert {doubt.cell for doubt in found} == {(2, 0), (1, 2)}


def test_a_clue_that_is_seen_for_certain_is_a_doubt_on_whatever_hole() -> None:
    odds = np.array([[6.0, 6.0, 6.0], [6.0, -8.0, -8.0], [-8.0, -8.0, -8.0]])
    clued = np.zeros(odds.shape)
    clued[2, 0] = 1.0
    assert [doubt.cell for doubt in overlooked_clues(odds, odds > 0, evidence_of_clues(clued))] == [(2, 0)]


def test_a_clue_on_what_is_hardly_a_hole_is_a_doubt() -> None:
    odds = np.array([[6.0, 6.0], [6.0, -3.0]])
    clued = np.array([[0.0, 1.0], [0.0, 1.0]])
    assert [doubt.cell for doubt in overlooked_clues(odds, odds > 0, evidence_of_clues(clued))] == [(1, 1)]


@pytest.mark.parametrize("sure", [0.5, SURELY])
def test_what_seems_to_be_a_clue_on_what_looks_like_a_hole_may_be_none(sure: float) -> None:
    beliefs, _ = told("2 . 2 / . . .")
    odds = np.array([[6.0, 6.0, 6.0, -1.2], [-6.0, -6.0, 6.0, -6.0]])
    stray = Belief((0, 3), ((1, sure), (0, 1 - sure)))
    found = outline_of(odds, [*beliefs, stray], evidence=3.9)
    assert found.inside[0, 3]
    assert [doubt.cell for doubt in found.doubts] == ([(0, 3)] if sure < SURELY else [])


def test_a_row_of_buttons_is_no_row_of_cells_beyond_doubt() -> None:
    beliefs, _ = told("4 . 2 / . . .")
    odds = np.array([[6.0, 6.0, 6.0], [6.0, 6.0, 6.0], [3.0, 3.5, 2.5]])
    assert outline_of(odds[:2], beliefs).inside.all()
    unread = Belief((2, 1), ((0, 0.5), (3, 0.03)), 0.47)
    assert {doubt.cell for doubt in outline_of(odds, [*beliefs, unread]).doubts} == {(2, 0), (2, 1), (2, 2)}


def test_what_looks_like_a_clue_makes_a_cell_likelier() -> None:
    bare, likely, sure = evidence_of_clues(np.array([0.0, 0.9, 1.0]))
    assert bare == 0
    assert 0 < likely < sure < 7


def test_what_is_plainly_no_cell_is_never_one() -> None:
    assert may_be_cells(np.array([[-OPEN - 1, -1.0, 1.0]])).tolist() == [[False, True, True]]


def test_the_user_may_say_that_a_place_is_none() -> None:
    assert list(holes_of({(0, 1): " Hole ", (1, 1): "4"})) == [(0, 1)]
    assert HOLE == "hole"


def test_places_that_look_alike_are_holes_together_where_the_sum_tells() -> None:
    beliefs, cells = told("3 . . # / # # 1 # / 4 . . .")
    odds = np.where(cells, 6.0, 3.5)  # more than the clues may change one by one
    assert outline_of(odds, beliefs).inside.all()
    found = outline_of(odds, beliefs, lambda plain: [plain & ~cells])
    assert (found.inside == cells).all()
    assert not found.doubts


@pytest.mark.parametrize(("nats", "holes"), [(5.7, True), (9.0, False)])
def test_that_the_sum_is_just_that_of_the_other_places_is_evidence_of_its_own(nats: float, holes: bool) -> None:
    beliefs, cells = told("3 . . # / # # 1 # / 4 . . .")
    found = outline_of(np.where(cells, 7.0, nats), beliefs, lambda plain: [plain & ~cells])
    assert (found.inside == (cells if holes else np.ones_like(cells))).all()


def test_a_set_that_divides_what_looks_alike_is_no_rival() -> None:
    beliefs = [Belief((0, 2), ((4, SURELY),))]
    odds = np.array([[0.5, 6.0, 6.0, 6.0, 2.5]])
    look = np.array([[False, True, False, True, True]])
    assert outline_of(odds, beliefs).doubts
    found = outline_of(odds, beliefs, lambda _: [look])
    assert found.inside.tolist() == [[False, True, True, True, True]]
    assert not found.doubts


@pytest.mark.parametrize(
    ("text", "doubted", "possible"), [("4 . . . / 2 . # #", (1, 0), True), ("3 . . # / # . . 3", (0, 0), False)]
)
def test_a_clue_is_misread_only_where_the_board_has_an_answer_then(text: str, doubted: Cell, possible: bool) -> None:
    beliefs, cells = told(text)
    unsure = [Belief(b.cell, ((b.value, 0.7), (b.value + 2, 0.3))) if b.cell == doubted else b for b in beliefs]
    found = outline_of(np.where(cells, 6.0, 2.0), unsure, lambda _: [~cells])
    assert found.inside.all() == possible
    assert (found.inside == cells).all() != possible


def test_places_that_make_a_patch_whose_clue_may_be_unseen_are_no_holes_beyond_doubt() -> None:
    beliefs, cells = told("2 2 . / . # # / 1 # #")
    odds = np.where(cells, 6.0, 1.5)
    found = outline_of(odds, beliefs, lambda _: [~cells])
    assert {doubt.cell for doubt in found.doubts} == {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert found.inside.all()


def test_a_set_that_fits_is_taken_however_many_places_are_unsure() -> None:
    beliefs, cells = told(" / ".join(["7 . . . . . ."] * 5 + ["# # # # # # 1"]))
    odds = np.where(cells, 2.5, -2.5)
    odds[5, :2] = 0.7
    found = outline_of(odds, beliefs, lambda _: [~cells])
    assert (found.inside == cells).all()
    assert not found.doubts


def test_that_a_clue_was_misread_is_as_rare_as_it_divides_what_looks_alike() -> None:
    beliefs, cells = told("4 . 4 . / . . . . / # # # #")
    unsure = [Belief((0, 0), ((4, 0.98), (6, 0.018))), beliefs[1]]
    odds = np.where(cells, 6.0, -3.0)
    odds[2, :2] = 2.0  # with a 6 they are cells
    assert outline_of(odds, unsure).inside.sum() == 10
    found = outline_of(odds, unsure, lambda _: [~cells])
    assert (found.inside == cells).all()
    assert not found.doubts


@pytest.mark.parametrize(("likely", "doubted"), [(5.5, {(1, 2), (0, 3)}), (2.0, set())])
def test_a_cell_that_the_clues_make_a_hole_may_have_a_clue_that_was_not_seen(likely: float, doubted: set[Cell]) -> None:
    beliefs, cells = told("3 . . # / 4 . # # / . . # #")
    odds = odds_of(cells)
    odds[1, 2], odds[0, 3] = likely, 1.0
    found = outline_of(odds, beliefs)
    assert {doubt.cell for doubt in found.doubts} == doubted
    assert (found.inside == (odds > 0 if doubted else cells)).all()


@pytest.mark.parametrize(("own", "doubted"), [(True, {(1, 2), (2, 2)}), (False, set())])
def test_holes_of_a_look_of_their_own_may_be_a_patch_whose_clue_was_not_seen(own: bool, doubted: set[Cell]) -> None:
    beliefs, cells = told("3 . . # / 4 . # # / . . # #")
    odds = odds_of(cells)
    odds[1:, 2] = -0.1
    page, patch = odds < -1, np.isclose(odds, -0.1)
    found = outline_of(odds, beliefs, lambda _: [page, patch] if own else [page | patch])
    assert (found.inside == cells).all()
    assert {doubt.cell for doubt in found.doubts} == doubted
