"""Digits on cloth, told from the threads and the outline between which they stand.

Digits stand alone, but gaps of threads must be closed before cells are seen, and in a narrow cell that joins them to
its sides. So they are taken out before: pieces of ink that are compact, as pieces of threads and of the outline are
not, and without which no two cells are one, nor a cell open to the ground. Where a digit touches a side already, its
ink makes a blob there; what is no straight stroke as long as a side of a cell is cut off from it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from solvers.budget import Budget
from vision.numbers.glyph_groups import shapes_of
from vision.pictures.medians import median
from vision.pictures.photo import Picture

Bools = npt.NDArray[np.bool_]

ISLAND = 0.75
"""What touches no thread and is shorter than this part of a cell's side is a clue."""

SMALLEST_DIGIT = 0.12
"""And this part of it is the least that counts as a digit."""

COMPACT, DENSE = 2.2, 0.22
"""A digit is less than so many times as long as it is wide and has this part of the box round it, other than where two
threads meet."""

SLIM = 5.0
"""What is so many times as long as it is wide is a piece of thread; the slimmest digit is half as slim."""

HUE = 25.0
"""Dyes whose hues are so many degrees apart are two; threads fade and shine by ten."""

MERGED = 1.5
"""A field so many times as large as a usual cell may be two cells, between which a piece of thread is missing."""

AROUND, FIELD = 0.5, 0.1
"""How far round a piece of ink fields are counted, in cells, and the least area there that counts as one."""

SHADE = 0.08
"""So far round a number its shadow may hide a line, in cells."""

FEW_DIGITS = 2
"""So many digits tell how high they are."""

ONE_SIZE = 0.2
"""Their heights differ by this part at most, and a pixel: some are made smaller to fit a narrow cell."""

BLOB = 0.16
"""Ink that is wider than this once gaps are closed, in cells, is more than a thread or the outline."""

STRAIGHT, DIRECTIONS = 0.6, 16
"""Sides of cells are straight for so long, in cells, in one of so many directions; strokes of digits have two thirds of
it at most."""

GOES_ON, RUN, GOING = 0.5, 0.35, 24
"""Over so much of a cell a thread goes on where it is hidden, straight on from where it is seen for so long, in one of
so many directions: patches with bent sides meet above it, clues stand on it."""


class _Fields(NamedTuple):
    """Bare cloth in pieces: ``int32 (H, W)`` labels, from 0, and the area of each; 0 is what covers it."""

    labels: npt.NDArray[np.int32]
    areas: npt.NDArray[np.int32]


def by_dye(bgr: Picture, dyed: Bools) -> list[Bools]:
    """What is dyed, and of that what has another hue than most, which is the outline: a digit may touch it."""
    if not dyed.any():
        return [dyed]
    hue = cv2.cvtColor(bgr, cv2.COLOR_BGR2HSV)[..., 0].astype(np.float32) * 2
    apart = np.abs((hue - median(hue[dyed]) + 180) % 360 - 180)
    return [dyed, dyed & (apart > HUE)]


def numerals(ink: Picture, layers: Sequence[Bools], specks: Bools, gaps: Picture, side_px: float) -> Bools:
    """Where digits are, ``bool (H, W)``.

    Args:
        ink: all that covers the cloth, ``uint8 (H, W)``.
        layers: parts of it in which digits may stand alone, ``bool (H, W)`` each.
        specks: what is too short for a thread, most of it glints of the weave.
        gaps: the brush that closes the gaps of a thread.
        side_px: of a usual cell.
    """
    compact = np.logical_or.reduce([alone(layer, side_px, COMPACT) for layer in layers])
    fields = _fields(_less(ink, compact), gaps)
    whole = fields.areas < MERGED * side_px**2
    whole[0] = False
    within = compact & whole[fields.labels]  # where no cell is open, nothing is missing
    # Of other writing on the screen nothing is to be learnt; on small boards every number may be as short as a glint.
    high = _height(within) or _height(alone(specks, side_px, COMPACT) & whole[fields.labels])
    found = within | _spared(_less(ink, within), compact & ~within, gaps, side_px)
    found = _as_high(found, high) if high else within
    foreign = np.logical_or.reduce([alone(layer, side_px, SLIM) for layer in layers[2:]] or [np.zeros_like(found)])
    found |= _as_high(foreign, high)  # neither thread nor outline, whatever it touches
    found |= _spared(_less(ink, found), _as_high(compact & ~found, high), gaps, side_px, one_cell=True)
    slim = np.logical_or.reduce([alone(layer & ~found, side_px, SLIM) for layer in layers])
    found |= _spared(_less(ink, found), _as_high(slim, high), gaps, side_px)
    found |= _as_high(alone(specks, side_px, SLIM), high)
    touching = _as_high(_cut_off(layers[0] & ~found, gaps, side_px), high)
    return np.asarray(found | _spared(_less(ink, found), touching, gaps, side_px), dtype=np.bool_)


