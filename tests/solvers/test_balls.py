"""Ball trays: pieces, faults, searches, and every count that is known."""

from random import Random

import pytest
import shared_files
from hypothesis import given, settings
from hypothesis import strategies as st

from samples.puzzles import balls as maker
from solvers import dancing_links, kanoodle, pyramid
from solvers.ball_trays import LETTERS, SETS, Tray, bits, lays, normal, orientations, shapes
from solvers.balls import BallRules, Balls
from solvers.board import grid_layout
from solvers.budget import Budget, BudgetSpentError
from solvers.counting import count
from solvers.exact_cover import count as exact_cover_count
from solvers.marks import Ball

P355 = "B BB BB. HH.. HHH.. ...... ....... ........ ......... .........."
P325 = "H HD .HD .HDD ..H.D ...... ....... ........ ......... .........."
FIRST = "EEGGGJJJJII AEEEGCDDDDI AAALGCHHDII BBLLLCFHHKK BBBLCCFFHKK"
TRAYS = pytest.mark.parametrize("kind", [pyramid, kanoodle])


def empty(kind, pieces="standard"):
    return Balls(tuple("." * width for width in kind.TRAY.widths), pieces)


def all_of(kind, text):
    return list(kind.answers(kind.parse(text), Budget()))


@st.composite
def made(draw, *, singles=0):
    kind = draw(st.sampled_from([pyramid, kanoodle]))
    rng = Random(draw(st.integers(0, 10**6)))
    pieces = draw(st.sampled_from(["standard", "iq"]))
    return kind, *maker.make(rng, kind.RULES, pieces=pieces, given=draw(st.integers(5, 12)), singles=singles)


# --- pieces and trays ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pieces", SETS)
def test_a_set_has_twelve_different_pieces_and_55_balls(pieces):
    found = shapes(pieces)
    assert len({orientations(shape) for shape in found.values()}) == len(found) == 12
    assert sum(map(len, found.values())) == 55


def test_orientations_are_as_many_as_symmetry_leaves():
    many = {letter: len(orientations(shape)) for letter, shape in shapes("standard").items()}
    assert many == dict(zip(LETTERS, [8, 8, 8, 8, 8, 4, 4, 4, 4, 2, 1, 1], strict=True))


@TRAYS
def test_lays_are_all_translates_that_stay_on_the_tray(kind):
    tray = kind.TRAY
    points = {tray.point(cell) for cell in tray.cells}
    for shape in shapes("iq").values():
        expected = {
            frozenset((x + i, y + j) for x, y in turned)
            for turned in orientations(shape)
            for i in range(11)
            for j in range(11)
        }
        found = [frozenset(map(tray.point, tray.cells_in(lay))) for lay in lays(tray, shape)]
        assert set(found) == {lay for lay in expected if lay <= points}
        assert len(set(found)) == len(found)


@TRAYS
def test_neighbours_touch_and_are_lattice_neighbours(kind):
    layout = kind.TRAY.layout
    for cell, across in layout.neighbours.items():
        x, y = kind.TRAY.point(cell)
        here = layout.centre(cell)
        for side, other in enumerate(across):
            step = ((0, -1), (1, 0), (0, 1), (-1, 0))[side]
            point = (x + step[0], y + step[1])
            assert (other is None) == (point not in {kind.TRAY.point(c) for c in kind.TRAY.cells})
            if other is not None:
                there = layout.centre(other)
                assert kind.TRAY.point(other) == point
                assert layout.neighbours[other][(side + 2) % 4] == cell
                assert (here[0] - there[0]) ** 2 + (here[1] - there[1]) ** 2 == pytest.approx(1)
    xs, ys = zip(*(point for outline in layout.cells.values() for point in outline), strict=True)
    assert (min(xs), min(ys)) == pytest.approx((0, 0))
    assert (max(xs), max(ys)) == pytest.approx(layout.size)


def test_cramped_is_a_pocket_of_one_or_two():
    tray = kanoodle.TRAY
    for pocket, cramped in (([(0, 0)], True), ([(2, 4), (2, 5)], True), ([(2, 4), (3, 4)], True)):
        assert tray.cramped(tray.mask(pocket)) is cramped
    for pocket in ([(0, 0), (0, 1), (0, 2)], [(0, 0), (0, 1), (1, 0)], [(1, 1), (1, 2), (2, 1), (2, 2)], []):
        assert not tray.cramped(tray.mask(pocket))
    # The end of a row and the start of the next do not touch.
    assert tray.cramped(tray.mask([(0, 10), (1, 0), (1, 1), (1, 2)]))


