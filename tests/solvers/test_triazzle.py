import json
import random
from itertools import islice
from math import isclose

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_files import labelled, shared

from samples import triazzle as maker
from solvers import triazzle
from solvers.budget import Budget, BudgetSpentError
from solvers.marks import Move
from solvers.triazzle import TRAY, Answer, Puzzle

# The article's puzzle (triangle.json), its halves numbered in the order of their pairs there.
ARTICLE = triazzle.parse(
    "halves 4,10,8 2,8,11 11,2,0 3,10,1 7,7,1 2,11,11 6,1,3 8,9,0 6,9,0 11,10,8 6,9,8 6,6,9 1,5,9 10,11,4 10,3,4 5,5,7"
    " / 3 7 4 7 8 0 10 5 11 9 2 10"
)

# A tray with one solution, which a search misses that takes only the first turn of a piece that fits
# (known_counts.json).
FIRST_TURN_FAILS = triazzle.parse(
    "halves 0,0,2 11,7,2 0,7,9 4,0,9 1,1,8 9,3,6 8,3,1 7,11,5 6,0,10 6,6,3 1,8,10 5,3,0 11,8,4 4,11,6 4,5,5 0,0,10"
    " / 1 1 1 2 7 7 10 9 0 1 2 1"
)


def arrangements(puzzle: Puzzle) -> list[Answer]:
    return list(triazzle.answers(puzzle, Budget()))


def scrambled(rng: random.Random, codes: int, match: triazzle.Match) -> Puzzle:
    """A tray that has a solution, with few codes so that it may have many."""
    laid = [[0, 0, 0] for _ in range(16)]
    plain = Puzzle((), (), match)
    for (a, i), (b, j) in TRAY.inner:
        laid[a][i] = rng.randrange(codes)
        laid[b][j] = plain.mate(laid[a][i])
    border = []
    for slot, edge in TRAY.outer:
        laid[slot][edge] = rng.randrange(codes)
        border.append(plain.mate(laid[slot][edge]))
    rng.shuffle(laid)
    tiles = [tuple(tile[turn:] + tile[:turn]) for tile in laid for turn in [rng.randrange(3)]]
    return Puzzle(tuple(tiles), tuple(border), match)


def test_the_articles_tray_has_one_solution() -> None:
    assert triazzle.faults(ARTICLE) == []
    (answer,) = arrangements(ARTICLE)
    assert [piece for piece, _ in answer.placed] == [1, 14, 12, 8, 7, 9, 5, 0, 15, 13, 3, 2, 6, 4, 11, 10]
    assert triazzle.holds(ARTICLE, answer)
    assert triazzle.count_arrangements(ARTICLE) == 1


def test_the_articles_tray_is_the_collected_one() -> None:
    told = json.loads(shared("puzzles/triangle.json").read_text(encoding="utf-8"))["triazzle"]
    code = {name: 2 * k + back for k, pair in enumerate(told["halves"]) for back, name in enumerate(pair)}
    assert ARTICLE.tiles == tuple(tuple(code[name] for name in piece) for piece in told["pieces"])
    assert ARTICLE.border == tuple(code[name] for name in told["border"])


def test_all_turns_of_a_piece_are_tried() -> None:
    (answer,) = arrangements(FIRST_TURN_FAILS)
    assert triazzle.holds(FIRST_TURN_FAILS, answer)


def test_equal_pieces_count_once() -> None:
    for picture, truth in labelled("triazzle"):
        if truth["kind"] == "triazzle":
            border = [truth["border"][truth["outer"].index(list(edge))] for edge in TRAY.outer]
            puzzle = Puzzle(tuple(map(tuple, truth["tiles"])), tuple(border), truth["match"])
            (answer,) = arrangements(puzzle)
            assert triazzle.holds(puzzle, answer), picture
            assert triazzle.count_arrangements(puzzle) == 8
            assert sorted([a, i, b, j] for (a, i), (b, j) in TRAY.inner) == sorted(truth["inner"])


@given(st.integers(0, 10**6), st.integers(6, 14), st.sampled_from(["halves", "equal"]))
@settings(max_examples=25, deadline=None)
def test_scrambled_trays_are_solved(seed: int, codes: int, match: triazzle.Match) -> None:
    puzzle = scrambled(random.Random(seed), codes - codes % 2, match)
    assert triazzle.faults(puzzle) == []
    assert triazzle.parse(triazzle.write(puzzle)) == puzzle
    found = list(islice(triazzle.answers(puzzle, Budget()), 50))
    assert found
    assert all(triazzle.holds(puzzle, answer) for answer in found)
    shown = [tuple(triazzle.contents(puzzle, answer).items()) for answer in found]
    assert len(set(shown)) == len(shown)


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_an_unknown_frame_only_adds_solutions(seed: int) -> None:
    rng = random.Random(seed)
    puzzle = scrambled(rng, 12, "halves")
    unknown = set(rng.sample(range(12), 3))
    less = Puzzle(puzzle.tiles, tuple(None if k in unknown else c for k, c in enumerate(puzzle.border)))
    assert triazzle.parse(triazzle.write(less)) == less
    more = arrangements(less)
    assert set(arrangements(puzzle)) <= set(more)
    assert all(triazzle.holds(less, answer) for answer in more)


def test_made_trays_have_one_solution() -> None:
    for seed in range(3):
        puzzle = maker.random_puzzle(np.random.default_rng(seed))
        assert len(arrangements(puzzle)) == 1


def with_tile(slot: int, *codes: int) -> Puzzle:
    return Puzzle((*ARTICLE.tiles[:slot], codes, *ARTICLE.tiles[slot + 1 :]), ARTICLE.border)


