import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samples.puzzles import knight as maker
from solvers import knight, warnsdorff
from solvers.budget import Budget, BudgetSpentError
from solvers.knight import Answer, Puzzle
from solvers.narrow_tours import count_tours, frontier_tour
from solvers.tours import far_first, knight_graph

# Tours in either sense, those that return among them, from all starts together (known_counts.json).
OPEN = {(3, 4): 16, (3, 7): 104, (4, 5): 164}
SLOW_OPEN = {(3, 8): 792, (4, 6): 1488, (5, 5): 1728, (5, 6): 37568, (3, 10): 6096}
# Closed tours, both senses counted as one.
CLOSED = {(5, 6): 8}
SLOW_CLOSED = {(3, 10): 16, (6, 6): 9862}
SIX = knight_graph(6, 6)


def tours(puzzle: Puzzle, at_most: int | None = None) -> list[Answer]:
    return list(islice(knight.answers(puzzle, Budget()), at_most))


def count_open(rows: int, cols: int) -> int:
    """Tours from all starts; starts that are mirror images of one another have equally many."""
    total = 0
    for r in range((rows + 1) // 2):
        for c in range((cols + 1) // 2):
            images = {(r, c), (rows - 1 - r, c), (r, cols - 1 - c), (rows - 1 - r, cols - 1 - c)}
            total += len(images) * len(set(tours(Puzzle(rows, cols, (r, c)))))
    return total


@pytest.mark.parametrize(("size", "count"), OPEN.items())
def test_open_tours_are_counted(size: tuple[int, int], count: int) -> None:
    assert count_open(*size) == count


@pytest.mark.slow
@pytest.mark.parametrize(("size", "count"), SLOW_OPEN.items())
def test_more_open_tours_are_counted(size: tuple[int, int], count: int) -> None:
    assert count_open(*size) == count


def test_open_tours_from_a_corner_are_counted() -> None:
    assert len(set(tours(Puzzle(5, 5, (0, 0))))) == 304


@pytest.mark.exhaustive
def test_open_tours_of_6x6_from_a_corner_are_counted() -> None:
    """Minutes long; the board's mirror image halves it: the first move goes to one of two like squares."""
    graph = knight_graph(6, 6)
    graph[0] = graph[0][:1]
    assert 2 * sum(1 for _ in warnsdorff.tours(graph, 0, far_first(6, 6), False, Budget())) == 524_486


def test_the_search_passes_over_no_end_of_a_tour_of_6x6() -> None:
    """Tours of which the first moves are given: as many as there are when nothing but visited squares is ruled out."""
    found = 0
    for seed in range(6):
        opening = opening_of(SIX, 20, random.Random(seed))
        counted = sum(1 for _ in warnsdorff.tours(beginning_with(opening), 0, far_first(6, 6), False, Budget()))
        assert counted == ways_on(opening[-1], frozenset(range(36)) - frozenset(opening), {})
        found += counted
    assert found > 20


def opening_of(graph: list[list[int]], length: int, chance: random.Random) -> list[int]:
    """The first squares of some tour from a corner."""
    rank = [chance.random() for _ in graph]
    return list(next(warnsdorff.tours(graph, 0, rank, False, Budget()))[:length])


def beginning_with(opening: list[int]) -> list[list[int]]:
    """The board on which there is but one way to begin."""
    graph = [[u for u in around if u not in opening[:-1]] for around in SIX]
    for square, before, after in zip(opening, [-1, *opening], [*opening[1:], -1], strict=False):
        beside = [u for u in (before, after) if u >= 0]
        graph[square] = beside + graph[square] * (after < 0)
    return graph


def ways_on(square: int, left: frozenset[int], known: dict[tuple[int, frozenset[int]], int]) -> int:
    """How many ways lead from a square through all that are left."""
    key = square, left
    if key not in known:
        steps = [u for u in SIX[square] if u in left]
        known[key] = sum(ways_on(u, left - {u}, known) for u in steps) if left else 1
    return known[key]


@pytest.mark.parametrize("size", [(3, 7), (4, 5), (3, 8)])
def test_merging_states_counts_the_same_open_tours(size: tuple[int, int]) -> None:
    rows, cols = size
    along = sorted(range(rows * cols), key=lambda square: (square % cols, square))
    merged = count_tours(knight_graph(rows, cols), 0, along, closed=False, budget=Budget())
    assert merged == len(set(tours(Puzzle(rows, cols, (0, 0))))) > 0


@pytest.mark.parametrize(("size", "count"), [((3, 10), 16), ((3, 12), 176)])
def test_merging_states_counts_closed_tours(size: tuple[int, int], count: int) -> None:
    rows, cols = size
    along = sorted(range(rows * cols), key=lambda square: (square % cols, square))
    assert count_tours(knight_graph(rows, cols), 0, along, closed=True, budget=Budget()) == count


@pytest.mark.parametrize(("size", "count"), CLOSED.items())
def test_closed_tours_are_counted(size: tuple[int, int], count: int) -> None:
    found = tours(Puzzle(*size, (0, 0), True))
    assert len(set(found)) == len(found) == 2 * count


@pytest.mark.slow
@pytest.mark.parametrize(("size", "count"), SLOW_CLOSED.items())
def test_more_closed_tours_are_counted(size: tuple[int, int], count: int) -> None:
    assert sum(1 for _ in knight.answers(Puzzle(*size, (0, 0), True), Budget())) == 2 * count


@pytest.mark.parametrize("size", [(1, 1), (5, 5), (5, 7), (6, 5), (8, 8), (7, 11), (5, 11)])
def test_every_start_is_toured_or_refused_with_a_reason(size: tuple[int, int]) -> None:
    rows, cols = size
    for square in range(rows * cols):
        for closed in (False, True):
            puzzle = Puzzle(rows, cols, divmod(square, cols), closed)
            found = tours(puzzle, 1)
            # On a board with an odd number of squares a tour starts on the colour of the corners, and never returns.
            exists = rows * cols in {1} or rows * cols % 2 == 0 or (sum(puzzle.start) % 2 == 0 and not closed)
            assert bool(found) == exists == (not knight.faults(puzzle))
            assert all(knight.holds(puzzle, answer) for answer in found)


@given(st.integers(0, 10**6), st.integers(5, 60), st.integers(5, 60), st.booleans())
@settings(max_examples=40, deadline=None)
def test_boards_up_to_60_are_toured(seed: int, rows: int, cols: int, closed: bool) -> None:
    puzzle = maker.make(random.Random(seed), rows, cols, closed=closed and rows * cols % 2 == 0)
    assert knight.faults(puzzle) == []
    assert knight.parse(knight.write(puzzle)) == puzzle
    assert knight.holds(puzzle, tours(puzzle, 1)[0])


@given(st.integers(0, 10**6), st.integers(2, 25))
@settings(max_examples=40, deadline=None)
def test_boards_with_holes_are_toured(seed: int, squares: int) -> None:
    puzzle, known = maker.make_with_holes(random.Random(seed), 6, 7, squares)
    assert knight.faults(puzzle) == []
    assert knight.parse(knight.write(puzzle)) == puzzle
    assert knight.holds(puzzle, known)
    assert knight.holds(puzzle, tours(puzzle, 1)[0])


@pytest.mark.parametrize("size", [(3, 4), (4, 3), (3, 7), (7, 3), (4, 5), (5, 4)])
def test_narrow_boards_are_toured_exactly_where_a_search_finds_a_tour(size: tuple[int, int]) -> None:
    for square in range(size[0] * size[1]):
        puzzle = Puzzle(*size, divmod(square, size[1]))
        found = tours(puzzle, 1)
        assert all(knight.holds(puzzle, answer) for answer in found)
        assert bool(found) == (next(knight.search_tours(puzzle, Budget()), None) is not None), puzzle


@pytest.mark.parametrize("size", [(3, 20), (21, 3), (4, 30), (31, 4), (3, 25)])
def test_long_narrow_boards_are_toured_without_hanging(size: tuple[int, int]) -> None:
    puzzle = Puzzle(*size, (0, 0))
    assert knight.holds(puzzle, next(knight.answers(puzzle, Budget(nodes=100_000))))


@pytest.mark.parametrize("cols", range(4, 17))
def test_closed_tours_of_three_rows_exist_where_schwenk_says(cols: int) -> None:
    puzzle = Puzzle(3, cols, (0, 1), True)
    assert bool(tours(puzzle, 1)) == (cols >= 10 and cols % 2 == 0)
    if knight.faults(puzzle) and cols % 2 == 0:  # the theorem is not taken on trust
        graph, along = knight_graph(3, cols), sorted(range(3 * cols), key=lambda s: (s % cols, s))
        assert frontier_tour(graph, 1, along, closed=True, budget=Budget()) is None


def test_small_boards_are_refused_exactly_when_a_search_finds_nothing() -> None:
    """Faults never forbid a board that has a tour: what is refused is searched nevertheless."""
    for rows, cols in ((1, 2), (2, 3), (3, 3), (3, 4), (3, 5), (3, 6), (4, 4), (4, 5)):
        for square in range(rows * cols):
            for closed in (False, True):
                puzzle = Puzzle(rows, cols, divmod(square, cols), closed)
                if knight.faults(puzzle):
                    assert next(knight.search_tours(puzzle, Budget()), None) is None, puzzle


@pytest.mark.parametrize(
    ("puzzle", "word"),
    [
        (Puzzle(5, 5, (0, 1)), "has to start on the colour of the corners"),
        (Puzzle(5, 5, (0, 0), True), "odd number of squares (25)"),
        (Puzzle(4, 6, (0, 0), True), "Schwenk"),
        (Puzzle(3, 8, (0, 0), True), "Schwenk"),
        (Puzzle(4, 6, (1, 0)), "outer lines of four"),
        (Puzzle(4, 4, (0, 0)), "too small"),
        (Puzzle(2, 7, (0, 0)), "too small"),
        (Puzzle(8, 8, (8, 0)), "row 9, column 1, is off the 8 x 8 board"),
        (Puzzle(8, 8, (0, 0), False, ((0, 0),)), "is a hole"),
        (Puzzle(8, 8, (0, 0), False, ((9, 0),)), "hole in row 10, column 1 is off the board"),
        (Puzzle(8, 8, (0, 0), False, ((0, 1), (1, 0))), "32 squares have the colour of the start and 30"),
        (Puzzle(0, 8, (0, 0)), "no board"),
    ],
)
def test_why_there_is_no_tour_is_told(puzzle: Puzzle, word: str) -> None:
    assert word in knight.faults(puzzle)[0]
    assert tours(puzzle) == []


def test_holes_that_cut_the_board_are_found_out() -> None:
    alone = Puzzle(6, 6, (3, 3), False, ((0, 2), (1, 2), (2, 0), (2, 1)))
    assert knight.faults(alone) == ["no tour exists: no moves lead to row 1, column 1"]
    # Each of two corners keeps one of its moves; with a third end, the start, that is one too many.
    ends = Puzzle(6, 6, (3, 3), False, ((1, 2), (1, 3)))
    assert "only one move leads to row 1, column 1 and one to row 1, column 6" in knight.faults(ends)[0]


def test_tours_that_break_a_rule_do_not_hold() -> None:
    puzzle = Puzzle(5, 6, (0, 0), True)
    answer = tours(puzzle, 1)[0]
    path = answer.path
    assert knight.holds(puzzle, answer)
    assert not knight.holds(puzzle, Answer(path, False))
    assert not knight.holds(puzzle, Answer((*path[1:], path[0]), True))
    assert not knight.holds(puzzle, Answer(path[:-1], True))
    assert not knight.holds(puzzle, Answer((*path[:-1], path[0]), True))
    assert not knight.holds(puzzle, Answer((path[0], path[2], path[1], *path[3:]), True))
    opened = next(a for a in knight.answers(Puzzle(5, 6, (0, 0)), Budget()) if not a.closed)
    assert not knight.holds(puzzle, opened)


def test_the_budget_is_kept() -> None:
    with pytest.raises(BudgetSpentError):
        list(knight.answers(Puzzle(6, 6, (0, 0)), Budget(nodes=500)))


@pytest.mark.parametrize("text", ["", "8/8", "N7/8 open", "N1N/3/3", "x/y"])
def test_texts_that_are_no_board_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="board"):
        knight.parse(text)


def test_records_marks_and_words() -> None:
    puzzle = Puzzle(5, 6, (2, 1), True)
    answer = tours(puzzle, 1)[0]
    assert knight.puzzle_record(puzzle) == {"rows": 5, "cols": 6, "start": [2, 1], "closed": True}
    assert knight.answer_record(puzzle, answer)["path"][0] == [2, 1]
    assert knight.answer_record(puzzle, answer)["closed"] is True
    assert sorted(knight.contents(puzzle, answer).values()) == list(range(1, 31))  # type: ignore[type-var]
    path, fence, *numbers = knight.marks(puzzle, answer)
    assert getattr(path, "cells", None) == answer.path
    assert getattr(fence, "cells", None) == ((2, 1),)
    assert len(numbers) == 30
    assert knight.title(puzzle) == "5 x 6 board, closed knight's tour from row 3, column 2"
    holed = Puzzle(5, 6, (2, 1), False, ((0, 0),))
    assert knight.puzzle_record(holed)["holes"] == [[0, 0]]
    assert (0, 0) not in knight.layout(holed).cells
