"""Boards that no lines divide: dots mark their cells.

Programs in a terminal put a dot in the middle of each empty cell and an outline round them all; pages for pencils have
a dot at each corner of a cell. Edges do not tell these boards from text. But many small marks, all alike, stand at
regular distances:

1. *Dots*: small marks as high as wide, by their difference from what surrounds them.
2. *Ladders*: where dots stand above and beside each other, in steps of one length. Text beside the board puts some
   marks between the rungs.
3. *Which of both*: dots at all corners of a rectangle, or something in the middle of all cells of an outline.
"""

from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards.edges import edge_strength
from vision.boards.grids import WORK_PX
from vision.pictures.medians import median
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Box = tuple[float, float, float, float]
"""Left, top, right and bottom of a board, in steps from the first rung that is looked at."""
Rungs = tuple[int, int, int, int]
"""First column and row, and the last ones, excluded."""

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

FEWEST, FEWEST_RUNGS = 4, 3
"""Rows and columns of a board at least, and those of them that dots tell: an outline may hide the outermost."""

LEAST_DOTS = 0.4
"""Part of the cells of an outline that hold dots, at least; on the densest boards six cells of ten hold clues."""

ALL = 0.96
"""Part of the cells that hold something, at least, of outermost rungs that belong to the board, and of an outline that
is seen."""

FEW_BEYOND = 0.1
"""Part of the crossings beside a board on which marks stand like its dots, at most: letters."""

OBLONG = 1.7
"""Sides of a cell differ by so much at most: a terminal's letters are about twice as high as wide, cells three wide."""

PLAIN, UNCERTAIN = 0.9, 0.55
"""What a board counts that was found within an outline or has all its dots, and one of which some are missing: all of a
row at its edge may be, so that a reading of it which had to be corrected proves nothing."""


@dataclass(frozen=True)
class _Ladder:
    """Places at regular distances: the first and the last rung by number, where number 0 stands, and the step."""

    first: int
    last: int
    start: float
    step: float

    def numbers(self, values: Floats) -> Floats:
        """The rungs that values in pixels lie on, as far as they lie on one."""
        return (values - self.start) / self.step


@dataclass(frozen=True, eq=False)
class _Lattice:
    """Two ladders, and what stands on their crossings, those of ``MISSING`` more rungs at each end included.

    Attributes:
        across: the ladder of columns.
        down: the ladder of rows.
        dots: ``bool (rows, cols)``, where dots stand that are as large as most are.
        held: ``bool (rows, cols)``, where anything stands.
    """

    across: _Ladder
    down: _Ladder
    dots: Bools
    held: Bools

    def is_filled(self, rungs: Rungs) -> bool:
        """Whether something stands on all crossings of some rungs, and dots on a good part of them."""
        left, top, right, bottom = rungs
        if min(right - left, bottom - top) < FEWEST_RUNGS:
            return False
        held, dots = (float(there[top:bottom, left:right].mean()) for there in (self.held, self.dots))
        return held >= ALL and dots >= LEAST_DOTS


def dotted_boards(photo: Photo) -> list[FlatPlacement]:
    """The upright board of a screenshot whose cells dots mark, if there is one.

    Where they may be corners of cells as well as middles it is told both ways: what stands in the cells decides.
    """
    return photo.derive(_dotted_boards)


def _dotted_boards(photo: Photo) -> list[FlatPlacement]:
    small = photo.reduced(WORK_PX)
    differs, sorts = _marks(small.gray)
    for at in sorts:
        if lattice := _lattice(at, differs):
            outlined = _outlined(small.bgr, lattice)
            boxes = [(outlined, PLAIN)] if outlined else _by_dots_alone(lattice)
            places = [_placed(lattice, box, score) for box, score in boxes if _is_large(box)]
            if places:
                return [place.scaled(photo.width / small.width) for place in places]
    return []


def _lattice(at: Floats, differs: Bools) -> _Lattice | None:
    """The lattice on which most of some marks lie, ``float64 (n, 2)`` in pixels."""
    if not FEWEST_RUNGS**2 <= len(at) <= MOST_DOTS:
        return None
    steps = np.array([_step(at, axis) for axis in (0, 1)])
    beside = _beside(at, steps, differs.shape)
    across, down = (_ladder(at[beside, axis], steps[axis]) for axis in (0, 1))
    if across is None or down is None or not 1 / OBLONG <= across.step / down.step <= OBLONG:
        return None
    return _Lattice(across, down, _dots_on(at, across, down), _held(differs, across, down))


