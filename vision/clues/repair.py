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

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from solvers.blocks import Block
from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.stitch import (
    UNKNOWN,
    Answer,
    Stitch,
    answers,
    answers_among,
    areas_possible,
    faults,
    numbers,
    spare_blocks,
)
from vision.numbers.digits import DigitGuess
from vision.reading import Doubt, Repair

NO_CLUE = 0
"""The value of a cell without a clue."""

CERTAIN = 0.9
"""A clue this sure is not questioned while the board has an answer with it."""

MARGIN = math.log(20)
"""How much likelier (20 times) the best set must be than the next one: one wrong repair in twenty boards that have a
rival at all, and few have."""

STRANGE = 1e-6
"""Probability that a clue is a certain other number, none that the reader thought of, when it was as good as sure."""

ANY_NUMBER = 30
"""Among so many numbers a doubt is spread that names none."""

FEW_FIT = 5
"""Among so many numbers the chance of an unread clue is spread: as many have a rectangle of their own, more or less."""

MOST_COST = 12.0
"""Sets of clues that are less likely than this (in natural logarithms below the reader's opinion) are never taken:
rather something else about the board was misunderstood, and rules are met by chance when enough is tried."""

MOST_REPAIRED = 1 / 3
"""Where this part of a board's clues would be others than were read, too little is left that speaks for the board."""

SECOND_GUESS, CHOICE = math.log(4), 0.25
"""A number that was thought of, and is hardly less likely than the one that was read, counts for so much of a repair:
to choose between two leaves the rules less than one bit by which to be met by chance, an unread number over three."""

ALIKE = {"1": "7", "7": "1", "3": "8", "8": "360", "5": "6", "6": "580", "0": "86", "9": "4", "4": "9"}
"""Digits that are taken for each other."""

SWAPPED = 5e-4
"""Probability of one such swap in a clue that was as good as sure: readings this sure were right 2,428 times of as
many."""

UNSEEN = 1e-3
"""Probability that a clue was not seen at all, although another one is sooner swapped than overlooked: at that, many
a swap gives an answer by chance where a clue is missing (4 of 40 boards)."""

MOST_ANSWERS = 40
"""Answers looked at in one search; more say that the freed clues are not held by the others."""

NODES_PER_SEARCH = 300
"""Search nodes for one question: boards that are read right need one to a few dozen, also with some clues free."""

NODES_IN_ALL = 6_000
"""Search nodes for one board, a few seconds; what is not clear by then is a doubt. Not seconds: what is read must be
the same on a busy machine."""

CLUES_A_NODE = 5
"""Laying out the blocks of so many clues takes as long as a node: what a question costs before its search begins."""

POSSIBLE = 0.02
"""A cell's value with at least this probability is considered whenever the cell is doubtful."""

NAMED = 3
"""Rectangles without a clue that are named as doubts, at most."""

MOST_CHOICES = 8
"""Choices of which doubtful cells carry a clue at all, in one search."""

LEAST_SURE = 0.02
"""A likeliest value that is less sure than this says no more than that something stands there."""

SOME_NUMBER = 1
"""Stands for a clue whose number is free, while its cell is."""

MOST_PAIRS = 700
"""Pairs of clues that are freed together at most (a board of 38 clues)."""


