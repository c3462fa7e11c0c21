"""Different tones for patches that touch: a greedy colouring of the map."""

from collections.abc import Collection, Mapping, Sequence

from solvers.board import Cell


def tones(patches: Sequence[Collection[Cell]], neighbours: Mapping[Cell, Sequence[Cell | None]]) -> list[int]:
    """A small number for each patch such that patches with neighbouring cells get different ones.

    Greedy, the patches with the most neighbours first (Welsh and Powell, 1967): on maps of rectangles it rarely needs
    more than four.
    """
    owner = {cell: index for index, patch in enumerate(patches) for cell in patch}
    touching: list[set[int]] = [set() for _ in patches]
    for index, patch in enumerate(patches):
        for cell in patch:
            touching[index].update(owner[other] for other in neighbours[cell] if other in owner)
        touching[index].discard(index)
    found: dict[int, int] = {}
    for index in sorted(range(len(patches)), key=lambda i: -len(touching[i])):
        used = {found[other] for other in touching[index] if other in found}
        found[index] = next(tone for tone in range(len(patches)) if tone not in used)
    return [found[index] for index in range(len(patches))]
