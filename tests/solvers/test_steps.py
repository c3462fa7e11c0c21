"""Steps: forced, easiest first, from any begun board to the answer; what they say, and what stands."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from shared_files import puzzles

from samples.puzzles import balls as ball_makers
from samples.puzzles import knight as knight_maker
from samples.puzzles import queens as queens_maker
from samples.puzzles import regions as regions_maker
from samples.puzzles import stitch as stitch_maker
from samples.triazzle import random_puzzle
from solvepic.registry import KINDS, by_name
from solvers import kanoodle, pyramid, queens, stitch, triazzle
from solvers.budget import Budget
from solvers.marks import Text
from solvers.steps.step import CHOICE, TRYING, Placed

SHAPES = ((4, 5), (7, 5), (6, 8), (9, 7))


def made(name: str, rng: Random) -> Any:
    """A puzzle of a kind; with one answer where the kind asks for that."""
    makers = {
        "stitch": lambda: stitch_maker.make(rng, *rng.choice(SHAPES), unique=True)[0],
        "queens": lambda: regions_maker.make(rng, rng.randrange(5, 9))[0],
        "pyramid": lambda: ball_makers.make(rng, pyramid.RULES, given=6, unique=True)[0],
        "kanoodle": lambda: ball_makers.make(rng, kanoodle.RULES, pieces="iq", given=6, unique=True)[0],
        "triazzle": lambda: random_puzzle(np.random.default_rng(rng.randrange(99))),
        "knight": lambda: knight_maker.make(rng, rng.randrange(5, 9), 6),
    }
    return makers[name]()


def boards(name: str, count: int) -> Iterator[Any]:
    for seed in range(count):
        yield made(name, Random(seed))


def test_a_tray_whose_pieces_look_alike_is_told_to_its_end() -> None:
    """An exclusion was told by a look of which no piece was left."""
    tiles = "4,2,0 3,4,0 3,1,4 3,0,3 3,1,1 1,1,3 1,1,0 3,4,0 2,0,1 2,4,1 3,4,4 1,0,1 1,2,4 2,1,1 2,3,2 1,2,0"
    puzzle = triazzle.parse(f"equal {tiles} / 3 0 2 4 2 4 3 2 0 2 1 3")
    guide = by_name("triazzle").guide
    assert len(list(guide.steps(*guide.begun(puzzle), Budget()))) == triazzle.SLOTS


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
class TestEveryKind:
    def test_steps_lead_from_what_stands_to_the_answer(self, kind: Any) -> None:
        guide = kind.guide
        for puzzle in boards(kind.name, 4):
            begun, standing = guide.begun(puzzle)
            answers = list(islice(guide.completions(begun, standing, Budget()), 2))
            steps = list(guide.steps(begun, standing, Budget()))
            assert {step.rule for step in steps} <= set(guide.RULES)
            laid = {*standing, *(step.placed for step in steps)}
            assert len(laid) == len(standing) + len(steps), "a step is open: it places what does not stand"
            (whole,) = guide.completions(begun, laid, Budget())
            assert set(guide.placings(begun, whole)) == laid
            assert kind.rules.holds(puzzle, whole)
            if kind.asks_unique and len(answers) == 1:
                assert laid == set(guide.placings(begun, answers[0])), "a step that is not forced is a bug"
                assert all(step.rule != CHOICE for step in steps)

    def test_a_third_begun_goes_on_the_same_way(self, kind: Any) -> None:
        guide = kind.guide
        for seed, puzzle in enumerate(boards(kind.name, 3)):
            begun, standing = guide.begun(puzzle)
            first = list(guide.steps(begun, standing, Budget()))
            third = [step.placed for step in first]
            some = third[: len(third) // 3] if not kind.asks_unique else Random(seed).sample(third, len(third) // 3)
            rest = list(guide.steps(begun, [*standing, *some], Budget()))
            assert {step.placed for step in rest}.isdisjoint([*standing, *some])
            (whole,) = guide.completions(begun, [*standing, *some, *(step.placed for step in rest)], Budget())
            assert kind.rules.holds(puzzle, whole)

    def test_what_cannot_stand_has_no_steps_and_no_completion(self, kind: Any) -> None:
        guide = kind.guide
        puzzle = made(kind.name, Random(1))
        begun, standing = guide.begun(puzzle)
        odd = Placed(tuple(sorted(kind.rules.layout(puzzle).cells)), "A")
        assert not list(guide.completions(begun, [*standing, odd], Budget(nodes=100_000)))
        assert not list(guide.steps(begun, [*standing, odd], Budget(nodes=100_000)))

    def test_what_stands_and_the_rest_are_the_puzzle(self, kind: Any) -> None:
        puzzle = made(kind.name, Random(2))
        begun, standing = kind.guide.begun(puzzle)
        assert kind.guide.begun(begun) == (begun, ())
        found = next(kind.guide.completions(begun, standing, Budget()))
        assert kind.rules.holds(puzzle, found)


def test_a_stitch_clue_with_one_place_comes_first() -> None:
    puzzle = stitch.parse("2 . . 4 / 3 . . . / . 3 . .")
    first = next(by_name("stitch").guide.steps(puzzle, (), Budget()))
    assert first.rule == "only one place left for this clue"


def test_a_stitch_reason_names_what_it_rests_on() -> None:
    puzzle = stitch.parse(
        ". . . . . . 10 . . . / 4 . . 6 . . . . . . /"
        ". . . . . . . . . . / . 6 . 2 . . . 12 . . /"
        ". . . . . . . . . 10 / . . . . . . . . 4 . /"
        ". . . . . . 12 4 . . / . . . . . . . . . . /"
        ". . 12 . . . 4 . 4 . / . . . . 10 . . . . ."
    )
    (step,) = (step for step in by_name("stitch").guide.steps(puzzle, (), Budget()) if "r9c3" in step.because)
    assert step.rule == "this rectangle would leave a clue or a cell without a place"
    assert step.because == (
        "only the 12 at r9c3 reaches r7c1; the 12 at r9c3 covers r7c2 wherever it lies; the 6 at r4c2 on r4c2-r6c3"
        " would leave r6c1 uncovered; so only the 12 at r9c3 reaches r6c3, and only as r6c1-r9c3"
    )
    assert {(8, 2), (6, 0), (6, 1), (3, 1), (5, 0), (5, 2)} == set(step.cells)


def test_of_pieces_that_look_alike_those_that_lie_right_stay() -> None:
    # Pieces 3 and 6 look alike, and 3 lies right.
    tiles = "0,3,11 3,5,1 8,9,10 10,7,8 1,4,9 8,9,10 3,0,11 8,10,5 4,2,1 6,11,4 4,4,10 9,5,1 2,5,8 2,9,11 5,9,0 11,6,6"
    puzzle = triazzle.parse(f"halves {tiles} / 2 10 3 8 0 11 0 7 7 10 11 1")
    lying = {triazzle.slot_cell(slot): ",".join(map(str, tile)) for slot, tile in enumerate(puzzle.tiles)}
    steps = list(by_name("triazzle").guide.steps(puzzle, (), Budget()))
    assert len(steps) == triazzle.SLOTS
    for step in steps:
        assert bool(step.marks) is (lying[step.placed.cells[0]] != step.placed.name)


def test_a_tray_that_lies_right_is_complete() -> None:
    puzzle = made("triazzle", Random(3))
    guide = by_name("triazzle").guide
    answer = next(triazzle.answers(puzzle, Budget()))
    shown = triazzle.contents(puzzle, answer)
    solved = replace(puzzle, tiles=tuple(shown[triazzle.slot_cell(slot)] for slot in range(triazzle.SLOTS)))
    begun, standing = guide.begun(solved)
    assert len(standing) == triazzle.SLOTS
    assert not list(guide.steps(begun, standing, Budget()))


def test_several_answers_are_said_to_be_several() -> None:
    guide = by_name("queens").guide
    puzzle, _ = queens_maker.make(Random(4), 8, 1)
    begun, standing = guide.begun(puzzle)
    assert next(guide.steps(begun, standing, Budget())).rule == CHOICE


def test_the_knight_goes_where_the_fewest_ways_lead_on() -> None:
    kind = by_name("knight")
    steps = list(kind.guide.steps(kind.rules.parse("N7/8/8/8/8/8/8/8"), (), Budget()))
    assert len(steps) == 63
    assert sum(step.rule == TRYING for step in steps) == 0
    assert "ways on" in steps[5].because


@pytest.mark.slow
def test_the_collected_shikaku_boards_that_rules_alone_solve() -> None:
    guide = by_name("stitch").guide
    boards = [one for one in puzzles("shikaku.jsonl") if one["unique"] and one["rows"] * one["cols"] <= 700]
    alone = 0
    for one in boards:
        puzzle = stitch.Stitch(tuple(map(tuple, one["clues"])))
        want = set(guide.placings(puzzle, next(stitch.answers(puzzle, Budget()))))
        steps = list(guide.steps(puzzle, (), Budget()))
        assert {step.placed for step in steps} == want
        alone += all(step.rule != TRYING for step in steps)
    assert (alone, len(boards)) == (537, 573)


@pytest.mark.slow
def test_the_collected_levels_of_regions_that_rules_alone_solve() -> None:
    guide = by_name("queens").guide
    levels = [one for one in puzzles("queens_regions.jsonl") if one["id"].startswith("linkedin")]
    alone = 0
    for one in levels:
        puzzle = queens.Puzzle(one["n"], (), tuple(map(tuple, one["regions"])))
        want = set(guide.placings(puzzle, queens.Answer(tuple(one["queens"]))))
        steps = list(guide.steps(puzzle, (), Budget()))
        assert {step.placed for step in steps} == want
        alone += all(step.rule != TRYING for step in steps)
    assert len(levels) == 712
    assert alone >= 706


def test_texts_of_steps_have_letters_that_the_painter_has() -> None:
    puzzle = queens.parse("Q7/8/8/5Q2/8/8/1Q6/8")
    standing = by_name("queens").guide.begun(puzzle)[1]
    steps = by_name("queens").guide.steps(puzzle, standing, Budget())
    texts = [mark.text for step in steps for mark in step.marks if isinstance(mark, Text)]
    assert texts
    assert all(text.isascii() for text in texts)
