"""Lattices that no lines draw: dots mark the cells.

Programs in a terminal put a dot in the middle of each empty cell; pages for pencils have a dot at each corner. Edges do
not tell these boards from text. But many small marks, all alike, stand at regular distances:

1. *Dots*: small marks as high as wide, by their difference from what surrounds them.
2. *Ladders*: where dots stand above and beside each other, in steps of one length. Text beside the board puts some
   marks between the rungs.

Whether they are corners of cells or middles, and how far the board reaches, :mod:`vision.boards.states` tells.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards.grids import WORK_PX
from vision.pictures.medians import median
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

LARGEST = 1 / 45
"""Side of a dot, in the longer side of the picture, at most; and what is larger is no mark that is looked at."""

STANDS_OUT = 24
"""Grey levels of 255 by which a mark differs from its surroundings, at least."""

ROUND = 1.6
"""A dot's longer side in its shorter one, at most; small crosses and rings serve as well."""

SORTS = 3
"""Sorts of marks, each of one size to a pixel either way, that are tried as dots: letters may be as many."""

MOST_DOTS = 3_000
"""Marks that are looked at, at most: boards of 50 x 50 have 2,500 dots, and texture has more."""

STEP_OFF = 0.12
"""How far a rung lies from its place, in steps, at most."""

RUNG = 0.25
"""Part of the dots of the fullest rung that any other holds, at least."""

MISSING = 3
"""A rung follows after so many steps at most: numbers stand in place of dots."""

FEWEST_RUNGS = 3
"""Rows and columns of a lattice at least."""

OBLONG = 1.7
"""Sides of a cell differ by so much at most: a terminal's letters are about twice as high as wide, cells three wide."""


@dataclass(frozen=True)
class _Ladder:
    """Places at regular distances: the first and the last rung by number, where number 0 stands, and the step."""

    first: int
    last: int
    start: float
    step: float

    def ends(self, beyond: float) -> tuple[float, float]:
        """So many steps before the first rung and after the last one, in pixels."""
        return self.start + (self.first - beyond) * self.step, self.start + (self.last + beyond) * self.step


def dotted_boards(photo: Photo) -> list[FlatPlacement]:
    """Where dots mark cells in a screenshot: with the dots at their corners, and with the dots in their middles."""
    return photo.derive(_dotted_boards)


def _dotted_boards(photo: Photo) -> list[FlatPlacement]:
    small = photo.reduced(WORK_PX)
    shape = small.gray.shape[0], small.gray.shape[1]
    lattices = (_lattice(at, shape) for at in _dots(small.gray))
    ladders = next((lattice for lattice in lattices if lattice is not None), None)
    return [] if ladders is None else [_placed(*ladders, more).scaled(photo.width / small.width) for more in (0.0, 0.5)]


def _lattice(at: Floats, shape: tuple[int, int]) -> tuple[_Ladder, _Ladder] | None:
    """The ladders of columns and of rows on which most of some marks lie, ``float64 (n, 2)`` in pixels."""
    if not FEWEST_RUNGS**2 <= len(at) <= MOST_DOTS:
        return None
    steps = np.array([_step(at, axis) for axis in (0, 1)])
    beside = _beside(at, steps, shape)
    across, down = (_ladder(at[beside, axis], steps[axis]) for axis in (0, 1))
    if across is None or down is None or not 1 / OBLONG <= across.step / down.step <= OBLONG:
        return None
    return across, down


def _placed(across: _Ladder, down: _Ladder, beyond: float) -> FlatPlacement:
    """The box round the outermost rungs, or so many steps beyond."""
    (x0, x1), (y0, y1) = across.ends(beyond), down.ends(beyond)
    size = (round(across.last - across.first + 2 * beyond), round(down.last - down.first + 2 * beyond))
    return FlatPlacement.from_corners([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], size)


def _dots(gray: Picture) -> list[Floats]:
    """The middles of small marks in pixels, sort by sort."""
    side = round(max(gray.shape) * LARGEST)
    ground = cv2.medianBlur(gray, 2 * side + 1)
    differs = cv2.absdiff(gray, ground) > STANDS_OUT
    _, _, stats, middles = cv2.connectedComponentsWithStats(differs.astype(np.uint8), connectivity=8)
    sizes, at = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]], middles[1:]
    shorter, longer = sizes.min(axis=1), sizes.max(axis=1)
    dots = (longer <= side) & (longer <= ROUND * shorter + 1)
    return _sorts(sizes[dots], at[dots])


