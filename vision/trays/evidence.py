"""Which of several arrangements is right, and the codes that tell it.

Groups are guesses: two halves that are much alike may have been taken for one, and then pieces change places that must
not. An arrangement can be asked without groups. Where ``a`` meets ``b`` and ``c`` meets ``d``, the creatures are the
same or not: so ``a`` looks as much like ``c`` as ``b`` looks like ``d``. A joint of two halves that do not belong
together is at odds with every joint in which either of them is seen again. And the picture must run on.

The codes come last: edges are grouped once more, now by both halves of their joints, which lie before us. They are as
coarse as can be, but never allow an arrangement that the evidence refutes. So when they allow several, these are
several solutions of the tray and not an uncertain reading.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from solvers.budget import Budget
from solvers.edge_matching import Placed, Tray
from vision.trays.codes import COARSEST, FINEST, STRAY, Fit, Groups, first_arrangements, joined, levels

Floats = npt.NDArray[np.float64]

REFUTED = 1.0
"""Evidence by which an arrangement that is no solution falls behind the right one, at least: two
solutions of the same tray differ by less, for no reason but noise."""

WITNESSES = 12
"""Arrangements that codes allow and that are looked at before the codes are taken."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What speaks for an arrangement, whatever the groups are.

    Attributes:
        tray: the slots.
        similarity: similarity of every two edges, ``(N, N)``.
        continuity: how well the picture runs on between every two, ``(N, N)``; None where it need not (dots).
    """

    tray: Tray
    similarity: Floats
    continuity: Floats | None
    _weighed: dict[Placed, float] = field(default_factory=dict)

    def weigh(self, placed: Placed) -> float:
        """More is better; comparable between arrangements of the same tray only."""
        if placed not in self._weighed:
            one, other = np.array(joined(self.tray, placed)).T
            same = self.similarity[np.ix_(one, one)] - self.similarity[np.ix_(other, other)]
            crossed = self.similarity[np.ix_(one, other)] - self.similarity[np.ix_(other, one)]
            np.fill_diagonal(same, 0)
            discord = float((same**2 + crossed**2).sum()) / 2
            on = 0.0 if self.continuity is None else float(self.continuity[one, other].sum())
            self._weighed[placed] = on - discord
        return self._weighed[placed]


@dataclass(frozen=True)
class Judgement:
    """What came of weighing.

    Attributes:
        placed: the arrangement that most speaks for.
        codes: of each edge; with ``equal`` a code fits itself, else ``k`` fits ``k ^ 1``.
        rivals: arrangements that show something else and are not refuted.
    """

    placed: Placed
    codes: tuple[int, ...]
    rivals: tuple[Placed, ...]


def judge(evidence: Evidence, fits: Sequence[Fit], equal: bool) -> Judgement:
    """Weigh all arrangements that were met against each other; the first of the fits is the one believed."""
    met = dict.fromkeys(placed for fit in fits for placed in (fit.placed, fit.rival) if placed)
    score = {placed: _score(evidence, fits[0], placed) for placed in met}
    # What differs by less may be the same tray with equal pieces swapped: the likeliest grouping has the word.
    best = max(score, key=lambda placed: score[placed] - REFUTED * (placed != fits[0].placed))
    needed = min(len(fit.hypothesis.mates) for fit in fits if best in {fit.placed, fit.rival})
    codes, rivals = _codes(evidence, best, needed, equal)
    better = [rival for rival in rivals if evidence.weigh(rival) > evidence.weigh(best) + REFUTED]
    if better:  # a twin of the best, such as with equal pieces swapped, of which one lies askew
        best = max(better, key=evidence.weigh)
        score[best] = _score(evidence, fits[0], best)
        codes, rivals = _codes(evidence, best, needed, equal)
    rivals += [placed for placed in score if score[placed] > score[best] - REFUTED]
    return Judgement(best, codes, tuple(r for r in rivals if not _allowed(evidence.tray, codes, r, equal)))


def _score(evidence: Evidence, fit: Fit, placed: Placed) -> float:
    """The evidence for an arrangement, and what its edges lose under the hypothesis."""
    odds = [float(fit.hypothesis.fits[pair]) for pair in joined(evidence.tray, placed)]
    return evidence.weigh(placed) + sum(max(2 * STRAY, each) for each in odds)


def _codes(evidence: Evidence, best: Placed, at_least: int, equal: bool) -> tuple[tuple[int, ...], list[Placed]]:
    """The coarsest clear codes of an arrangement that allow none that is refuted, and arrangements that contradict it.

    ``at_least`` so many groups were needed to find it. Codes that allow more arrangements than can be looked at,
    refuted ones among them, are no ground for finer codes: of so many the best one may not have been met.
    """
    pairs = joined(evidence.tray, best)
    finest = _coded(tuple((edge,) for pair in pairs for edge in pair), pairs, equal)
    score = evidence.weigh(best)
    for codes in _codings(evidence, best, at_least, equal):
        mates = {code: _mate(code, equal) for code in codes}
        others = first_arrangements(evidence.tray, codes, mates, WITNESSES, Budget())
        better = [other for other in others if evidence.weigh(other) > score + REFUTED]
        if better or all(evidence.weigh(other) > score - REFUTED for other in others):
            return codes if not better else finest, better
        if len(others) == WITNESSES:
            return finest, others
    return finest, []


def _codings(evidence: Evidence, placed: Placed, at_least: int, equal: bool) -> Iterator[tuple[int, ...]]:
    """Codes by grouping the edges with their mates: at the widest gap, then finer and finer."""
    pairs = joined(evidence.tray, placed)
    mate = np.empty(len(evidence.similarity), dtype=np.int64)
    for one, other in pairs:
        mate[one], mate[other] = other, one
    # Two creatures are one when both halves are: their tails may look the same where their heads do not.
    both = np.minimum(evidence.similarity, evidence.similarity[np.ix_(mate, mate)])
    if equal:
        both = np.maximum(both, both[:, mate])
        both[np.arange(len(mate)), mate] = 1
    found = [level for level in levels(both, FINEST, COARSEST) if _mirrored(level.groups, mate, equal)]
    enough = [level for level in found if len(level.groups) >= at_least]
    widest = max(range(len(enough)), key=lambda k: enough[k].gap, default=-1)
    for level in reversed(enough[: widest + 1]):
        yield _coded(level.groups, pairs, equal)


def _mirrored(groups: Groups, mate: npt.NDArray[np.int64], equal: bool) -> bool:
    """Whether the mates of each group are a group: itself for dots, another for halves."""
    known = {frozenset(group) for group in groups}
    mates = [frozenset(int(mate[edge]) for edge in group) for group in groups]
    return all(m in known and (m == frozenset(g)) == equal for g, m in zip(groups, mates, strict=True))


def _coded(groups: Groups, pairs: Sequence[tuple[int, int]], equal: bool) -> tuple[int, ...]:
    """Codes of all edges by their groups; the mate of each group is coded beside it."""
    group_of = {edge: number for number, group in enumerate(groups) for edge in group}
    code: dict[int, int] = {}
    for one, other in pairs:
        if group_of[one] not in code:
            fresh = len(set(code.values()))
            code[group_of[one]], code[group_of[other]] = fresh, _mate(fresh, equal)
    return tuple(code[group_of[edge]] for edge in sorted(group_of))


def _mate(code: int, equal: bool) -> int:
    """The code that fits ``code``."""
    return code if equal else code ^ 1


def _allowed(tray: Tray, codes: Sequence[int], placed: Placed, equal: bool) -> bool:
    """Whether codes allow an arrangement."""
    return all(codes[one] == _mate(codes[other], equal) for one, other in joined(tray, placed))
