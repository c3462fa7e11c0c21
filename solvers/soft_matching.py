"""Edge matching with scores: which arrangement fits best, and by how much?

A picture tells how *well* two edges fit, not whether they do. Here every pair of edges has a score, an arrangement's
score is the sum over its joints, and the best ones are found exactly, not by trying and hoping.

The search looks for the least *loss*. Every edge has a best partner somewhere; half of the best score of each edge,
summed over all edges, is more than any arrangement can reach, because each edge takes part in exactly one joint. What a
joint lacks to the halves of its two edges is its loss, and it is never negative. So the search may stop as soon as the
losses of the pieces laid exceed what is allowed. It allows little at first and then more (iterative deepening [1]_):
what it finds first is then the best, and where it stops it knows a ceiling that nothing unseen can exceed.

References:
    .. [1] R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence
       27 (1985).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from solvers.budget import Budget, BudgetSpentError
from solvers.edge_matching import Placed, Tray, filling_order

_FIRST_SHARE = 1 / 32
"""The first allowance, as a share of the largest loss possible: below it hardly anything has to be searched."""
_GROWTH = 1.5
"""How much more is allowed every time: the search before the last one costs little beside the last."""


@dataclass(frozen=True)
class Scored:
    """An arrangement and the sum of its joints' scores."""

    placed: Placed
    score: float


@dataclass(frozen=True)
class Ranking:
    """The best arrangements, the best first.

    Attributes:
        best: arrangements that differ in what they show.
        ceiling: no arrangement that is not in ``best`` scores more; -inf when all plausible ones have been looked at.
        nodes: pieces tried.
    """

    best: tuple[Scored, ...]
    ceiling: float
    nodes: int

    @property
    def margin(self) -> float:
        """By how much, at least, the best is ahead of every other; negative when a better one may exist unseen."""
        if not self.best:
            return -inf
        second = self.best[1].score if len(self.best) > 1 else -inf
        return self.best[0].score - max(second, self.ceiling)


def rank_arrangements(
    tray: Tray,
    joints: NDArray[np.floating],
    frame: NDArray[np.floating],
    plausible: float,
    *,
    at_most: int = 2,
    margin: float = inf,
    codes: Sequence[Sequence[Hashable]] | None = None,
    budget: Budget | None = None,
) -> Ranking:
    """The best arrangements of the pieces on the tray.

    Args:
        tray: the slots.
        joints: how well edge ``a`` of piece ``i`` fits edge ``b`` of piece ``j``: ``joints[i, a, j, b]``, shape
            (pieces, sides, pieces, sides); the mean of both orders counts.
        frame: how well edge ``a`` of piece ``i`` fits the frame at ``tray.outer[k]``: ``frame[k, i, a]``, shape
            (outer edges, pieces, sides). NaN where the frame was not seen: anything goes there, for a score of 0.
        plausible: joints that score less do not occur in any arrangement.
        at_most: how many arrangements are wanted.
        margin: others do not matter when they are this much worse than the best, which saves time.
        codes: what each edge of each piece shows (a code), shape (pieces, sides). Arrangements that show the same
            everywhere then count as one, the best of them. Without it all differ.
        budget: one node is spent per piece tried. When it runs out no error is raised: the ceiling tells what may
            have been missed.
    """
    losses = _Losses(joints, frame, plausible, len(tray.inner) + len(tray.outer))
    hunt = _Hunt(tray, losses, at_most=at_most, margin=margin, codes=codes, budget=budget or Budget())
    searched = -inf  # every arrangement that loses less than this has been looked at
    if losses.most < 0:
        return Ranking((), -inf, 0)
    allowed = losses.most * _FIRST_SHARE
    try:
        while searched < hunt.enough():
            hunt.search(allowed)
            searched = allowed if allowed < losses.most else inf
            allowed = min(allowed * _GROWTH, losses.most)
        searched = hunt.enough()
    except BudgetSpentError:
        pass
    best = tuple(Scored(placed, losses.bound - loss) for loss, placed in hunt.best())
    return Ranking(best, losses.bound - searched, hunt.nodes)


