"""The sides of a lattice's cells: how much of each shows an edge, which cells they enclose, and how good a grid it is.

A side is seen when an edge shows along most of its middle part, close to the lattice line; corners may be round and a
badge may cover some of it. The cells that cannot be reached from outside without crossing a seen side are the board,
whatever its outline, and whatever patches hide inside it.
"""

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.masks import box_of, largest

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]

NEAR = 0.12
"""An edge belongs to a lattice line within this part of the pitch: half of the widest gap between tiles."""

SIDE_PRESENT = 0.5
"""An edge along this part of a cell's side is the side: digits, badges and pointers may cover the rest."""

SIDE_ENDS = 0.15
"""This part of a side is ignored at each end: round corners, crossing lines."""

BADGED, BARE = 0.3, 0.25
"""A round badge that fills its cell is near a side but for this part of it at each end. There a side shows an edge
along this part at most where only such a badge is near, and along nearly all where it is one."""

OBLONG = 0.1
"""Logarithm of the ratio of sides by which cells commonly differ from squares (scanners, sloppy screens)."""

MIN_LINES = 4
"""Rows and columns that make a board at least: on fewer, any three boxes in a row look like a board."""


def side_evidence(seen: Bools, xs: Floats, ys: Floats) -> Floats:
    """How much of each cell's upright side shows an edge.

    Args:
        seen: ``bool (H, W)``, where upright edges are.
        xs: ``(C,)`` places of the lattice's upright lines, in pixels.
        ys: ``(R,)`` places of its level lines.

    Returns:
        ``float64 (R - 1, C)``, 0..1.
    """
    return _part_of(_running(seen, xs), ys, SIDE_ENDS, SIDE_ENDS)


def whole_side_evidence(seen: Bools, xs: Floats, ys: Floats) -> Floats:
    """The same, but for sides that show next to nothing beside their middle: there a round badge of a cell is as near
    as a line would be.
    """
    shown = _running(seen, xs)
    ends = _part_of(shown, ys, SIDE_ENDS, 1 - BADGED), _part_of(shown, ys, 1 - BADGED, SIDE_ENDS)
    beside = (ends[0] + ends[1]) / 2
    return np.where(beside <= BARE, beside, _part_of(shown, ys, SIDE_ENDS, SIDE_ENDS))


def _running(seen: Bools, xs: Floats) -> Ints:
    """For each line, at how many heights down to each it shows an edge: ``int32 (C, H + 1)``."""
    height, width = seen.shape
    # (Asked a thousand times of a photo: functions of NumPy that are made of others would take half of the time.)
    # Columns of the picture that lie in a row of memory are looked through several times as fast.
    columns = np.ascontiguousarray(seen.T)
    # Row j: at which heights line j shows an edge, then at how many heights down to there.
    shown = np.zeros((len(xs), height + 1), dtype=bool)
    for row, a, b in zip(shown, *_near(xs, width), strict=True):
        if b > a:
            np.logical_or.reduce(columns[a:b], axis=0, out=row[1:])
    return shown.cumsum(axis=1, dtype=np.int32)


def _part_of(run: Ints, ys: Floats, before: float, after: float) -> Floats:
    """How much of each side shows an edge, less these parts of its length before and after."""
    pitch = ys[1] - ys[0]
    starts, ends = ys[:-1] + before * pitch, ys[1:] - after * pitch
    starts, ends = (np.minimum(np.maximum(np.rint(at), 0), run.shape[1] - 1).astype(int) for at in (starts, ends))
    return np.asarray(((run[:, ends] - run[:, starts]) / np.maximum(1, ends - starts)).T, dtype=np.float64)


def _near(xs: Floats, width: int) -> tuple[list[int], list[int]]:
    """The first column of pixels near each line of a lattice, and the one after the last."""
    reach = NEAR * (xs[1] - xs[0])
    first, end = np.maximum(np.rint(xs - reach), 0), np.minimum(np.rint(xs + reach) + 1, width)
    return first.astype(int).tolist(), end.astype(int).tolist()


