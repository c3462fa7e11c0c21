"""Exact cover with dancing links, as Knuth tells it and as the pyramid's article uses it.

This is the readable reference for :mod:`solvers.exact_cover`: the same search, the same answers in the same order and
the same count of nodes, written with the data structure of the paper [1]_. Each item heads a ring of the options that
hold it, linked up and down; the headers form a ring of their own, linked left and right. An item is *covered* by
unhooking its header, and from all other rings every option that holds it. An unhooked node keeps its own links, so
hooking it in again, in the reverse order, restores everything: the links dance.

Nodes are numbers, and the links are five lists: node 0 is the root of the headers, node ``i`` up to the number of items
is the header of item ``i - 1``, and the rest are the items of the options, one after the other.

References:
    .. [1] D. E. Knuth, "Dancing links", in Millennial Perspectives in Computer Science, 2000; arXiv:cs/0011047.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence

from solvers.budget import Budget
from solvers.exact_cover import Watch, checked

ROOT = 0


class Links:
    """The rings of headers and options."""

    def __init__(
        self, primary: Sequence[Hashable], options: Sequence[Sequence[Hashable]], secondary: Sequence[Hashable]
    ):
        """Hook everything together; a secondary item's header stays outside the ring of headers."""
        headers = range(1 + len(primary) + len(secondary))
        self.left, self.right, self.up, self.down, self.head = (list(headers) for _ in range(5))
        self.size = [0 for _ in headers]
        ring = [ROOT, *headers[1 : len(primary) + 1]]
        for here, there in zip(ring, ring[1:] + ring[:1], strict=True):
            self.right[here], self.left[there] = there, here
        number = {item: header for header, item in enumerate([*primary, *secondary], start=1)}
        self.option_of: list[int] = [-1 for _ in headers]
        self.nodes_of: list[range] = []
        for index, option in enumerate(options):
            start = len(self.head)
            self.nodes_of.append(range(start, start + len(option)))
            for item in option:
                self._append(number[item], index)

    def _append(self, header: int, option: int) -> None:
        """Hook a new node into a header's ring, at the bottom."""
        node, last = len(self.head), self.up[header]
        self.head.append(header)
        self.option_of.append(option)
        self.up.append(last)
        self.down.append(header)
        self.down[last] = self.up[header] = node
        self.size[header] += 1

    def _others(self, node: int) -> list[int]:
        """The other nodes of a node's option."""
        return [other for other in self.nodes_of[self.option_of[node]] if other != node]

    def cover(self, header: int) -> None:
        """Unhook an item and, from all other items' rings, every option that holds it."""
        self.right[self.left[header]], self.left[self.right[header]] = self.right[header], self.left[header]
        node = self.down[header]
        while node != header:
            for other in self._others(node):
                self.down[self.up[other]], self.up[self.down[other]] = self.down[other], self.up[other]
                self.size[self.head[other]] -= 1
            node = self.down[node]

    def uncover(self, header: int) -> None:
        """Undo :meth:`cover`, step by step backwards."""
        node = self.up[header]
        while node != header:
            for other in reversed(self._others(node)):
                self.down[self.up[other]] = self.up[self.down[other]] = other
                self.size[self.head[other]] += 1
            node = self.up[node]
        self.right[self.left[header]] = self.left[self.right[header]] = header

    def place(self, node: int) -> None:
        """Choose a node's option: cover its other items (its own header is covered already)."""
        for other in self._others(node):
            self.cover(self.head[other])

    def take_back(self, node: int) -> None:
        """Undo :meth:`place`."""
        for other in reversed(self._others(node)):
            self.uncover(self.head[other])

    def best(self) -> int:
        """The header of the first item with the fewest options left, or the root when none is open."""
        best: int = self.right[ROOT]
        header = best
        while header != ROOT:
            if self.size[header] < self.size[best]:
                best = header
            header = self.right[header]
        return best


def covers(
    primary: Sequence[Hashable],
    options: Sequence[Iterable[Hashable]],
    secondary: Iterable[Hashable] = (),
    budget: Budget | None = None,
    watch: Watch | None = None,
) -> Iterator[tuple[int, ...]]:
    """All exact covers; arguments, order of answers and nodes as in :func:`solvers.exact_cover.covers`."""
    listed, more = [tuple(option) for option in options], tuple(secondary)
    checked(primary, listed, more)
    links = Links(primary, listed, more)
    return _dance(links, [], budget or Budget(), watch)


def _dance(links: Links, chosen: list[int], budget: Budget, watch: Watch | None) -> Iterator[tuple[int, ...]]:
    """Algorithm X: all ways to go on from here."""
    header = links.best()
    if header == ROOT:
        yield tuple(chosen)
        return
    if links.size[header] == 0:
        return
    links.cover(header)
    node = links.down[header]
    while node != header:
        budget.spend()
        chosen.append(links.option_of[node])
        links.place(node)
        if watch:
            best = links.best()
            event = "answer" if best == ROOT else "place" if links.size[best] else "dead"
            watch(event, tuple(chosen))  # type: ignore[arg-type]
        yield from _dance(links, chosen, budget, watch)
        links.take_back(node)
        chosen.pop()
        node = links.down[node]
    links.uncover(header)
    if watch and chosen:
        watch("take back", tuple(chosen[:-1]))
