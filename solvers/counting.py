"""Counting exact covers without finding them: scan the items, merge states that have the same future.

Enumerating visits each answer; the 5 x 11 board has 371,020 and each costs many nodes. But a half-filled board can be
finished in ways that depend only on *which* pits at the edge of the filled part are taken and which pieces are used,
not on how they came to be. So go through the items in a fixed order and keep, for each such *state*, how many ways
lead to it. At an item, states that have it covered drop it from memory; the others branch over the options that hold
it and no earlier item. Equal states are merged and their counts added. What is left in the end is the empty state and
its count is the answer. It is the transfer-matrix method of enumeration, and the breadth-first building of a zero-
suppressed decision diagram [1]_, [2]_.

A state is a 64-bit number. An item owns a bit only while it can be covered ahead of its turn, then the bit is free for
another. The order decides everything: neighbours must come close together, so that few items are open at once; scan a
board along its short side, and name items that stay open to the end, such as pieces, last.

References:
    .. [1] D. E. Knuth, The Art of Computer Programming, volume 4A, section 7.1.4, on frontier-based search.
    .. [2] S. Minato, "Zero-suppressed BDDs for set manipulation in combinatorial problems", DAC 1993.
"""

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from solvers.budget import Budget
from solvers.exact_cover import checked

WORD = 64
"""Bits of a state."""

MOST = 2.0**63
"""Counts stay below this, well within a word."""

Words = NDArray[np.uint64]


class TooWideError(Exception):
    """More items are open at once than a state has bits."""


def count(
    primary: Sequence[Hashable],
    options: Sequence[Iterable[Hashable]],
    secondary: Iterable[Hashable] = (),
    budget: Budget | None = None,
) -> int:
    """How many exact covers there are.

    Args:
        primary: items to be covered exactly once, in the order of scanning.
        options: each the items that it covers, an item at most once; one without a primary item is never chosen.
        secondary: items to be covered at most once.
        budget: pays a node for each state that is branched on.

    Raises:
        ValueError: an item is named twice or an option holds an unknown one.
        TooWideError: no 64 bits are enough for this order.
        OverflowError: the count does not fit into 64 bits.
        BudgetSpentError: the budget is used up.
    """
    listed, more = [tuple(option) for option in options], tuple(secondary)
    checked(primary, listed, more)
    purse = budget or Budget()
    starting = _by_first_item(primary, listed)
    bits, forgotten = _bits(primary, starting)
    states, ways = np.zeros(1, np.uint64), np.ones(1, np.uint64)
    for item, beginning, past in zip(primary, starting, forgotten, strict=True):
        own = np.uint64(bits.get(item, 0))
        covered = (states & own) != 0
        # States that have the item covered go on as they are; only those that branch are worth merging.
        parts, counts = [states[covered] ^ own], [ways[covered]]
        if beginning:
            open_, many = _merge(states[~covered], ways[~covered])
            purse.spend(len(open_))
            for option in beginning:
                need = np.uint64(sum(bits[other] for other in option if other != item))
                fits = np.flatnonzero((open_ & need) == 0)
                parts.append(open_[fits] | need)
                counts.append(many[fits])
        states, ways = np.concatenate(parts) & np.uint64(past), np.concatenate(counts)
        if ways.sum(dtype=np.float64) > MOST:
            raise OverflowError("the count does not fit into 64 bits")
    return int(ways.sum())


def _by_first_item(
    primary: Sequence[Hashable], options: Sequence[tuple[Hashable, ...]]
) -> list[list[tuple[Hashable, ...]]]:
    """The options that begin at each turn: those of whose primary items it is the first."""
    turn = {item: at for at, item in enumerate(primary)}
    starting: list[list[tuple[Hashable, ...]]] = [[] for _ in primary]
    for option in options:
        turns = [turn[item] for item in option if item in turn]
        if turns:
            starting[min(turns)].append(option)
    return starting


def _bits(
    primary: Sequence[Hashable], starting: list[list[tuple[Hashable, ...]]]
) -> tuple[dict[Hashable, int], list[int]]:
    """A bit for each item that can be covered before its turn, and for each turn the mask of bits to be kept after it.

    An item owns its bit from the turn when the first option that holds it begins until its own turn; a secondary item
    until the last such option has begun. A bit that falls free is given to the next item.
    """
    turn = {item: at for at, item in enumerate(primary)}
    born: dict[Hashable, int] = {}
    dies: dict[Hashable, int] = {}
    for at, beginning in enumerate(starting):
        for item in (item for option in beginning for item in option if turn.get(item) != at):
            born.setdefault(item, at)
            dies[item] = turn.get(item, at)
    bits: dict[Hashable, int] = {}
    keep = [(1 << WORD) - 1] * len(primary)
    spare = list(range(WORD))[::-1]
    newborn, dying = _by_turn(born, len(primary)), _by_turn(dies, len(primary))
    for at in range(len(primary)):
        if len(newborn[at]) > len(spare):
            raise TooWideError(f"more than {WORD} items are open at once")
        for item in newborn[at]:
            bits[item] = 1 << spare.pop()
        for item in dying[at]:
            keep[at] &= ~bits[item]
            spare.append(bits[item].bit_length() - 1)
    return bits, keep


def _by_turn(times: dict[Hashable, int], turns: int) -> list[list[Hashable]]:
    """The items of each turn."""
    found: list[list[Hashable]] = [[] for _ in range(turns)]
    for item, at in times.items():
        found[at].append(item)
    return found


def _merge(states: Words, ways: Words) -> tuple[Words, Words]:
    """Equal states as one, their ways added."""
    if not len(states):
        return states, ways
    order = np.argsort(states)
    states = states[order]
    first = np.flatnonzero(np.concatenate(([True], states[1:] != states[:-1])))
    return states[first], np.add.reduceat(ways[order], first)
