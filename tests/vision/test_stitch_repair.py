"""The rules correct the reader: planted errors are put right or named, never passed over."""

import itertools
import math
import random
from collections.abc import Sequence

import pytest

from samples.puzzles.stitch import make
from solvers.budget import Budget
from solvers.stitch import Stitch, parse
from vision.clues import repair
from vision.clues.beliefs import NO_CLUE, Belief, alike
from vision.clues.repair import NODES_IN_ALL, cheapest_first, settle
from vision.reading import Repair

BOARD = parse(". 4 6 . .\n. . . . .\n. 5 . . .\n. 2 3 . .")


def blank(puzzle: Stitch) -> Stitch:
    return Stitch(tuple(tuple(None if clue is None else 0 for clue in row) for row in puzzle.clues))


def sure(puzzle: Stitch, p: float = 0.97) -> dict[tuple[int, ...], Belief]:
    return {cell: Belief(cell, ((puzzle.clue(cell) or 0, p),)) for cell in puzzle.clue_cells}


def made(seed: int) -> Stitch:
    return make(random.Random(seed), 9, 7, unique=True)[0]


def test_a_confident_reading_is_left_alone() -> None:
    puzzle = made(1)
    settled = settle(blank(puzzle), list(sure(puzzle).values()), Budget())
    assert settled.puzzle.clues == puzzle.clues
    assert not settled.repairs
    assert not settled.doubts


@pytest.mark.parametrize("seed", range(6))
def test_a_misread_digit_is_put_right(seed: int) -> None:
    puzzle = made(seed)
    beliefs = sure(puzzle)
    cell = random.Random(seed).choice(puzzle.clue_cells)
    true = puzzle.clue(cell) or 0
    wrong = true + 2
    beliefs[cell] = Belief(cell, ((wrong, 0.6), (true, 0.3)))
    settled = settle(blank(puzzle), list(beliefs.values()), Budget())
    assert settled.puzzle.clues == puzzle.clues
    assert settled.repairs == (Repair(cell, str(wrong), str(true)),)


def test_a_choice_between_two_numbers_is_little_of_a_repair() -> None:
    # Two of five clues: numbers that the reader named are put right, others would leave too little of the board.
    beliefs = sure(BOARD)
    named = {(0, 1): ((9, 0.6), (4, 0.25)), (3, 2): ((12, 0.6), (3, 0.25))}
    corrected = settle(blank(BOARD), list((beliefs | {c: Belief(c, o) for c, o in named.items()}).values()), Budget())
    assert corrected.puzzle.clues == BOARD.clues
    unread = {cell: Belief(cell, ((NO_CLUE, 0.5),), unread=0.5) for cell in named}
    assert settle(blank(BOARD), list((beliefs | unread).values()), Budget()).doubts


def test_a_number_that_could_not_be_read_follows_from_the_rest() -> None:
    puzzle = made(3)
    beliefs = sure(puzzle)
    cell = puzzle.clue_cells[2]
    beliefs[cell] = Belief(cell, ((NO_CLUE, 0.5),), unread=0.5)
    settled = settle(blank(puzzle), list(beliefs.values()), Budget())
    assert settled.puzzle.clues == puzzle.clues
    assert [repair.cell for repair in settled.repairs] == [cell]


def test_what_is_no_clue_is_dropped() -> None:
    puzzle = made(4)
    beliefs = sure(puzzle)
    empty = next(cell for cell in puzzle.cells if not puzzle.clue(cell))
    beliefs[empty] = Belief(empty, ((NO_CLUE, 0.5), (3, 0.5)))
    settled = settle(blank(puzzle), list(beliefs.values()), Budget())
    assert settled.puzzle.clues == puzzle.clues


@pytest.mark.parametrize(("unread", "is_clue"), [(0.1, True), (0.005, False)])
def test_what_hardly_stands_out_is_a_clue_where_one_is_lacking(unread: float, is_clue: bool) -> None:
    # What is as good as bare is none: the one that is lacking may not have been seen at all.
    puzzle = made(0)
    beliefs = sure(puzzle)
    cell = puzzle.clue_cells[1]
    beliefs[cell] = Belief(cell, ((NO_CLUE, 1 - unread),), unread=unread)
    settled = settle(blank(puzzle), list(beliefs.values()), Budget())
    assert (settled.puzzle.clues == puzzle.clues) is is_clue
    assert [repair.cell for repair in settled.repairs] == [cell] * is_clue
    assert bool(settled.doubts) is not is_clue


