"""Grouping by likeness and pairing of groups, without pictures."""

import numpy as np

from vision.trays.codes import levels, matings, membership


def likeness(labels: list[int], noise: float, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    same = np.equal.outer(labels, labels) * 0.7
    rough = rng.normal(0, noise, same.shape)
    similarity = same + (rough + rough.T) / 2
    np.fill_diagonal(similarity, 1)
    return similarity


def test_level_of_the_widest_gap_is_the_truth() -> None:
    labels = [k % 7 for k in range(60)]
    best = max(levels(likeness(labels, 0.1), 0.9, 0.1), key=lambda level: level.gap)
    assert sorted(map(sorted, best.groups)) == [[k for k in range(60) if labels[k] == c] for c in range(7)]


def test_levels_get_coarser_one_by_one() -> None:
    found = levels(likeness([0, 0, 1, 1, 2, 2], 0.05), 2.0, -1.0)
    assert [len(level.groups) for level in found] == [6, 5, 4, 3, 2]
    assert all(sorted(e for group in level.groups for e in group) == list(range(6)) for level in found)


def test_membership_leaves_the_edge_itself_out() -> None:
    similarity = np.array([[1.0, 0.5, 0.1], [0.5, 1.0, 0.2], [0.1, 0.2, 1.0]])
    like = membership(((0, 1), (2,)), similarity)
    assert np.allclose(like, [[0.5, 0.1], [0.5, 0.2], [0.15, -1.0]])


def test_matings_come_by_cost_and_miss_none() -> None:
    rng = np.random.default_rng(1)
    rough = rng.uniform(0, 5, (6, 6))
    cost = rough + rough.T
    np.fill_diagonal(cost, np.inf)
    found = matings(cost, 100, 10_000)
    assert len(found) == 15  # 5 * 3 * 1 ways to pair six
    assert [m.cost for m in found] == sorted(m.cost for m in found)
    for mating in found:
        assert all(mating.mates[mating.mates[g]] == g != mating.mates[g] for g in range(6))
        assert np.isclose(mating.cost, sum(cost[g, m] for g, m in enumerate(mating.mates)) / 2)


def test_group_may_fit_itself_where_that_is_allowed() -> None:
    cost = np.array([[1.0, np.inf], [np.inf, 2.0]])
    assert [(m.mates, m.cost) for m in matings(cost, 5, 100)] == [((0, 1), 3.0)]
    assert matings(np.full((2, 2), np.inf), 5, 100) == []
