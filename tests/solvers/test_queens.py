import random
from itertools import islice, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_files import puzzles

from samples.puzzles import queens as maker
from samples.puzzles import regions
from solvers import queens
from solvers.budget import Budget, BudgetSpentError
from solvers.queens import Answer, Puzzle
from solvers.queens_bits import Lines, explicit, placements, placements_by_row
from solvers.queens_count import count_placements

# All solutions of the empty board (known_counts.json; OEIS A000170).
COUNTS = {1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724}
MORE_COUNTS = {11: 2680, 12: 14200, 13: 73712}
SLOW_COUNTS = {14: 365596, 15: 2279184, 16: 14772512}


def boards(puzzle: Puzzle, at_most: int | None = None) -> list[Answer]:
    return list(islice(queens.answers(puzzle, Budget()), at_most))


@pytest.mark.parametrize(("n", "count"), COUNTS.items())
def test_counts_of_the_empty_board(n: int, count: int) -> None:
    found = boards(Puzzle(n))
    assert len(found) == len(set(found)) == count
    assert all(queens.holds(Puzzle(n), answer) for answer in found)


@pytest.mark.parametrize(("n", "count"), [*COUNTS.items(), *MORE_COUNTS.items()])
def test_counts_without_enumeration(n: int, count: int) -> None:
    assert queens.count(Puzzle(n)) == count


@pytest.mark.slow
@pytest.mark.parametrize(("n", "count"), SLOW_COUNTS.items())
def test_counts_of_larger_boards(n: int, count: int) -> None:
    assert queens.count(Puzzle(n)) == count


def test_counting_stops_where_asked() -> None:
    assert queens.count(Puzzle(8), at_most=5) == 5
    assert queens.count(Puzzle(8, ((0, 0),))) == 4
    with pytest.raises(BudgetSpentError):
        queens.count(Puzzle(12), budget=Budget(nodes=1000))
    with pytest.raises(ValueError, match="1 to 19"):
        count_placements(20)


@given(st.integers(1, 9), st.data())
@settings(max_examples=30, deadline=None)
def test_both_searches_find_the_same(n: int, data: st.DataObject) -> None:
    given_squares = data.draw(st.lists(st.integers(0, n * n - 1), max_size=3, unique=True))
    by_row = set(placements_by_row(n, given_squares, Budget()))
    assert by_row == set(placements(Lines(n), given_squares, Budget()))


@pytest.mark.parametrize("n", [*range(4, 130), 1000, 10_001])
def test_every_size_has_its_explicit_solution(n: int) -> None:
    columns = explicit(n)
    assert columns is not None
    assert queens.holds(Puzzle(n), Answer(columns))


def test_very_many_queens_stand_at_once() -> None:
    answer = next(queens.answers(Puzzle(100_000), Budget(nodes=0)))
    assert queens.holds(Puzzle(100_000), answer)


@given(st.integers(0, 10**6), st.integers(4, 12), st.data())
@settings(max_examples=40, deadline=None)
def test_made_boards_are_completed(seed: int, n: int, data: st.DataObject) -> None:
    puzzle, known = maker.make(random.Random(seed), n, data.draw(st.integers(0, n)))
    assert queens.faults(puzzle) == []
    assert queens.parse(queens.write(puzzle)) == puzzle
    assert queens.holds(puzzle, known)
    found = boards(puzzle, 500)
    assert all(queens.holds(puzzle, answer) for answer in found)
    assert len(set(found)) == len(found)
    assert known in found or len(found) == 500


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=3))
def test_completions_are_exactly_the_full_boards_that_fit(given_queens: set[tuple[int, int]]) -> None:
    puzzle = Puzzle(6, tuple(sorted(given_queens)))
    fitting = [a for a in boards(Puzzle(6)) if given_queens <= set(a.cells())]
    assert sorted(a.columns for a in boards(puzzle)) == sorted(a.columns for a in fitting)


@pytest.mark.parametrize(("n", "given_count"), [(30, 3), (60, 12), (100, 5), (100, 60)])
def test_large_boards_are_completed(n: int, given_count: int) -> None:
    puzzle, _ = maker.make(random.Random(n), n, given_count)
    assert queens.holds(puzzle, boards(puzzle, 1)[0])