@pytest.mark.parametrize(
    ("puzzle", "word"),
    [
        (Puzzle(ARTICLE.tiles[:15], ARTICLE.border), "16 slots, but 15 pieces"),
        (Puzzle(ARTICLE.tiles, ARTICLE.border[:11]), "12 edges, but 11 codes"),
        (with_tile(4, 7, 7), "piece 5 is a triangle, but has 2 codes"),
        (with_tile(4, 7, 7, -1), "negative"),
        (with_tile(0, 4, 10, 98), "only 0 with code 99"),
        (with_tile(0, 4, 10, 9), "code"),
        (Puzzle(ARTICLE.tiles, (*ARTICLE.border[:11], 50)), "the frame asks for 1 more of code 51"),
        (Puzzle(((0, 0, 1),) + ((0, 0, 0),) * 15, (0,) * 12, "equal"), "an odd number of edges with code 0"),
    ],
)
def test_faults_are_named_and_nothing_is_searched(puzzle: Puzzle, word: str) -> None:
    assert any(word in fault for fault in triazzle.faults(puzzle)), triazzle.faults(puzzle)
    assert arrangements(puzzle) == []


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_a_slot_that_no_piece_fits_is_named_and_only_then(seed: int) -> None:
    puzzle = scrambled(random.Random(seed), 12, "halves")
    assert triazzle.explain(puzzle, Budget()) == []
    # The apex asks for two codes that no piece has side by side.
    sides = {(tile[e], tile[(e + 1) % 3]) for tile in puzzle.tiles for e in range(3)}
    pair = next((a, b) for a in range(12) for b in range(12) if (a, b) not in sides)
    walled = Puzzle(puzzle.tiles, (puzzle.mate(pair[1]), *puzzle.border[1:11], puzzle.mate(pair[0])))
    assert any("no piece fits slot 1," in reason for reason in triazzle.explain(walled, Budget()))
    assert arrangements(walled) == []


@given(st.integers(0, 10**6), st.integers(0, 15), st.integers(0, 2), st.integers(0, 11))
@settings(max_examples=30, deadline=None)
def test_faults_are_told_only_where_no_solution_exists(seed: int, slot: int, edge: int, code: int) -> None:
    """Misread one code: whatever is called a fault must leave the search empty-handed."""
    puzzle = scrambled(random.Random(seed), 12, "halves")
    tile = tuple(code if e == edge else c for e, c in enumerate(puzzle.tiles[slot]))
    misread = Puzzle((*puzzle.tiles[:slot], tile, *puzzle.tiles[slot + 1 :]), puzzle.border)
    # One edge fewer of one code and one more of another cannot all meet.
    assert bool(triazzle.faults(misread)) == (misread != puzzle)


def test_arrangements_that_break_a_rule_do_not_hold() -> None:
    (answer,) = arrangements(ARTICLE)
    placed = answer.placed
    turned = ((placed[0][0], (placed[0][1] + 1) % 3), *placed[1:])
    for wrong in (turned, (placed[1], placed[0], *placed[2:]), (placed[1], *placed[1:]), placed[:15]):
        assert not triazzle.holds(ARTICLE, Answer(wrong))


def test_the_budget_is_kept() -> None:
    with pytest.raises(BudgetSpentError):
        list(triazzle.answers(ARTICLE, Budget(nodes=3)))


@pytest.mark.parametrize("text", ["", "halves 1,2,3", "thirds 1,2,3 / 1", "halves 1,b,3 / 1", "equal 1,2,3 / x"])
def test_texts_that_are_no_tray_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="triazzle"):
        triazzle.parse(text)


def test_the_layout_is_numbered_as_the_contract_says() -> None:
    layout = triazzle.layout(ARTICLE)
    assert len(layout.cells) == 16
    assert layout.neighbours[0, 0] == (None, None, (1, 1))  # the top slot: left and right the frame
    assert layout.neighbours[1, 1] == ((1, 2), (1, 0), (0, 0))  # pointing down: right, left, top
    for cell, outline in layout.cells.items():
        middle = layout.centre(cell)
        upward = cell[1] % 2 == 0
        sides = ["left", "right", "bottom"] if upward else ["right", "left", "top"]
        for e, side in enumerate(sides):
            (x1, y1), (x2, y2) = outline[e], outline[(e + 1) % 3]
            x, y = (x1 + x2) / 2 - middle[0], (y1 + y2) / 2 - middle[1]
            assert {"left": x < -0.1, "right": x > 0.1, "bottom": y > 0.2, "top": y < -0.2}[side], (cell, e)
            other = layout.neighbours[cell][e]
            if other is not None:
                back = layout.cells[other]
                assert layout.neighbours[other][e] == cell
                assert isclose(back[e][0], x2, abs_tol=1e-9)
                assert isclose(back[e][1], y2, abs_tol=1e-9)


def test_records_marks_and_words() -> None:
    (answer,) = arrangements(ARTICLE)
    record = triazzle.answer_record(ARTICLE, answer)["tiles"]
    assert record[0] == {"piece": 1, "rotation": answer.placed[0][1]}
    # The rule of the contract, spelled out: edge e of the piece lies on the slot's edge (e + t) mod 3.
    shown = [[ARTICLE.tiles[t["piece"]][(e - t["rotation"]) % 3] for e in range(3)] for t in record]
    assert all(shown[a][i] == shown[b][j] ^ 1 for (a, i), (b, j) in TRAY.inner)
    assert triazzle.puzzle_record(ARTICLE)["border"] == list(ARTICLE.border)
    moves = [mark for mark in triazzle.marks(ARTICLE, answer) if isinstance(mark, Move)]
    assert moves[0] == Move(triazzle.slot_cell(1), (0, 0), answer.placed[0][1])
    assert triazzle.title(ARTICLE) == "tray of 16 triangles, 6 creatures"
