"""Placed patches: seen by the lines they hide, believed where they agree with numbers, and what follows for clues."""

import numpy as np
import pytest

from samples import stitch as drawn
from samples.sample import Sample
from solvers import stitch as rules
from solvers.blocks import Block
from solvers.board import Cell
from solvers.budget import Budget
from solvers.stitch import Answer, Stitch
from vision.clues.beliefs import NO_CLUE, Belief
from vision.clues.placed import (
    SURE,
    Patch,
    Sides,
    _is_proof,
    contradicted,
    is_drawn,
    is_half_placed,
    only_answer,
    placed_patches,
    unlike_placed,
    visible_sides,
    with_patches,
    without_clue,
)
from vision.clues.repair import Settled
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement
from vision.reading import Repair

SURELY = 0.97


def full(style: str) -> Sample:
    """A board with all patches placed, in a look in which they hide the lines between their cells."""
    return drawn.draw(np.random.default_rng(1), style=style, rows=7, cols=6, filled=1.0, device="bare")


def puzzle_of(sample: Sample) -> Stitch:
    return Stitch(tuple(map(tuple, sample.truth["clues"])))


def answer_of(puzzle: Stitch) -> Answer:
    return next(iter(rules.answers(puzzle, Budget(nodes=10_000))))


def patches_of(answer: Answer) -> set[Patch]:
    return {frozenset(patch.block.cells) for patch in answer}


def as_read(puzzle: Stitch) -> list[Belief]:
    return [Belief(cell, ((puzzle.clue(cell) or 0, SURELY),)) for cell in puzzle.clue_cells]


def sides_of(sample: Sample) -> list[Sides]:
    puzzle = puzzle_of(sample)
    return visible_sides(
        Photo(sample.picture), FlatPlacement.from_corners(sample.truth["corners"], (puzzle.cols, puzzle.rows))
    )


@pytest.mark.parametrize("style", ["dark", "tiles", "game"])
def test_patches_are_seen_as_they_are_placed(style: str) -> None:
    sample = full(style)
    puzzle, sides = puzzle_of(sample), sides_of(sample)
    answer = answer_of(puzzle)
    assert set(placed_patches(sides, as_read(puzzle))) == patches_of(answer)
    assert is_drawn(answer, sides)


def test_an_open_board_shows_no_patches_and_is_no_answer() -> None:
    sample = drawn.draw(np.random.default_rng(1), style="game", rows=7, cols=6, filled=0.0, device="bare")
    puzzle, sides = puzzle_of(sample), sides_of(sample)
    assert placed_patches(sides, as_read(puzzle)) == []
    assert not is_drawn(answer_of(puzzle), sides)


def test_patches_at_odds_with_most_numbers_are_not_believed() -> None:
    sample = full("tiles")
    puzzle, sides = puzzle_of(sample), sides_of(sample)
    false = [Belief(belief.cell, ((belief.value + 1, SURELY),)) for belief in as_read(puzzle)]
    assert placed_patches(sides, false) == []


def test_another_answer_than_the_one_on_the_board_is_not_drawn() -> None:
    sample = full("tiles")
    answer = answer_of(puzzle_of(sample))
    patch = max(answer, key=lambda one: len(one.block.cells))
    others = tuple(one for one in answer if one != patch)
    # The largest patch cut into single cells: its inner sides would have to be seen.
    parts = tuple(patch._replace(block=Block((cell,), 1, 1)) for cell in patch.block.cells)
    assert not is_drawn(others + parts, sides_of(sample))


def between(across: list[list[float]], down: list[list[float]]) -> Sides:
    return Sides(np.array(across), np.array(down), np.ones((2, 3), dtype=bool))


PAIR, ROW = frozenset({(0, 0), (0, 1)}), frozenset({(1, 0), (1, 1), (1, 2)})


def test_a_number_that_is_the_area_of_its_patch_is_as_good_as_proven() -> None:
    beliefs = [Belief((0, 0), ((2, SURELY),)), Belief((0, 1), ((0, 0.5),), unread=0.5)]
    told = {belief.cell: belief for belief in with_patches(beliefs, [PAIR])}
    assert told[0, 0].options == ((2, SURE),)
    assert (told[0, 1].value, told[0, 1].certain) == (0, True)


def test_a_number_that_may_be_no_clue_is_one_where_it_is_the_area_of_its_patch() -> None:
    beliefs = [Belief((0, 0), ((NO_CLUE, 0.5), (2, 0.49))), Belief((1, 2), ((NO_CLUE, 0.5), (4, 0.49)))]
    told = {belief.cell: belief for belief in with_patches(beliefs, [PAIR, ROW])}
    assert told[0, 0].options == ((2, SURE),)
    assert told[1, 2] == beliefs[1]


def test_a_doubtful_number_leans_towards_the_area_of_its_patch() -> None:
    beliefs = [Belief((1, 1), ((8, 0.5), (3, 0.3)))]
    assert with_patches(beliefs, [ROW])[0].value == 3
    # But a certain one does not: the patch may be misplaced.
    certain = [Belief((1, 1), ((8, SURELY),))]
    assert with_patches(certain, [ROW]) == certain


def test_a_number_does_not_lean_towards_a_piece_of_a_patch_that_strands_part() -> None:
    upper, lower = frozenset({(0, 0), (0, 1)}), frozenset({(1, 0), (1, 1)})
    beliefs = [Belief((0, 0), ((4, 0.4), (2, 0.2)), unread=0.3)]
    assert with_patches(beliefs, [upper, lower]) == beliefs
    # What has a clue of its own is another patch.
    told = with_patches([*beliefs, Belief((1, 1), ((2, 0.6),))], [upper, lower])
    assert told[0].value == 2


