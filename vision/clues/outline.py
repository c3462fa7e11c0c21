"""Which places of a board's box are cells, where the picture leaves some of them open: the clues tell.

A hole within lines drawn all round looks like an empty cell. But the areas of the clues add up to the board's cells,
and a made board has an answer, mostly one alone. So sets of cells are looked at in the order of their log odds, and the
likeliest whose clues have an answer is taken; where another is about as likely, the places in which they differ are
doubts.
"""

import heapq
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, islice

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.stitch import UNKNOWN, Stitch, answers, spare_blocks
from vision.boards.states import CERTAIN, Bools, Floats
from vision.clues.beliefs import NO_CLUE, Belief
from vision.clues.repair import NODES_PER_SEARCH, UNSEEN
from vision.pictures.masks import box_of
from vision.reading import Doubt

MARGIN = math.log(40)
"""How much likelier the cells of a board are than any other set of places, in nats, at least: two of 160 irregular
boards have a rival between this and log 20, and one of these was read wrongly."""

OPEN = CERTAIN
"""Nats up to which the clues may make holes of cells, or cells of holes, all added up: a number that was read with
certainty is sooner right."""

MOST_SWAPPED = 2
"""Cells and holes that may have to change places at most: one of each is two places told wrongly."""

MOST_CLUSTERS = 2
"""Clusters of places that look alike of which it may have to be told anew at most whether they are cells."""

DIVIDED = math.log(8)
"""How much rarer a cluster of places that look alike holds both cells and holes than one of them only, in nats: of
1,999 clusters on 400 drawn boards 241 do."""

VARIED = math.log(20)
"""How much rarer holes of one more look are on a board, in nats: on 35 drawn screens two have holes of two looks."""

MOST_SETS = 500
"""Sets of cells with the right number that are looked at; where there are more, none is chosen."""

RARER = 0.001
"""How much rarer what seems to be a clue is on a place taken for a hole than on a cell: on 420 drawn boards one of
4,623 such places, and a quarter of the cells."""

OVERLOOKED = math.log(20)
"""How much rarer a board is whose clues add up without some of them, in nats."""

TOGETHER = math.log(4)
"""How much rarer places that are holes by the sum of the clues make a rectangle by chance with each more of them, in
nats: what makes one is sooner a patch whose clue was not seen."""

LEGEND = 2.0
"""Nats up to which what seems to stand on a hole may be of a legend, a little off the places of the board."""

RECTANGULAR = math.log(20)
"""How much likelier a board is a rectangle than of any other outline, in nats."""

SEVERAL = math.log(100)
"""How much rarer a made board has several answers than one, in nats."""

HOLE = "hole"
"""The word for a place without a cell."""

ALIKE = "a cell and no cell look alike here; say hole if there is none"
"""Why a place is a doubt."""


@dataclass(frozen=True, eq=False)
class Outline:
    """The cells of a board.

    Attributes:
        inside: ``bool (rows, cols)``.
        doubts: the places that may as well be the other way.
        unsure: the places that may be the other way if the clues do not come out as they are.
        changed: whether the clues made holes of cells, or cells of holes.
    """

    inside: Bools
    doubts: tuple[Doubt, ...] = ()
    unsure: tuple[Doubt, ...] = ()
    changed: bool = False


def may_be_cells(odds: Floats) -> Bools:
    """The places that are cells, or may turn out to be."""
    return np.asarray(odds > -OPEN)