# --- as text and its faults ------------------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(made(singles=2))
def test_every_puzzle_is_its_text_and_has_no_faults(board):
    kind, puzzle, answer = board
    assert kind.parse(kind.write(puzzle)) == puzzle
    assert kind.faults(puzzle) == []
    assert kind.holds(puzzle, answer)
    assert kind.contents(puzzle, answer)[2, 1] == answer[2][1]


def test_titles():
    assert pyramid.title(pyramid.parse(P355)) == "triangle of 55 balls, 2 pieces given"
    one = kanoodle.parse("iq a.......... JJJ........ .J......... ........... ...........")
    assert kanoodle.title(one) == "5 x 11 board, 1 piece given, 1 single ball, iq set"


@pytest.mark.parametrize(
    ("text", "complaint"), [("A BB", "rows of 1, 2, 3"), (P355.replace("HHH", "HZH"), "'Z' at row 5, place 2")]
)
def test_bad_text_is_refused_with_a_sentence(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        pyramid.parse(text)


REST = "........... ........... ..........."


@pytest.mark.parametrize(
    ("rows", "complaints"),
    [
        (
            "FF.FF...... F..F....... " + REST,
            ["piece F lies on the board twice, at row 1, place 1 and at row 1, place 4"],
        ),
        ("FFF........ ........... " + REST, ["what lies from row 1, place 1 on has not the shape of F"]),
        ("JJJ........ .J......... " + REST, ["has not the shape of J (it is the J of the iq set)"]),
        (
            "FF.F....... ........... " + REST,
            ["the balls of F fall into 2 parts, at row 1, place 1 and row 1, place 4"],
        ),
        ("FF......... ........... " + REST, ["piece F has 3 balls, but 2 are given, from row 1, place 1 on"]),
        ("FF......f.. F.......... " + REST, ["piece F lies there, and a single ball of it at another place"]),
        (
            "f........f. ........... " + REST,
            ["piece F cannot be laid over its ball at row 1, place 1 and row 1, place 10"],
        ),
        ("AA......... BBB........ " + REST, ["piece A has 4 balls, but 2", "piece B has 5 balls, but 3"]),
    ],
)
def test_faults_are_all_named(rows, complaints):
    found = kanoodle.faults(kanoodle.parse(rows))
    assert len(found) == len(complaints), found
    for sentence, complaint in zip(found, complaints, strict=True):
        assert complaint in sentence


def test_what_no_text_can_tell_is_named_too():
    assert "rows of 5 x 11 balls, not of 1, 2" in kanoodle.faults(Balls((".", "..")))[0]
    assert "no set 'xl'" in kanoodle.faults(Balls(("." * 11,) * 5, "xl"))[0]
    assert "'Q' at row 1, place 1" in kanoodle.faults(Balls(("Q" + "." * 10, *("." * 11,) * 4)))[0]


# --- solving ---------------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(made())
def test_answers_hold_are_complete_and_are_counted(board):
    kind, puzzle, answer = board
    found = list(kind.answers(puzzle, Budget()))
    assert answer in found
    assert len(set(found)) == len(found) == kind.count(puzzle, Budget())
    assert all(kind.holds(puzzle, one) for one in found)


@settings(max_examples=25, deadline=None)
@given(made(singles=3))
def test_single_balls_only_choose_among_the_answers(board):
    kind, puzzle, answer = board
    without = Balls(tuple("".join("." if b.islower() else b for b in row) for row in puzzle.rows), puzzle.pieces)
    kept = [
        one
        for one in kind.answers(without, Budget())
        if all(
            b in (".", b.upper(), a.lower())
            for row, full in zip(puzzle.rows, one, strict=True)
            for b, a in zip(row, full, strict=True)
        )
    ]
    assert sorted(kind.answers(puzzle, Budget())) == sorted(kept)
    assert answer in kept


def test_the_articles_problems():
    assert len(all_of(pyramid, P355)) == 1
    assert len(all_of(pyramid, P325)) == 2
    by_links = list(pyramid.answers(pyramid.parse(P325), Budget(), dancing_links.covers))
    assert by_links == all_of(pyramid, P325)


def test_a_full_board_is_its_own_answer_and_an_impossible_one_has_none():
    assert all_of(kanoodle, FIRST) == [tuple(FIRST.split())]
    walled = kanoodle.parse("...DDDD.... JJJJD...... " + REST)
    assert kanoodle.faults(walled) == []
    assert list(kanoodle.answers(walled, Budget())) == []


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ("...DDDD.... JJJJD...... " + REST, "the pocket at row 1 holds 3 balls, and no piece left fits"),
        ("..BBB...... A..BB...... AAA........ " + REST[12:], "the pocket at row 1 holds 4 balls, which no choice"),
        (".......C... DDDDCCCC... .D.......FF .........F. ...........", "at row 1 holds 7 balls, and the sizes of no"),
    ],
)
def test_a_pocket_that_cannot_be_filled_is_named(rows, complaint):
    found = kanoodle.explain(kanoodle.parse(rows), Budget())
    assert any(complaint in sentence for sentence in found), found