def _is_large(box: Box) -> bool:
    left, top, right, bottom = box
    return min(right - left, bottom - top) >= FEWEST


def _placed(lattice: _Lattice, box: Box, score: float) -> FlatPlacement:
    left, top, right, bottom = box
    xs, ys = (
        ladder.start + (np.array(ends) + ladder.first - MISSING) * ladder.step
        for ladder, ends in ((lattice.across, (left, right)), (lattice.down, (top, bottom)))
    )
    corners = [(xs[0], ys[0]), (xs[1], ys[0]), (xs[1], ys[1]), (xs[0], ys[1])]
    return FlatPlacement.from_corners(corners, (round(right - left), round(bottom - top)), score)


def _marks(gray: Picture) -> tuple[Bools, list[Floats]]:
    """What stands out from its surroundings, ``bool (H, W)``, and the middles of small marks in pixels, each sort's."""
    side = round(max(gray.shape) * LARGEST)
    ground = cv2.medianBlur(gray, 2 * side + 1)
    differs = cv2.absdiff(gray, ground) > STANDS_OUT
    _, _, stats, middles = cv2.connectedComponentsWithStats(differs.astype(np.uint8), connectivity=8)
    sizes, at = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]], middles[1:]
    shorter, longer = sizes.min(axis=1), sizes.max(axis=1)
    dots = (longer <= side) & (longer <= ROUND * shorter + 1)
    return np.asarray(differs), _sorts(sizes[dots], at[dots])


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


def _trimmed(lattice: _Lattice) -> Rungs:
    """The rungs that follow one another with dots on them: letters beside the board lie on some further ones."""
    rows, cols = lattice.dots.shape
    left, top, right, bottom = 0, 0, cols, rows
    for _ in range(2):  # rows of words have dots on columns of the board, and the other way round
        left, right = _longest(lattice, (left, top, right, bottom), axis=0)
        top, bottom = _longest(lattice, (left, top, right, bottom), axis=1)
    return left, top, right, bottom


def _longest(lattice: _Lattice, rungs: Rungs, axis: int) -> tuple[int, int]:
    """The first and last (excluded) of the most columns (axis 0) or rows (axis 1) in a row that are of the board."""
    left, top, right, bottom = rungs
    if left == right or top == bottom:
        return 0, 0
    dots = np.count_nonzero(lattice.dots[top:bottom, left:right], axis=axis)
    of_board = dots >= max(1, RUNG * int(dots.max()))
    ends = np.flatnonzero(np.diff(np.pad(of_board, 1).astype(np.int8)))
    if not len(ends):
        return 0, 0
    longest = int(np.argmax(ends[1::2] - ends[::2]))
    start = (left, top)[axis]
    return start + int(ends[2 * longest]), start + int(ends[2 * longest + 1])


def _by_dots_alone(lattice: _Lattice) -> list[tuple[Box, float]]:
    """The board as its dots tell, and how sure that is: as corners of its cells, and as middles if some are missing.

    None where it may go on.
    """
    rungs = _trimmed(lattice)
    left, top, right, bottom = rungs
    if not lattice.is_filled(rungs) or any(end.mean() > FEW_BEYOND for end in _next_ones(lattice.dots, rungs)):
        return []
    all_there = bool(lattice.dots[top:bottom, left:right].mean() >= ALL)
    # An outline may lie over the outermost corners.
    more = int(all(end.mean() >= ALL for end in _next_ones(lattice.held, rungs)))
    cornered = (left - more, top - more, right + more - 1, bottom + more - 1)
    return [(cornered, PLAIN)] if all_there else [(cornered, UNCERTAIN), (_round(rungs), UNCERTAIN)]


def _next_ones(there: Bools, rungs: Rungs) -> tuple[Bools, Bools, Bools, Bools]:
    """What is there on the rung before the first column and row, and after the last ones."""
    left, top, right, bottom = rungs
    part = np.pad(there, 1)[top : bottom + 2, left : right + 2]
    return part[1:-1, 0], part[0, 1:-1], part[1:-1, -1], part[-1, 1:-1]