def likeliest_cells(
    odds: Floats,
    evidence: Floats,
    beliefs: Sequence[Belief],
    budget: Budget,
    clusters: Callable[[Bools], Sequence[Bools]] = lambda _: (),
) -> Outline:
    """The likeliest set of cells whose clues, as they were most likely read, add up to them and have an answer; the
    likeliest of all where none has, or where a clue was sooner misread. Where clues have no number nothing adds up, and
    that set has to be the likeliest. What seems to be a clue on a place that looks like a hole may be none.

    Args:
        odds: log odds of each place for being a cell, by how it looks, in nats.
        evidence: by what stands on it, see :func:`evidence_of_clues`.
        beliefs: what stands on the places that carry something.
        budget: for the searches.
        clusters: clusters of places that look alike, of those that it is given, ``bool (rows, cols)`` each.
    """
    odds = odds + np.where(odds > 0, evidence, 0.0)
    likeliest = np.asarray(odds > 0)
    numbers = {
        belief.cell: belief.value for belief in beliefs if belief.value != NO_CLUE and may_be_cells(odds)[belief.cell]
    }
    unsure = [(int(r), int(c)) for r, c in np.argwhere(np.abs(odds) < OPEN)]
    readings = [_Clues(numbers), *_without_strays(numbers, beliefs, odds, evidence)]
    fill_the_box = readings[0].count == odds.size and not likeliest.all()
    if not numbers or not (unsure or fill_the_box):
        return Outline(likeliest)
    margin = MARGIN - _prior(likeliest)
    even = _open([cell for cell in unsure if abs(odds[cell]) < margin], likeliest)
    plain = np.ones_like(likeliest)
    plain[tuple(np.transpose(list(numbers)))] = False
    alike = clusters(plain)
    counted = cache(
        lambda clues, key: _answers(np.frombuffer(key, dtype=bool).reshape(odds.shape), clues.numbers, budget)
    )
    # That the clues add up to just so many of the places by chance is one in as many.
    limit = OPEN + MARGIN + math.log(odds.size)
    most = MARGIN
    while True:
        sets, commonest = _sets(odds, alike, readings, most)
        if len(sets) > MOST_SETS:
            return Outline(likeliest, even)
        found = _weighed([(some, cost, counted(clues, some.tobytes())) for clues, some, cost in sets])
        if found and found[0][1] + MARGIN <= most:
            inside, least = found[0]
            lost = list(_with_unseen(numbers, odds, inside)) if readings[0].add_up else []
            others, rarity = _sets(odds, alike, lost, least + MARGIN)
            rivals = chain(
                _misread(beliefs, numbers, odds, inside, alike, budget=budget),
                ((cost + rarity, cells) for clues, cells, cost in others if counted(clues, cells.tobytes())),
            )
            misread = [(cost - commonest, cells) for cost, cells in rivals if cost - commonest < least + MARGIN]
            if any(cost + MARGIN <= least for cost, _ in misread):
                break
            if misread:
                differing = np.any([inside != likeliest, *(cells != likeliest for _, cells in misread)], axis=0)
                return Outline(likeliest, _open([(int(r), int(c)) for r, c in np.argwhere(differing)], likeliest))
            nearest = [some for some, cost in found[1:] if cost < least + MARGIN]
            differing = {(int(r), int(c)) for other in nearest for r, c in np.argwhere(other != inside)}
            return Outline(inside, _open(sorted(differing), inside), changed=bool((inside != likeliest).any()))
        if not readings[0].add_up or most == limit:
            break
        most = min(found[0][1] + MARGIN if found else 2 * most, limit)
    return Outline(likeliest, unsure=even) if readings[0].add_up else Outline(likeliest, even)


@dataclass(frozen=True, eq=False)
class _Clues:
    """What is taken for the clues of a board, and what that costs in nats.

    Attributes:
        numbers: of each.
        stray: a place of which what seems to be a clue is none, as it is a hole.
        cost: what that costs.
    """

    numbers: Mapping[Cell, int]
    stray: Cell | None = None
    cost: float = 0.0

    @property
    def add_up(self) -> bool:
        """Whether all have a number."""
        return UNKNOWN not in self.numbers.values()

    @property
    def count(self) -> int | None:
        """What they add up to."""
        return sum(self.numbers.values()) if self.add_up else None


def _without_strays(
    numbers: Mapping[Cell, int], beliefs: Sequence[Belief], odds: Floats, evidence: Floats
) -> Iterator[_Clues]:
    """The clues without one of those on places that look like holes: as unlikely as it is that a mark like a clue
    stands there, and as it is misread.
    """
    for belief in beliefs:
        if belief.cell in numbers and odds[belief.cell] < 0:
            others = {cell: value for cell, value in numbers.items() if cell != belief.cell}
            yield _Clues(others, belief.cell, float(evidence[belief.cell]) + belief.cost(NO_CLUE))


def _with_unseen(numbers: Mapping[Cell, int], odds: Floats, inside: Bools) -> Iterator[_Clues]:
    """The clues with one more that was not seen, of a patch on what looks like cells and are holes by the clues."""
    lost = np.where((odds > 0) & ~inside, odds, -np.inf)
    for top, left in np.argwhere(lost > 0).tolist():
        for area in range(1, max(inside.shape) + 1):
            for height, width in {(1, area), (area, 1)}:
                patch = lost[top : top + height, left : left + width]
                if patch.size == area and patch.sum() > _cost_unseen(area) - MARGIN:
                    yield _Clues({**numbers, (top, left): area}, cost=_cost_unseen(area))