class _Losses:
    """What each joint lacks to the best that its two edges could have.

    Edges are numbered: edge ``a`` of piece ``i`` is ``i * sides + a``, and those of the frame come after all of these.

    Attributes:
        of: the loss of joining any edge (row) to a piece's edge (column); inf where that is not plausible.
        partners: for each edge ``(loss, piece's edge)`` of all plausible partners, the least loss first.
        bound: more than no arrangement can score.
        most: the largest loss that an arrangement can have; negative when some edge has no partner at all.
    """

    def __init__(
        self, joints: NDArray[np.floating], frame: NDArray[np.floating], plausible: float, joint_count: int
    ) -> None:
        """Turn scores into losses; the arguments are those of :func:`rank_arrangements`."""
        pieces, sides = joints.shape[:2]
        edges = pieces * sides
        flat = np.asarray(joints, np.float64).reshape(edges, edges)
        score = np.concatenate([(flat + flat.T) / 2, np.asarray(frame, np.float64).reshape(-1, edges)])
        unseen = np.isnan(score)
        score[unseen] = 0
        barred = (score < plausible) & ~unseen
        own = np.arange(edges) // sides
        barred[:edges] |= own[:, None] == own[None, :]
        score[barred] = -inf
        best = score.max(axis=1, initial=-inf)
        best[:edges] = np.maximum(best[:edges], score[edges:].max(axis=0, initial=-inf))
        self.bound = float(best.sum() / 2)
        self.most = -1.0
        self.of: list[list[float]] = []
        self.partners: list[list[tuple[float, int]]] = []
        if np.isfinite(best).all():
            loss = np.where(barred, inf, (best[:, None] + best[None, :edges]) / 2 - np.where(barred, 0, score))
            self.most = float(loss[~barred].max()) * joint_count
            self.of = loss.tolist()
            self.partners = [sorted((lost, y) for y, lost in enumerate(row) if lost < inf) for row in self.of]


class _Hunt:
    """Looks for arrangements with little loss and remembers the best."""

    def __init__(
        self,
        tray: Tray,
        losses: _Losses,
        *,
        at_most: int,
        margin: float,
        codes: Sequence[Sequence[Hashable]] | None,
        budget: Budget,
    ) -> None:
        """Nothing is searched yet."""
        self.nodes = 0
        self._steps = filling_order(tray, (False,) * len(tray.outer), tray.outer[0][0])
        self._sides = tray.sides
        self._losses = losses
        self._at_most = at_most
        self._margin = margin
        self._codes = codes
        self._budget = budget
        self._found: dict[Hashable, tuple[float, Placed]] = {}
        self._laid = [(0, 0)] * tray.slots
        # The edge that waits at each joint for its partner; those of the frame wait from the start.
        edges = tray.slots * tray.sides
        self._waiting = [edges + k for k in range(len(tray.outer))] + [0] * len(tray.inner)

    def best(self) -> list[tuple[float, Placed]]:
        """The arrangements found that lose least, with their losses."""
        return sorted(self._found.values(), key=lambda pair: pair[0])[: self._at_most]

    def enough(self) -> float:
        """Arrangements that lose this much or more do not matter any longer."""
        best = self.best()
        last = best[-1][0] if len(best) == self._at_most else inf
        return min(last, best[0][0] + self._margin) if best else inf

    def search(self, allowed: float) -> None:
        """Look at every arrangement that loses no more than ``allowed``, save those that do not matter."""
        self._limit = min(allowed, self.enough())
        self._fill(0, 0, 0.0)

    def _fill(self, number: int, used: int, lost: float) -> None:
        """Lay a piece on the slot of step ``number``; the bits of ``used`` are the pieces that lie already."""
        if number == len(self._steps):
            self._keep(lost)
            return
        step, sides, waiting = self._steps[number], self._sides, self._waiting
        (first, offset), *others = zip(step.read, step.known, strict=True)
        loss_rows = [(self._losses.of[waiting[joint]], away - offset) for joint, away in others]
        for loss, edge in self._losses.partners[waiting[first]]:
            total = lost + loss
            if total > self._limit:
                break  # the partners that follow lose more
            piece, at = divmod(edge, sides)
            if used >> piece & 1:
                continue
            base = edge - at
            for row, away in loss_rows:
                total += row[base + (at + away) % sides]
            if total > self._limit:
                continue
            self.nodes += 1
            self._budget.spend()
            for joint, away in step.write:
                waiting[joint] = base + (at + away - offset) % sides
            self._laid[step.slot] = (piece, (step.edge + offset - at) % sides)
            self._fill(number + 1, used | 1 << piece, total)

    def _keep(self, lost: float) -> None:
        """Remember a full arrangement, unless one that shows the same is as good."""
        placed = tuple(self._laid)
        shown: Hashable = placed
        if self._codes:
            shown = tuple(
                tuple(self._codes[piece][(e - turn) % self._sides] for e in range(self._sides))
                for piece, turn in placed
            )
        if lost < self._found.get(shown, (inf,))[0]:
            self._found[shown] = lost, placed
            self._limit = min(self._limit, self.enough())
