"""Exact cover: choose options so that every item is covered exactly once.

The story. Donald Knuth tells exact cover with *items* and *options* [1]_. An option is a set of items; we want some
options that together hold every *primary* item once, and every *secondary* item at most once. Fitting twelve pieces
into a tray is such a problem: the pieces and the pits are items, each way to lay a piece is an option that holds the
piece and the pits it fills. Algorithm X solves it by the obvious search with one piece of wisdom: always branch on the
item with the fewest options left, because an item with none proves the branch dead and an item with one is no choice.

What makes it quick is how "the options left" are kept. Knuth's dancing links unhook and rehook list nodes, which is
fast in C and slow in Python, where each link costs as much as a whole subroutine. Here the options that still can
cover an item are the one-bits of a single Python integer. Placing an option then takes, for each open item, one
``and`` with the mask of options that do not clash with it, and all the loops over the bits run inside the interpreter:

* ``rest`` lists, for each open item, the mask of its options left, in the items' order;
* placing option ``o`` makes ``rest = [m for h in rest if (m := h & keep[o])]``: the items that ``o`` covers lose all
  their options and drop out, and so does an item that has become impossible, so the list's length tells the two apart;
* the next item is the first of those with the fewest one-bits, ``int.bit_count``;
* most placements kill an item that was badly off already, so the few worst off are looked at before all the others;
* to take a placement back is to forget a list. Nothing is undone.

:mod:`solvers.dancing_links` is the same search with links: the same answers in the same order, the same node counts.

References:
    .. [1] D. E. Knuth, The Art of Computer Programming, volume 4B, section 7.2.2.1, "Dancing links", 2022; Algorithm X
       is in D. E. Knuth, "Dancing links", arXiv:cs/0011047, 2000.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Literal, Protocol

from solvers.budget import Budget

INSTALMENT = 256
"""Nodes between two payments to the budget: rare enough to cost nothing, often enough for a deadline."""

WORST_OFF = 8
"""How many items are looked at before all: measured, the time is flat from 6 to 12."""

Event = Literal["place", "dead", "answer", "take back"]
"""What a search step did: placed an option, saw that an item has no option left, found an answer, took one back."""

Watch = Callable[[Event, tuple[int, ...]], None]
"""Called with each step and the options that lie on the board after it (for ``dead``: with the one that failed)."""


class Engine(Protocol):
    """A search for exact covers: :func:`covers` here and in :mod:`solvers.dancing_links` are two."""

    def __call__(
        self,
        primary: Sequence[Hashable],
        options: Sequence[Iterable[Hashable]],
        secondary: Iterable[Hashable] = (),
        budget: Budget | None = None,
        watch: Watch | None = None,
    ) -> Iterator[tuple[int, ...]]:
        """All exact covers, lazily, each as indices into ``options``."""


class _Compatible(dict[int, int]):
    """For each option, the mask of the options that share no item with it; worked out when first asked for."""

    def __init__(self, options: Sequence[Iterable[Hashable]], holders: dict[Hashable, int]) -> None:
        self.options, self.holders = options, holders
        self.everything = (1 << len(options)) - 1

    def __missing__(self, option: int) -> int:
        clash = 0
        for item in self.options[option]:
            clash |= self.holders[item]
        self[option] = keep = self.everything & ~clash
        return keep


def checked(primary: Sequence[Hashable], options: Sequence[Sequence[Hashable]], secondary: Sequence[Hashable]) -> None:
    """Refuse what is not an exact cover problem.

    Raises:
        ValueError: an item is named twice, or an option holds an unknown one.
    """
    items = set(primary)
    if len(items) != len(primary):
        raise ValueError("a primary item is named twice")
    if not items.isdisjoint(secondary):
        raise ValueError("an item is both primary and secondary")
    items.update(secondary)
    for index, option in enumerate(options):
        if not items.issuperset(option):
            raise ValueError(f"option {index} holds {sorted(set(option) - items, key=repr)}, which are no items")


def _holders(items: Iterable[Hashable], options: Sequence[Iterable[Hashable]]) -> dict[Hashable, int]:
    """For each item, in their order, the mask of the options that hold it."""
    holders = dict.fromkeys(items, 0)
    for index, option in enumerate(options):
        bit = 1 << index
        for item in option:
            holders[item] |= bit
    return holders


def covers(
    primary: Sequence[Hashable],
    options: Sequence[Iterable[Hashable]],
    secondary: Iterable[Hashable] = (),
    budget: Budget | None = None,
    watch: Watch | None = None,
) -> Iterator[tuple[int, ...]]:
    """All exact covers, lazily, each once.

    Args:
        primary: items to be covered exactly once. Of several items with equally few options the first is branched on.
        options: each the items that it covers, an item at most once; an option without a primary item is never chosen.
        secondary: items to be covered at most once.
        budget: pays one node for each option that is tried, in instalments of at most :data:`INSTALMENT`; all are paid
            when an answer is yielded and when the search ends, so ``spent`` counts the nodes of a run.
        watch: is told every step, for animations and for learning; costs nothing when absent.

    Yields:
        The indices of the chosen options, in the order of choice.

    Raises:
        ValueError: an item is named twice or an option holds an unknown one.
        BudgetSpentError: the budget is used up.
    """
    listed, more = [tuple(option) for option in options], tuple(secondary)
    checked(primary, listed, more)
    holders = _holders([*primary, *more], listed)
    keep = _Compatible(listed, holders)
    named = set(primary)
    widths = [len(named.intersection(option)) for option in listed]
    rest = [holders[item] for item in primary]
    return _search(rest, keep, widths, budget or Budget(), watch)


def _search(  # noqa: PLR0912  (the loop is spelled out because it is all the time there is)
    rest: list[int], keep: _Compatible, widths: list[int], budget: Budget, watch: Watch | None
) -> Iterator[tuple[int, ...]]:
    """Algorithm X over masks; ``widths`` counts each option's primary items."""
    chosen: list[int] = []
    waiting: list[tuple[int, list[int], list[int]]] = []
    if not all(rest):
        return
    if not rest:
        yield ()
        return
    fewest = int.bit_count
    worst = sorted(rest, key=fewest)[:WORST_OFF]
    todo, unpaid = worst[0], 0
    while True:
        if not todo:
            if not waiting:
                break
            todo, rest, worst = waiting.pop()
            chosen.pop()
            if watch:
                watch("take back", tuple(chosen))
            continue
        bit = todo & -todo
        todo ^= bit
        option = bit.bit_length() - 1
        unpaid += 1
        if unpaid == INSTALMENT:
            budget.spend(unpaid)
            unpaid = 0
        compatible = keep[option]
        either = compatible | bit
        for held in worst:
            if not held & either:
                if watch:
                    watch("dead", (*chosen, option))
                break
        else:
            then = [left for held in rest if (left := held & compatible)]
            dead = len(then) != len(rest) - widths[option]
            if watch:
                watch("dead" if dead else "place" if then else "answer", (*chosen, option))
            if dead:
                continue
            if not then:
                budget.spend(unpaid)
                unpaid = 0
                yield (*chosen, option)
                continue
            waiting.append((todo, rest, worst))
            chosen.append(option)
            rest = then
            worst = sorted(rest, key=fewest)[:WORST_OFF]
            todo = worst[0]
    budget.spend(unpaid)


def count(
    primary: Sequence[Hashable],
    options: Sequence[Iterable[Hashable]],
    secondary: Iterable[Hashable] = (),
    budget: Budget | None = None,
) -> int:
    """How many exact covers there are, by finding each (see :mod:`solvers.counting` for counting without)."""
    return sum(1 for _ in covers(primary, options, secondary, budget))