def _misread(
    beliefs: Sequence[Belief],
    numbers: Mapping[Cell, int],
    odds: Floats,
    inside: Bools,
    clusters: Sequence[Bools],
    *,
    budget: Budget,
) -> Iterator[tuple[float, Bools]]:
    """What it costs, in nats, that one clue was misread, or not seen at all, where the clues add up to the cells of
    ``inside``, and which places are cells then: the likeliest, or those with a patch more. That the clues add up to all
    of a box is no chance.
    """
    likeliest = np.asarray(odds > 0)
    rarity = _rarity(likeliest, clusters)
    missing = int(np.count_nonzero(likeliest)) - int(np.count_nonzero(inside))
    if inside.all():
        return
    for belief in beliefs if missing else ():
        value = belief.value + missing
        possible = belief.value != UNKNOWN and value > NO_CLUE and belief.cost(value) < OPEN
        if possible and _answers(likeliest, {**numbers, belief.cell: value}, budget):
            yield rarity + belief.cost(value), likeliest
    if missing > 0 and _leaves_one_over(_board(likeliest, numbers), budget):
        yield rarity + _cost_unseen(missing), likeliest
    for places in (likeliest & ~inside, *clusters):
        if not places.any() or inside[box_of(places)].any():
            continue
        patch = box_of(places)
        more = inside.copy()
        more[patch] = True
        wrong = float(np.abs(odds[patch][odds[patch] < 0]).sum())
        yield _rarity(more, clusters) + _cost_unseen(odds[patch].size) + wrong, more


def _cost_unseen(area: int) -> float:
    """What it costs that the clue of a patch was not seen."""
    return max(0.0, -math.log(UNSEEN) - TOGETHER * (area - 1))


def _leaves_one_over(board: Stitch, budget: Budget) -> bool:
    """Whether there is an answer with one rectangle without a clue, or none was ruled out in time."""
    try:
        return next(spare_blocks(board, Budget(NODES_PER_SEARCH, budget.seconds_left())), None) is not None
    except BudgetSpentError:
        return True


def _weighed(sets: Sequence[tuple[Bools, float, int]]) -> list[tuple[Bools, float]]:
    """Those sets that have answers with what they cost, the cheapest first; several answers cost more than one."""
    alone = any(answers == 1 for _, _, answers in sets)
    found = [(some, cost + (SEVERAL if alone and number > 1 else 0.0)) for some, cost, number in sets if number]
    return sorted(found, key=lambda one: one[1])


def _sets(
    odds: Floats, clusters: Sequence[Bools], readings: Sequence[_Clues], most: float
) -> tuple[list[tuple[_Clues, Bools, float]], float]:
    """Sets of as many cells as the clues of a reading add up to, or of any number, with what they cost, up to ``most``
    nats below the likeliest, the cheapest first; where there are more than ``MOST_SETS``, some of them. And the rarity
    of the commonest, which costs nothing.
    """
    if readings and readings[0].count == odds.size:
        # A patch that looks like the page takes all of its cells with it: they are told wrongly together.
        _, parts = cv2.connectedComponents((odds <= 0).astype(np.uint8), connectivity=4)
        cost = sum(float(np.abs(odds[parts == part]).max()) for part in range(1, int(parts.max()) + 1))
        capped = min(cost, OPEN)  # no other set has so many cells: that the clues add up to it says as much
        return [(readings[0], np.ones_like(odds, bool), capped)] if capped <= most else [], 0.0
    sets = [
        (clues, some, clues.cost + cost)
        for clues in readings
        for some, cost in _sets_of(odds, clusters, clues, most - clues.cost)
    ]
    rarity = [_rarity(some, clusters) for _, some, _ in sets]
    least = min([_rarity(np.asarray(odds > 0), clusters), *rarity])
    weighed = ((clues, some, cost + rare - least) for (clues, some, cost), rare in zip(sets, rarity, strict=True))
    return sorted(weighed, key=lambda one: one[2]), least


def _sets_of(odds: Floats, clusters: Sequence[Bools], clues: _Clues, most: float) -> Iterable[tuple[Bools, float]]:
    """Those of one reading, without its cost and their rarity."""
    odds = odds.copy()
    if clues.stray is not None:
        odds[clues.stray] = -np.inf
    found: dict[bytes, tuple[Bools, float]] = {}
    for relabelled, cost in _relabelled(odds, [*clusters, *_sides(odds > 0)], most):
        for some, more in _changed_ones(relabelled, clues.count, most - cost):
            known = found.get(some.tobytes())
            if known is None or cost + more < known[1]:
                found[some.tobytes()] = some, cost + more
        if len(found) > MOST_SETS:
            break
    return found.values()