def column_counts(seen: Bools) -> Ints:
    """How many pixels are seen in each column of ``bool (H, W)``: ``int32 (W,)``."""
    # OpenCV adds bytes much faster than NumPy adds booleans; it wants them along the rows of memory.
    level = seen.view(np.uint8)
    turned = abs(level.strides[0]) < abs(level.strides[1])
    sums = cv2.reduce(level.T if turned else level, int(turned), cv2.REDUCE_SUM, dtype=cv2.CV_32S)
    return np.asarray(sums, dtype=np.int32).ravel()


def board_extent(sides_v: Bools, sides_h: Bools) -> tuple[int, int, int, int] | None:
    """Lattice lines ``top, bottom, left, right`` between which the board lies: the box around the largest connected
    component of enclosed cells.
    """
    inside = largest(enclosed(sides_v, sides_h))
    if not inside.any():
        return None
    rows, cols = box_of(inside)
    if min(rows.stop - rows.start, cols.stop - cols.start) < MIN_LINES:
        return None
    return rows.start, rows.stop, cols.start, cols.stop


def enclosed(sides_v: Bools, sides_h: Bools) -> Bools:
    """Which cells cannot be reached from outside without crossing a seen side.

    Args:
        sides_v: ``bool (R, C + 1)``, upright sides that are seen.
        sides_h: ``bool (R + 1, C)``, level sides that are seen.

    Returns:
        ``bool (R, C)``.
    """
    rows, cols = sides_v.shape[0], sides_h.shape[1]
    reached = np.zeros((rows + 2, cols + 2), dtype=bool)
    reached[[0, -1]] = True
    reached[:, [0, -1]] = True
    open_v = np.zeros((rows + 2, cols + 1), dtype=bool)
    open_v[1:-1] = ~sides_v
    open_h = np.zeros((rows + 1, cols + 2), dtype=bool)
    open_h[:, 1:-1] = ~sides_h
    while True:
        before = np.count_nonzero(reached)
        reached[:, 1:] |= reached[:, :-1] & open_v
        reached[:, :-1] |= reached[:, 1:] & open_v
        reached[1:] |= reached[:-1] & open_h
        reached[:-1] |= reached[1:] & open_h
        if np.count_nonzero(reached) == before:
            return ~reached[1:-1, 1:-1]


def fitted_lines(seen: Bools, xs: Floats, sides: Floats) -> Floats:
    """The lattice lines moved to where the edges are: a straight fit through the middles of the edges near each."""
    counts = column_counts(seen)
    sums, moments = (_up_to(values) for values in (counts, counts * np.arange(len(counts))))
    # Lines on which little is seen say little about where the lattice lies.
    telling = (sides > SIDE_PRESENT).mean(axis=0) >= 0.25
    found, index = [], []
    for k, (a, b) in enumerate(zip(*_near(xs, len(counts)), strict=True)):
        if telling[k] and b > a and sums[b] > sums[a]:
            found.append((moments[b] - moments[a]) / (sums[b] - sums[a]))
            index.append(k)
    if len(found) < MIN_LINES:
        return xs
    slope, start = np.polyfit(index, found, 1)
    moved = start + slope * np.arange(len(xs))
    return np.asarray(moved if np.abs(moved - xs).max() < NEAR * (xs[1] - xs[0]) else xs, dtype=np.float64)


def _up_to(values: npt.NDArray[np.integer]) -> list[int]:
    """The sums of the first 0, 1, 2, ... values."""
    return [0, *np.cumsum(values, dtype=np.int64).tolist()]


