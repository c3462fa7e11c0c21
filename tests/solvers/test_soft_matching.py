from itertools import permutations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from solvers.budget import Budget
from solvers.edge_matching import Placed, triangle_tray
from solvers.soft_matching import rank_arrangements

SMALL = triangle_tray(2)
Scores = NDArray[np.float64]


def scores(seed: int) -> tuple[Scores, Scores]:
    rng = np.random.default_rng(seed)
    joints = rng.random((4, 3, 4, 3))
    return (joints + joints.transpose(2, 3, 0, 1)) / 2, rng.random((6, 4, 3))


def ranked_by_trying(joints: Scores, frame: Scores, plausible: float = -np.inf) -> list[tuple[float, Placed]]:
    found = []
    for order in permutations(range(4)):
        for turns in product(range(3), repeat=4):
            placed = tuple(zip(order, turns, strict=True))
            lies = {(slot, (e + turn) % 3): (piece, e) for slot, (piece, turn) in enumerate(placed) for e in range(3)}
            parts = [joints[(*lies[a], *lies[b])] for a, b in SMALL.inner]
            parts += [
                0.0 if np.isnan(frame[k]).any() else frame[(k, *lies[edge])] for k, edge in enumerate(SMALL.outer)
            ]
            if all(part >= plausible or part == 0.0 for part in parts):
                found.append((float(sum(parts)), placed))
    return sorted(found, reverse=True)


@pytest.mark.parametrize("seed", range(12))
def test_the_best_arrangements_are_found_exactly(seed: int) -> None:
    joints, frame = scores(seed)
    tried = ranked_by_trying(joints, frame)
    ranking = rank_arrangements(SMALL, joints, frame, 0.0, at_most=3)
    assert [scored.placed for scored in ranking.best] == [placed for _, placed in tried[:3]]
    assert np.allclose([scored.score for scored in ranking.best], [score for score, _ in tried[:3]])
    assert ranking.margin == pytest.approx(tried[0][0] - tried[1][0])


@pytest.mark.parametrize("seed", range(6))
def test_implausible_joints_do_not_occur(seed: int) -> None:
    joints, frame = scores(seed)
    tried = ranked_by_trying(joints, frame, 0.25)
    ranking = rank_arrangements(SMALL, joints, frame, 0.25)
    assert [scored.placed for scored in ranking.best] == [placed for _, placed in tried[:2]]


def test_a_frame_that_was_not_seen_counts_nothing() -> None:
    joints, frame = scores(3)
    frame[2] = np.nan
    tried = ranked_by_trying(joints, frame)
    assert rank_arrangements(SMALL, joints, frame, 0.0).best[0].placed == tried[0][1]
    frame[:] = np.nan
    assert rank_arrangements(SMALL, joints, frame, 0.0).best[0].score == pytest.approx(
        ranked_by_trying(joints, frame)[0][0]
    )


def test_margin_saves_work_and_still_tells_the_truth() -> None:
    joints, frame = scores(4)
    tried = ranked_by_trying(joints, frame)
    full = rank_arrangements(SMALL, joints, frame, 0.0)
    brief = rank_arrangements(SMALL, joints, frame, 0.0, margin=1e-6)
    assert brief.nodes <= full.nodes
    assert brief.best[0] == full.best[0]
    assert 0 < brief.margin <= tried[0][0] - tried[1][0] + 1e-9


def test_without_budget_the_ceiling_admits_what_was_not_seen() -> None:
    joints, frame = scores(5)
    best = ranked_by_trying(joints, frame)[0][0]
    for nodes in (0, 5, 20, 60):
        ranking = rank_arrangements(SMALL, joints, frame, 0.0, budget=Budget(nodes=nodes))
        assert max([ranking.ceiling, *(scored.score for scored in ranking.best)]) >= best - 1e-9
        assert ranking.margin <= 0 or ranking.best[0].score == pytest.approx(best)


def test_arrangements_that_look_the_same_count_once() -> None:
    joints, frame = scores(6)
    # Make piece 1 the double of piece 0.
    joints[1], frame[:, 1] = joints[0], frame[:, 0]
    joints[:, :, 1] = joints[:, :, 0]
    looks = [[1, 2, 3], [1, 2, 3], [4, 5, 6], [7, 8, 9]]
    strict = rank_arrangements(SMALL, joints, frame, 0.0)
    assert strict.margin == pytest.approx(0)
    loose = rank_arrangements(SMALL, joints, frame, 0.0, codes=looks)
    assert loose.best[0].score == pytest.approx(strict.best[0].score)
    assert loose.margin > 0


def test_an_edge_without_partner_leaves_no_arrangement() -> None:
    joints, frame = scores(7)
    joints[2, 1] = joints[:, :, 2, 1] = frame[:, 2, 1] = -1
    ranking = rank_arrangements(SMALL, joints, frame, 0.0)
    assert ranking.best == ()
    assert ranking.ceiling == ranking.margin == -np.inf