def _rarity(inside: Bools, clusters: Sequence[Bools]) -> float:
    """How rare a set of cells is before anything is read, in nats: less so a rectangle, and one that divides few
    clusters of places that look alike, and whose holes look alike.
    """
    divided = sum(inside[cluster].any() and not inside[cluster].all() for cluster in clusters)
    holes = [cluster for cluster in clusters if not inside[cluster].any()]
    varied = sum(not any(other is not cluster and (cluster <= other).all() for other in holes) for cluster in holes)
    return DIVIDED * divided + VARIED * max(0, varied - 1) - _prior(inside)


def _sides(inside: Bools) -> Iterator[Bools]:
    """The cells of a first or last row or column that runs along all cells of the next: buttons or coordinates beside a
    board make such a line of cells, told wrongly for one reason.
    """
    for quarters in range(4):
        turned = np.rot90(inside, quarters)
        if len(turned) > 1 and not (turned[1] & ~turned[0]).any():
            side = np.zeros_like(turned)
            side[0] = turned[0]
            yield np.rot90(side, -quarters)


def _relabelled(odds: Floats, clusters: Sequence[Bools], most: float) -> list[tuple[Floats, float]]:
    """The log odds as they are, and with some clusters all cells or all holes, with what that costs, the cheapest
    first: what the network tells of places that look alike, or of all along a side, it tells for one reason, so what it
    costs that it is wrong there is the mean of their log odds, and not their sum.
    """
    turned = []
    for cluster in clusters:
        for cells in (False, True):
            wrong = cluster & ((odds > 0) != cells)
            cost = float(np.abs(odds[wrong]).mean()) if np.count_nonzero(wrong) > 1 else math.inf
            if cost <= most:
                turned.append((cost, cluster, np.inf if cells else -np.inf))
    turned.sort(key=lambda one: one[0])
    found = [(odds, 0.0)]
    for number in range(1, MOST_CLUSTERS + 1):
        for some in combinations(turned, number):
            cost, times = sum(one[0] for one in some), np.sum([one[1] for one in some], axis=0)
            if cost <= most and times.max() == 1:
                relabelled = odds.copy()
                for _, cluster, state in some:
                    relabelled[cluster] = state
                found.append((relabelled, cost))
    return sorted(found, key=lambda one: one[1])


def _changed_ones(odds: Floats, count: int | None, most: float) -> list[tuple[Bools, float]]:
    """Sets of so many cells, or of any number, by places that are told wrongly one by one, the cheapest first."""
    likeliest, flat = np.asarray(odds > 0), odds.ravel()
    if count is None:
        places = sorted(np.flatnonzero(np.abs(flat) <= most).tolist(), key=lambda at: abs(flat[at]))
        changes = (change for number in range(len(places) + 1) for change in _cheapest(places, flat, number, most))
        return [(_changed(likeliest, some), cost) for some, cost in islice(changes, MOST_SETS + 1)]
    lacking = count - int(np.count_nonzero(likeliest))
    cells, holes = (
        sorted(np.flatnonzero(state).tolist(), key=lambda at: abs(flat[at])) for state in (likeliest, ~likeliest)
    )
    swaps = (
        ((*more, *fewer), cost + other)
        for swapped in range(MOST_SWAPPED + 1)
        for more, cost in _cheapest(holes, flat, max(0, lacking) + swapped, most)
        for fewer, other in _cheapest(cells, flat, max(0, -lacking) + swapped, most - cost)
    )
    return [(_changed(likeliest, some), cost) for some, cost in islice(swaps, MOST_SETS + 1)]


def _changed(likeliest: Bools, places: Sequence[int]) -> Bools:
    """The set with these places, by their index, the other way."""
    some = likeliest.copy()
    some.ravel()[list(places)] ^= True
    return some


