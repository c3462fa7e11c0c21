"""From strips to codes and the arrangement that proves them.

Two edges that show the same half go into one group, by average linkage [1]_: at every level of its tree some groups
are one, at fine levels the same half may be split by light and litter, at coarse ones halves that differ by a fin are
one. No threshold is right for every artwork. So the levels are tried, and the rules decide.

What an edge shows is never certain: light, litter and a misplaced piece make the same half look different, and a fish
looks nearly alike from both sides. But sixteen pieces with wrong codes do not fit together: there are 16! * 3^16 ways
to lay them, and with ten codes a way fits by chance with odds of 1 to 10^12. So every hypothesis (which edges show the
same, which halves belong together) is put to the test: the best arrangement under it is searched, and the chance is
computed that a search among so many would find one as good if the hypothesis were nonsense. A hypothesis is believed
when that chance is negligible, and only then.

References:
    .. [1] R. R. Sokal, C. D. Michener, "A statistical method for evaluating systematic relationships", University of
       Kansas Science Bulletin 38 (1958).
    .. [2] P. E. Hart, N. J. Nilsson, B. Raphael, "A formal basis for the heuristic determination of minimum cost
       paths", IEEE Transactions on Systems Science and Cybernetics 4 (1968).
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import lgamma, log

import numpy as np
import numpy.typing as npt

from solvers.budget import Budget, BudgetSpentError
from solvers.edge_matching import Placed, Tray, arrangements
from solvers.soft_matching import rank_arrangements

Floats = npt.NDArray[np.float64]

Groups = tuple[tuple[int, ...], ...]
"""Edges by what they show; together all edges, each once."""


@dataclass(frozen=True)
class Level:
    """A grouping that holds over a range of similarity.

    Attributes:
        groups: the edges by what they show.
        gap: how much less alike the next two groups to be joined are than the last two that were.
    """

    groups: Groups
    gap: float


def levels(similarity: Floats, finest: float, coarsest: float) -> list[Level]:
    """The groupings of average linkage between two levels of similarity, fine first, each once.

    Args:
        similarity: symmetric, ``(N, N)``.
        finest: groups that are more alike than this are always joined.
        coarsest: groups that are less alike than this are never joined.
    """
    groups: list[tuple[int, ...]] = [(k,) for k in range(len(similarity))]
    between = similarity.astype(np.float64).copy()
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


def _members(groups: Sequence[Sequence[int]], edges: int) -> Floats:
    """1 where an edge belongs to a group, 0 elsewhere, ``(edges, len(groups))``."""
    inside = np.zeros((edges, len(groups)))
    for number, group in enumerate(groups):
        inside[list(group), number] = 1
    return inside


def membership(groups: Groups, similarity: Floats) -> Floats:
    """How alike each edge is to the other members of each group, ``(N, len(groups))``; -1 to its own empty rest."""
    inside = _members(groups, len(similarity))
    others = inside.sum(axis=0) - inside
    total = similarity @ inside - inside * np.diag(similarity)[:, None]
    return np.where(others > 0, total / np.maximum(others, 1), -1.0)


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


# --- hypotheses -------------------------------------------------------------------------------------------------------


CHANCE = log(1e-4)
"""A hypothesis is believed when fewer than one in ten thousand unrelated ones would fit as well."""

STEEPNESS = 10.0
"""Log odds per unit of similarity: lost where an edge is so much less like another group than like its own, gained by a
grouping that does not change over it."""

STRAY = -3.0
"""Log odds below which an edge in a group does not belong to another; a loner may fit anything for this."""

RIVAL = 1.5
"""Log odds by which the best arrangement must be ahead of every other that shows something else."""

MATINGS, STEPS = 20, 800
"""Pairings of groups that are tried at each level, and what may be spent on finding them. Eight groups that are equally
many can be paired in 105 ways."""

NODES = 100_000
"""Pieces tried with one set of certain codes: a dozen halves need some hundreds, five colours of dots some ten
thousands."""

BENT_NODES = 3000
"""Pieces tried with uncertain codes under one hypothesis; a right one needs some hundreds."""

CHALLENGE = 2.5
"""Log odds by which an arrangement about to be believed must be ahead of every other; less than a stray edge loses."""

HEARD = 12
"""Hypotheses, the likeliest, under which edges may also show what their group does not: one of the first is believed.
As many are put to the test after it."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """Which edges show the same and which fit, told as log odds.

    Attributes:
        odds: ``(N, G)``: of each edge showing what group ``g`` shows, 0 for its own group, -inf for impossible.
        mates: the group that fits each.
        loners: edges ``(N,)`` that belong to no group and may fit anything.
    """

    odds: Floats
    mates: tuple[int, ...]
    loners: npt.NDArray[np.bool_]

    @cached_property
    def fits(self) -> Floats:
        """The log odds ``(N, N)`` that two edges meet rightly, the best over all groups."""
        best = np.where(self.loners[:, None] | self.loners[None], STRAY, -np.inf)
        for group, mate in enumerate(self.mates):
            best = np.maximum(best, self.odds[:, group, None] + self.odds[None, :, mate])
        return best


@dataclass(frozen=True, eq=False)
class Fit:
    """A hypothesis that was put to the test.

    Attributes:
        hypothesis: what was assumed.
        placed: the best arrangement.
        odds: the sum over its joints, 0 when every edge shows what its group shows.
        chance: the logarithm of the number of arrangements as good that nonsense would have.
        rival: another arrangement that shows something else and is nearly as good; None where there is none.
        sure: whether the hypothesis needs no proof by chance.
    """

    hypothesis: Hypothesis
    placed: Placed
    odds: float
    chance: float
    rival: Placed | None
    sure: bool = False


def joined(tray: Tray, placed: Placed) -> list[tuple[int, int]]:
    """The pairs of edges that meet in an arrangement; the frame's edges follow the pieces'."""

    def lying(slot: int, edge: int) -> int:
        piece, turn = placed[slot]
        return piece * tray.sides + (edge - turn) % tray.sides

    pairs = [(lying(*one), lying(*other)) for one, other in tray.inner]
    first = tray.slots * tray.sides
    return pairs + [(lying(*edge), first + k) for k, edge in enumerate(tray.outer)]


def put_to_test(tray: Tray, hypothesis: Hypothesis, tried: int, budget: Budget) -> Fit | None:
    """The best arrangement under a hypothesis, where there is one; ``tried`` hypotheses share the chance."""
    fits, ranked = hypothesis.fits, list[Placed]()
    if not hypothesis.loners.any():
        shown, mates = hypothesis.odds.argmax(axis=1).tolist(), dict(enumerate(hypothesis.mates))
        ranked = first_arrangements(tray, shown, mates, 2, budget)
    if not ranked and tried <= HEARD:
        ranked = _bending(tray, hypothesis, budget)
    if not ranked:
        return None
    best, *others = ranked
    lost = np.array([fits[pair] for pair in joined(tray, best)])
    # How often two edges fit at least as well.
    edges = fits[: tray.slots * tray.sides]
    usual = np.sort(edges[edges > -np.inf])
    at_least = (len(usual) - np.searchsorted(usual, lost - 1e-9)) / edges.size
    at_least[lost <= STRAY] = 1.0  # loners fit anything
    ways = lgamma(tray.slots + 1) + tray.slots * log(tray.sides)
    chance = ways + float(np.log(np.maximum(at_least, 1e-9)).sum()) + log(max(1, tried))
    return Fit(hypothesis, best, float(lost.sum()), chance, others[0] if others else None)


def first_arrangements(
    tray: Tray, codes: Sequence[int], mates: Mapping[int, int], at_most: int, budget: Budget
) -> list[Placed]:
    """The first arrangements in which the code of every edge meets its mate; fewer where ``NODES`` do not suffice."""
    edges = tray.slots * tray.sides
    pieces = [codes[k : k + tray.sides] for k in range(0, edges, tray.sides)]
    purse = Budget(nodes=NODES)
    found: list[Placed] = []
    with suppress(BudgetSpentError):
        found.extend(islice(arrangements(tray, pieces, codes[edges:], mates, purse), at_most))
    budget.spend(purse.spent)
    return found


def _bending(tray: Tray, hypothesis: Hypothesis, budget: Budget, margin: float = RIVAL) -> list[Placed]:
    """The arrangement with the least unlikely edges, and a second that is nearly as likely."""
    fits, edges = hypothesis.fits, tray.slots * tray.sides
    inner = fits[:edges, :edges].reshape(tray.slots, tray.sides, tray.slots, tray.sides)
    frame = fits[edges:, :edges].reshape(len(tray.outer), tray.slots, tray.sides)
    codes = hypothesis.odds[:edges].argmax(axis=1).reshape(tray.slots, tray.sides)
    purse = Budget(nodes=BENT_NODES)
    ranking = rank_arrangements(tray, inner, frame, STRAY, at_most=2, margin=margin, codes=codes.tolist(), budget=purse)
    budget.spend(ranking.nodes)
    return [scored.placed for scored in ranking.best if scored.score > ranking.best[0].score - margin]


def challenged(tray: Tray, fit: Fit, budget: Budget) -> Fit:
    """The same fit with its rival, where edges that are nearly as much like another group allow one.

    A hypothesis may be right as a whole and wrong in a corner: two halves much alike, equally often taken for each
    other.
    """
    if fit.rival is not None:
        return fit
    others = _bending(tray, fit.hypothesis, budget, CHALLENGE)
    return replace(fit, rival=others[1] if len(others) > 1 else None)


def believed(fits: Iterable[tuple[int, Fit | None]], chance: float) -> list[Fit]:
    """The fit that is least an accident, where it is none, and after it all others that were heard.

    A grouping that is too coarse may let two pieces change places that only look alike. A finer one that fits as well
    says more, so it is less likely by accident: ``HEARD`` hypotheses after the first that is believed are heard, too.
    """
    best: Fit | None = None
    others: list[Fit] = []
    last: int | None = None
    for tried, fit in fits:
        if fit is not None:
            others.append(fit)
            better = best is None or (fit.chance < best.chance - MUCH and fit.odds > best.odds - RIVAL)
            if better and (fit.sure or fit.chance < chance):
                best = fit
                last = last or tried + HEARD
        if last is not None and tried >= last:
            break
    return [] if best is None else [best, *(fit for fit in others if fit is not best)]


def _hypothesis(groups: Groups, similarity: Floats, mates: Sequence[int]) -> Hypothesis:
    """That edges show the same as those in their group; ``mates`` of the cores, the groups of two and more."""
    cores = tuple(group for group in groups if len(group) > 1)
    like = membership(cores, similarity)
    inside = _members(cores, len(similarity)) > 0
    loners = np.logical_not(inside.any(axis=1))
    odds = STEEPNESS * (like - like.max(axis=1, keepdims=True))
    odds[odds < STRAY] = -np.inf
    odds[inside] = 0
    # A loner may be the only one of its kind: it joins a group only for what that costs.
    odds[loners] = np.minimum(odds[loners], STEEPNESS * (like[loners] - LIKE))
    odds[odds < 2 * STRAY] = -np.inf
    return Hypothesis(odds, tuple(mates), loners)


LIKE = 0.6
"""Likeness of two pictures of the same half, when little disturbs them."""

FINEST, COARSEST = 0.8, 0.2
"""Levels of similarity to try: halves printed by one machine in one light; halves that share no more than a colour."""

FEWEST, MOST = 4, 22
"""Groups that a tray may have: two creatures; eleven."""

TORN = 15.0
"""What it costs when the picture nowhere runs on from one half to the other, in edges that one half is seen more often
than the other: each such edge costs 1."""

UNUSUAL = 2.0
"""What it costs, in such edges, that a group is to fit itself (its two halves would have to look alike), or that two
groups are joined that linkage kept apart, and as much again when they are not alike at all."""


def halves(tray: Tray, similarity: Floats, continuity: Floats, budget: Budget) -> Iterator[tuple[int, Fit | None]]:
    """The fits of all hypotheses of the kind *halves*, the likeliest first, with the number of hypotheses so far.

    Args:
        tray: the slots.
        similarity: similarity of every two strips, ``(N, N)``.
        continuity: how well the picture runs on between every two strips, ``(N, N)``.
        budget: pays for the searches.
    """
    ranked = _ranked(levels(similarity, FINEST, COARSEST), similarity, continuity)[:HYPOTHESES]
    for tried, (_, groups, mating) in enumerate(ranked, 1):
        yield tried, put_to_test(tray, _hypothesis(groups, similarity, mating.mates), tried, budget)


MUCH = log(30)
"""How much less an accident another hypothesis must be to be preferred to a likelier one."""

HYPOTHESES = 250
"""Hypotheses that are put to the test; the right one is nearly always among the first ten."""

ALONE = 1.5
"""What it costs a hypothesis for each edge that belongs to no group."""


def _ranked(groupings: Sequence[Level], similarity: Floats, continuity: Floats) -> list[tuple[float, Groups, Mating]]:
    """Cost, grouping and mating of all hypotheses worth a test, the likeliest first."""
    ranked = []
    for level in groupings:
        for groups, price in [(level.groups, 0.0), *_mended(level.groups, similarity)]:
            cores = [group for group in groups if len(group) > 1]
            alone = len(groups) - len(cores)
            if not FEWEST <= len(cores) <= MOST or alone > len(similarity) * MOST_ALONE:
                continue
            settled = STEEPNESS * min(level.gap, LIKE / 2) * (price == 0)
            found = matings(_mating_costs(cores, continuity, alone), MATINGS, STEPS)
            ranked += [(price + ALONE * alone - settled + mating.cost, groups, mating) for mating in found]
    return sorted(ranked, key=lambda hypothesis: hypothesis[0])


MENDED = 16
"""Groupings of at most this many groups are also tried with two of them joined."""

MOST_ALONE = 0.25
"""The part of all edges that may belong to no group."""


def _mended(groups: Groups, similarity: Floats) -> list[tuple[Groups, float]]:
    """The grouping with every two groups joined, and what that costs: one half may have been printed in two ways."""
    if len(groups) > MENDED:
        return []
    mended = []
    for i, one in enumerate(groups):
        for j, other in enumerate(groups[:i]):
            rest = tuple(group for k, group in enumerate(groups) if k not in (i, j))
            if not _pair_up([*map(len, rest), len(one) + len(other)]):
                continue
            like = float(np.clip(similarity[np.ix_(one, other)].mean(), 0, LIKE))
            mended.append(((*rest, one + other), UNUSUAL * (2 - like / LIKE)))
    return mended


def _pair_up(sizes: Sequence[int]) -> bool:
    """Whether all groups can be paired with others of their size, or nearly so: loners may belong to the smaller."""
    cores = sorted(size for size in sizes if size > 1)
    uneven = sum(larger - smaller for smaller, larger in zip(cores[::2], cores[1::2], strict=False))
    return len(cores) % 2 == 0 and uneven <= len(sizes) - len(cores)


def _mating_costs(cores: Sequence[Sequence[int]], continuity: Floats, loners: int) -> Floats:
    """What pairing each two groups costs, ``(G, G)``."""
    inside = _members(cores, len(continuity))
    size = inside.sum(axis=0)
    itself = np.eye(len(cores))
    on = inside.T @ continuity @ inside / np.outer(size, size)
    uneven = np.where(itself > 0, size % 2, np.abs(np.subtract.outer(size, size)))
    share = (size[:, None] + size[None] * (1 - itself)) / len(continuity)
    cost: Floats = TORN * share * (1 - on) + uneven + UNUSUAL * itself
    return np.where(uneven > loners, np.inf, cost)


def equals(tray: Tray, similarity: Floats, budget: Budget) -> Iterator[tuple[int, Fit | None]]:
    """The fits of all hypotheses of the kind *equal*, those of the widest gap first, with their numbers."""
    tried = 0
    for level in sorted(levels(similarity, FINEST, COARSEST), key=lambda level: -level.gap)[:EQUAL_LEVELS]:
        sizes = [len(group) for group in level.groups if len(group) > 1]
        odd, alone = sum(size % 2 for size in sizes), len(level.groups) - len(sizes)
        if not FEWEST // 2 <= len(sizes) <= MOST // 2 or odd > alone:
            continue
        tried += 1
        fit = put_to_test(tray, _hypothesis(level.groups, similarity, range(len(sizes))), tried, budget)
        if fit is not None and not alone:
            # Every paint is seen an even number of times, for each joint shows it twice: another test that was passed.
            chance = fit.chance - (len(sizes) - 1) * log(2)
            # Paints taken for one would allow more arrangements than the right; paints torn apart are not even.
            settled = fit.rival is None and level.gap > SETTLED_GAP and chance < ACCIDENTS
            fit = replace(fit, chance=chance, sure=settled or is_clear(level.groups, similarity))
        yield tried, fit


def is_clear(groups: Groups, similarity: Floats) -> bool:
    """Whether every edge is much like all of its own group and little like any other."""
    like, own = membership(groups, similarity), _members(groups, len(similarity)) > 0
    return bool(like[own].min() > CLEAR and like[~own].max() < OTHER)


SETTLED_GAP, ACCIDENTS = 0.25, log(10)
"""Paints in groups of so wide a gap are believed on an only arrangement, though chance may give some such, too."""

CLEAR, OTHER = 0.7, 0.4
"""Paints so alike within groups and so unlike between them need no further proof: with five, accidents are certain."""

EQUAL_LEVELS = 4
"""Groupings of marks that are tried, those of the widest gaps first: paints are made to be told apart."""

EQUAL_CHANCE = log(1e-2)
"""Six paints leave more room for accidents than twelve halves, but then paints are hard to mistake."""
