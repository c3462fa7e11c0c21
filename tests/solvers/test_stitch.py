"""Stitch: the rules, the search against trying every cut, and the collected boards."""

from dataclasses import replace
from itertools import islice, product
from random import Random

import pytest
import shared_files
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from samples.puzzles import stitch as maker
from solvers import stitch
from solvers.budget import Budget, BudgetSpentError
from solvers.marks import Fill
from solvers.stitch import UNKNOWN, Patch, Stitch, parse
from solvers.verdict import Verdict, search

SMALL = parse("4 . 2 / . . . / . 3 .")


def solved(puzzle, **limits):
    return search(stitch.answers(puzzle, Budget(**limits)))


@st.composite
def made(draw, *, most=7, unique=False):
    rng = Random(draw(st.integers(0, 10**6)))
    rows, cols = draw(st.integers(2, most)), draw(st.integers(2, most))
    holes = draw(st.integers(0, rows * cols // 4))
    return maker.make(rng, rows, cols, holes=holes, unique=unique, hints=draw(st.booleans()))


def by_trying(puzzle):
    """How many answers there are: a block for the first open cell, then for the next, all blocks tried."""
    cells = set(puzzle.cells)

    def ways(free):
        if not free:
            return 1
        top, left = min(free)
        total = 0
        for height, width in product(range(1, puzzle.rows + 1), range(1, puzzle.cols + 1)):
            block = {(top + i, left + j) for i in range(height) for j in range(width)}
            clues = [cell for cell in block if cell in cells and puzzle.clue(cell)]
            if block <= free and len(clues) == 1 and puzzle.want(clues[0]).suits(height, width):
                total += ways(free - block)
        return total

    return ways(frozenset(cells))


def test_two_clues_that_need_the_same_cell_are_named():
    puzzle = parse("4 . . 3 / . . . . / 3 . . 4 / . 2 . .")
    assert stitch.faults(puzzle) == []
    assert list(stitch.answers(puzzle, Budget())) == []
    (reason,) = stitch.explain(puzzle, Budget())
    assert reason.startswith("the clues at row 1, column 1 and row 1, column 4 both need the cell at row 1, column 2")


@given(made(most=5))
@settings(max_examples=60, deadline=None)
def test_a_board_with_an_answer_gets_no_reasons(board):
    puzzle, _ = board
    assert stitch.explain(puzzle, Budget()) == []


# --- as text ---------------------------------------------------------------------------------------------------------


def test_text_tells_the_board():
    puzzle = parse("4s . # \n ?w . ?  \n 0,0 right - / 0,1 left -")
    assert puzzle.clues == ((4, 0, None), (UNKNOWN, 0, UNKNOWN))
    assert puzzle.shapes == {(0, 0): "square", (1, 0): "wide"}
    assert puzzle.links == (((0, 0), 1, None), ((0, 1), 3, None))
    assert parse(stitch.write(puzzle)) == puzzle
    assert stitch.title(puzzle) == "2 x 3 bent board of 5 cells, 3 clues"
    assert stitch.title(SMALL) == "3 x 3 board, 3 clues"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no board"),
        ("4 . / .", "row 2 has 1 cells"),
        ("4 x", "'x' at row 1, column 2"),
        ("4 .#", "'.#' at row 1, column 2"),
        ("0 4", "'0' at row 1"),
        ("4 . / 0,0 up -", "not a link"),
        ("4 . / 0,0 right 5,5", "5,5"),
    ],
)
def test_bad_text_is_refused_with_a_sentence(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse(text)


@settings(max_examples=40, deadline=None)
@given(made())
def test_every_puzzle_is_its_text(board):
    puzzle, _ = board
    assert parse(stitch.write(puzzle)) == puzzle


# --- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ("4 . 2 / . . . / . 3 .", []),
        (". .", ["the board has no clues"]),
        (
            "999999999999999999 .",
            ["the clues add up to 999999999999999999", "no rectangle of 999999999999999999 cells"],
        ),
        ("4 . 2 / . . . / . 4 .", ["the clues add up to 10, but the board has 9 cells"]),
        (
            "? . 9 / . . ?",
            [
                "the numbers add up to 9, 2 more clues need a cell each",
                "of 9 cells fits round the clue at",
            ],
        ),
        ("5 . . / . . 4 / . . .", ["5 cells fits round the clue at row 1, column 1"]),
        ("2s . / 2 .", ["no rectangle of 2 cells and square shape fits round the clue at row 1, column 1"]),
        (
            "2 . # / # # . ",
            ["add up to 2, but the board has 3", "no clue's rectangle can reach the cell at row 2, column 3"],
        ),
    ],
)
def test_faults_are_all_named(text, complaints):
    found = stitch.faults(parse(text))
    assert len(found) == len(complaints), found
    for sentence, complaint in zip(found, complaints, strict=True):
        assert complaint in sentence