def _cheapest(places: Sequence[int], odds: Floats, count: int, most: float) -> Iterator[tuple[tuple[int, ...], float]]:
    """Choices of so many places that together cost at most so much, the cheapest first.

    Args:
        places: indices into ``odds``, those nearest to even first.
        odds: log odds; what it costs that a place is the other way is their absolute value.
        count: how many are chosen.
        most: nats.
    """
    if count > len(places):
        return
    costs = [abs(float(odds[at])) for at in places]
    first = tuple(range(count))
    waiting, known = [(sum(costs[:count]), first)], {first}
    while waiting:
        cost, chosen = heapq.heappop(waiting)
        if cost > most:
            return
        yield tuple(places[k] for k in chosen), cost
        for i, k in enumerate(chosen):
            following = (*chosen[:i], k + 1, *chosen[i + 1 :])
            if k + 1 < (chosen[i + 1] if i + 1 < count else len(places)) and following not in known:
                known.add(following)
                heapq.heappush(waiting, (cost - costs[k] + costs[k + 1], following))


def _answers(inside: Bools, numbers: Mapping[Cell, int], budget: Budget) -> int:
    """How many answers these clues have on these cells, two standing for more or for what a search did not settle; none
    where a clue stands beside them, or where finding one takes too long.
    """
    budget.spend(0)  # what one set costs ends with its nodes; that there are many must not
    if not all(inside[cell] for cell in numbers):
        return 0
    found = answers(_board(inside, numbers), Budget(NODES_PER_SEARCH, budget.seconds_left()))
    number = 0
    try:
        for _ in islice(found, 2):
            number += 1
    except BudgetSpentError:
        return 2 * number
    return number


def _board(inside: Bools, numbers: Mapping[Cell, int]) -> Stitch:
    return Stitch(
        tuple(
            tuple(numbers.get((r, c), 0) if cell else None for c, cell in enumerate(row))
            for r, row in enumerate(inside)
        )
    )


def _prior(inside: Bools) -> float:
    """The log of how much likelier a set of cells is than another one, before anything is read, in nats."""
    return RECTANGULAR if inside.any() and inside[box_of(inside)].all() else 0.0


def _open(cells: Sequence[Cell], inside: Bools) -> tuple[Doubt, ...]:
    return tuple(Doubt(cell, "empty" if inside[cell] else HOLE, 0.5, ALIKE) for cell in cells)


def evidence_of_clues(clued: npt.NDArray[np.floating]) -> Floats:
    """How much likelier each place is a cell than a hole by what stands on it, in nats, by Bayes' rule.

    Args:
        clued: the probability that a clue stands on each place, as the cell reader says it of a cell.
    """
    return np.asarray(-np.log(1 - clued + RARER * clued), np.float64)


def overlooked_clues(odds: Floats, inside: Bools, evidence: Floats) -> tuple[Doubt, ...]:
    """The holes that may be patches whose clues were overlooked, as the others add up without them: places that are
    told wrongly are so together, as those of a patch that looks like the page, and each clue among them says so.

    Args:
        odds: log odds of each place for being a cell, by how it looks.
        inside: the places that were taken for cells.
        evidence: by what stands on it, see :func:`evidence_of_clues`.
    """
    marked = np.where(evidence > LEGEND, evidence, 0.0)
    reach = np.maximum(_reach(odds, inside), -CERTAIN)
    _, parts = cv2.connectedComponents((~inside).astype(np.uint8), connectivity=4)
    together = np.bincount(np.asarray(parts).ravel(), np.where(inside, 0.0, marked).ravel())
    likely = reach + together[parts] - OVERLOOKED - _prior(inside) > -MARGIN
    open_places = ~inside & (marked > 0) & likely
    return _open([(int(r), int(c)) for r, c in np.argwhere(open_places)], inside)


def _reach(odds: Floats, inside: Bools) -> Floats:
    """The log odds that a hole is a cell together with holes that connect it to the cells: of the path whose least
    likely place is likeliest, by Dijkstra's algorithm.
    """
    best = np.where(inside, 0.0, -np.inf)
    waiting = [(0.0, int(r), int(c)) for r, c in np.argwhere(inside)]
    while waiting:
        cost, r, c = heapq.heappop(waiting)
        for row, col in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if not (0 <= row < odds.shape[0] and 0 <= col < odds.shape[1]):
                continue
            reached = min(-cost, float(odds[row, col]))
            if reached > best[row, col]:
                best[row, col] = reached
                heapq.heappush(waiting, (-reached, row, col))
    return best


def holes_of(given: Mapping[Cell, str]) -> Collection[Cell]:
    """The places of which the user says that they are no cells."""
    return [cell for cell, text in given.items() if text.strip().lower() == HOLE]