def test_a_solvable_board_needs_no_explanation():
    assert pyramid.explain(pyramid.parse(P355), Budget()) == []
    assert kanoodle.explain(kanoodle.parse(FIRST), Budget()) == []


def test_the_budget_is_kept():
    with pytest.raises(BudgetSpentError):
        list(pyramid.answers(empty(pyramid), Budget(nodes=1_000)))
    with pytest.raises(BudgetSpentError):
        pyramid.count(empty(pyramid), Budget(nodes=1_000))


# --- showing ---------------------------------------------------------------------------------------------------------


def test_marks_are_the_pieces_that_were_missing():
    puzzle = pyramid.parse(P355.replace("BB.", "BBl", 1))
    plain = pyramid.parse(P355)
    (answer,) = pyramid.answers(plain, Budget())
    marks = pyramid.marks(plain, answer)
    assert len(marks) == 10
    assert all(isinstance(mark, Ball) and mark.ink.like is None for mark in marks)
    given_cells = {cell for cells in plain.cells_of(LETTERS).values() for cell in cells}
    assert {cell for mark in marks for cell in mark.cells} == set(pyramid.TRAY.cells) - given_cells
    letter = answer[2][2]
    hinted = Balls((*puzzle.rows[:2], "BB" + letter.lower(), *puzzle.rows[3:]))
    assert [mark.ink.like for mark in pyramid.marks(hinted, answer) if mark.ink.like] == [(2, 2)]


def test_a_rehearsal_ends_with_all_pieces_laid():
    steps = []
    puzzle = kanoodle.parse(FIRST.replace("J", ".").replace("K", ".").replace("I", "."))
    kanoodle.rehearse(puzzle, Budget(), steps.append)
    missing = {(r, c) for r, row in enumerate(puzzle.rows) for c, ball in enumerate(row) if ball == "."}
    assert {cell for mark in steps[-1]() for cell in mark.cells} == missing
    assert len(steps[-1]()) == 3


def test_records_are_the_contract():
    puzzle = kanoodle.parse("iq " + "k.......... " + " ".join(["." * 11] * 4))
    assert kanoodle.puzzle_record(puzzle) == {"rows": ["K" + "." * 10, *["." * 11] * 4], "set": "iq"}
    assert kanoodle.answer_record(kanoodle.parse(FIRST), tuple(FIRST.split())) == {"rows": FIRST.split()}


def test_wrong_answers_do_not_hold():
    puzzle, answer = kanoodle.parse(FIRST.replace("J", ".")), tuple(FIRST.split())
    assert kanoodle.holds(puzzle, answer)
    assert not kanoodle.holds(puzzle, answer[:-1])
    assert not kanoodle.holds(puzzle, tuple(row.replace("J", "X") for row in answer))
    assert not kanoodle.holds(kanoodle.parse("iq " + FIRST.replace("J", ".")), answer)
    assert not kanoodle.holds(kanoodle.parse(" ".join(row[::-1] for row in puzzle.rows)), answer)
    assert not kanoodle.holds(puzzle, tuple(row.translate(str.maketrans("AB", "BA")) for row in answer))


# --- collections and known counts ------------------------------------------------------------------------------------


def test_collected_kanoodle_challenges_have_the_stated_answers():
    for told in shared_files.puzzles("kanoodle.jsonl"):
        if told.get("solutions") == 1:
            assert all_of(kanoodle, " ".join(told["rows"])) == [tuple(told["solution"])], told["id"]