def test_patches_without_a_number_are_named_with_the_number_they_should_have() -> None:
    assert without_clue([PAIR, ROW], [Belief((0, 1), ((2, SURELY),))]) == {(1, 0): 3, (1, 1): 3, (1, 2): 3}


def test_an_answer_that_lays_other_patches_contradicts_those_on_the_board() -> None:
    beliefs = [Belief((0, 0), ((2, SURELY),))]
    kept = tuple(rules.Patch(min(cells), Block(tuple(sorted(cells)), 1, len(cells))) for cells in (PAIR, ROW))
    assert contradicted([PAIR, ROW], beliefs, kept) == []
    upright = rules.Patch((0, 0), Block(((0, 0), (1, 0)), 2, 1))
    # A patch without a clue counts as well: what was corrected may have taken its cells.
    assert contradicted([PAIR, ROW], beliefs, (upright,)) == [(0, 0), (1, 0)]


@pytest.mark.parametrize(("board", "may_lack"), [("2 . / 2 .", False), ("4 . / . .", True)])
def test_a_patch_on_which_no_clue_can_be_is_none(board: str, may_lack: bool) -> None:
    # The board has room for a clue in the right column only where the one that was corrected may be smaller for it.
    settled = Settled(rules.parse(board), 0.9, (Repair((0, 0), "", board[0]),))
    right = frozenset({(0, 1), (1, 1)})
    beliefs = [Belief((0, 0), ((NO_CLUE, 0.5),), 0.5)]
    assert bool(unlike_placed(settled, [right], beliefs, []).doubts) is may_lack


def test_strands_that_part_a_patch_speak_against_nothing_where_the_whole_one_is_drawn() -> None:
    settled = Settled(rules.parse("4 . 2 / . . ."), 0.9, (Repair((0, 0), "1", "4"),))
    beliefs = [Belief((0, 0), ((1, 0.5),)), Belief((0, 2), ((2, SURELY),))]
    halves = [frozenset({(0, 0), (1, 0)}), frozenset({(0, 1), (1, 1)})]
    border, parted = np.array([[0.0, 1.0]] * 2), np.array([[1.0, 1.0]] * 2)
    none, every = np.zeros((1, 3)), np.ones((2, 3), dtype=bool)
    assert unlike_placed(settled, halves, beliefs, [Sides(parted, none, every)]).doubts
    assert not unlike_placed(settled, halves, beliefs, [Sides(border, none, every), Sides(parted, none, every)]).doubts


@pytest.mark.parametrize(("corrected", "proof"), [((0, 2), True), ((2, 0), False)])
def test_a_strip_along_a_side_whose_clue_was_corrected_may_lie_beside_the_board(corrected: Cell, proof: bool) -> None:
    settled = Settled(rules.parse("4 . 2 / . . . / 3 . ."), 0.9, (Repair(corrected, "", "?"),))
    across, down = [[0.0, 1.0], [0.0, 1.0], [0.0, 0.0]], [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    sides = Sides(np.array(across), np.array(down), np.ones((3, 3), dtype=bool))
    answer = only_answer(settled.puzzle)
    assert answer is not None
    assert _is_proof(answer, settled, [sides]) is proof


def test_patches_prove_an_answer_when_they_are_half_of_it_and_none_is_another() -> None:
    answer = tuple(rules.Patch(min(cells), Block(tuple(sorted(cells)), 1, len(cells))) for cells in (PAIR, ROW))
    assert is_half_placed(answer, [ROW])
    assert not is_half_placed(answer, [PAIR])
    assert not is_half_placed(answer, [ROW, frozenset({(0, 0), (1, 0)})])


def test_a_cell_with_patches_all_round_it_is_a_patch_of_one() -> None:
    sample = full("game")
    puzzle, sides = puzzle_of(sample), sides_of(sample)
    ones = {cell for cell in puzzle.clue_cells if puzzle.clue(cell) == 1}
    assert ones
    unread = [belief for belief in as_read(puzzle) if belief.cell not in ones]
    patches = placed_patches(sides, unread)
    assert {frozenset((cell,)) for cell in ones} <= set(patches)
    assert dict.fromkeys(ones, 1).items() <= without_clue(patches, unread).items()


def test_a_patch_at_odds_with_what_was_read_contradicts_nothing() -> None:
    puzzle = puzzle_of(full("tiles"))
    answer = answer_of(puzzle)
    large = max(answer, key=lambda patch: len(patch.block.cells))
    joined = frozenset(large.block.cells) | {next(cell for cell in puzzle.cells if cell not in large.block.cells)}
    assert contradicted([joined], [Belief(large.clue, ((len(large.block.cells), SURELY),))], answer) == []
    assert contradicted([joined], [Belief(large.clue, ((len(large.block.cells), 0.5),))], answer) == [large.clue]


@pytest.mark.parametrize(("seen", "believed"), [((16, 4), False), ((16, 8), True)])
def test_a_strip_beside_the_board_is_a_patch_only_where_its_area_was_read(
    seen: tuple[int, int], believed: bool
) -> None:
    """Four patches of four on rows of their own, and below them two rows in which no side is seen."""
    across, down = np.zeros((6, 3)), np.ones((5, 4))
    down[4] = 0
    sides = [Sides(across, down, np.ones((6, 4), dtype=bool))]
    beliefs = [Belief((row, 0), ((4, SURELY),)) for row in range(4)]
    beliefs.append(Belief((5, 2), ((0, 0.5), *((number, 0.2) for number in seen)), 0.3))
    strip = frozenset((row, col) for row in (4, 5) for col in range(4))
    assert (strip in placed_patches(sides, beliefs)) == believed