def test_an_impossible_completion_is_proven_impossible() -> None:
    # No full board of 6 has a queen in a corner.
    assert boards(Puzzle(6, ((0, 0),))) == []
    assert queens.faults(Puzzle(6, ((0, 0),))) == []


def test_a_line_that_the_queens_leave_no_square_in_is_named() -> None:
    puzzle = Puzzle(5, ((0, 0), (1, 2), (4, 1)))
    assert queens.faults(puzzle) == []
    assert set(queens.explain(puzzle, Budget())) == {
        "the queens leave no square in row 4",
        "the queens leave no square in column 4",
    }
    walled = queens.parse("aaaa/b*ccd/bddd/bddd")
    assert "no square in the region of row 2, column 2" in " ".join(queens.explain(walled, Budget()))


@given(st.integers(4, 7), st.integers(0, 10**6), st.booleans())
@settings(max_examples=60, deadline=None)
def test_reasons_are_given_only_where_no_solution_exists(n: int, seed: int, coloured: bool) -> None:
    rng = random.Random(seed)
    cells = [(r, c) for r in range(n) for c in range(n)]
    standing = tuple(rng.sample(cells, rng.randrange(4)))
    regions = tuple(tuple(min(c, max(0, c + rng.randrange(-1, 2))) for c in range(n)) for _ in range(n))
    puzzle = Puzzle(n, standing, regions if coloured else None)
    if not queens.faults(puzzle) and queens.explain(puzzle, Budget()):
        assert boards(puzzle) == []


@pytest.mark.parametrize(
    ("puzzle", "word"),
    [
        (Puzzle(8, ((0, 0), (0, 5))), "row 1, column 1 and row 1, column 6 attack each other along a row"),
        (Puzzle(8, ((1, 2), (5, 2))), "row 2, column 3 and row 6, column 3 attack each other along a column"),
        (Puzzle(8, ((0, 0), (7, 7))), "row 1, column 1 and row 8, column 8 attack each other along a diagonal"),
        (Puzzle(8, ((0, 7), (7, 0))), "row 1, column 8 and row 8, column 1 attack each other along a diagonal"),
        (Puzzle(8, ((8, 0),)), "row 9, column 1 stands off the 8 x 8 board"),
        (Puzzle(8, ((3, 3), (3, 3))), "more than one queen in row 4, column 4"),
        (Puzzle(0), "no board"),
        (Puzzle(2, (), ((0, 1),)), "do not cover"),
        (Puzzle(2, (), ((0, 0), (0, 0))), "2 rows but 1 regions, fewer"),
        (Puzzle(2, (), ((0, 1), (2, 2))), "2 rows but 3 regions, more"),
        (Puzzle(2, ((0, 0), (1, 1)), ((0, 1), (0, 1))), "touch at a corner"),
        (Puzzle(4, ((0, 0), (2, 1)), ((0, 0, 0, 1), (0, 0, 1, 1), (2, 0, 3, 1), (2, 2, 3, 3))), "one region"),
    ],
)
def test_faults_are_named_and_nothing_is_searched(puzzle: Puzzle, word: str) -> None:
    assert any(word in fault for fault in queens.faults(puzzle))
    assert boards(puzzle) == []


def test_all_faults_are_told() -> None:
    assert len(queens.faults(Puzzle(8, ((0, 0), (0, 3), (3, 3))))) == 3


def test_long_diagonals_do_not_matter_among_regions() -> None:
    assert queens.faults(Puzzle(4, ((0, 1), (3, 2)), tuple((r,) * 4 for r in range(4)))) == []
    far = Puzzle(5, ((0, 0), (2, 2)), tuple((r,) * 5 for r in range(5)))
    assert queens.faults(far) == []
    assert all(queens.holds(far, answer) for answer in boards(far))


@given(st.integers(0, 10**6), st.integers(5, 9))
@settings(max_examples=12, deadline=None)
def test_made_levels_have_their_one_answer(seed: int, n: int) -> None:
    puzzle, known = regions.make(random.Random(seed), n)
    assert boards(puzzle) == [known]
    assert queens.holds(puzzle, known)
    assert queens.parse(queens.write(puzzle)) == puzzle


