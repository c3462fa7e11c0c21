"""Choices of one option for each of several cells, the cheapest first.

The number of choices grows as a power; those that are worth a search are the first few. A heap holds the choices that
may come next: each one taken brings those in which one cell goes on to its next option [1].

References:
    1. E. L. Lawler, "A Procedure for Computing the K Best Solutions to Discrete Optimization Problems", Management
       Science 18(7), 1972.
"""

import heapq
from collections.abc import Iterator, Sequence

Options = Sequence[tuple[int, float]]
"""What a cell may have, with the cost of each."""


def cheapest_first(cells: Sequence[Options]) -> Iterator[tuple[tuple[int, ...], float]]:
    """All choices of an option for each cell, with the sum of their costs, the cheapest first; none where a cell has no
    option.
    """
    if not all(cells):
        return
    ordered = [sorted(options, key=lambda option: option[1]) for options in cells]
    first = (0,) * len(cells)
    waiting = [(sum(options[0][1] for options in ordered), first)]
    seen = {first}
    while waiting:
        cost, at = heapq.heappop(waiting)
        yield tuple(options[k][0] for options, k in zip(ordered, at, strict=True)), cost
        for cell, k in enumerate(at):
            following = (*at[:cell], k + 1, *at[cell + 1 :])
            if k + 1 < len(ordered[cell]) and following not in seen:
                seen.add(following)
                heapq.heappush(waiting, (cost + ordered[cell][k + 1][1] - ordered[cell][k][1], following))