def beneath(lines: Picture, numbers: Bools, side_px: float, budget: Budget) -> Bools:
    """Where lines go on beneath numbers that are taken out, or in their shadows.

    Raises:
        BudgetSpentError: the time for the picture is up.
    """
    found = np.zeros_like(numbers)
    _, shapes = shapes_of(numbers)
    shade, gap = (disc(round(part * side_px) | 1) for part in (SHADE, 2 * SHADE))
    for shape in shapes[1:]:
        budget.spend(0)
        window = _round_about(shape, round(side_px))
        number = numbers[window].astype(np.uint8)
        near = cv2.dilate(number, shade) > 0
        clear = np.where(cv2.dilate(number, np.ones((5, 5), np.uint8)) > 0, 0, lines[window]).astype(np.uint8)
        closed = cv2.morphologyEx(clear, cv2.MORPH_CLOSE, gap) > 0
        found[window] |= near & (closed | continued(clear, side_px))
    return found


def islands(ink: Picture, longest_px: float) -> Bools:
    """What stands alone, is small, and is no piece of a thread."""
    labels, stats = shapes_of(ink > 0)
    small = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) < longest_px
    small[0] = False
    for index in np.flatnonzero(small).tolist():
        long, short = _lengths(labels, stats[index], index)
        small[index] = long < SLIM * short
    return np.asarray(small[labels], dtype=np.bool_)


def alone(ink: Bools, side_px: float, slim: float) -> Bools:
    """The pieces of ink as large as digits, less than ``slim`` times as long as wide."""
    labels, stats = shapes_of(ink)
    longest = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    good = (longest > SMALLEST_DIGIT * side_px) & (longest < ISLAND * side_px)
    good[0] = False
    for index in np.flatnonzero(good).tolist():
        long, short = _lengths(labels, stats[index], index)
        good[index] = long < slim * short and int(stats[index, cv2.CC_STAT_AREA]) > DENSE * long * short
    return np.asarray(good[labels], dtype=np.bool_)


def _lengths(labels: npt.NDArray[Any], stats: npt.NDArray[Any], index: int) -> tuple[float, float]:
    """How long and how wide the smallest box round a piece of ink is, in pixels."""
    left, top, width, height = (int(v) for v in stats[:4])
    part = labels[top : top + height, left : left + width] == index
    (_, _), lengths, _ = cv2.minAreaRect(np.argwhere(part)[:, ::-1].astype(np.float32))
    return max(lengths) + 1, min(lengths) + 1


def _less(ink: Picture, pieces: Bools) -> Picture:
    return np.where(pieces, 0, ink).astype(np.uint8)


def _fields(ink: Picture, gaps: Picture) -> _Fields:
    closed = np.asarray(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, gaps), dtype=np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(255 - closed, connectivity=4)
    return _Fields(np.asarray(labels, dtype=np.int32), np.asarray(stats[:, cv2.CC_STAT_AREA], dtype=np.int32))


def _height(digits: Bools) -> float:
    """The usual height of the digits found so far, in pixels; 0 where there are too few."""
    _, stats = shapes_of(digits)
    return median(stats[1:, cv2.CC_STAT_HEIGHT]) if len(stats) > FEW_DIGITS else 0.0


def _as_high(pieces: Bools, high: float) -> Bools:
    """The pieces that are as high as other digits: those of a board are of one size."""
    labels, stats = shapes_of(pieces)
    good = np.abs(stats[:, cv2.CC_STAT_HEIGHT] - high) <= 1 + ONE_SIZE * high
    good[0] = False
    return np.asarray(good[labels], dtype=np.bool_)