@given(st.lists(st.integers(0, 4), min_size=25, max_size=25))
@settings(max_examples=60, deadline=None)
def test_levels_have_the_answers_that_trying_all_finds(flat: list[int]) -> None:
    puzzle = Puzzle(5, (), tuple(tuple(flat[5 * r : 5 * r + 5]) for r in range(5)))
    tried = [Answer(columns) for columns in permutations(range(5)) if queens.holds(puzzle, Answer(columns))]
    if queens.faults(puzzle):
        assert len(set(flat)) < 5
    else:
        assert sorted(a.columns for a in boards(puzzle)) == [a.columns for a in tried]


@pytest.mark.slow
def test_every_collected_level_has_the_stated_number_of_answers() -> None:
    levels = puzzles("queens_regions.jsonl")
    assert len(levels) == 1228
    for level in levels:
        puzzle = Puzzle(level["n"], (), tuple(map(tuple, level["regions"])))
        found = boards(puzzle, 2)
        assert len(found) == (1 if level["solutions"] == 1 else 2), level["id"]
        assert all(queens.holds(puzzle, answer) for answer in found)
        if level["solutions"] == 1:
            assert list(found[0].columns) == level["queens"]


def test_answers_that_break_a_rule_do_not_hold() -> None:
    classic = Puzzle(4, ((0, 1),))
    assert queens.holds(classic, Answer((1, 3, 0, 2)))
    for wrong in ((2, 0, 3, 1), (1, 3, 0), (1, 1, 0, 2), (1, 2, 0, 3), (0, 1, 2, 3)):
        assert not queens.holds(classic, Answer(wrong))
    coloured = Puzzle(4, (), ((0, 0, 1, 1), (0, 0, 1, 1), (2, 2, 3, 3), (2, 2, 3, 3)))
    assert queens.holds(coloured, Answer((1, 3, 0, 2)))
    stripes = Puzzle(4, (), ((0, 1, 1, 0), (0, 1, 1, 0), (2, 2, 3, 3), (2, 2, 3, 3)))
    assert not queens.holds(stripes, Answer((0, 3, 1, 2)))
    assert not queens.holds(coloured, Answer((0, 2, 1, 3)))


def test_the_budget_is_kept() -> None:
    with pytest.raises(BudgetSpentError):
        list(queens.answers(Puzzle(10), Budget(nodes=100)))


@pytest.mark.parametrize("text", ["", "4/4/4", "1Q2/3Q/4/5", "ab/c", "a*b/b a", "aB/<x>a", "3/R2/3"])
def test_texts_that_are_no_board_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"board|row"):
        queens.parse(text)


def test_regions_beyond_the_letters_are_written() -> None:
    n = 8
    puzzle = Puzzle(n, ((2, 3),), tuple(tuple(n * r + c for c in range(n)) for r in range(n)))
    assert queens.parse(queens.write(puzzle)) == puzzle
    assert "<52>" in queens.write(puzzle)


def test_records_marks_and_words() -> None:
    puzzle, answer = Puzzle(4, ((0, 1),)), Answer((1, 3, 0, 2))
    assert queens.puzzle_record(puzzle) == {"n": 4, "queens": [[0, 1]], "regions": None}
    assert queens.answer_record(puzzle, answer) == {"queens": [[0, 1], [1, 3], [2, 0], [3, 2]]}
    assert [mark.cell for mark in queens.marks(puzzle, answer)] == [(1, 3), (2, 0), (3, 2)]  # type: ignore[union-attr]
    assert [cell for cell, queen in queens.contents(puzzle, answer).items() if queen] == list(answer.cells())
    assert queens.title(puzzle) == "4 x 4 board, 1 queen given"
    assert len(queens.layout(puzzle).cells) == 16


def test_random_order_finds_the_same_placements() -> None:
    plain = set(placements(Lines(7), [], Budget()))
    assert set(placements(Lines(7), [], Budget(), random.Random(1))) == plain