def test_of_two_sets_of_clues_a_closer_look_tells() -> None:
    # Two unread clues whose cells may be shared out in several ways.
    puzzle = parse("? . . ? / . 4 . . ".replace("?", "2"))
    unread = {cell: Belief(cell, ((NO_CLUE, 0.5),), unread=0.5) for cell in ((0, 0), (0, 3))}
    beliefs = list((sure(puzzle) | unread).values())
    asked = []

    def closer(seen: Sequence[Belief]) -> list[Belief]:
        asked.append(1)
        return [belief.sharper({2: 50.0}) if belief.cell in unread else belief for belief in seen]

    assert settle(blank(puzzle), beliefs, Budget()).doubts
    settled = settle(blank(puzzle), beliefs, Budget(), closer)
    assert settled.puzzle.clues == puzzle.clues
    settle(blank(puzzle), list(sure(puzzle).values()), Budget(), closer)
    assert len(asked) == 1  # what is plain needs no closer look


def test_a_clue_on_a_cell_that_seemed_bare_is_found_by_a_closer_look_and_named() -> None:
    puzzle = parse("3 . . 2 2 / . 3 . . . ")
    beliefs = [belief for cell, belief in sure(puzzle).items() if cell != (0, 3)]
    faint = Belief((0, 3), ((NO_CLUE, 0.7), (2, 0.3)))
    assert settle(blank(puzzle), beliefs, Budget()).doubts
    settled = settle(blank(puzzle), beliefs, Budget(), lambda seen: [*seen, faint])
    assert settled.puzzle.clues == puzzle.clues
    assert [(one.cell, one.read, one.used) for one in settled.repairs] == [((0, 3), "", "2")]


def test_what_only_a_closer_look_told_was_not_read() -> None:
    # A board less a row must not be taken for a whole one because the number that fits it was found so.
    puzzle = made(1)
    unread = puzzle.clue_cells[0]
    value = puzzle.clue(unread) or 0
    beliefs = list((sure(puzzle) | {unread: Belief(unread, ((NO_CLUE, 0.5),), unread=0.5)}).values())
    settled = settle(
        blank(puzzle), beliefs, Budget(), lambda seen: [b.sharper({value: 500.0}) if b.unread else b for b in seen]
    )
    assert settled.puzzle.clues == puzzle.clues
    assert settled.repairs == (Repair(unread, "", str(value)),)


def test_numbers_that_a_closer_look_found_next_to_impossible_are_not_tried() -> None:
    # Every clue is a little doubtful, as on a blurred photo: with any number on each there are too many answers.
    puzzle = made(1)
    numbers = {cell: puzzle.clue(cell) or 0 for cell in puzzle.clue_cells}
    beliefs = []
    for cell, value in numbers.items():
        told = dict.fromkeys(range(1, 31), 1e-7) | {value: 0.78}
        beliefs.append(Belief(cell, tuple(sorted(told.items(), key=lambda option: -option[1]))))
    lost = numbers[beliefs[0].cell]
    beliefs[0] = Belief(beliefs[0].cell, ((lost + 2, 0.55), (lost, 0.3)))
    settled = settle(blank(puzzle), beliefs, Budget())
    assert settled.puzzle.clues == puzzle.clues
    assert not settled.doubts


def test_what_stays_open_is_a_doubt() -> None:
    # Two dominoes side by side: whichever way the second clue reads, nothing fits.
    puzzle = parse("2 .\n. 5")
    settled = settle(blank(puzzle), list(sure(puzzle).values()), Budget())
    assert settled.doubts


@pytest.mark.parametrize("seed", range(8))
def test_a_clue_that_was_not_seen_is_missed_and_no_other_changed_for_it(seed: int) -> None:
    puzzle = made(seed)
    lost = random.Random(seed).choice(puzzle.clue_cells)
    beliefs = [belief for cell, belief in sure(puzzle).items() if cell != lost]
    settled = settle(blank(puzzle), beliefs, Budget())
    assert not settled.repairs
    assert str(puzzle.clue(lost)) in {doubt.read for doubt in settled.doubts}


def test_an_unlikely_swap_is_not_made_where_a_clue_may_be_missing() -> None:
    # With 16 for 6, the 10 cells of the rectangle that lost its clue are covered as well.
    settled = settle(Stitch(((0,) * 8, (0,) * 8)), [Belief((0, 0), ((6, 0.97),))], Budget())
    assert not settled.repairs
    assert "10" in {doubt.read for doubt in settled.doubts}


