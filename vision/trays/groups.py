"""From likenesses to codes: which edges of a tray show the same, and which groups of edges belong together.

Two edges that show the same half go into one group, by average linkage [1]_: at every level of its tree some groups
are one, at fine levels the same half may be split by light and litter, at coarse ones halves that differ by a fin are
one. No threshold is right for every artwork. So the levels are tried from fine to coarse, and the rules decide: the
halves of one creature are equally many, and sixteen pieces that are coded wrongly practically never fit together.

References:
    .. [1] R. R. Sokal, C. D. Michener, "A statistical method for evaluating systematic relationships", University of
       Kansas Science Bulletin 38 (1958).
    .. [2] P. E. Hart, N. J. Nilsson, B. Raphael, "A formal basis for the heuristic determination of minimum cost
       paths", IEEE Transactions on Systems Science and Cybernetics 4 (1968).
"""

import heapq
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

Groups = tuple[tuple[int, ...], ...]
"""Edges by what they show; together all edges, each once."""


@dataclass(frozen=True)
class Level:
    """A grouping that holds over a range of likeness.

    Attributes:
        groups: the edges by what they show.
        gap: how much less alike the next two groups to be joined are than the last two that were.
    """

    groups: Groups
    gap: float


def levels(alike: Floats, finest: float, coarsest: float) -> list[Level]:
    """The groupings of average linkage between two levels of likeness, fine first, each once.

    Args:
        alike: symmetric, ``(N, N)``.
        finest: groups that are more alike than this are always joined.
        coarsest: groups that are less alike than this are never joined.
    """
    groups: list[tuple[int, ...]] = [(k,) for k in range(len(alike))]
    between = alike.astype(np.float64).copy()
    np.fill_diagonal(between, -np.inf)
    found: list[Level] = []
    last = finest
    while len(groups) > 1 and last >= coarsest:
        i, j = sorted(divmod(int(between.argmax()), len(groups)))
        height = float(between[i, j])
        if height < finest:
            found.append(Level(tuple(groups), max(0.0, last - height)))
        last = min(last, height)
        a, b = len(groups[i]), len(groups[j])
        between[i] = (a * between[i] + b * between[j]) / (a + b)
        between[:, i] = between[i]
        between[i, i] = -np.inf
        between = np.delete(np.delete(between, j, axis=0), j, axis=1)
        groups[i] += groups.pop(j)
    return found


def membership(groups: Groups, alike: Floats) -> Floats:
    """How alike each edge is to the other members of each group, ``(N, len(groups))``; -1 to its own empty rest."""
    like = np.empty((len(alike), len(groups)))
    for number, group in enumerate(groups):
        members = np.array(group)
        total = alike[:, members].sum(axis=1)
        inside = np.isin(np.arange(len(alike)), members)
        others = len(members) - inside
        like[:, number] = np.where(others > 0, (total - inside * np.diag(alike)) / np.maximum(others, 1), -1.0)
    return like


@dataclass(frozen=True)
class Mating:
    """Which group fits which: group ``g`` fits ``mates[g]``, which may be ``g`` itself; ``cost`` says how unlikely."""

    mates: tuple[int, ...]
    cost: float


def matings(cost: Floats, at_most: int, steps: int) -> list[Mating]:
    """The likeliest ways to pair groups, the likeliest first: best-first search [2]_ over partial pairings.

    Args:
        cost: symmetric, ``(G, G)``, at least 0: of pairing two groups, on the diagonal of a group that fits itself; inf
            for never.
        at_most: how many are wanted.
        steps: partial pairings that may be looked at; a dozen groups paired as badly as can be need some hundreds.

    Returns:
        Up to ``at_most`` pairings; fewer when there are no more, or when they are too many to tell apart.
    """
    count = len(cost)
    least = np.where(np.eye(count, dtype=bool), cost, cost / 2).min(axis=1, initial=np.inf)
    if not np.isfinite(least).all():
        return []
    # What a pair costs beyond what was foreseen for its two groups; plain numbers, as this loop is a hot one.
    dearer = (cost - least[:, None] - np.where(np.eye(count, dtype=bool), 0, least[None])).tolist()
    # The group with the fewest mates is decided first.
    turn = np.argsort(np.isfinite(cost).sum(axis=1), kind="stable").tolist()
    waiting: list[tuple[float, int, tuple[int, ...]]] = [(float(least.sum()), 0, (-1,) * count)]
    found: list[Mating] = []
    for number in range(1, steps):
        if not waiting or len(found) == at_most:
            break
        bound, _, mates = heapq.heappop(waiting)
        here = next((g for g in turn if mates[g] < 0), None)
        if here is None:
            found.append(Mating(mates, bound))
            continue
        for other in range(count):
            if mates[other] < 0 and dearer[here][other] < np.inf:
                paired = list(mates)
                paired[here], paired[other] = other, here
                heapq.heappush(waiting, (bound + dearer[here][other], -number * count - other, tuple(paired)))
    return found
