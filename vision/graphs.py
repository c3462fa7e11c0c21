"""What is done to undirected graphs, wherever they come from."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

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