@dataclass(frozen=True)
class Belief:
    """What a cell seems to carry.

    Attributes:
        cell: where.
        options: values with their probabilities, likeliest first: a number, :data:`NO_CLUE` or
            :data:`solvers.stitch.UNKNOWN`. What is missing of 1 is for values that nobody thought of.
        unread: probability that a number stands there which could not be read at all.
    """

    cell: Cell
    options: tuple[tuple[int, float], ...]
    unread: float = 0.0

    @property
    def value(self) -> int:
        """The likeliest value."""
        return self.options[0][0]

    @property
    def sure(self) -> float:
        """Its probability."""
        return self.options[0][1]

    @property
    def certain(self) -> bool:
        """Whether the reader has no doubt."""
        return self.sure >= CERTAIN

    def expects(self, value: int) -> bool:
        """Whether the reader thought of ``value``, or of one that looks like it; or saw that it cannot tell."""
        return self.unread > POSSIBLE or any(value == seen or alike(str(seen), str(value)) for seen, _ in self.options)

    def cost(self, value: int) -> float:
        """How much less likely than the likeliest ``value`` is: the logarithm of the ratio, 0 or more."""
        likeliest = max(self.sure, self.unread / FEW_FIT, LEAST_SURE)
        return max(0.0, math.log(likeliest / max(self._probability(value), STRANGE)))

    def strangeness(self, value: int) -> float:
        """How much of a repair ``value`` is: 0 where it was read, 1 where it was not thought of."""
        if value == self.value:
            return 0.0
        read = min(self.value, value) > NO_CLUE and value in dict(self.options)
        return CHOICE if read and self.cost(value) < SECOND_GUESS else 1.0

    @property
    def least_cost(self) -> float:
        """The cost of the likeliest value that is not the likeliest of all."""
        likeliest = max(self.sure, self.unread / FEW_FIT, LEAST_SURE)
        named = max((p for _, p in self.options[1:]), default=0.0)
        return max(0.0, math.log(likeliest / max(named, self.unread / FEW_FIT, self._error / 2, STRANGE)))

    @property
    def _error(self) -> float:
        """The chance of a value that nobody thought of: an unsure reader may have seen anything."""
        return max(0.0, 1 - sum(p for _, p in self.options)) ** 2

    def _probability(self, value: int) -> float:
        named = dict(self.options).get(value)
        if named is not None:
            return named
        if self.unread and value > NO_CLUE:
            return self.unread / FEW_FIT
        # A sure reader hardly errs, and then by look-alikes only.
        error = self._error
        likeness = error / 2 / look_alikes(self.value) if alike(str(self.value), str(value)) else 0.0
        return likeness + (0.0 if self.certain else error / 2 / ANY_NUMBER)


def number_options(guess: DigitGuess) -> dict[int, float]:
    """The numbers that a guess allows, with probabilities that add up to less than 1."""
    options: dict[int, float] = {}
    for text, confidence in ((guess.text, guess.confidence), *guess.alternatives):
        if text and int(text) > 0:
            options[int(text)] = max(options.get(int(text), 0.0), confidence)
    total = sum(options.values())
    return {value: p / max(total, 1.0) for value, p in options.items()}


def alike(one: str, other: str) -> bool:
    """Whether two numbers are the same but for one digit: one that looks alike, or one that was lost or invented."""
    if len(one) != len(other):
        short, long = sorted((one, other), key=len)
        return len(long) == len(short) + 1 and any(long[:i] + long[i + 1 :] == short for i in range(len(long)))
    swaps = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(swaps) == 1 and swaps[0][1] in ALIKE.get(swaps[0][0], "")


@functools.cache
def look_alikes(value: int) -> int:
    """How many numbers look like ``value``: what an error is shared out among; 1 at least."""
    return max(1, sum(alike(str(value), str(other)) for other in range(1, ANY_NUMBER + 1)))


