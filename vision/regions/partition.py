"""Cutting a grid of cells into regions from evidence about each two neighbouring cells.

For each two neighbours there is a number: positive where they look like one region, negative where they look like
two, and larger the surer it is. The best partition is the one whose inner pairs have the largest sum: the
*multicut* (correlation clustering) problem. Cells that a mouse pointer or a shadow separates from one neighbour are
still held by the others, and one broken wall does not let two regions run together, because sums decide.

The greedy additive contraction of Keuper et al. [1] is exact wherever the evidence does not contradict itself, and
takes n log n steps.

[1] M. Keuper et al., "Efficient Decomposition of Image and Mesh Graphs by Lifted Multicuts", ICCV 2015, algorithm 1.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
T = TypeVar("T", bound=np.generic)
Labels = npt.NDArray[np.intp]
"""``intp (rows, cols)``, regions numbered from 0 in the order in which reading row by row meets them."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """A number for each two neighbouring cells, such as how much they look like one region.

    Attributes:
        values: ``float64 (pairs,)``, in the order of :func:`pairs_of`.
        shape: rows and columns of cells.
    """

    values: Floats
    shape: tuple[int, int]

    @property
    def right(self) -> Floats:
        """``float64 (rows, cols - 1)``, of cell ``(r, c)`` with ``(r, c + 1)``."""
        rows, cols = self.shape
        return self.values[: rows * (cols - 1)].reshape(rows, cols - 1)

    @property
    def down(self) -> Floats:
        """``float64 (rows - 1, cols)``, of cell ``(r, c)`` with ``(r + 1, c)``."""
        rows, cols = self.shape
        return self.values[rows * (cols - 1) :].reshape(rows - 1, cols)


def pairs_of(array: npt.NDArray[T]) -> tuple[npt.NDArray[T], npt.NDArray[T]]:
    """The first and the second cell's entry of each two neighbours: those side by side, then those above each other."""
    rest = array.shape[2:]
    first = np.concatenate([array[:, :-1].reshape(-1, *rest), array[:-1].reshape(-1, *rest)])
    second = np.concatenate([array[:, 1:].reshape(-1, *rest), array[1:].reshape(-1, *rest)])
    return first, second


def partition(evidence: Evidence) -> Labels:
    """The regions that the evidence speaks for."""
    rows, cols = evidence.shape
    first, second = pairs_of(np.arange(rows * cols).reshape(rows, cols))
    bonds: list[dict[int, float]] = [{} for _ in range(rows * cols)]
    heap: list[tuple[float, int, int]] = []
    for a, b, value in zip(first.tolist(), second.tolist(), evidence.values.tolist(), strict=True):
        bonds[a][b] = bonds[b][a] = value
        if value > 0:
            heap.append((-value, a, b))
    heapq.heapify(heap)
    member = list(range(rows * cols))
    while heap:
        negative, a, b = heapq.heappop(heap)
        if bonds[a].get(b) != -negative:  # The pair has been contracted or has got another sum since.
            continue
        _contract(bonds, member, a, b, heap)
    return renumbered(np.array([_root(member, cell) for cell in range(rows * cols)]).reshape(rows, cols))


def _contract(
    bonds: list[dict[int, float]], member: list[int], a: int, b: int, heap: list[tuple[float, int, int]]
) -> None:
    """Make ``b`` a part of ``a``; bonds to a common neighbour add up."""
    member[b] = a
    del bonds[a][b]
    for other, value in bonds[b].items():
        if other == a:
            continue
        del bonds[other][b]
        total = bonds[a].get(other, 0.0) + value
        bonds[a][other] = bonds[other][a] = total
        if total > 0:
            heapq.heappush(heap, (-total, a, other))
    bonds[b] = {}


def _root(member: list[int], cell: int) -> int:
    while member[cell] != cell:
        cell = member[cell]
    return cell


def renumbered(labels: npt.NDArray[np.integer]) -> Labels:
    """The same regions, numbered from 0 in reading order."""
    _, first_at, inverse = np.unique(labels.ravel(), return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first_at))
    return np.asarray(order[inverse.reshape(-1)], dtype=np.intp).reshape(labels.shape)


def around(shape: tuple[int, ...], r: int, c: int) -> list[tuple[int, int]]:
    """The neighbours of a cell on a grid of ``shape`` rows and columns."""
    rows, cols = shape
    beside = ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
    return [(i, j) for i, j in beside if 0 <= i < rows and 0 <= j < cols]


def attraction(evidence: Evidence, labels: Labels, cell: tuple[int, int]) -> dict[int, float]:
    """The sum of the evidence that ties a cell to its own region and to each one beside it."""
    sums = {int(labels[cell]): 0.0}
    for beside, value in _bonds_of(evidence, *cell):
        sums[int(labels[beside])] = sums.get(int(labels[beside]), 0.0) + value
    return sums


def margins(evidence: Evidence, labels: Labels) -> Floats:
    """How much evidence holds each cell in its region rather than in the best neighbouring one (or alone).

    Returns:
        ``float64 (rows, cols)``: the sum of the bonds to neighbours in its own region, less the larger of zero (a
        region of its own) and the best sum to one other region. A lone cell is held by how much the best other region
        repels it. Small or negative numbers are doubtful cells.
    """
    result = np.zeros(labels.shape)
    for r, c in np.ndindex(labels.shape):
        sums = attraction(evidence, labels, (r, c))
        own, others = sums.pop(int(labels[r, c])), max(sums.values(), default=-np.inf)
        # Leaving for a region of its own matters only where there is a region to leave.
        alone = all(labels[beside] != labels[r, c] for beside in around(labels.shape, r, c))
        result[r, c] = -others if alone else own - max(0.0, others)
    return result


def _bonds_of(evidence: Evidence, r: int, c: int) -> Iterator[tuple[tuple[int, int], float]]:
    """The neighbours of a cell, each with the evidence about the two."""
    for i, j in around(evidence.shape, r, c):
        yield (i, j), float(evidence.right[r, min(c, j)] if i == r else evidence.down[min(r, i), c])
