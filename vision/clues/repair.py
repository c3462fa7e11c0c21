"""The rules of Stitch correct the reader: which clues stand on the board, given what each seems to be.

A reader has an opinion of each cell: numbers with probabilities, "no clue here" among them. The rules know more: the
areas add up to the board, and a made puzzle has exactly one answer. So the likeliest set of clues with exactly one
answer is looked for. Doubtful clues are freed first, then one more clue, then two; a search over all numbers that the
free clues may have (:func:`solvers.stitch.answers_among`) finds every set that can be right at once. The best set is
taken only when it beats the next one by a clear margin; else the cells in which they differ are doubts. ::

    reader: 3 (0.55) or 8 (0.40)   rules: with 3 the areas make 54 of 56 cells, with 8 ... 59: neither; another clue ...

Where the clues leave cells over, one may not have been seen at all: a rectangle without a clue that gives the board an
answer speaks against every unlikely repair, and is where to look again.

A confident reading that has an answer is never touched, one answer or several: it may be a board that was made so.
"""

import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from solvers.blocks import Block
from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.message import Message
from solvers.steps.step import spot
from solvers.stitch import (
    UNKNOWN,
    Answer,
    Stitch,
    answers,
    answers_among,
    areas_possible,
    clue_sum,
    faults,
    numbers,
    spare_blocks,
)
from vision.clues.beliefs import CERTAIN, NO_CLUE, POSSIBLE, Belief, as_text, upside_down
from vision.reading import Doubt, Repair

MARGIN = math.log(20)
"""How much likelier (20 times) the best set must be than the next one: one wrong repair in twenty boards that have a
rival at all, and few have."""

MOST_COST = 12.0
"""Sets of clues that are less likely than this (in natural logarithms below the reader's opinion) are never taken:
rather something else about the board was misunderstood, and rules are met by chance when enough is tried."""

MOST_REPAIRED = 1 / 3
"""Where this part of a board's clues would be others than were read, too little is left that speaks for the board."""

SWAPPED = 5e-4
"""Probability of one such swap in a clue that was as good as sure."""

UNSEEN, UNSEEN_FOR_A_SWAP = 1e-3, 1e-2
"""Probability that a clue was not seen at all, although another one is sooner swapped than overlooked: where a clue is
missing, many a swap gives an answer by chance. The second where a number that was read would be another one for it, and
not only one filled in that could not be read."""

READ = 0.5
"""A number this sure was read; what is less sure is the best guess at what could not be."""

MOST_ANSWERS = 40
"""Answers looked at in one search; more say that the freed clues are not held by the others."""

NODES_PER_SEARCH = 300
"""Search nodes for one question: boards that are read right need one to a few dozen, also with some clues free."""

NODES_IN_ALL = 6_000
"""Search nodes for one board, a few seconds; what is not clear by then is a doubt. Not seconds: what is read must be
the same on a busy machine."""

CLUES_A_NODE = 5
"""Laying out the blocks of so many clues takes as long as a node: what a question costs before its search begins."""

NAMED = 3
"""Rectangles without a clue that are named as doubts, at most."""

MOST_CHOICES, MORE_CHOICES = 8, 100
"""Choices of which doubtful cells carry a clue at all, in one search; the second while only these are freed. What is
left out may be likelier than what is found, which is then not taken."""

SOME_NUMBER = 1
"""Stands for a clue whose number is free, while its cell is."""

MOST_PAIRS = 700
"""Pairs of clues that are freed together at most (a board of 38 clues)."""


MISFIT = "the clues as read do not fit together, and this one is the least certain"
"""Why a cell is in doubt where no other number on one or two cells would give the board an answer."""


@dataclass(frozen=True)
class Settled:
    """The clues that were agreed on.

    Attributes:
        puzzle: the board with them.
        confidence: 0..1, the least sure of the clues.
        repairs: what was read otherwise.
        doubts: what stays open; the puzzle is then the likeliest, not the right one.
    """

    puzzle: Stitch
    confidence: float
    repairs: tuple[Repair, ...] = ()
    doubts: tuple[Doubt, ...] = ()


_Key = tuple[tuple[Cell, int], ...]
"""A set of clues: each cell with its value, in order."""


@dataclass(frozen=True)
class _Set:
    """A set of clues for which the board has an answer: ``blocks`` are its rectangles when it has just one."""

    values: _Key
    cost: float
    blocks: frozenset[tuple[Cell, ...]] | None

    @property
    def unique(self) -> bool:
        """Whether the board has just one answer with these clues."""
        return self.blocks is not None