def _sorts(sizes: npt.NDArray[np.int32], at: Floats) -> list[Floats]:
    """The middles of marks of the commonest sizes, sort by sort."""
    sorts: list[Floats] = []
    while len(at) and len(sorts) < SORTS:
        counts = np.zeros(sizes.max(axis=0) + 2)
        np.add.at(counts, tuple(sizes.T), 1)
        about = cv2.boxFilter(counts, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
        usual = np.unravel_index(int(about.argmax()), about.shape)
        alike = (np.abs(sizes - usual) <= 1).all(axis=1)
        sorts.append(at[alike])
        sizes, at = sizes[~alike], at[~alike]
    return sorts


def _step(at: Floats, axis: int) -> float:
    """The commonest distance from a mark to the next one in its row (axis 0) or column (axis 1), in pixels; 0 if none.

    What stands in one row stands so to a pixel.
    """
    along, aside = at[:, axis], at[:, 1 - axis]
    order = np.lexsort((along, np.rint(aside)))
    gaps, off = np.diff(along[order]), np.abs(np.diff(aside[order]))
    gaps = np.sort(gaps[(off <= 1) & (gaps > 2)])
    if len(gaps) < FEWEST_RUNGS:
        return 0.0
    near = np.maximum(1, STEP_OFF / 2 * gaps)
    first, end = np.searchsorted(gaps, gaps - near), np.searchsorted(gaps, gaps + near, side="right")
    commonest = int((end - first).argmax())
    return median(gaps[first[commonest] : end[commonest]])


def _beside(at: Floats, steps: Floats, shape: tuple[int, int]) -> Bools:
    """Which marks have another one a step away in their row or column: few that belong to text have."""
    there = np.zeros(shape, dtype=np.uint8)
    x, y = np.rint(at).astype(int).T
    there[y, x] = 1
    near = 2 * max(1, round(STEP_OFF * float(steps.min()))) + 1
    there = np.asarray(cv2.dilate(there, np.ones((near, near), np.uint8)), dtype=np.uint8)
    ways = [(steps[0], 0), (-steps[0], 0), (0, steps[1]), (0, -steps[1])]
    seen = [there[_inside(y + down, shape[0]), _inside(x + across, shape[1])] for across, down in ways]
    return np.asarray(np.max(seen, axis=0) > 0, dtype=np.bool_)


def _inside(values: Floats, length: int) -> npt.NDArray[np.int64]:
    return np.rint(values).astype(np.int64).clip(0, length - 1)


def _ladder(values: Floats, step: float) -> _Ladder | None:
    """The rungs on which most of the values lie, in steps of about ``step``."""
    if not step or not len(values):
        return None
    ordered = np.sort(values)
    clusters = np.split(ordered, np.flatnonzero(np.diff(ordered) > STEP_OFF * step) + 1)
    clusters = [cluster for cluster in clusters if len(cluster) >= RUNG * max(map(len, clusters))]
    middles = np.array([median(cluster) for cluster in clusters])
    climbed = [_climbed(middles, number, step) for number in range(len(clusters))]
    rungs = max(climbed, key=lambda rungs: sum(len(clusters[cluster]) for cluster in rungs.values()))
    if len(rungs) < FEWEST_RUNGS:
        return None
    numbers = sorted(rungs)
    weight = [len(clusters[rungs[number]]) for number in numbers]
    step, start = np.polyfit(numbers, [middles[rungs[number]] for number in numbers], 1, w=weight).tolist()
    return _Ladder(numbers[0], numbers[-1], start, step)


def _climbed(middles: Floats, first: int, step: float) -> dict[int, int]:
    """The clusters that lie on rungs, by number, from one of them as number 0 both ways."""
    rungs = {0: first}
    for way in (-1, 1):
        number, here, steps = 0, float(middles[first]), 1
        while steps <= MISSING:
            expected = here + way * steps * step
            nearest = int(np.abs(middles - expected).argmin())
            if abs(middles[nearest] - expected) > STEP_OFF * step:
                steps += 1
                continue
            number, here, steps = number + way * steps, float(middles[nearest]), 1
            rungs[number] = nearest
    return rungs