@pytest.mark.slow
def test_planted_errors_are_put_right_or_named() -> None:
    right = wrong = 0
    for seed in range(60):
        rng = random.Random(seed)
        puzzle = made(seed)
        beliefs = sure(puzzle)
        for cell in rng.sample(puzzle.clue_cells, rng.choice((1, 2))):
            true = puzzle.clue(cell) or 0
            seen = max(1, true + rng.choice((-3, -2, 2, 3)))
            beliefs[cell] = rng.choice(
                (Belief(cell, ((seen, 0.6), (true, 0.2))), Belief(cell, ((NO_CLUE, 0.5),), unread=0.5))
            )
        settled = settle(blank(puzzle), list(beliefs.values()), Budget())
        if not settled.doubts:
            right += settled.puzzle.clues == puzzle.clues
            wrong += settled.puzzle.clues != puzzle.clues
    assert wrong == 0
    # What is left has two unread clues side by side, whose numbers several answers allow.
    assert right >= 55


@pytest.mark.parametrize(
    ("one", "other", "same"), [("3", "8", True), ("13", "18", True), ("4", "40", True), ("3", "4", False)]
)
def test_look_alikes(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is same


def test_what_nobody_thought_of_is_shared_out_among_look_alikes() -> None:
    belief = Belief((0, 0), ((1, 0.8),))
    likely = [math.exp(-belief.cost(value)) for value in range(2, 31) if alike("1", str(value))]
    assert sum(likely) < 1 - belief.sure


def test_a_hopeless_board_costs_nodes_not_seconds() -> None:
    puzzle = made(5)
    beliefs = sure(puzzle)
    for cell in puzzle.clue_cells[:3]:
        beliefs[cell] = Belief(cell, (((puzzle.clue(cell) or 0) + 5, 0.97),))
    budget = Budget()
    assert settle(blank(puzzle), list(beliefs.values()), budget).doubts
    questions = math.comb(len(puzzle.clue_cells), 2)
    assert questions < budget.spent < 2 * NODES_IN_ALL


@pytest.mark.parametrize(("unread", "spent"), [(6, True), (7, False)])
def test_a_board_of_which_most_could_not_be_read_costs_nothing(unread: int, spent: bool) -> None:
    """Which marks are clues is open in more ways than are looked at: nothing that is found would be believed."""
    puzzle = made(1)
    beliefs = sure(puzzle)
    cells = [(row, col) for row in range(puzzle.rows) for col in range(puzzle.cols) if (row, col) not in beliefs]
    beliefs |= {cell: Belief(cell, ((NO_CLUE, 0.4),), unread=0.4) for cell in cells[:unread]}
    budget = Budget()
    settled = settle(blank(puzzle), list(beliefs.values()), budget)
    assert bool(budget.spent) == spent
    assert settled.puzzle.clues == puzzle.clues
    assert {doubt.cell for doubt in settled.doubts} == set(cells[:unread]) or spent


def test_choices_come_cheapest_first_and_all_of_them_once() -> None:
    rng = random.Random(5)
    cells = [[(option, rng.random()) for option in range(count)] for count in (3, 2, 4, 1, 2)]
    found = list(cheapest_first(cells))
    costs = {tuple(o for o, _ in one): sum(cost for _, cost in one) for one in itertools.product(*cells)}
    assert [choice for choice, _ in found] == sorted(costs, key=lambda choice: costs[choice])
    assert all(math.isclose(cost, costs[choice]) for choice, cost in found)
    assert list(cheapest_first([[(1, 0.0)], []])) == []


def faintly(puzzle: Stitch, seed: int) -> list[Belief]:
    """Three clues and three specks, all as likely to be clues as not: one of 64 choices is right."""
    rng = random.Random(seed)
    empty = [cell for cell in puzzle.cells if not puzzle.clue(cell)]
    values = {cell: puzzle.clue(cell) or 0 for cell in rng.sample(puzzle.clue_cells, 3)}
    values |= dict.fromkeys(rng.sample(empty, 3), 3)
    faint = {cell: Belief(cell, ((NO_CLUE, 0.5), (value, 0.48))) for cell, value in values.items()}
    return list((sure(puzzle) | faint).values())


@pytest.mark.parametrize("seed", range(3))
def test_clues_that_hardly_stand_out_are_found_together(seed: int) -> None:
    puzzle = made(seed)
    settled = settle(blank(puzzle), faintly(puzzle, seed), Budget())
    assert settled.puzzle.clues == puzzle.clues
    assert len(settled.repairs) == 3
    assert not settled.doubts


def test_what_was_not_looked_for_may_be_likelier_than_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = made(1)
    monkeypatch.setattr(repair, "MORE_CHOICES", 60)  # the right one is among them, and some as likely are not
    settled = settle(blank(puzzle), faintly(puzzle, 1), Budget())
    assert settled.doubts
    assert not settled.repairs
