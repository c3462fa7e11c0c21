"""Codes and their proof from likenesses alone: told exactly, told with noise, told wrongly."""

import numpy as np
import pytest

from samples.triazzle import random_puzzle
from solvers import triazzle
from solvers.budget import Budget
from solvers.triazzle import SLOTS, TRAY, Puzzle
from vision.trays.codes import CHANCE, EQUAL_CHANCE, HEARD, Fit, believed, codes, equals, halves, joined


def told(puzzle: Puzzle, noise: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Likeness and continuity as a noisy eye sees them."""
    rng = np.random.default_rng(seed)
    labels = np.array([c for tile in puzzle.tiles for c in tile] + [c for c in puzzle.border if c is not None])
    mates = np.array([puzzle.mate(int(c)) for c in labels])
    rough, torn = rng.normal(0, noise, (2, 60, 60))
    alike = 0.7 * np.equal.outer(labels, labels) + (rough + rough.T) / 2
    np.fill_diagonal(alike, 1)
    return alike, 0.5 * np.equal.outer(labels, mates) + (torn + torn.T) / 2


def read_back(fit: Fit, alike: np.ndarray, equal: bool) -> Puzzle:
    told_codes = codes(TRAY, fit, alike, equal)
    tiles = tuple(tuple(told_codes[3 * s : 3 * s + 3]) for s in range(SLOTS))
    return Puzzle(tiles, tuple(told_codes[48:]), "equal" if equal else "halves")


@pytest.mark.parametrize("seed", range(4))
def test_noisy_halves_are_coded_and_arranged(seed: int) -> None:
    puzzle = random_puzzle(np.random.default_rng(seed), "halves", 6)
    alike, runs_on = told(puzzle, 0.15, seed)
    fit = believed(halves(TRAY, alike, runs_on, Budget()), CHANCE, HEARD)
    assert fit is not None
    assert triazzle.holds(puzzle, triazzle.Answer(fit.placed))
    assert triazzle.holds(read_back(fit, alike, equal=False), triazzle.Answer(fit.placed))


@pytest.mark.parametrize("colours", [5, 6])
def test_dots_are_coded_and_arranged(colours: int) -> None:
    puzzle = random_puzzle(np.random.default_rng(colours), "equal", colours)
    alike = np.clip(told(puzzle, 0.05, 1)[0] + 0.25 * (told(puzzle, 0.0, 1)[0] > 0.5), 0, 1)
    fit = believed(equals(TRAY, alike, Budget()), EQUAL_CHANCE)
    assert fit is not None
    assert triazzle.holds(puzzle, triazzle.Answer(fit.placed))
    assert list(triazzle.answers(read_back(fit, alike, equal=True), Budget())) == [triazzle.Answer(fit.placed)]


def test_edge_that_looks_like_nothing_is_placed_by_the_others() -> None:
    puzzle = random_puzzle(np.random.default_rng(11), "halves", 6)
    alike, runs_on = told(puzzle, 0.05, 11)
    for edge in (10, 50):
        alike[edge, :] = alike[:, edge] = 0.02
    fit = believed(halves(TRAY, alike, runs_on, Budget()), CHANCE, HEARD)
    assert fit is not None
    assert triazzle.holds(puzzle, triazzle.Answer(fit.placed))


def test_random_likenesses_are_not_believed() -> None:
    rng = np.random.default_rng(12)
    order = rng.permutation(60)
    puzzle = random_puzzle(rng, "halves", 6)
    alike, runs_on = told(puzzle, 0.1, 12)
    nonsense = alike[np.ix_(order, order)], runs_on[np.ix_(order, order)]
    assert believed(halves(TRAY, *nonsense, Budget()), CHANCE, HEARD) is None


def test_joined_edges_of_the_pieces_as_they_lie() -> None:
    pairs = joined(TRAY, tuple((slot, 0) for slot in range(SLOTS)))
    assert len(pairs) == 30
    assert sorted(e for pair in pairs for e in pair) == list(range(60))
    assert pairs[0] == (3 * TRAY.inner[0][0][0] + TRAY.inner[0][0][1], 3 * TRAY.inner[0][1][0] + TRAY.inner[0][1][1])