@dataclass
class _Case:
    """One board under consideration: its blank form, the beliefs, and the sets found so far."""

    blank: Stitch
    beliefs: Mapping[Cell, Belief]
    budget: Budget
    found: dict[_Key, _Set] = field(default_factory=dict)
    complete: bool = True
    skipped: float = math.inf
    """What a set that was not looked for costs at least."""
    gave_up: bool = False
    """Whether a search found too much or took too long."""

    def puzzle(self, values: Mapping[Cell, int]) -> Stitch:
        """The board with these clues."""
        rows = [list(row) for row in self.blank.clues]
        for (r, c), value in values.items():
            rows[r][c] = value
        shapes = {cell: shape for cell, shape in self.blank.shapes.items() if values.get(cell)}
        return replace(self.blank, clues=tuple(map(tuple, rows)), shapes=shapes)

    @property
    def likeliest(self) -> dict[Cell, int]:
        """What the reader would say alone."""
        return {cell: belief.value for cell, belief in self.beliefs.items()}

    @property
    def read(self) -> Stitch:
        """The board with that."""
        return self.puzzle(self.likeliest)

    def purse(self) -> Budget:
        """What one search may spend.

        Raises:
            BudgetSpentError: nothing is left.
        """
        self.budget.spend(len(self.beliefs) // CLUES_A_NODE)
        return Budget(NODES_PER_SEARCH, self.budget.seconds_left())

    def paid(self, purse: Budget) -> None:
        """Take what a search spent from what is left for the board."""
        self.budget.spent += purse.spent
        if self.budget.nodes is not None and self.budget.spent > self.budget.nodes:
            self.complete = False


@dataclass(frozen=True)
class _Stage:
    """A round of searches.

    Attributes:
        frees: for each search the cells that are freed.
        narrow: only numbers that the reader thought of or that look alike, not any number.
        least_cost: what a set that only a later round can find costs at least.
    """

    frees: Iterable[list[Cell]]
    narrow: bool
    least_cost: float


def settle(
    blank: Stitch,
    beliefs: Sequence[Belief],
    budget: Budget,
    closer: Callable[[Sequence[Belief]], Sequence[Belief]] = lambda beliefs: beliefs,
) -> Settled:
    """Agree on the clues of a board.

    Args:
        blank: the board without clues, with its holes (None) and the shapes of its badges.
        beliefs: what stands on each cell that carries something; other cells are empty.
        budget: for the searches.
        closer: looks at the cells again where not everything is plain, and says what they, and others that seemed to be
            empty, carry then.
    """
    purse = Budget(NODES_IN_ALL, budget.seconds_left())
    case = _case(blank, beliefs, purse)
    if all(belief.certain for belief in beliefs) and not faults(case.read) and _has_answer(case, case.likeliest):
        return Settled(case.read, _confidence(beliefs))
    result = _search_in_stages(_case(blank, closer(beliefs), purse))
    budget.spent += purse.spent
    return result if result.doubts else replace(result, repairs=repairs_in(beliefs, result.puzzle))


def repairs_in(beliefs: Sequence[Belief], puzzle: Stitch) -> tuple[Repair, ...]:
    """What was read otherwise, or not at all. What only a closer look told is one as well: that says as little for a
    board as what the rules alone put right.
    """
    read = dict.fromkeys(puzzle.clue_cells, NO_CLUE) | {belief.cell: belief.value for belief in beliefs}
    used = {cell: puzzle.clue(cell) or NO_CLUE for cell in read}
    return tuple(Repair(cell, as_text(read[cell]), as_text(used[cell])) for cell in used if used[cell] != read[cell])


def _case(blank: Stitch, beliefs: Sequence[Belief], purse: Budget) -> _Case:
    return _Case(blank, {belief.cell: belief for belief in beliefs}, purse)


def _search_in_stages(case: _Case) -> Settled:
    """Free more and more clues until what later rounds may find cannot compete any more."""
    if _is_hopeless(case):
        return _undecided(case, _spare(case))
    least_cost = 0.0
    try:
        for stage in _stages(case):
            for free in stage.frees:
                _search(case, free, stage.narrow, least_cost)
                if (case.gave_up or not case.complete) and not case.found:
                    break
            least_cost = max(least_cost, stage.least_cost)
            if _bar(case) <= least_cost:
                break
    except BudgetSpentError:
        case.complete = False
    spare = _spare(case)
    return _decided(case, spare) or _undecided(case, spare)


def _is_hopeless(case: _Case) -> bool:
    """Whether more choices of which doubtful cells carry a clue are about as likely as the likeliest than are looked
    at: what is left out competes with whatever would be found. So it is on a grid that is no board's.
    """
    open_beliefs = [belief for belief in case.beliefs.values() if not belief.certain and belief.least_cost < MARGIN]
    choices = cheapest_first([_kinds(belief) for belief in open_beliefs])
    left_out = next(itertools.islice(choices, MORE_CHOICES, None), None)
    return left_out is not None and left_out[1] < MARGIN


def _spare(case: _Case) -> list[Block]:
    """Rectangles in which a clue may stand that was not seen, if all others were read right; few at most."""
    purse = Budget(NODES_PER_SEARCH, case.budget.seconds_left())
    try:
        return list(itertools.islice(spare_blocks(case.read, purse), MOST_ANSWERS))
    except BudgetSpentError:
        case.complete = False
        return []


def _has_answer(case: _Case, values: Mapping[Cell, int]) -> bool:
    """Whether the board has an answer with these clues; None found also when the search gave up."""
    purse = case.purse()
    try:
        return next(iter(answers(case.puzzle(values), purse)), None) is not None
    except BudgetSpentError:
        return False
    finally:
        case.paid(purse)


def _stages(case: _Case) -> Iterator[_Stage]:
    """Which clues to free, in rounds of growing unlikeliness: the doubtful, one more, two more."""
    unsure = [belief for belief in case.beliefs.values() if not belief.certain]
    doubtful = [belief.cell for belief in unsure]
    likely = {cell: belief.least_cost for cell, belief in case.beliefs.items() if belief.certain and _may_err(belief)}
    others = sorted(likely, key=lambda cell: likely[cell])
    swapped = min([math.log(CERTAIN / SWAPPED), *likely.values()])
    if doubtful:
        unexpected = min(belief.unexpected_cost for belief in unsure)
        # What is twenty times likelier than anything else need not be freed while the board has an answer with it.
        firm = [belief for belief in unsure if belief.least_cost >= MARGIN]
        if firm:
            open_cells = [belief.cell for belief in unsure if belief.least_cost < MARGIN]
            yield _Stage([open_cells], True, min(unexpected, *(belief.least_cost for belief in firm)))
        yield _Stage([doubtful], True, min(unexpected, swapped))
        yield _Stage([doubtful], False, swapped)
    yield _Stage(([*doubtful, cell] for cell in others), False, 2 * swapped)
    pairs = list(itertools.combinations(others, 2))
    if len(pairs) <= MOST_PAIRS:
        yield _Stage(([*doubtful, one, two] for one, two in pairs), False, 3 * swapped)


def _may_err(belief: Belief) -> bool:
    """Whether another value is worth a search: that of a number, or of what hardly stands out and may yet be a clue."""
    return belief.value > NO_CLUE or (belief.value == NO_CLUE and belief.least_cost < MOST_COST)


def _search(case: _Case, free: list[Cell], narrow: bool, least_cost: float) -> None:
    """Note all sets with an answer in which only ``free`` cells differ from the reader's opinion.

    Those that no earlier search can have found cost ``least_cost`` at least.
    """
    most = MOST_CHOICES if any(case.beliefs[cell].certain for cell in free) else MORE_CHOICES
    for count, (kinds, cost) in enumerate(cheapest_first([_kinds(case.beliefs[cell]) for cell in free])):
        if cost >= _bar(case):
            return
        if count == most:
            case.skipped = min(case.skipped, max(cost, least_cost))
            return
        if not _search_among(case, case.likeliest | dict(zip(free, kinds, strict=True)), free, narrow):
            case.gave_up = True
            case.skipped = min(case.skipped, max(cost, least_cost))


def _search_among(case: _Case, values: Mapping[Cell, int], free: list[Cell], narrow: bool) -> bool:
    """Note the sets with these values, but for the numbers of the free cells that have one; whether that was done."""
    puzzle = case.puzzle(values)
    if not puzzle.clue_cells:
        return True
    allowed = areas_possible(puzzle, [cell for cell in free if values.get(cell) and values[cell] != UNKNOWN])
    if narrow:
        allowed = {cell: frozenset(filter(case.beliefs[cell].expects, areas)) for cell, areas in allowed.items()}
    # A number that alone costs too much, beside what has none, is in no set that competes.
    left = _bar(case) - sum(case.beliefs[cell].cost(values[cell]) for cell in free if cell not in allowed)
    allowed = {
        cell: frozenset(area for area in areas if case.beliefs[cell].cost(area) < left)
        for cell, areas in allowed.items()
    }
    answered = _answered(case, puzzle, allowed)
    _note_sets(case, values, answered or [])
    return answered is not None


def _note_sets(case: _Case, values: Mapping[Cell, int], answered: Sequence[Answer]) -> None:
    """Sort answers by the numbers that they need."""
    by_set: dict[_Key, list[Answer]] = {}
    for answer in answered:
        had = numbers(answer)
        key = tuple(sorted((c, v if v in (NO_CLUE, UNKNOWN) else had[c]) for c, v in values.items()))
        by_set.setdefault(key, []).append(answer)
    for key, same in by_set.items():
        if key not in case.found:
            cost = sum(case.beliefs[cell].cost(value) for cell, value in key)
            blocks = frozenset(patch.block.cells for patch in same[0]) if len(same) == 1 else None
            case.found[key] = _Set(key, cost, blocks)


def cheapest_first(cells: Sequence[Sequence[tuple[int, float]]]) -> Iterator[tuple[tuple[int, ...], float]]:
    """All choices of an option for each cell, with the sum of their costs, the cheapest first [1]_; none where a cell
    has no option.

    Args:
        cells: what each may have, with the cost of each.

    .. [1] E. L. Lawler, "A Procedure for Computing the K Best Solutions to Discrete Optimization Problems", Management
       Science 18(7), 1972: each choice taken brings those in which one cell goes on to its next option.
    """
    if not all(cells):
        return
    ordered = [sorted(options, key=lambda option: option[1]) for options in cells]
    first = (0,) * len(cells)
    waiting = [(sum(options[0][1] for options in ordered), first)]
    visited = {first}
    while waiting:
        cost, at = heapq.heappop(waiting)
        yield tuple(options[k][0] for options, k in zip(ordered, at, strict=True)), cost
        for cell, k in enumerate(at):
            following = (*at[:cell], k + 1, *at[cell + 1 :])
            if k + 1 < len(ordered[cell]) and following not in visited:
                visited.add(following)
                heapq.heappush(waiting, (cost + ordered[cell][k + 1][1] - ordered[cell][k][1], following))


def _kinds(belief: Belief) -> list[tuple[int, float]]:
    """Whether a cell has a clue, and one with a number, with the costs; which number it is, the search finds. What is
    certain is freed to be another one: as it is it was looked at before.
    """
    chances: dict[int, float] = {SOME_NUMBER: max(POSSIBLE, belief.unread)}
    for value, p in belief.options:
        kind = value if value in (NO_CLUE, UNKNOWN) else SOME_NUMBER
        chances[kind] = max(chances.get(kind, 0.0), p)
    likeliest = max(chances.values())
    least = belief.least_cost if belief.certain else 0.0
    return [(kind, max(least, math.log(likeliest / p))) for kind, p in chances.items() if p >= POSSIBLE]


def _answered(case: _Case, puzzle: Stitch, allowed: Mapping[Cell, Iterable[int]]) -> list[Answer] | None:
    """All answers of the board with freed clues; None when there are too many or the search gave up."""
    purse = case.purse()
    try:
        free = {cell: frozenset(areas) for cell, areas in allowed.items()}
        result = list(itertools.islice(answers_among(puzzle, free, purse), MOST_ANSWERS + 1))
    except BudgetSpentError:
        result = None
    finally:
        case.paid(purse)
    return result if result is None or len(result) <= MOST_ANSWERS else None


def _ranked(case: _Case) -> list[_Set]:
    """The sets with exactly one answer, likeliest first; a single set with several answers is what the board says."""
    sets = sorted(case.found.values(), key=lambda one: one.cost)
    if len(sets) == 1 and sets[0].cost == 0:
        return sets
    return [one for one in sets if one.unique]


def _bar(case: _Case) -> float:
    """What costs so much does not compete with the best set any more."""
    ranked = _ranked(case)
    return ranked[0].cost + MARGIN if ranked else math.inf


def _decided(case: _Case, spare: Sequence[Block]) -> Settled | None:
    """The best set where it is clearly the best, also against that a clue was not seen."""
    ranked = _ranked(case)
    if not ranked or not case.complete or ranked[0].cost > MOST_COST:
        return None
    unseen = UNSEEN_FOR_A_SWAP if _swaps(ranked[0], case) else UNSEEN
    # A clue that may as well stand beside its place, in the same rectangle, changes nothing.
    others = [one.cost for one in ranked[1:] if one.blocks != ranked[0].blocks]
    rivals = others[:1] + [-math.log(unseen) for _ in spare[:1]]
    rivals += [one.cost for one in case.found.values() if not one.unique and _lacks_a_shape(case.blank, one)]
    lead = min([*rivals, case.skipped]) - ranked[0].cost
    if lead < MARGIN:
        return None
    best = dict(ranked[0].values)
    changed = sum(case.beliefs[cell].strangeness(value) for cell, value in best.items())
    if changed >= MOST_REPAIRED * sum(value != NO_CLUE for value in best.values()):
        return None
    # What the rules and the reader agree on is as sure as the lead over the next best set.
    return Settled(case.puzzle(best), 1 - math.exp(-min(lead, 2 * MARGIN)))


def _swaps(best: _Set, case: _Case) -> bool:
    """Whether a set has a number that the reader hardly thought of where another was read."""
    read = {cell: belief for cell, belief in case.beliefs.items() if belief.value > NO_CLUE and belief.sure >= READ}
    return any(read[cell].strangeness(value) == 1 for cell, value in best.values if cell in read)


def _lacks_a_shape(blank: Stitch, found: _Set) -> bool:
    """Whether a badge of the set was not made out, whose shape may leave one answer of several."""
    return bool(blank.shapes) and any(v == UNKNOWN and cell not in blank.shapes for cell, v in found.values)


def _undecided(case: _Case, spare: Sequence[Block]) -> Settled:
    """The reader's own opinion with the cells named that may be wrong, or may have lost a clue."""
    ranked = [one for one in _ranked(case)[:3] if one.cost <= MOST_COST]
    differing = {cell for one in ranked for cell, value in one.values if value != case.beliefs[cell].value}
    for one, other in itertools.combinations(ranked, 2):
        differing |= {cell for (cell, a), (_, b) in zip(one.values, other.values, strict=True) if a != b}
    why = "other numbers here would give the board one answer too"
    if not differing and not spare:
        why = MISFIT
        unsure = sorted(case.beliefs.values(), key=lambda belief: belief.sure)
        differing = {belief.cell for belief in unsure if not belief.certain} or {unsure[0].cell}
    doubts = tuple(
        Doubt(cell, as_text(case.beliefs[cell].value), case.beliefs[cell].sure, why) for cell in sorted(differing)
    )
    doubts += tuple(_lost(block) for block in spare[:NAMED])
    return Settled(case.read, _confidence(case.beliefs.values()), doubts=doubts)


def _lost(block: Block) -> Doubt:
    """The doubt that a clue was not seen in a rectangle."""
    why = "no clue was seen here, where the others leave its cells over"
    if len(block.cells) > 1:
        why = "no clue was seen between {first} and {last}, where the others leave its cells over"
    why = Message(why, first=spot(block.cells[0]), last=spot(block.cells[-1]))
    return Doubt(block.cells[0], as_text(len(block.cells)), UNSEEN, why)


def _confidence(beliefs: Iterable[Belief]) -> float:
    return min((belief.sure for belief in beliefs), default=0.0)


def either_way_up(settled: Settled, given: Mapping[Cell, str]) -> Settled:
    """In a photo, which may be taken from any side, a 6 is a 9 unless another number tells which side is up: by a digit
    that is none upside down, by a 0 that would come first, or because the numbers would not make a board.
    """
    puzzle = settled.puzzle
    numbers = {cell: str(puzzle.clue(cell)) for cell in puzzle.clue_cells if (puzzle.clue(cell) or 0) > 0}
    turned = {cell: upside_down(number) for cell, number in numbers.items()}
    if not all(turned.values()):
        return settled
    size = clue_sum(puzzle)[2] if len(numbers) == len(puzzle.clue_cells) else None
    if any(number.startswith("0") for number in turned.values()) or size not in (None, sum(map(int, turned.values()))):
        return settled
    doubts = tuple(
        Doubt(cell, number, 0.5, "turned upside down it is another number")
        for cell, number in numbers.items()
        if number != turned[cell] and cell not in given
    )
    return replace(settled, doubts=settled.doubts + doubts)