@pytest.mark.slow
def test_the_harder_challenges_are_found_and_counted_alike():
    for told in shared_files.puzzles("kanoodle.jsonl"):
        if told.get("solutions") != 1:
            puzzle = kanoodle.parse(" ".join(told["rows"]))
            found = list(kanoodle.answers(puzzle, Budget()))
            assert 1 <= len(found) <= 3_753
            assert kanoodle.count(puzzle, Budget()) == len(found), told["id"]


@pytest.mark.parametrize(
    ("kind", "pieces", "answers"),
    [
        (kanoodle, "standard", 371_020),
        pytest.param(kanoodle, "iq", 4_331_140, marks=pytest.mark.slow),
        pytest.param(pyramid, "standard", 32_288, marks=pytest.mark.slow),
    ],
)
def test_known_counts_of_empty_trays(kind, pieces, answers):
    assert kind.count(empty(kind, pieces), Budget()) == answers


# The twelve pentominoes, each by one of its drawings.
PENTOMINOES = [".XX XX. .X.", "XXXXX", "X... XXXX", "XX.. .XXX", "XXX XX.", "XXX .X. .X.", "X.X XXX", "X.. X.. XXX"]
PENTOMINOES += ["X.. XX. .XX", ".X. XXX .X.", ".X.. XXXX", "XX. .X. .XX"]


def pentomino_boards(rows, cols, holes=()):
    """How many ways there are to lay all pentominoes on a board, symmetric copies counted."""
    tray = Tray("board", (cols,) * rows, grid_layout(rows, cols))
    gone = tray.mask(holes)
    pits = [tray.index[cell] for cell in sorted(tray.cells, key=lambda cell: cell[::-1]) if cell not in holes]
    options = []
    for name, drawn in enumerate(PENTOMINOES):
        points = [(x, y) for y, row in enumerate(drawn.split()) for x, ball in enumerate(row) if ball == "X"]
        ways = [lay for lay in lays(tray, normal(points)) if not lay & gone]
        options += [(f"piece {name}", *bits(lay)) for lay in ways]
    return count([*pits, *(f"piece {name}" for name in range(12))], options)


@pytest.mark.parametrize(
    ("rows", "cols", "answers"),
    [(3, 20, 8), (4, 15, 1_472), (5, 12, 4_040), pytest.param(6, 10, 9_356, marks=pytest.mark.slow)],
)
def test_known_counts_of_pentomino_boards(rows, cols, answers):
    assert pentomino_boards(rows, cols) == answers


@pytest.mark.slow
def test_known_count_of_the_chessboard_without_its_centre():
    assert pentomino_boards(8, 8, [(3, 3), (3, 4), (4, 3), (4, 4)]) == 520


def five_layers():
    """The pyramid of five layers as exact cover: pits (layer, row, col), pieces laid in any of its square lattices."""
    pits = [(z, r, c) for z in range(5) for r in range(5 - z) for c in range(5 - z)]
    number = {pit: index for index, pit in enumerate(pits)}
    # In half steps: a layer higher is one half step along each axis. Flat lattices and the two upright ones.
    at = {(2 * c + z, 2 * r + z, z): number[z, r, c] for z, r, c in pits}
    frames = [((2, 0, 0), (0, 2, 0)), ((1, 1, 1), (1, 1, -1)), ((1, -1, 1), (1, -1, -1))]
    return at, frames


@pytest.mark.slow
@pytest.mark.parametrize(("pieces", "answers"), [("standard", 2_448), ("iq", 26_720)])
def test_known_counts_of_the_pyramid_of_five_layers(pieces, answers):
    at, frames = five_layers()
    options = set()
    for letter, shape in shapes(pieces).items():
        for turned in orientations(shape):
            for u, v in frames:
                for x0, y0, z0 in at:
                    first = min(turned)
                    points = [
                        tuple(
                            o + (x - first[0]) * a + (y - first[1]) * b
                            for o, a, b in zip((x0, y0, z0), u, v, strict=True)
                        )
                        for x, y in turned
                    ]
                    if all(point in at for point in points):
                        options.add((letter, *sorted(at[point] for point in points)))
    # Too many pits are open at once for counting by states; the search takes some millions of nodes.
    assert exact_cover_count([*LETTERS, *at.values()], sorted(options)) == answers


def test_the_rules_are_one_class_for_both_trays():
    assert isinstance(pyramid.RULES, BallRules)
    assert isinstance(kanoodle.RULES, BallRules)