def _spared(ink: Picture, pieces: Bools, gaps: Picture, side_px: float, *, one_cell: bool = False) -> Bools:
    """The pieces of ink without which just as many fields are there; with ``one_cell``, also those in whose place
    fields become one that is no larger than a cell.
    """
    labels, stats = shapes_of(pieces)
    spared = np.zeros(len(stats), dtype=np.bool_)
    fields = _fields(ink, gaps)
    around = round(AROUND * side_px)
    for index in range(1, len(stats)):
        window = _round_about(stats[index], around)
        piece = labels[window] == index
        before, after = (_fields(one, gaps) for one in (ink[window], _less(ink[window], piece)))
        large = [np.flatnonzero(each.areas[1:] > FIELD * side_px**2) + 1 for each in (before, after)]
        spared[index] = len(large[0]) == len(large[1])
        if one_cell and not spared[index]:
            here = np.unique(after.labels[piece & (after.labels > 0)])
            joined = np.isin(after.labels, here) & np.isin(before.labels, large[0])
            whole = np.unique(fields.labels[window][joined])
            spared[index] = fields.areas[whole[whole > 0]].sum() < MERGED * side_px**2
    return np.asarray(spared[labels], dtype=np.bool_)


def _round_about(shape: npt.NDArray[np.int32], around: int) -> tuple[slice, slice]:
    """The rows and columns within so many pixels of a shape's box."""
    left, top, width, height = (int(v) for v in shape[:4])
    return slice(max(0, top - around), top + height + around), slice(max(0, left - around), left + width + around)


def _cut_off(loose: Bools, gaps: Picture, side_px: float) -> Bools:
    """What is left of blobs of ink without the sides of cells: digits that touch these."""
    covered = np.where(loose, 255, 0).astype(np.uint8)
    closed = np.asarray(cv2.morphologyEx(covered, cv2.MORPH_CLOSE, gaps), dtype=np.uint8)
    _, blobs = shapes_of(np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, disc(round(BLOB * side_px) | 1))) > 0)
    pieces = np.zeros_like(loose)
    around = round(ISLAND * side_px)
    for blob in blobs[1:]:
        if max(blob[2:4]) < ISLAND * side_px:
            window = _round_about(blob, around)
            sides = cv2.dilate(_sides(covered[window], side_px), np.ones((3, 3), np.uint8)) > 0
            pieces[window] |= alone(loose[window] & ~sides, side_px, COMPACT)
    return pieces


def _sides(ink: Picture, side_px: float) -> Picture:
    """The straight strokes that are as long as the sides of cells."""
    length = round(STRAIGHT * side_px)
    found = np.zeros_like(ink)
    for brush in brushes(length, DIRECTIONS):
        found = np.maximum(found, cv2.morphologyEx(ink, cv2.MORPH_OPEN, brush))
    return found


# --- brushes ----------------------------------------------------------------------------------------------------------


def disc(diameter_px: int) -> Picture:
    """A round brush."""
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (diameter_px, diameter_px)), dtype=np.uint8)


def brushes(length_px: float, directions: int = GOING) -> Iterator[Picture]:
    """Brushes that are straight strokes, one for each direction."""
    size = 2 * int(np.ceil(length_px / 2)) + 1
    for angle in np.arange(directions) * np.pi / directions:
        reach = np.array([np.cos(angle), np.sin(angle)]) * length_px / 2
        brush = np.zeros((size, size), dtype=np.uint8)
        first, last = (tuple(int(v) for v in np.rint(size // 2 + sign * reach)) for sign in (-1, 1))
        yield np.asarray(cv2.line(brush, first, last, 1), dtype=np.uint8)


def continued(lines: npt.NDArray[Any], side_px: float) -> npt.NDArray[np.bool_]:
    """Lines with their gaps closed where they go straight on; ``side_px`` is that of a usual cell."""
    seen = np.pad((lines > 0).astype(np.uint8), margin := int(side_px * GOES_ON) + 1)
    found = np.zeros_like(seen)
    for run, gap in zip(brushes(RUN * side_px), brushes(GOES_ON * side_px), strict=True):
        straight = cv2.morphologyEx(seen, cv2.MORPH_OPEN, run)
        if straight.any():
            found = np.maximum(found, cv2.morphologyEx(straight, cv2.MORPH_CLOSE, gap))
    return np.asarray(found[margin:-margin, margin:-margin] > 0, dtype=np.bool_)