@dataclass(frozen=True)
class Settled:
    """The clues that were agreed on.

    Attributes:
        puzzle: the board with them.
        confidence: 0..1, the least sure of the clues.
        repairs: what was read otherwise.
        doubts: what stays open; the puzzle is then the likeliest, not the right one.
        unseen: where a clue may stand that was not seen, with its number.
    """

    puzzle: Stitch
    confidence: float
    repairs: tuple[Repair, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    unseen: Mapping[Cell, int] = field(default_factory=dict)


_Key = tuple[tuple[Cell, int], ...]
"""A set of clues: each cell with its value, in order."""


@dataclass(frozen=True)
class _Set:
    """A set of clues for which the board has an answer: ``unique`` when just one."""

    values: _Key
    cost: float
    unique: bool


@dataclass
class _Case:
    """One board under consideration: its blank form, the beliefs, and the sets found so far."""

    blank: Stitch
    beliefs: Mapping[Cell, Belief]
    budget: Budget
    found: dict[_Key, _Set] = field(default_factory=dict)
    complete: bool = True

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


def settle(blank: Stitch, beliefs: Sequence[Belief], budget: Budget) -> Settled:
    """Agree on the clues of a board.

    Args:
        blank: the board without clues, with its holes (None) and the shapes of its badges.
        beliefs: what stands on each cell that carries something; other cells are empty.
        budget: for the searches.
    """
    purse = Budget(NODES_IN_ALL, budget.seconds_left())
    case = _Case(blank, {belief.cell: belief for belief in beliefs}, purse)
    read = case.likeliest
    unsure = [belief for belief in beliefs if not belief.certain]
    if not unsure and not faults(case.puzzle(read)) and _has_answer(case, read):
        return Settled(case.puzzle(read), _confidence(beliefs))
    result = _search_in_stages(case, unsure)
    budget.spent += purse.spent
    return result


def _search_in_stages(case: _Case, unsure: list[Belief]) -> Settled:
    """Free more and more clues until what later rounds may find cannot compete any more."""
    try:
        for stage in _stages(case, unsure):
            for free in stage.frees:
                _search(case, free, stage.narrow)
                if not case.complete and not case.found:
                    break
            ranked = _ranked(case)
            if ranked and ranked[0].cost + MARGIN <= stage.least_cost:
                break
    except BudgetSpentError:
        case.complete = False
    spare = _spare(case)
    return _decided(case, spare) or _undecided(case, spare)


def _spare(case: _Case) -> list[Block]:
    """Rectangles in which a clue may stand that was not seen, if all others were read right; few at most."""
    purse = Budget(NODES_PER_SEARCH, case.budget.seconds_left())
    try:
        return list(itertools.islice(spare_blocks(case.puzzle(case.likeliest), purse), MOST_ANSWERS))
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


def _stages(case: _Case, unsure: list[Belief]) -> Iterator[_Stage]:
    """Which clues to free, in rounds of growing unlikeliness: the doubtful, one more, two more."""
    doubtful = [belief.cell for belief in unsure]
    others = [cell for cell, belief in case.beliefs.items() if belief.certain and belief.value > NO_CLUE]
    others.sort(key=lambda cell: case.beliefs[cell].sure)
    swapped = math.log(CERTAIN / SWAPPED)
    if doubtful:
        # What is twenty times likelier than anything else need not be freed while the board has an answer with it.
        firm = [belief for belief in unsure if belief.least_cost >= MARGIN]
        if firm:
            open_cells = [belief.cell for belief in unsure if belief.least_cost < MARGIN]
            yield _Stage([open_cells], True, min(belief.least_cost for belief in firm))
        yield _Stage([doubtful], True, 0.0)
        yield _Stage([doubtful], False, swapped)
    yield _Stage(([*doubtful, cell] for cell in others), False, 2 * swapped)
    pairs = list(itertools.combinations(others, 2))
    if len(pairs) <= MOST_PAIRS:
        yield _Stage(([*doubtful, one, two] for one, two in pairs), False, 3 * swapped)


def _search(case: _Case, free: list[Cell], narrow: bool) -> None:
    """Note all sets with an answer in which only ``free`` cells differ from the reader's opinion."""
    for values in _with_and_without(case, free):
        puzzle = case.puzzle(values)
        if not puzzle.clue_cells:
            continue
        possible = areas_possible(puzzle)
        allowed = {cell: possible[cell] for cell in free if values.get(cell) and values[cell] != UNKNOWN}
        if narrow:
            allowed = {cell: frozenset(filter(case.beliefs[cell].expects, areas)) for cell, areas in allowed.items()}
        answered = _answered(case, puzzle, allowed)
        if answered is None:
            case.complete = False
            continue
        _note_sets(case, values, answered)


def _note_sets(case: _Case, values: Mapping[Cell, int], answered: Sequence[Answer]) -> None:
    """Sort answers by the numbers that they need."""
    by_set: dict[_Key, int] = {}
    for answer in answered:
        had = numbers(answer)
        key = tuple(sorted((c, v if v in (NO_CLUE, UNKNOWN) else had[c]) for c, v in values.items()))
        by_set[key] = by_set.get(key, 0) + 1
    for key, count in by_set.items():
        if key not in case.found:
            cost = sum(case.beliefs[cell].cost(value) for cell, value in key)
            case.found[key] = _Set(key, cost, count == 1)


def _with_and_without(case: _Case, free: list[Cell]) -> Iterator[dict[Cell, int]]:
    """The reader's opinion with each choice of which free cells carry a clue, and a number; likeliest first."""
    choices = []
    for cell in free:
        belief = case.beliefs[cell]
        kinds: dict[int, float] = {}
        for value, p in belief.options:
            # Which number it is, the search finds; here it matters whether there is one.
            kind = value if value in (NO_CLUE, UNKNOWN) else SOME_NUMBER
            kinds[kind] = max(kinds.get(kind, 0.0), p)
        kinds[SOME_NUMBER] = max(kinds.get(SOME_NUMBER, POSSIBLE), belief.unread)
        choices.append([(kind, p) for kind, p in kinds.items() if p >= POSSIBLE])
    combined = list(itertools.islice(itertools.product(*choices), 1024))
    combined.sort(key=lambda choice: -math.prod(p for _, p in choice))
    for choice in combined[:MOST_CHOICES]:
        yield case.likeliest | {cell: kind for cell, (kind, _) in zip(free, choice, strict=True)}


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


def _decided(case: _Case, spare: Sequence[Block]) -> Settled | None:
    """The best set where it is clearly the best, also against that a clue was not seen."""
    ranked = _ranked(case)
    if not ranked or not case.complete or ranked[0].cost > MOST_COST:
        return None
    rivals = [one.cost for one in ranked[1:2]] + [-math.log(UNSEEN) for _ in spare[:1]]
    lead = min(rivals, default=math.inf) - ranked[0].cost
    if lead < MARGIN:
        return None
    best = dict(ranked[0].values)
    repairs = tuple(
        Repair(cell, told(belief.value), told(best[cell]))
        for cell, belief in case.beliefs.items()
        if belief.value != best[cell]
    )
    changed = sum(case.beliefs[cell].strangeness(value) for cell, value in best.items())
    if changed >= MOST_REPAIRED * sum(value != NO_CLUE for value in best.values()):
        return None
    # What the rules and the reader agree on is as sure as the lead over the next best set.
    return Settled(case.puzzle(best), 1 - math.exp(-min(lead, 2 * MARGIN)), repairs)


def _undecided(case: _Case, spare: Sequence[Block]) -> Settled:
    """The reader's own opinion with the cells named that may be wrong, or may have lost a clue."""
    ranked = [one for one in _ranked(case)[:3] if one.cost <= MOST_COST]
    differing = {cell for one in ranked for cell, value in one.values if value != case.beliefs[cell].value}
    for one, other in itertools.combinations(ranked, 2):
        differing |= {cell for (cell, a), (_, b) in zip(one.values, other.values, strict=True) if a != b}
    why = "other numbers here would give the board one answer too"
    if not differing and not spare:
        why = "the clues as read do not fit together, and this one is the least certain"
        unsure = sorted(case.beliefs.values(), key=lambda belief: belief.sure)
        differing = {belief.cell for belief in unsure if not belief.certain} or {unsure[0].cell}
    doubts = tuple(
        Doubt(cell, told(case.beliefs[cell].value), case.beliefs[cell].sure, why) for cell in sorted(differing)
    )
    unseen = {cell: len(block.cells) for block in spare for cell in block.cells}
    doubts += tuple(_lost(block) for block in spare[:NAMED])
    return Settled(case.puzzle(case.likeliest), _confidence(case.beliefs.values()), doubts=doubts, unseen=unseen)


def _lost(block: Block) -> Doubt:
    """The doubt that a clue was not seen in a rectangle."""
    (top, left), (bottom, right) = block.cells[0], block.cells[-1]
    where = f"between r{top + 1}c{left + 1} and r{bottom + 1}c{right + 1}" if len(block.cells) > 1 else "here"
    why = f"no clue was seen {where}, where the others leave its cells over"
    return Doubt(block.cells[0], told(len(block.cells)), UNSEEN, why)


def _confidence(beliefs: Iterable[Belief]) -> float:
    return min((belief.sure for belief in beliefs), default=0.0)


def told(value: int) -> str:
    """A value as people write it: empty for no clue, ``?`` for a clue without number."""
    return {NO_CLUE: "", UNKNOWN: "?"}.get(value, str(value))
