"""Patches that a player has placed, told by the colour of their cells, once the clues are known.

A placed patch has another colour than the open cells, all over. Cells beside each other that look alike hang together;
what hangs together, is no open ground and makes a rectangle with one clue in it is a patch, rightly placed or not.
Where patches of one colour touch, the clues tell them apart, if in one way only. Where patches have no colour at all,
a board whose lines are those of its answer alone is complete. Which colour is the open ground's is told by the page
round the board, whose colour most boards have, or else by what is drawn between the cells, which is another thing on
the borders of patches and within them; all the rest must be patches. Where that is not so nothing is told, for a
board's ground may be chequered, and lamps and cursors tint cells as well.
"""

from collections.abc import Collection, Sequence
from itertools import islice
from math import log

import cv2
import numpy as np

from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.steps.step import Placed, Standing
from solvers.stitch import UNKNOWN, Stitch, answers
from vision.clues.ink import FLAT_PX, Floats, cells_of, corners, flat_side
from vision.clues.placed import ODDS, is_complete, likelihood, only_answer, seen_sides
from vision.pictures.bending import BentPlacement, OnSheet, regrown
from vision.pictures.flatten import flatten
from vision.pictures.lab import lab
from vision.pictures.margins import margins
from vision.pictures.medians import medians
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement

RING = (0.1, 0.24)
"""Between these parts of a cell, in from its sides, lines have ended, and badges and digits have hardly begun."""

LEAST = 3.0
"""CIELAB steps by which colours differ that are not the same."""

UNREST = 3.0
"""The same, in multiples of how much neighbouring cells mostly differ."""

USUAL = 0.4
"""Part of the neighbours that look alike at least."""

COLOURLESS = 0.95
"""Part of the cells that have one colour on a board on which patches are told by their lines alone, if at all."""

NODES = 500
"""Search nodes for telling patches of one colour apart."""

Heap = frozenset[Cell]


def coloured_patches(photo: Photo, placement: Placement, puzzle: Stitch) -> Standing:
    """The patches that stand on a plain board, rightly or wrongly; none where what is seen leaves a doubt."""
    if not isinstance(placement, FlatPlacement | BentPlacement):
        return ()
    colours, page = photo.derive_at(_colours, placement)
    if colours.shape[:2] != (puzzle.rows, puzzle.cols):
        return ()
    clues, sides = set(puzzle.clue_cells), seen_sides(photo, placement)
    heaps = _joined(puzzle, _heaps(colours, puzzle), clues)
    shown = [np.array([colours[cell][1] for cell in heap]) for heap in heaps]
    bare = [one for one in shown if _is_near(one, page)]
    whole = (
        _is_patch(puzzle, heap, clues) and puzzle.clue(min(heap & clues)) in (len(heap), UNKNOWN) for heap in heaps
    )
    if not bare and all(whole):
        # An open patch may be all that is left of the ground, or several that do not touch.
        return _standing(heaps) if is_complete(heaps, sides) else ()
    if max(map(len, heaps)) >= COLOURLESS * len(puzzle.cells):
        answer = [frozenset(patch.block.cells) for patch in only_answer(puzzle) or ()]
        if answer and is_complete(answer, sides):
            return _standing(answer)
    parts = {heap: _patches(puzzle, heap, clues) for heap in heaps}
    ways: dict[frozenset[Heap], float] = {}
    for ground in [np.concatenate(bare)] if bare else shown:
        others = frozenset(heap for heap, one in zip(heaps, shown, strict=True) if not _is_near(one, ground))
        ways[others] = likelihood([part for heap in others for part in parts[heap] or [heap]], sides)
    likely, *rivals = sorted(ways, key=lambda others: -ways[others])
    if rivals and ways[likely] - ways[rivals[0]] < log(ODDS):
        return ()
    return _standing([patch for heap in likely for patch in parts[heap]]) if all(parts[heap] for heap in likely) else ()


def _standing(patches: Sequence[Heap]) -> Standing:
    return tuple(Placed(tuple(sorted(patch))) for patch in sorted(patches, key=min))


def _colours(photo: Photo, board: OnSheet) -> tuple[Floats, Floats]:
    """The colour of each cell near its sides and in its corners, ``float64 (rows, cols, 2, 3)``, CIELAB, and those of
    the page round the board that are in the picture, ``float64 (N, 3)``.

    A badge may reach near the sides, and a patch with round corners leaves those of its cells out.
    """
    placement = regrown(board, (1, 1, 1, 1))
    cols, rows = (round(length) for length in placement.size)
    side = flat_side(placement, FLAT_PX)
    cells = cells_of(flatten(photo, placement, side), rows, cols)
    first, last = (round(part * side) for part in RING)
    ring = np.zeros((side, side), bool)
    ring[first : side - first, first : side - first] = True
    ring[last : side - last, last : side - last] = False
    pixels = cells[:, :, ring].transpose(2, 0, 1, 3).reshape(-1, rows * cols, 3)
    near = np.asarray(medians(pixels), np.uint8).reshape(rows, cols, 3)
    colours = np.stack([lab(near), lab(corners(cells))], axis=2).astype(np.float64)
    low, high = slice(first, last), slice(side - last, side - first)
    beside = (cells[0, 1:-1, high], cells[1:-1, -1, :, low], cells[-1, 1:-1, low], cells[1:-1, 0, :, high])
    strips = [part for part, depth in zip(beside, margins(photo, board).values(), strict=True) if depth > RING[1]]
    page = [lab(medians(part.reshape(len(part), -1, 3), axis=1).astype(np.uint8)) for part in strips]
    return colours[1:-1, 1:-1], np.concatenate([np.empty((0, 3)), *page])


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
    alike = max(LEAST, UNREST * float(np.quantile(np.concatenate([across.ravel(), down.ravel()]), USUAL)))
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


def _is_near(one: Floats, other: Floats) -> bool:
    """Whether some of two lists of colours ``(N, 3)`` are the same: light falls off over a board."""
    steps = np.linalg.norm(one[:, None] - other[None], axis=2)
    return bool(steps.min(initial=np.inf) <= 2 * LEAST)


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
