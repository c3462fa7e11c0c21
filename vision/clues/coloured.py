"""Patches that a player has placed, told by the colour of their cells, once the clues are known.

A placed patch has another colour than the open cells, all over. Cells beside each other that look alike hang together;
what hangs together, is no open ground and makes a rectangle with one clue in it is a patch, rightly placed or not.
Where patches of one colour touch, the clues tell them apart, if in one way only. Where patches have no colour at all,
a board whose lines are those of its answer alone is complete. Which colour is the open ground's is told by what it
leaves: all the rest must be patches. Where that is not so nothing is told, for a board's ground may be chequered, and
lamps and cursors tint cells as well.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

import cv2
import numpy as np

from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.steps.step import Placed, Standing
from solvers.stitch import UNKNOWN, Stitch, answers
from vision.clues.ink import Floats, cells_of, corners, flat_side
from vision.clues.placed import is_complete, only_answer, seen_sides
from vision.pictures.flatten import flatten
from vision.pictures.lab import lab
from vision.pictures.medians import medians
from vision.pictures.photo import Photo
from vision.pictures.placement import Placement

CELL_PX = 40

RING = (0.1, 0.24)
"""Between these parts of a cell, in from its sides, lines have ended, and badges and digits have hardly begun."""

LEAST = 3.0
"""CIELAB steps by which colours differ that are not the same."""

UNREST = 3.0
"""The same, in multiples of how much neighbouring cells mostly differ."""

USUAL = 0.4
"""Part of the neighbours that look alike at least."""

EXPLAINED = 0.95
"""Part of the cells that are no open ground which must be patches."""

COLOURLESS = 0.95
"""Part of the cells that have one colour on a board on which patches are told by their lines alone, if at all."""

NODES = 500
"""Search nodes for telling patches of one colour apart."""

Heap = frozenset[Cell]


def coloured_patches(photo: Photo, placement: Placement, puzzle: Stitch) -> Standing:
    """The patches that stand on a plain board, rightly or wrongly; none where what is seen leaves a doubt."""
    colours = photo.derive_at(_colours, placement)
    if colours.shape[:2] != (puzzle.rows, puzzle.cols):
        return ()
    clues = set(puzzle.clue_cells)
    heaps = _heaps(colours, puzzle)
    heaps = _joined(puzzle, heaps, clues)
    if all(_is_patch(puzzle, heap, clues) and puzzle.clue(min(heap & clues)) in (len(heap), UNKNOWN) for heap in heaps):
        # An open patch may be all that is left of the ground, or several that do not touch.
        return _standing(heaps) if is_complete(heaps, seen_sides(photo, placement)) else ()
    if max(map(len, heaps)) >= COLOURLESS * len(puzzle.cells):
        answer = [frozenset(patch.block.cells) for patch in only_answer(puzzle) or ()]
        if answer and is_complete(answer, seen_sides(photo, placement)):
            return _standing(answer)
    ways = sorted(_ways(colours[:, :, 1], heaps, clues), key=lambda way: (way[0], -way[1]))
    crowded, open_cells, others = ways[0]
    if crowded and 2 * open_cells < len(puzzle.cells):
        return ()
    patches = [patch for heap in others for patch in _patches(puzzle, heap, clues)]
    told = sum(map(len, patches)) >= EXPLAINED * sum(map(len, others))
    return _standing(patches) if told else ()


def _standing(patches: Sequence[Heap]) -> Standing:
    return tuple(Placed(tuple(sorted(patch))) for patch in sorted(patches, key=min))


def _colours(photo: Photo, placement: Placement) -> Floats:
    """The colour of each cell near its sides and in its corners, ``float64 (rows, cols, 2, 3)``, CIELAB.

    A badge may reach near the sides, and a patch with round corners leaves those of its cells out.
    """
    cols, rows = (round(length) for length in placement.size)
    side = flat_side(placement, CELL_PX)
    cells = cells_of(flatten(photo, placement, side), rows, cols)
    first, last = (round(part * side) for part in RING)
    ring = np.zeros((side, side), bool)
    ring[first : side - first, first : side - first] = True
    ring[last : side - last, last : side - last] = False
    pixels = cells[:, :, ring].transpose(2, 0, 1, 3).reshape(-1, rows * cols, 3)
    near = np.asarray(medians(pixels), np.uint8).reshape(rows, cols, 3)
    return np.stack([lab(near), lab(corners(cells))], axis=2).astype(np.float64)


def _heaps(colours: Floats, puzzle: Stitch) -> list[Heap]:
    """Cells that look like their neighbours, as far as they hang together."""
    cells, clues = puzzle.cells, set(puzzle.clue_cells)
    badged = np.zeros(colours.shape[:2], bool)
    badged[tuple(zip(*clues, strict=True))] = True
    near, corner = colours[:, :, 0], colours[:, :, 1]
    mixed = np.where(badged[:, :, None], corner, near)
    # Two badges that reach near their cells' sides look alike on any ground; one is like no empty cell.
    across, down = (
        np.where(
            badged[one] & badged[other],
            _unlike(corner[one], corner[other]),
            np.minimum(_unlike(near[one], near[other]), _unlike(mixed[one], mixed[other])),
        )
        for one, other in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:]))
    )
    alike = _alike(np.concatenate([across.ravel(), down.ravel()]))
    rows, cols = colours.shape[:2]
    ways = np.zeros((2 * rows - 1, 2 * cols - 1), np.uint8)
    for row, col in cells:
        ways[2 * row, 2 * col] = 1
    ways[::2, 1::2] = across <= alike
    ways[1::2, ::2] = down <= alike
    labels = np.asarray(cv2.connectedComponents(ways, connectivity=4)[1])[::2, ::2]
    heaps: dict[int, set[Cell]] = {}
    for row, col in cells:
        heaps.setdefault(int(labels[row, col]), set()).add((row, col))
    return [frozenset(heap) for heap in heaps.values()]


def _joined(puzzle: Stitch, heaps: Sequence[Heap], clues: Collection[Cell]) -> list[Heap]:
    """The heaps with those without a clue joined to the cell whose badge, with its glow, fills it to the sides: both
    together are a rectangle of the badge's number.
    """
    lone = {min(heap): heap for heap in heaps if len(heap) == 1 and heap & set(clues)}
    found = [heap for heap in heaps if min(heap) not in lone or len(heap) > 1]
    for number, heap in enumerate(found):
        if heap & set(clues):
            continue
        fits = [
            cell for cell in lone if puzzle.clue(cell) == len(heap) + 1 and _is_patch(puzzle, heap | lone[cell], clues)
        ]
        if len(fits) == 1:
            found[number] = heap | lone.pop(fits[0])
    return [*found, *lone.values()]


def _unlike(one: Floats, other: Floats) -> Floats:
    """How far colours ``(rows, cols, 3)`` differ."""
    return np.asarray(np.linalg.norm(one - other, axis=2))


def _alike(steps: Floats) -> float:
    """How much neighbours that look alike may differ."""
    return max(LEAST, UNREST * float(np.quantile(steps, USUAL)))


def _ways(colours: Floats, heaps: Sequence[Heap], clues: Collection[Cell]) -> Iterator[tuple[int, int, list[Heap]]]:
    """For each colour that may be the open ground's: the cells of other heaps with several clues, its own cells, and
    the other heaps.
    """
    of_heaps = [np.array([colours[cell] for cell in heap]) for heap in heaps]
    for own in of_heaps:
        # Light falls off over a board: what is nearest to the ground in colour counts.
        same = [_nearest(own, other) <= 2 * LEAST for other in of_heaps]
        others = [heap for heap, ground in zip(heaps, same, strict=True) if not ground]
        crowded = sum(len(heap) for heap in others if len(heap & set(clues)) > 1)
        yield crowded, sum(len(heap) for heap, ground in zip(heaps, same, strict=True) if ground), others


def _nearest(one: Floats, other: Floats) -> float:
    """How far the nearest of two lists of colours ``(N, 3)`` are from each other."""
    return float(np.linalg.norm(one[:, None] - other[None], axis=2).min())


def _patches(puzzle: Stitch, heap: Heap, clues: Collection[Cell]) -> list[Heap]:
    """The patches that a heap is made of; none where that is not plain."""
    inside = heap & set(clues)
    if len(inside) <= 1:
        return [heap] if _is_patch(puzzle, heap, clues) else []
    rows = [
        tuple(puzzle.clue((r, c)) if (r, c) in heap else None for c in range(puzzle.cols)) for r in range(puzzle.rows)
    ]
    shapes = {cell: shape for cell, shape in puzzle.shapes.items() if cell in heap}
    try:
        found = list(islice(answers(Stitch(tuple(rows), shapes), Budget(nodes=NODES)), 2))
    except BudgetSpentError:
        return []
    return [frozenset(patch.block.cells) for patch in found[0]] if len(found) == 1 else []


def _is_patch(puzzle: Stitch, heap: Heap, clues: Collection[Cell]) -> bool:
    """Whether a heap is a rectangle with one clue in it. A lone cell is one only where its clue asks for no more."""
    inside = heap & set(clues)
    height, width = (len({cell[axis] for cell in heap}) for axis in (0, 1))
    if height * width != len(heap) or len(inside) != 1:
        return False
    return len(heap) > 1 or puzzle.clue(min(inside)) in (1, UNKNOWN)