def _dots_on(at: Floats, across: _Ladder, down: _Ladder) -> Bools:
    """``bool (rows, cols)``: on which crossings of the rungs dots lie."""
    cols, rows = across.numbers(at[:, 0]), down.numbers(at[:, 1])
    off = np.hypot(cols - np.rint(cols), rows - np.rint(rows))
    c, r = np.rint(cols).astype(int) - across.first + MISSING, np.rint(rows).astype(int) - down.first + MISSING
    there = np.zeros([ladder.last - ladder.first + 1 + 2 * MISSING for ladder in (down, across)], dtype=np.bool_)
    on = (off <= STEP_OFF) & (c >= 0) & (r >= 0) & (c < there.shape[1]) & (r < there.shape[0])
    there[r[on], c[on]] = True
    return there


def _outlined(bgr: Picture, lattice: _Lattice) -> Box | None:
    """The board of which all cells hold something in their middle, dots for a good part, within an outline.

    It lies half a step from the outermost rungs; these may hold numbers only.
    """
    across, down = _rungs(lattice.across, 0.5), _rungs(lattice.down, 0.5)
    upright, level = edge_strength(bgr)
    seen_upright, seen_level = _seen_along(upright, across, down), _seen_along(level.T, down, across)
    lefts, rights = _ends(seen_upright)
    tops, bottoms = _ends(seen_level)
    # Filled patches at the edge may have borders that look like an outline of the others: the largest is the board's.
    for rungs in product(lefts, tops, rights[::-1], bottoms[::-1]):
        left, top, right, bottom = rungs
        sides = (
            *(seen_upright[k, top:bottom] for k in (left, right)),
            *(seen_level[k, left:right] for k in (top, bottom)),
        )
        if lattice.is_filled(rungs) and min(float(side.mean()) for side in sides) >= ALL:
            return _round(rungs)
    return None


def _ends(seen: Floats) -> tuple[list[int], list[int]]:
    """The lines near the first and the last rung that may be sides of an outline: they run along some cells."""
    plain = [int(k) for k in np.flatnonzero(seen.sum(axis=1) >= FEWEST * ALL)]
    return [k for k in plain if k <= 2 * MISSING], [k for k in plain if k >= len(seen) - 1 - 2 * MISSING]


def _round(rungs: Rungs) -> Box:
    """The box round the cells whose middles lie on these rungs."""
    left, top, right, bottom = rungs
    return (left - 0.5, top - 0.5, right - 0.5, bottom - 0.5)


def _rungs(ladder: _Ladder, before: float) -> Floats:
    """The places in pixels of the rungs and of those that may be missing at both ends, less a part of a step."""
    numbers = np.arange(ladder.first - MISSING, ladder.last + MISSING + 2, dtype=np.float64)
    return ladder.start + (numbers - before) * ladder.step


def _held(differs: Bools, across: _Ladder, down: _Ladder) -> Bools:
    """``bool (rows, cols)``: in the middle of which cells anything stands out, those that may be missing included."""
    near = round(min(across.step, down.step) / 4) | 1
    spread = cv2.dilate(differs.astype(np.uint8), np.ones((near, near), np.uint8))
    xs, ys = _rungs(across, 0)[:-1], _rungs(down, 0)[:-1]
    return np.asarray(_at(spread, xs, ys) > 0)


def _at(picture: npt.NDArray[Any], xs: Floats, ys: Floats) -> Picture:
    """The pixels at all crossings of columns and rows, ``(len(ys), len(xs))``; 0 beyond the picture."""
    height, width = picture.shape
    x, y = np.rint(xs).astype(int), np.rint(ys).astype(int)
    inside = np.outer((y >= 0) & (y < height), (x >= 0) & (x < width))
    return np.where(inside, picture[np.ix_(y.clip(0, height - 1), x.clip(0, width - 1))], 0).astype(np.uint8)


def _seen_along(upright: Picture, xs: Floats, ys: Floats) -> Floats:
    """How much of the upright side from row line ``k`` to the next is seen at each column line, ``(lines, cells)``."""
    near = 3
    seen = cv2.dilate((upright > STANDS_OUT / 2).astype(np.uint8), np.ones((1, near), np.uint8))
    steps = np.linspace(0, 1, 16, endpoint=False) + 1 / 32
    return np.stack([_at(seen, xs, y0 + steps * (y1 - y0)).mean(axis=0) for y0, y1 in pairwise(ys)], axis=1)
