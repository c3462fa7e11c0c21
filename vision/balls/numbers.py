"""Numbers that stand where balls and pits would: the tiles of other games make a lattice of round things as well."""

from collections.abc import Sequence
from math import ceil

import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY, Tray
from vision.balls.features import (
    CORE_MASK,
    RING_MASK,
    SIDE_PX,
    SMALLEST_PIECE,
    Features,
    in_cells,
    lattice_placement,
    neighbours,
    units,
)
from vision.numbers.digits import numbers_among, quick_turns
from vision.pictures.flatten import flatten
from vision.pictures.lab import lab
from vision.pictures.medians import median, medians, percentiles
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]

FEW = 12
"""Cells that are looked at in case they are numbers, the plainest: on tiles as many may seem to make pieces."""

NUMBERED, ENOUGH = 0.7, 5
"""Part of the balls that look like numbers where they are numbers, and how many are enough: bare tiles may be taken for
balls beside them. A third of the balls on a board under stripes of light do."""

SAME = 0.7
"""Correlation of what two balls carry from which it is the same letter: 0.85 to 0.97 on photos, 0.4 where it is not."""

SURELY_A_NUMBER = 0.85
"""How much like a number what stands on a ball must look, some way up: numbers on tiles have 0.98 and more, the letter
K on its side 0.6 to 0.9."""

MARKED, STROKES = 12.0, 95
"""How far from its own usual colour the strokes on a pit are, in CIELAB steps beyond what is usual among the pits, from
which it may carry a number, be that as light as the pit: those on tiles 23 and more, glare and shade 6. And the
percentile of a pit's pixels that is its strokes."""


def are_plainly_numbers(photo: Photo, placement: FlatPlacement, tray: Tray) -> bool:
    """Whether marks stand on single cells here and there, and most are numbers: asked before any balls are divided into
    pieces, which takes longest where there are none.

    A letter or a glint on a ball is on all balls of its piece.
    """
    cells = in_cells(flatten(photo, lattice_placement(placement, tray), SIDE_PX), tray)
    apart = _strokes(cells)
    marked = np.flatnonzero(apart >= MARKED)
    if len(marked) < ENOUGH:
        return False
    inside = _carried(cells)
    piece = np.arange(len(cells))
    for one, other in neighbours(tray):
        if min(apart[one], apart[other]) >= MARKED and inside[one] @ inside[other] > SAME:
            piece[piece == piece[one]] = piece[other]
    lone = [k for k in marked if (piece == piece[k]).sum() < SMALLEST_PIECE]
    if len(lone) < ENOUGH:
        return False
    plainest = sorted(lone, key=lambda k: -apart[k])[:FEW]
    patches = [np.ascontiguousarray(cells[k]) for k in plainest]
    return numbers_among(patches, quick_turns(patches), SURELY_A_NUMBER) >= NUMBERED * len(patches)


def are_numbers(rows: Sequence[str], features: Features, tray: Tray) -> bool:
    """Whether the few balls of a board are numbers, some way up, or several of its pits carry some: tiles make a
    lattice of round things as well. In the pits of an empty tray nothing stands at all, be it a number or not.
    """
    balls = [k for k, letter in enumerate(rows) if letter != EMPTY]
    least = min(len(balls) - 1, ceil(NUMBERED * len(balls)), ENOUGH)  # a digit may be worn or shaded
    if 0 < len(balls) <= FEW:
        alike = _alike(rows, features, tray)
        balls = [k for k in balls if rows[k] not in alike]
        if len(balls) >= least and _are_numbered(balls, least, features, tray):
            return True
    marked = _marked_pits(rows, features, tray)
    return len(marked) >= ENOUGH and (set(rows) == {EMPTY} or _are_numbered(marked, ENOUGH, features, tray))


def _are_numbered(numbers: Sequence[int], least: int, features: Features, tray: Tray) -> bool:
    """Whether so many of the cells with these numbers surely carry a number, some way up."""
    cells = in_cells(features.flat, tray)
    patches = [np.ascontiguousarray(cells[k]) for k in numbers]
    return any(numbers_among(patches, turns, SURELY_A_NUMBER) >= least for turns in range(4))


def _alike(rows: Sequence[str], features: Features, tray: Tray) -> set[str]:
    """The pieces all of whose balls look the same: plain ones, and those with a letter, which may be like a digit."""
    inside = _carried(in_cells(features.flat, tray))
    pieces = {letter: [k for k, other in enumerate(rows) if other == letter] for letter in set(rows) - {EMPTY}}
    return {
        letter for letter, cells in pieces.items() if len(cells) > 1 and (inside[cells] @ inside[cells].T).min() > SAME
    }


def _marked_pits(rows: Sequence[str], features: Features, tray: Tray) -> list[int]:
    """The pits that carry a mark that most have not, the plainest first, and not more than need be looked at."""
    pits = np.array([k for k, letter in enumerate(rows) if letter == EMPTY], dtype=np.intp)
    if len(pits) < ENOUGH:
        return []
    apart = _strokes(in_cells(features.flat, tray)[pits])
    plainest = np.argsort(-apart, kind="stable")[:FEW]
    return [int(pits[k]) for k in plainest if apart[k] >= MARKED]


def _strokes(cells: Picture) -> Floats:
    """How far from its own usual colour the strokes on each cell are, beyond what is usual among them, ``(cells,)``."""
    inside = lab(cells[:, RING_MASK | CORE_MASK])
    strokes = percentiles(np.linalg.norm(inside - medians(inside, axis=1)[:, None], axis=2), STROKES, axis=1)
    return np.asarray(strokes - median(strokes), np.float64)


def _carried(cells: Picture) -> Floats:
    """What each cell carries, ``(cells, pixels)``, as :func:`vision.balls.features.units`."""
    return units(cells.mean(axis=3)[:, RING_MASK | CORE_MASK])
