"""Deductions on an exact cover, each with what it rests on.

The items of a cover (clues and cells, rows and regions, pieces and pits) are to be covered exactly once each by
options that do not clash. From what stands follows, easiest first:

* an item with one option left is covered by it: a *placement*;
* options that clash with every option left of an item would leave it with none, so they fall: an *exclusion*. Where all
  options of the item share a second item ("this clue covers the cell wherever it lies"), those are the other options of
  that second item, which is easily seen;
* ``k`` items whose options lie in ``k`` lines take these lines (naked and hidden subsets).

An exclusion remembers its grounds, so a placement can name just those that it needs.
"""

import heapq
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, islice
from typing import Protocol

from solvers.ball_trays import bits
from solvers.board import Cell
from solvers.budget import Budget
from solvers.message import Message, joined
from solvers.steps.step import Placed, Standing

Item = Hashable


@dataclass(frozen=True)
class Cover:
    """An exact cover.

    Attributes:
        items: to be covered exactly once each.
        options: the items that each covers; those that are not among ``items`` are covered at most once.
        clashes: for some options a mask of further ones with which they cannot be chosen.
        lines: pairs of groups of items, of which each option covers exactly one of either: for subsets.
    """

    items: Sequence[Item]
    options: Sequence[tuple[Item, ...]]
    clashes: Mapping[int, int] = field(default_factory=dict)
    lines: Sequence[tuple[Sequence[Item], Sequence[Item]]] = ()

    @cached_property
    def masks(self) -> dict[Item, int]:
        """The options of each item as one-bits."""
        found: dict[Item, bytearray] = {item: bytearray(len(self.options) // 8 + 1) for item in self.items}
        for index, items in enumerate(self.options):
            for item in items:
                if item not in found:
                    found[item] = bytearray(len(self.options) // 8 + 1)
                found[item][index >> 3] |= 1 << (index & 7)
        return {item: int.from_bytes(mask, "little") for item, mask in found.items()}


@dataclass(frozen=True, eq=False)
class Exclusion:
    """Options that fall.

    Attributes:
        number: its place in the order of all exclusions.
        rank: of the rule, 0 the easiest.
        items: the items that would be left with nothing; more than one for a subset.
        shared: the items that all their options share; empty where the options merely clash.
        options: the mask of those that fall.
    """

    number: int
    rank: int
    items: tuple[Item, ...]
    shared: tuple[Item, ...]
    options: int


@dataclass(frozen=True)
class Placement:
    """An option that is chosen next.

    Attributes:
        option: its index.
        item: the item that has no other option left.
        rank: of the hardest rule that it takes.
        grounds: the exclusions that it rests on, in order, each with the mask of those of its options that matter.
    """

    option: int
    item: Item
    rank: int
    grounds: tuple[tuple[Exclusion, int], ...]


class Ranks(Protocol):
    """How hard a kind finds each deduction, 0 the easiest; None for one that it does not make."""

    rules: int
    """How many rules it has."""

    def last(self, item: Item) -> int:
        """An item has one option left."""

    def sharing(self, item: Item, other: Item) -> int | None:
        """All options left of an item cover another item as well."""

    def clashing(self, item: Item) -> int:
        """An option would leave an item with none."""

    def subset(self, count: int) -> int:
        """So many items lie within as many lines."""


class Reasoner:
    """What is still possible on a board."""

    def __init__(self, cover: Cover, ranks: Ranks, budget: Budget) -> None:
        """Nothing is chosen yet."""
        self.cover, self.ranks, self.budget = cover, ranks, budget
        self.alive = (1 << len(cover.options)) - 1
        self.open: dict[Item, None] = dict.fromkeys(cover.items)
        self._plain = 0  # options that clash with a chosen one: no reason has to be given for these
        self._gone: dict[int, Exclusion] = {}
        self._conflicts: dict[int, int] = {}
        self._dirty: dict[Item, None] = dict(self.open)
        self._last: dict[Item, None] = {}
        self._found: list[tuple[int, int, int, Item, Item | None]] = []
        self._count = 0

    def conflict(self, option: int) -> int:
        """The mask of all options that cannot be chosen together with this one, itself among them."""
        if option not in self._conflicts:
            mask = self.cover.clashes.get(option, 0)
            for item in self.cover.options[option]:
                mask |= self.cover.masks[item]
            self._conflicts[option] = mask
        return self._conflicts[option]

    def left(self, item: Item) -> int:
        """The mask of the options left of an item."""
        return self.cover.masks[item] & self.alive

    def place(self, option: int) -> None:
        """Choose an option."""
        conflict = self.conflict(option)
        for item in self.cover.options[option]:
            self.open.pop(item, None)
            self._last.pop(item, None)
            self._dirty.pop(item, None)
        self._plain |= conflict
        self._drop(conflict & self.alive)

    def _drop(self, options: int) -> None:
        self.alive &= ~options
        touched = dict.fromkeys(item for option in bits(options) for item in self.cover.options[option])
        self._dirty.update(dict.fromkeys(item for item in touched if item in self.open))

    def deduced(self) -> Placement | None:
        """What to choose next, as easy as can be; None where no rule tells."""
        while True:
            self._propagate()
            if self._last:
                placed = [self._placement(item) for item in self._last]
                return min(placed, key=lambda one: (one.rank, len(one.grounds)))
            exclusion = self._next()
            if exclusion is None:
                return None
            for option in bits(exclusion.options):
                self._gone[option] = exclusion
            self._drop(exclusion.options)

    def _propagate(self) -> None:
        """Find what follows from the items that lost options since they were looked at."""
        for item in self._dirty:
            left = self.left(item)
            size = left.bit_count()
            self.budget.spend()
            if size == 0:
                # No answer keeps what was chosen: nothing follows any more, and a search will say so.
                self._last.clear()
                self._found.clear()
                break
            if size == 1:
                self._last[item] = None
                continue
            first = (left & -left).bit_length() - 1
            barred = self.alive & ~left
            for other in self.cover.options[first]:
                mask = self.cover.masks[other]
                rank = self.ranks.sharing(item, other) if other != item and not left & ~mask else None
                if rank is not None and mask & barred:
                    heapq.heappush(self._found, (rank, size, self._count, item, other))
                    self._count += 1
            if self._clashing(item):
                heapq.heappush(self._found, (self.ranks.clashing(item), size, self._count, item, None))
                self._count += 1
        self._dirty.clear()

    def _clashing(self, item: Item) -> int:
        """The mask of options that would leave an item with none."""
        left = self.left(item)
        fall = self.alive & ~left
        for option in bits(left):
            fall &= self.conflict(option)
            if not fall:
                break
        return fall

    def _next(self) -> Exclusion | None:
        """The easiest exclusion that changes something."""
        while self._found:
            rank, _, _, item, other = heapq.heappop(self._found)
            if item not in self.open:
                continue
            options = self._clashing(item) if other is None else self.left(other) & ~self.cover.masks[item]
            if options:
                return self._exclusion(rank, (item,), () if other is None else (other,), options)
        for items, lines in self.cover.lines:
            found = self._subset(items, lines)
            if found is not None:
                return found
        return None

    def _exclusion(self, rank: int, items: tuple[Item, ...], shared: tuple[Item, ...], options: int) -> Exclusion:
        self._count += 1
        return Exclusion(self._count, rank, items, shared, options)

    def _subset(self, items: Sequence[Item], lines: Sequence[Item]) -> Exclusion | None:
        """Items whose options lie in as many lines, of which others have options as well; the fewest."""
        lying = {
            item: sum(1 << k for k, line in enumerate(lines) if left & self.cover.masks[line])
            for item in items
            if item in self.open
            for left in [self.left(item)]
        }
        for count in range(2, len(lying) // 2 + 1):
            few = [item for item, where in lying.items() if where.bit_count() <= count]
            for chosen in combinations(few, count):
                where = 0
                for item in chosen:
                    where |= lying[item]
                if where.bit_count() != count:
                    continue
                within = tuple(lines[k] for k in bits(where))
                fall = self._together(within) & self.alive & ~self._together(chosen)
                if fall:
                    return self._exclusion(self.ranks.subset(count), chosen, within, fall)
        return None

    def _together(self, items: Sequence[Item]) -> int:
        mask = 0
        for item in items:
            mask |= self.cover.masks[item]
        return mask

    def _placement(self, item: Item) -> Placement:
        """The last option of an item with the exclusions that it rests on."""
        option = self.left(item).bit_length() - 1
        used: dict[Exclusion, int] = {}
        waiting: list[tuple[int, int]] = []  # exclusions still to be followed, the latest first

        def need(options: int, before: int) -> None:
            for one in bits(options & ~self._plain & ~self.alive):
                exclusion = self._gone[one]
                if exclusion.number < before and not used.get(exclusion, 0) >> one & 1:
                    used[exclusion] = used.get(exclusion, 0) | 1 << one
                    waiting.append((exclusion.number, one))

        need(self.cover.masks[item], self._count + 1)
        while waiting:
            number, one = waiting.pop()
            exclusion = self._gone[one]
            shared = self._together(exclusion.shared) if exclusion.shared else self.conflict(one)
            need(self._together(exclusion.items) & ~shared, number)
        grounds = tuple(sorted(used.items(), key=lambda ground: ground[0].number))
        rank = max([self.ranks.last(item), *(exclusion.rank for exclusion, _ in grounds)])
        return Placement(option, item, rank, grounds)


@dataclass(frozen=True)
class Explained:
    """A placement in words.

    Attributes:
        option: the index of what is chosen.
        rule: the index of the hardest rule that it takes, among the kind's ``RULES``.
        because: a sentence without full stop.
        cells: those that it speaks of.
        excluded: the options that it excludes, by index.
    """

    option: int
    rule: int
    because: str
    cells: tuple[Cell, ...]
    excluded: tuple[int, ...] = ()


Clause = tuple[str, tuple[Cell, ...]]
"""A clause and the cells that it speaks of."""


class Words(Ranks, Protocol):
    """How a kind puts its deductions into words."""

    def item(self, item: Item) -> Clause:
        """What is to be covered, such as ``the 6 at r3c4``."""

    def option(self, option: int) -> str:
        """What may be chosen, such as ``r1c2-r3c4``."""

    def say_last(self, item: Item, option: int) -> Clause:
        """An item has only this option left."""

    def say_sharing(self, item: Item, other: Item) -> Clause:
        """All options left of an item cover another as well."""

    def say_clashing(self, item: Item, options: Sequence[int]) -> Clause:
        """These options would leave an item with none."""

    def say_subset(self, items: Sequence[Item], lines: Sequence[Item]) -> Clause:
        """These items take these lines."""


MOST_EXCLUSIONS = 6
"""Exclusions that a reason tells one by one; of more the last, which are nearest to what they lead to."""

Complete = Callable[[Collection[Placed]], Iterator[Standing]]
"""All answers that keep what stands, each as what it places."""


def explained_steps(
    cover: Cover,
    placed: Sequence[Placed],
    words: Words,
    standing: Collection[Placed],
    complete: Complete,
    *,
    budget: Budget,
) -> Iterator[Explained]:
    """What to choose next, one after the other, each with its reason, from what stands until all is covered.

    Args:
        cover: the puzzle.
        placed: what each option puts onto the board.
        words: of the kind. Behind its own rules stand :data:`TRYING` and :data:`CHOICE`.
        standing: what stands; all of it in one answer.
        complete: searches, where no rule tells.
        budget: pays for looking at an item.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    reasoner = Reasoner(cover, words, budget)
    lying = [*standing]
    answers: list[Standing] = []
    index = {one: option for option, one in enumerate(placed)}
    for one in standing:
        reasoner.place(index[one])
    while reasoner.open:
        placement = reasoner.deduced()
        if placement is not None:
            found = _explained(placement, words)
        else:
            # An only answer stays the only one.
            answers = answers if len(answers) == 1 else list(islice(complete(lying), 2))
            if not answers:
                return
            found = _tried(reasoner, placed, words, answers)
        yield found
        lying.append(placed[found.option])
        reasoner.place(found.option)


def _tried(reasoner: Reasoner, placed: Sequence[Placed], words: Words, answers: Sequence[Standing]) -> Explained:
    """What a search proves of the item that has the fewest options left."""
    item = min(reasoner.open, key=lambda item: reasoner.left(item).bit_count())
    left, chosen = bits(reasoner.left(item)), set(answers[0])
    option = next(option for option in left if placed[option] in chosen)
    what, cells = words.item(item)
    if len(answers) == 1:
        why = "no rule tells more here: of {count} ways left for {what} trying shows that only {option} works"
    else:
        why = "there is more than one answer from here on; in one of them {what} gets {option}"
    because = Message(why, count=len(left), what=what, option=words.option(option))
    return Explained(option, words.rules + (len(answers) > 1), because, cells)


def _explained(placement: Placement, words: Words) -> Explained:
    """A deduced placement in words."""
    clauses: list[str] = []
    cells: dict[Cell, None] = {}
    excluded: list[int] = []
    for exclusion, needed in placement.grounds[-MOST_EXCLUSIONS:]:
        options = bits(needed)
        if len(exclusion.items) > 1:
            clause, mentioned = words.say_subset(exclusion.items, exclusion.shared)
        elif exclusion.shared:
            clause, mentioned = words.say_sharing(exclusion.items[0], exclusion.shared[0])
        else:
            clause, mentioned = words.say_clashing(exclusion.items[0], options)
        if clause not in clauses:
            clauses.append(clause)
        cells.update(dict.fromkeys(mentioned))
        excluded += options
    last, mentioned = words.say_last(placement.item, placement.option)
    cells.update(dict.fromkeys(mentioned))
    more = len(placement.grounds) - MOST_EXCLUSIONS
    because = last
    if clauses:
        because = Message("{clauses}; so {last}", clauses=joined(clauses, "{one}; {other}"), last=last)
    if more > 0:
        after = "after one earlier exclusion: {rest}" if more == 1 else "after {count} earlier exclusions: {rest}"
        because = Message(after, count=more, rest=because)
    return Explained(placement.option, placement.rank, because, tuple(cells), tuple(excluded))