def edge_points(seen: Bools, xs: Floats, ys: Floats, sides: Floats) -> Floats:
    """Where the edges of the upright sides really are.

    Args:
        seen: ``bool (H, W)``, where upright edges are.
        xs: ``(C,)`` places of the lattice's upright lines.
        ys: ``(R,)`` places of its level lines.
        sides: ``(R - 1, C)``, how much of each side is seen.

    Returns:
        ``float64 (N, 3)``: for each side that is seen, the index of its line and the middle of its edges ``(x, y)``.
    """
    height, width = seen.shape
    inset = SIDE_ENDS * (ys[1] - ys[0])
    starts, ends = (np.clip(np.rint(at), 0, height).astype(int) for at in (ys[:-1] + inset, ys[1:] - inset))
    found = [np.zeros((0, 4))]
    for j, (a, b) in enumerate(zip(*_near(xs, width), strict=True)):
        rows = np.flatnonzero(sides[:, j] > SIDE_PRESENT)
        if not len(rows) or b <= a:
            continue
        run = np.zeros((height + 1, b - a), np.int32)
        seen[:, a:b].cumsum(axis=0, out=run[1:])
        near = run[ends[rows]] - run[starts[rows]]
        count = near.sum(axis=1)
        middle = (near @ np.arange(a, b)) / np.maximum(1, count)
        points = np.column_stack([rows, np.full(len(rows), j), middle, (starts + ends - 1)[rows] / 2])
        found.append(points[count > 0])
    points = np.concatenate(found)
    return np.asarray(points[np.argsort(points[:, 0], kind="stable"), 1:])


def explained_part(upright: Bools, level: Bools, xs: Floats, ys: Floats) -> float:
    """The part of all edges inside the board that lies on lattice lines, 0 where it is as expected by chance."""
    x0, x1 = max(0, round(xs[0])), round(xs[-1]) + 1
    y0, y1 = max(0, round(ys[0])), round(ys[-1]) + 1
    on, total = 0.0, 0.0
    for profile, lines, first in (
        (column_counts(upright[y0:y1, x0:x1]), xs, x0),
        (column_counts(level[y0:y1, x0:x1].T), ys, y0),
    ):
        steps = (np.arange(len(profile)) + first - lines[0]) / (lines[1] - lines[0])
        on += float(profile[np.abs(steps - np.round(steps)) < NEAR].sum())
        total += float(profile.sum())
    chance = 2 * NEAR
    return max(0.0, (on / max(total, 1.0) - chance) / (1 - chance))


def grid_score(sides_v: Bools, sides_h: Bools, inside: Bools, elsewhere: float, explained: float) -> float:
    """How much of a regular grid was seen.

    A grid whose every side is seen is one whatever stands in its cells, unless as many "sides" are seen half-way
    between (``elsewhere``, 0..1), as in text and texture. Where sides are missing (placed patches hide them), edges
    that lie anywhere else speak against it (``explained``, 0..1). Nearly every line must be seen somewhere.
    """
    padded = np.pad(inside, 1)
    of_board_v = padded[1:-1, :-1] | padded[1:-1, 1:]
    of_board_h = padded[:-1, 1:-1] | padded[1:, 1:-1]
    count = of_board_v.sum() + of_board_h.sum()
    present = float((sides_v & of_board_v).sum() + (sides_h & of_board_h).sum()) / max(1.0, float(count))
    present = max(0.0, present - elsewhere) / (1 - min(elsewhere, SIDE_PRESENT))
    # A line may be hidden by placed patches all along, but not many are.
    supported = float((sides_v.any(axis=0).mean() * sides_h.any(axis=1).mean()) ** 0.5)
    whole = whole_score(int(sides_v.sum() + sides_h.sum()))
    return supported * (0.65 * present + 0.35 * explained) * float(inside.mean() ** 0.25) * whole


def whole_score(sides: int) -> float:
    """The score of a grid that shows so many sides and nothing else: a few may fall into line by chance, hundreds do
    not.
    """
    return 1 - 1 / math.sqrt(max(1, sides))


def squareness(ratio: float) -> float:
    """How much to believe in cells with this ratio of sides: 1 for squares, less for oblong ones, never much less."""
    off = np.log(ratio) / OBLONG
    return float(0.6 + 0.4 * np.exp(-off * off / 2))