def test_what_no_text_can_tell_is_named_too():
    assert stitch.faults(Stitch(((1, 1), (1,)))) == ["row 2 has 1 cells, the first row has 2"]
    wrong = Stitch(((-3, 0),), {(0, 1): "wide", (0, 0): "round"}, (((0, 0), 1, None),))
    found = " ".join(stitch.faults(wrong))
    for complaint in (
        "is -3",
        "where no clue stands",
        "'round'",
        "from row 1, column 2 to row 1, column 1 but not back",
    ):
        assert complaint in found


# --- solving ---------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(made(most=5))
def test_all_answers_are_found_once_and_hold(board):
    puzzle, answer = board
    assert stitch.faults(puzzle) == []
    found = list(stitch.answers(puzzle, Budget()))
    assert answer in found
    assert len(set(found)) == len(found) == by_trying(puzzle)
    assert all(stitch.holds(puzzle, one) for one in found)
    kept = set.intersection(*({*stitch.contents(puzzle, one).items()} for one in found))
    assert stitch.certain(puzzle, Budget()) == dict(kept)


@settings(max_examples=30, deadline=None)
@given(made(most=6))
def test_a_mesh_without_bends_is_a_grid(board):
    puzzle, _ = board
    cell = puzzle.cells[0]
    mesh = replace(puzzle, links=((cell, 0, None),))
    on_grid = {tuple((p.clue, p.block) for p in one) for one in stitch.answers(puzzle, Budget())}
    assert {tuple((p.clue, p.block) for p in one) for one in stitch.answers(mesh, Budget())} == on_grid
    assert all(stitch.holds(mesh, one) for one in stitch.answers(mesh, Budget()))


@settings(max_examples=25, deadline=None)
@given(made(most=6), st.randoms(use_true_random=False))
def test_a_wrong_clue_is_found_among_the_readings(board, chance):
    puzzle, answer = board
    cell = chance.choice(puzzle.clue_cells)
    right = stitch.numbers(answer)[cell]
    allowed = {cell: {right, right + 1, right + 4}}
    readings = [stitch.numbers(one)[cell] for one in stitch.answers_among(puzzle, allowed, Budget())]
    assert right in readings
    assert set(readings) <= allowed[cell]
    assert right in stitch.areas_possible(puzzle)[cell]


def test_a_cylinder_is_cut_across_its_seam():
    # The last column is joined to the first: the 4 may go round.
    rows, cols = 2, 4
    links = tuple(link for r in range(rows) for link in (((r, cols - 1), 1, (r, 0)), ((r, 0), 3, (r, cols - 1))))
    puzzle = Stitch(((4, 0, 4, 0), (0, 0, 0, 0)), {(0, 0): "square", (0, 2): "square"}, links)
    assert stitch.faults(puzzle) == []
    found = list(stitch.answers(puzzle, Budget()))
    assert len(found) == 2
    assert all(stitch.holds(puzzle, one) for one in found)
    round_the_seam = {frozenset(patch.block.cells) for one in found for patch in one}
    assert frozenset({(0, 3), (0, 0), (1, 3), (1, 0)}) in round_the_seam
    assert "cells" in stitch.answer_record(puzzle, found[0])["rectangles"][0]


def test_the_budget_is_kept():
    loose = parse(" / ".join(["? . . . . ."] + [". . . . . ."] * 4 + ["? . . . . ?"]))
    assert len(list(islice(stitch.answers(loose, Budget()), 2))) == 2
    with pytest.raises(BudgetSpentError):
        list(stitch.answers(loose, Budget(nodes=2)))
    assert solved(SMALL).verdict is Verdict.UNIQUE


# --- judging and showing ---------------------------------------------------------------------------------------------


