"""What is done to undirected graphs, wherever they come from."""

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from solvers.board import Cell

Node = TypeVar("Node")


def components(links: Mapping[Node, Iterable[Node]]) -> list[set[Node]]:
    """The connected components of a graph, given for each node the nodes beside it, in the order of their first."""
    left, found = dict.fromkeys(links), []
    while left:
        part, todo = set[Node](), {next(iter(left))}
        while todo:
            part |= todo
            todo = {other for node in todo for other in links[node]} - part
        found.append(part)
        left = {node: None for node in left if node not in part}
    return found


def side_by_side(cells: Collection[Cell]) -> dict[Cell, list[Cell]]:
    """For each of these cells those of them that share a side with it."""
    known = set(cells)
    beside = {(r, c): ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)) for r, c in cells}
    return {cell: [other for other in others if other in known] for cell, others in beside.items()}
