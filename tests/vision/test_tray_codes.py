"""Codes and their proof from likenesses alone: told exactly, told with noise, told wrongly."""

from itertools import islice

import numpy as np
import pytest

from samples.triazzle import random_puzzle
from solvers import triazzle
from solvers.budget import Budget
from solvers.triazzle import SLOTS, TRAY, Puzzle
from vision.trays.codes import CHANCE, EQUAL_CHANCE, Fit, believed, equals, halves, joined
from vision.trays.evidence import REFUTED, Evidence, Judgement, judge


def told(puzzle: Puzzle, noise: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Likeness and continuity as a noisy eye sees them."""
    rng = np.random.default_rng(seed)
    labels = np.array([c for tile in puzzle.tiles for c in tile] + [c for c in puzzle.border if c is not None])
    mates = np.array([puzzle.mate(int(c)) for c in labels])
    rough, torn = rng.normal(0, noise, (2, 60, 60))
    similarity = 0.7 * np.equal.outer(labels, labels) + (rough + rough.T) / 2
    np.fill_diagonal(similarity, 1)
    return similarity, 0.5 * np.equal.outer(labels, mates) + (torn + torn.T) / 2


def puzzle_of(judgement: Judgement, equal: bool) -> Puzzle:
    tiles = tuple(judgement.codes[3 * s : 3 * s + 3] for s in range(SLOTS))
    return Puzzle(tiles, judgement.codes[48:], "equal" if equal else "halves")


def answers(puzzle: Puzzle) -> list[triazzle.Answer]:
    return list(islice(triazzle.answers(puzzle, Budget()), 9))


@pytest.mark.parametrize(("seed", "several"), [(0, False), (1, False), (2, True), (3, True)])
def test_noisy_halves_are_coded_and_arranged(seed: int, several: bool) -> None:
    puzzle = random_puzzle(np.random.default_rng(seed), "halves", 6, several=several)
    similarity, continuity = told(puzzle, 0.15, seed)
    judgement = judge(
        Evidence(TRAY, similarity, continuity),
        believed(halves(TRAY, similarity, continuity, Budget()), CHANCE),
        equal=False,
    )
    assert judgement.rivals == ()
    found = answers(puzzle_of(judgement, equal=False))
    assert set(found) == set(answers(puzzle))
    assert triazzle.Answer(judgement.placed) in found


@pytest.mark.parametrize("colours", [5, 6])
def test_dots_are_coded_and_arranged(colours: int) -> None:
    puzzle = random_puzzle(np.random.default_rng(colours), "equal", colours)
    similarity = np.clip(told(puzzle, 0.05, 1)[0] + 0.25 * (told(puzzle, 0.0, 1)[0] > 0.5), 0, 1)
    fits = believed(equals(TRAY, similarity, Budget()), EQUAL_CHANCE)
    judgement = judge(Evidence(TRAY, similarity, None), fits, equal=True)
    assert judgement.rivals == ()
    assert triazzle.holds(puzzle, triazzle.Answer(judgement.placed))
    assert answers(puzzle_of(judgement, equal=True)) == [triazzle.Answer(judgement.placed)]


def test_two_paints_much_alike_are_not_taken_for_one() -> None:
    puzzle = random_puzzle(np.random.default_rng(7), "equal", 6)
    shown = np.array([code for tile in puzzle.tiles for code in tile] + list(puzzle.border), dtype=np.int64)
    similarity = np.where(
        np.equal.outer(shown, shown), 1.0, np.where(np.equal.outer(shown // 2, shown // 2), 0.58, 0.1)
    )
    similarity[np.ix_(shown < 4, shown < 4)] = np.equal.outer(shown[shown < 4], shown[shown < 4])
    judgement = judge(
        Evidence(TRAY, similarity, None),
        believed(equals(TRAY, similarity, Budget()), EQUAL_CHANCE),
        equal=True,
    )
    assert not judgement.rivals
    assert triazzle.holds(puzzle, triazzle.Answer(judgement.placed))


def test_edge_that_looks_like_nothing_is_placed_by_the_others() -> None:
    puzzle = random_puzzle(np.random.default_rng(11), "halves", 6)
    similarity, continuity = told(puzzle, 0.05, 11)
    for edge in (10, 50):
        similarity[edge, :] = similarity[:, edge] = 0.02
    fits = believed(halves(TRAY, similarity, continuity, Budget()), CHANCE)
    assert triazzle.holds(puzzle, triazzle.Answer(fits[0].placed))


def test_joints_of_other_halves_speak_against_an_arrangement() -> None:
    puzzle = random_puzzle(np.random.default_rng(2), "halves", 6, several=True)
    evidence = Evidence(TRAY, *told(puzzle, 0.15, 2))
    one, other = (answer.placed for answer in answers(puzzle)[:2])
    assert abs(evidence.weigh(one) - evidence.weigh(other)) < REFUTED
    (piece, turn), *rest = one
    assert evidence.weigh(((piece, (turn + 1) % 3), *rest)) < evidence.weigh(one) - REFUTED


def test_arrangement_of_another_grouping_that_is_as_good_is_a_rival() -> None:
    puzzle = random_puzzle(np.random.default_rng(2), "halves", 6, several=True)
    similarity, continuity = told(puzzle, 0.05, 2)
    fits = believed(halves(TRAY, similarity, continuity, Budget()), CHANCE)
    one, other = (answer.placed for answer in answers(puzzle)[:2])
    blind = np.full_like(similarity, 0.3)  # an eye to which all edges look the same cannot choose
    assert judge(Evidence(TRAY, blind, blind), [Fit(fits[0].hypothesis, one, 0, -20, other)], equal=False).rivals


def test_random_likenesses_are_not_believed() -> None:
    rng = np.random.default_rng(12)
    order = rng.permutation(60)
    puzzle = random_puzzle(rng, "halves", 6)
    similarity, continuity = told(puzzle, 0.1, 12)
    nonsense = similarity[np.ix_(order, order)], continuity[np.ix_(order, order)]
    assert believed(halves(TRAY, *nonsense, Budget()), CHANCE) == []


def test_joined_edges_of_the_pieces_as_they_lie() -> None:
    pairs = joined(TRAY, tuple((slot, 0) for slot in range(SLOTS)))
    assert len(pairs) == 30
    assert sorted(e for pair in pairs for e in pair) == list(range(60))
    assert pairs[0] == (3 * TRAY.inner[0][0][0] + TRAY.inner[0][0][1], 3 * TRAY.inner[0][1][0] + TRAY.inner[0][1][1])