def test_wrong_answers_do_not_hold():
    (answer,) = stitch.answers(SMALL, Budget())
    assert stitch.holds(SMALL, answer)
    assert not stitch.holds(SMALL, answer[:-1])
    assert not stitch.holds(SMALL, (*answer, answer[0]))
    assert not stitch.holds(parse("4 . 3 / . . . / . 3 ."), answer)
    assert not stitch.holds(parse("4w . 2 / . . . / . 3 ."), answer)
    assert not stitch.holds(parse("4 . 2 / . . . / 3 . ."), answer)
    crooked = parse("3 . / . 1")
    bent = answer[0].block._replace(cells=((0, 0), (0, 1), (1, 0)), height=1, width=3)
    single = bent._replace(cells=((1, 1),), height=1, width=1)
    assert not stitch.holds(crooked, (Patch((0, 0), bent), Patch((1, 1), single)))


def test_marks_fill_each_rectangle_in_its_clues_colour():
    (answer,) = stitch.answers(SMALL, Budget())
    marks = stitch.marks(SMALL, answer)
    assert [type(mark) for mark in marks] == [Fill] * 3
    assert [mark.ink.like for mark in marks] == [(0, 0), (0, 2), (2, 1)]
    assert len({mark.ink.tone for mark in marks}) == 3
    assert sorted(cell for mark in marks for cell in mark.cells) == list(SMALL.cells)


def test_a_rehearsal_shows_every_step_up_to_the_answer():
    puzzle, answer = maker.make(Random(5), 5, 6, unique=True)
    steps = []
    stitch.rehearse(puzzle, Budget(), steps.append)
    assert set(steps[-1]()) == set(stitch.marks(puzzle, answer))
    assert len(steps) >= len(answer)
    with pytest.raises(BudgetSpentError):
        stitch.rehearse(parse(" / ".join(["? . . . . ."] * 6)), Budget(nodes=1), steps.append)


def test_records_are_the_contract():
    (answer,) = stitch.answers(SMALL, Budget())
    assert stitch.puzzle_record(SMALL) == {"rows": 3, "cols": 3, "clues": [[4, 0, 2], [0, 0, 0], [0, 3, 0]]}
    assert stitch.answer_record(SMALL, answer)["rectangles"][1] == {
        "clue": [0, 2],
        "top": 0,
        "left": 2,
        "height": 2,
        "width": 1,
    }
    shaped = stitch.puzzle_record(parse("?w . # / 2 . #"))
    assert shaped["clues"] == [[-1, 0, None], [2, 0, None]]
    assert shaped["shapes"] == {"0,0": "wide", "1,0": "any"}


# --- makers and collections ------------------------------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(made(most=8, unique=True))
def test_a_board_made_with_one_answer_has_one(board):
    puzzle, answer = board
    assert list(islice(stitch.answers(puzzle, Budget()), 2)) == [answer]


def without(puzzle, cell):
    """The same without that clue."""
    rows = [[0 if (r, c) == cell else clue for c, clue in enumerate(row)] for r, row in enumerate(puzzle.clues)]
    shapes = {where: shape for where, shape in puzzle.shapes.items() if where != cell}
    return replace(puzzle, clues=tuple(map(tuple, rows)), shapes=shapes)


@given(made(most=4), st.data(), st.booleans())
@settings(max_examples=30)
def test_spare_blocks_are_those_that_may_have_lost_their_clue(told, data, bent):
    puzzle = told[0]
    lost = data.draw(st.sampled_from(puzzle.clue_cells))
    left = replace(without(puzzle, lost), links=((puzzle.cells[0], 0, None),) if bent else ())
    assume(not any(left.clue(cell) == UNKNOWN for cell in left.cells))
    found = {frozenset(block.cells) for block in stitch.spare_blocks(left, Budget())}
    area = len(puzzle.cells) - stitch.clue_sum(left)[0]
    tried = set()
    for cell in puzzle.cells:
        if not left.clue(cell):
            rows = [
                [area if (r, c) == cell else clue for c, clue in enumerate(row)] for r, row in enumerate(left.clues)
            ]
            more = replace(left, clues=tuple(map(tuple, rows)))
            tried |= {
                frozenset(patch.block.cells)
                for answer in stitch.answers(more, Budget())
                for patch in answer
                if patch.clue == cell
            }
    assert found == tried


def test_makers_repeat_themselves():
    assert maker.make(Random(7), 6, 8, holes=5) == maker.make(Random(7), 6, 8, holes=5)


@pytest.mark.slow
def test_collected_boards_have_as_many_answers_as_stated():
    for told in shared_files.puzzles("shikaku.jsonl"):
        puzzle = Stitch(tuple(map(tuple, told["clues"])))
        found = solved(puzzle, nodes=2_000)
        assert (found.verdict is Verdict.UNIQUE) == told["unique"], told["id"]
        assert all(stitch.holds(puzzle, answer) for answer in found.answers), told["id"]
