"""The lines of a board in a photo, side by side: where exactly they run, and where the board ends.

A search says roughly where a board lies and how many cells it has. Now that each side of each cell is known to a tenth
of a cell, it can be looked at by itself: the picture is averaged along the side, which leaves its line and takes the
noise away, and what is seen across it is compared with the noise beside it. From that follow

1. *how far the board reaches*: a row of cells more or less is weighed by whether its sides are seen, and patches that
   hide lines are allowed for; so a part of a board is not taken for the whole, nor a heading for a row of it;
2. *where it lies*: the homography through all seen sides, by least squares without the outliers;
3. *how it bends*: what is left over, as a smooth movement of the sheet (:mod:`vision.pictures.bending`).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, log

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards.quads import line_homography
from vision.pictures.bending import BentPlacement, on_sheet, regrown, terms
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement, Points

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Colours = npt.NDArray[np.float32]

SIDE_PX = 32
"""Side of a cell in the flat picture: a line of a fortieth of a cell has nearly a pixel."""

BEYOND = 3
"""Cells that are looked at beyond the board on each side; it may grow again and again."""

MOST_ROUNDS = 7
"""Times that a board is measured: a part of it grows by at most three cells each way in each."""

ENDS = 0.16
"""This part of a side is left out at each end: crossing lines, round corners."""

NEAR = 0.15
"""A line is looked for so far, in cells, from where it should be."""

OVER_NOISE = 5.5
"""A side is seen when the contrast across it is so many times the usual one of its row: the largest of the twenty-odd
differences that are looked at near a line is four times the median where there is only noise."""

RUNNING_ON = 3
"""Rows of cells that a line is followed over: its own, and the ones on either side."""

FAINTLY = 3.5
"""Contrast over the usual one that a side has at least where its line is plain over several rows: in noise one side of
six has as much."""

IN_LINE = 0.06
"""A line that runs on lies at the same place in its row, to so much, in cells."""

EDGE, HAIRLINE, LINE = (
    np.array([weights], dtype=np.float32)
    for weights in ((-1, 0, 1), (-0.5, 1, -0.5), (-0.25, -0.25, 0.5, 0.5, -0.25, -0.25))
)
"""What is looked for across a side; each is scaled so that a line has its own contrast."""

FLANKS = (0.13, 0.26)
"""So far from the middle of a line, in cells, nothing has an edge: gaps between tiles end before, numbers follow."""

OVER_FLANK = 1.5
"""A line's contrast over what is seen there; letters of a heading have edges everywhere."""

LEAST_CONTRAST = 1.6
"""Grey levels across a side that count at least, after averaging along it."""

CHANCE = 0.06
"""Part of the sides that are seen where there is no board: text and other things may stand at the right place."""

HIDDEN = (0.04, 0.7)
"""Part of a board's sides that are not seen, at least and at most: under patches, under glare."""

SCATTER, MOST_OFF = 0.03, 4.0
"""Standard deviation of a line's place about the fitted one, in cells; and the most that one far off speaks against."""

LINE_WEIGHT = 2.5
"""How much (natural logarithm of a likelihood ratio) the outer line of a row tells: it is one line, however long."""

DECIDED = 3.0
"""A row is added to the board, or taken off, when it is likelier by this (natural logarithm): 20 times."""

LEAST_LINES = 4
"""Rows and columns that are left at least."""

SETTLED = 0.03
"""A board whose corners move by less than this, in cells, lies where it should: a line is seen as well from there."""

OUTLIER = 0.05
"""Sides further from the fitted lines than this, in cells, are left out when they are further than most."""

BENT = 0.012
"""A bend is believed from this on: the mean distance, in cells, of the lines from where a flat board has them."""

STRAIGHTER = 0.8
"""And when it leaves at most this part of it."""

STIFFNESS = 0.3
"""Weight of a bend's third degree being small, against one side each: where no line is seen paper runs on evenly."""

LEAST_SIDES = 14
"""Sides of each direction that tell a bend."""


@dataclass(frozen=True, eq=False)
class _Sides:
    """What is seen across each side of the cells of a grid, beyond the board too.

    Attributes:
        upright: ``bool (R, C + 1)``: the side left of cell ``(r, c)``, counted from the first one beyond, is seen.
        level: ``bool (R + 1, C)``: the side above.
        off_upright: ``float64 (R, C + 1)``: how far to the right of its place it is, in cells.
        off_level: ``float64 (R + 1, C)``: how far below.
        plain_upright: ``bool (R, C + 1)``: the side left of a cell is seen by itself, not just as a part of its line.
        plain_level: ``bool (R + 1, C)``: the side above.
    """

    upright: Bools
    level: Bools
    off_upright: Floats
    off_level: Floats
    plain_upright: Bools
    plain_level: Bools

    @property
    def plain(self) -> "_Sides":
        """The same with only those sides that are seen by themselves."""
        return replace(self, upright=self.plain_upright, level=self.plain_level)


@dataclass(frozen=True, eq=False)
class Ruled:
    """A board whose lines were measured one by one.

    Attributes:
        placement: the homography that suits them best.
        bent: the same with a bend, where the lines show one.
        upright: ``bool (rows, cols + 1)``: the side left of a cell is seen.
        level: ``bool (rows + 1, cols)``: the side above.
        evidence: how much likelier (natural logarithm) what is seen is on such a board than by chance.
    """

    placement: FlatPlacement
    bent: BentPlacement | None
    upright: Bools
    level: Bools
    evidence: float


def ruled(photo: Photo, placement: FlatPlacement) -> Ruled:
    """The board whose lines run near those of ``placement``, with all of its rows and columns."""
    flat, _, _ = _settled(photo, placement, _flat_only)
    flat, bent, sides = _settled(photo, flat, _bent)
    inner = slice(BEYOND, -BEYOND)
    return Ruled(flat, bent, sides.upright[inner, inner], sides.level[inner, inner], _evidence(sides))


def _settled(
    photo: Photo, flat: FlatPlacement, bend: Callable[[FlatPlacement, Floats, Floats], BentPlacement | None]
) -> tuple[FlatPlacement, BentPlacement | None, _Sides]:
    """The board laid through its lines, with a bend where ``bend`` sees one, and what is seen of its sides.

    From where it lies after each look more of its sides may be seen, and that it goes on: it is looked at again until
    it lies still.
    """
    bent: BentPlacement | None = None
    for _ in range(MOST_ROUNDS):
        before = bent or flat
        sides = _sides(photo, before)
        change = _change(sides.plain)
        across, down = _seen_in_photo(before, sides, change)
        flat = _laid(regrown(flat, change), across, down)
        bent = bend(flat, across, down)
        if not any(change) and _moved(before, bent or flat) < SETTLED:
            return flat, bent, sides
    return flat, bent, _sides(photo, bent or flat)


def _flat_only(flat: FlatPlacement, across: Floats, down: Floats) -> None:
    """No bend, whatever is seen: while a board is not laid right in perspective, every line is off."""


def _moved(before: Placement, after: Placement) -> float:
    """How far the corners of a board and the middles of its sides moved, in cells."""
    width, height = before.size
    x, y = np.meshgrid((0, width / 2, width), (0, height / 2, height))
    points = np.column_stack([x.ravel(), y.ravel()])
    return float(np.linalg.norm(before.to_board(after.to_photo(points)) - points, axis=1).max())


def laid_on_lines(photo: Photo, placement: FlatPlacement) -> FlatPlacement:
    """The same board, its rows and columns kept, moved to where its lines are seen."""
    return _laid(placement, *_seen_in_photo(placement, _sides(photo, placement), (0, 0, 0, 0)))


# --- what is seen -----------------------------------------------------------------------------------------------------


def _sides(photo: Photo, placement: FlatPlacement | BentPlacement) -> _Sides:
    """Look at all sides of the board's cells, and of those beyond it."""
    side = max(12, min(SIDE_PX, round(cell_side_px(placement))))
    flat = flatten(photo, regrown(placement, (BEYOND,) * 4), side)
    upright, plain_upright, off_upright = _across(flat, side)
    level, plain_level, off_level = _across(np.ascontiguousarray(flat.transpose(1, 0, 2)), side)
    sides = _Sides(upright, level.T, off_upright, off_level.T, plain_upright, plain_level.T)
    views = [
        (sides.upright, sides.plain_upright, sides.off_upright, (0.0, 0.5)),
        (sides.level, sides.plain_level, sides.off_level, (0.5, 0.0)),
    ]
    for axis, (seen, plain, off, middle) in enumerate(views):
        inside, near = (_in_view(photo, placement, seen.shape, middle, margin) for margin in (NEAR, -NEAR))
        # Beyond the picture its last pixels are repeated: lines of streaks.
        seen[~inside] = plain[~inside] = False
        # Where the board is cut by the picture's rim, the rim stands for its outline.
        for line in (BEYOND, -BEYOND - 1):
            at = (line, slice(None)) if axis else (slice(None), line)
            cut = (near & ~inside)[at]
            seen[at][cut] = plain[at][cut] = True
            off[at][cut] = 0
    return sides


def _in_view(
    photo: Photo, placement: Placement, shape: tuple[int, ...], middle: tuple[float, float], margin: float
) -> Bools:
    """Which sides' middles, so many cells right and below of the cells' corners, are in the photo, less a margin."""
    rows, cols = np.indices(shape)
    points = placement.to_photo(np.column_stack([cols.ravel(), rows.ravel()]) - BEYOND + np.array(middle))
    rim = margin * cell_side_px(placement)
    inside = (points >= rim) & (points <= np.array([photo.width, photo.height]) - 1 - rim)
    return np.asarray(inside.all(axis=1).reshape(shape))


def _across(flat: Picture, side: int) -> tuple[Bools, Bools, Floats]:
    """The upright sides: which are seen, which by themselves, and where.

    A line that is hardly seen at one side is plain where it runs on beside the cells above and below. How far a board
    reaches, only sides that are seen by themselves tell: its lines run on from it into whatever is beyond.
    """
    height, width = flat.shape[:2]
    ends = round(ENDS * side)
    bands = flat.reshape(height // side, side, width, 3)[:, ends : side - ends].mean(axis=1, dtype=np.float32)
    excess, flank, where = _lines(_over_usual(bands, 1), side)
    joined, joined_flank, joined_where = _lines(_over_usual(_running_on(bands), RUNNING_ON), side)
    plain = (excess >= OVER_NOISE) & (excess >= OVER_FLANK * flank)
    faint = (joined >= OVER_NOISE) & (joined >= OVER_FLANK * joined_flank)
    faint &= (excess >= FAINTLY) & (np.abs(where - joined_where) <= IN_LINE)
    return plain | faint, plain, where


def _running_on(bands: Colours) -> Colours:
    """What each row of cells has in common with those beside it: the median of three.

    A mean would show the line of one row in the next, and a board would seem to go on.
    """
    before, after = np.concatenate([bands[:1], bands[:-1]]), np.concatenate([bands[1:], bands[-1:]])
    common = np.maximum(np.minimum(before, after), np.minimum(np.maximum(before, after), bands))
    return np.asarray(common, dtype=np.float32)


def _over_usual(bands: Colours, averaged: int) -> Floats:
    """The contrast across each place of each row of cells, over the usual one there: ``float64 (R, W)``.

    Edges, hairlines and lines of two pixels: each is told best from noise by a filter of its own.

    Args:
        bands: ``float32 (R, W, 3)``, the rows of cells, averaged along their sides.
        averaged: rows that are averaged in each.
    """
    over = np.zeros(bands.shape[:2])
    for kernel in (EDGE, HAIRLINE, LINE):
        contrast = np.abs(cv2.filter2D(bands, -1, kernel, borderType=cv2.BORDER_REPLICATE)).max(axis=2)
        if kernel.shape[1] % 2 == 0:  # what lies between two pixels is seen at both
            contrast[:, 1:] = np.maximum(contrast[:, 1:], contrast[:, :-1])
        contrast[:, [0, -1]] = 0
        usual = np.median(contrast, axis=1, keepdims=True)
        over = np.maximum(over, contrast / np.maximum(usual, LEAST_CONTRAST / OVER_NOISE / averaged**0.5))
    return over


def _lines(over: Floats, side: int) -> tuple[Floats, Floats, Floats]:
    """How much contrast there is near each line of each row of cells, how much beside it, and where the line is."""
    width = over.shape[1]
    reach = round(NEAR * side)
    lines = np.arange(width // side + 1) * side
    # The line between two cells runs between two pixels: look at as many on both sides.
    window = np.arange(-reach, reach)
    near = over[:, np.clip(lines[:, None] + window, 0, width - 1)]
    weight = np.maximum(near - 1, 0) ** 2
    where = (weight * (window + 0.5)).sum(axis=2) / np.maximum(weight.sum(axis=2), 1e-9)
    beside = np.arange(round(FLANKS[0] * side), round(FLANKS[1] * side) + 1)
    middle = np.rint(lines + where)[..., None].astype(np.intp)
    before, after = (_highest(over, middle + apart) for apart in (-1 - beside, beside))
    flank = np.maximum(before, after)
    # Just outside of a board's outline the page may end, and a line beyond may be the outline: there only what is
    # towards the board has to be quiet.
    flank[:, : BEYOND + 1], flank[:, -BEYOND - 1 :] = after[:, : BEYOND + 1], before[:, -BEYOND - 1 :]
    return near.max(axis=2), flank, where / side


def _highest(contrast: Floats, places: npt.NDArray[np.intp]) -> Floats:
    """The highest contrast at places ``(rows, lines, K)`` of each row."""
    within = np.clip(places, 0, contrast.shape[1] - 1).reshape(len(contrast), -1)
    return np.asarray(np.take_along_axis(contrast, within, axis=1).reshape(places.shape).max(axis=2))


# --- how far the board reaches ----------------------------------------------------------------------------------------


def _change(sides: _Sides) -> tuple[int, int, int, int]:
    """By how many cells the board reaches further left, up, right and down than was thought; negative for less."""
    rows, cols = sides.upright.shape[0], sides.level.shape[1]
    box = [BEYOND, BEYOND, cols - BEYOND, rows - BEYOND]  # left, top, right, bottom
    start = list(box)
    for _ in range(2 * (BEYOND + 1)):
        hidden = _hidden(sides, box)
        before = list(box)
        for side in range(4):
            _move(sides, box, side, hidden)
        if box == before:
            break
    return start[0] - box[0], start[1] - box[1], box[2] - start[2], box[3] - start[3]


def _move(sides: _Sides, box: list[int], side: int, hidden: float) -> None:
    """Move one side of the box out, or in, where that is clearly likelier; a patch may be a few rows high."""
    outward = -1 if side < 2 else 1
    limit = 0 if side < 2 else (sides.level.shape[1] if side == 2 else sides.upright.shape[0])
    for more in range(1, abs(limit - box[side]) + 1):
        if _gain(sides, box, side, box[side] + outward * more, hidden) > DECIDED:
            box[side] += outward * more
            return
    for less in range(1, min(BEYOND, abs(box[side] - box[(side + 2) % 4]) - LEAST_LINES) + 1):
        if _gain(sides, box, side, box[side] - outward * less, hidden) < -DECIDED:
            box[side] -= outward * less
            return


def _gain(sides: _Sides, box: list[int], side: int, other: int, hidden: float) -> float:
    """How much likelier it is (natural logarithm) that what lies between a side of the box and ``other`` is board."""
    left, top, right, bottom = box
    first, end = sorted((box[side], other))
    outward = (other < box[side]) == (side < 2)
    outer = first if side < 2 else end
    if side % 2:
        within, line = sides.upright[first:end, left : right + 1], sides.level[outer, left:right]
    else:
        within, line = sides.level[top : bottom + 1, first:end], sides.upright[top:bottom, outer]
    ends = within[:, [0, -1]] if side % 2 else within[[0, -1]].T
    if outward and not ends.any(axis=1).all():
        return -inf  # the outline of a board that goes on does too; what follows after a gap is another board
    seen = int(within.sum())
    outline = LINE_WEIGHT * (2 * float(line.mean()) - 1)
    return outline + seen * log((1 - hidden) / CHANCE) + (within.size - seen) * log(hidden / (1 - CHANCE))


def _hidden(sides: _Sides, box: list[int]) -> float:
    """The part of the sides inside the box that is not seen."""
    left, top, right, bottom = box
    upright, level = sides.upright[top:bottom, left + 1 : right], sides.level[top + 1 : bottom, left:right]
    share = 1 - (upright.sum() + level.sum()) / max(1, upright.size + level.size)
    return float(np.clip(share, *HIDDEN))


def _evidence(sides: _Sides) -> float:
    """How much likelier (natural logarithm) the sides of the board are seen as they are than by chance."""
    rows, cols = sides.upright.shape[0], sides.level.shape[1]
    hidden = _hidden(sides, [BEYOND, BEYOND, cols - BEYOND, rows - BEYOND])
    inner = slice(BEYOND, -BEYOND)
    total = 0.0
    for seen, off in ((sides.upright, sides.off_upright), (sides.level, sides.off_level)):
        there, where = seen[inner, inner], off[inner, inner]
        # Lines lie where they should, to a few hundredths of a cell; what is there by chance lies anywhere nearby.
        placed = np.log(2 * NEAR / (SCATTER * np.sqrt(2 * np.pi))) - np.minimum((where / SCATTER) ** 2 / 2, MOST_OFF)
        total += float(np.where(there, np.log((1 - hidden) / CHANCE) + placed, np.log(hidden / (1 - CHANCE))).sum())
    return total


# --- where it lies ----------------------------------------------------------------------------------------------------


def _seen_in_photo(
    placement: FlatPlacement | BentPlacement, sides: _Sides, change: tuple[int, int, int, int]
) -> tuple[Floats, Floats]:
    """Points on the upright and on the level lines of the changed board: ``(N, 3)``, the line's number and the pixel.

    Args:
        placement: where the board was thought to lie when its sides were looked at.
        sides: these.
        change: by how many cells it reaches further left, up, right and down.
    """
    left, top = change[:2]
    grown = regrown(placement, change)
    cols, rows = (round(length) for length in grown.size)
    # The changed board begins so many cells before the old one.
    first_r, first_c = BEYOND - top, BEYOND - left
    r, j = np.nonzero(sides.upright[first_r : first_r + rows, first_c : first_c + cols + 1])
    i, c = np.nonzero(sides.level[first_r : first_r + rows + 1, first_c : first_c + cols])
    off_v, off_h = sides.off_upright[r + first_r, j + first_c], sides.off_level[i + first_r, c + first_c]
    across, down = np.column_stack([j + off_v, r + 0.5]), np.column_stack([c + 0.5, i + off_h])
    return np.column_stack([j, grown.to_photo(across)]), np.column_stack([i, grown.to_photo(down)])


def _laid(placement: FlatPlacement, across: Floats, down: Floats) -> FlatPlacement:
    """The placement moved so that its lines run through points seen on them, without those that do not fit."""
    laid = placement
    for _ in range(2):
        matrix = line_homography(across, down)
        if matrix is None:
            return laid
        laid = replace(placement, matrix=matrix)
        across, down = _without_outliers(laid, across, 0), _without_outliers(laid, down, 1)
    return laid


def _without_outliers(laid: FlatPlacement, points: Floats, axis: int) -> Floats:
    """The points that lie near their lines."""
    if not len(points):
        return points
    off = np.abs(laid.to_board(points[:, 1:])[:, axis] - points[:, 0])
    return np.asarray(points[off <= max(OUTLIER, 2.5 * float(np.median(off)))])


# --- how it bends -----------------------------------------------------------------------------------------------------


def _bent(flat: FlatPlacement, across: Floats, down: Floats) -> BentPlacement | None:
    """The placement with a bend, where points on its lines show one."""
    if min(len(across), len(down)) < LEAST_SIDES:
        return None
    on_board = [np.column_stack([points[:, :1], flat.to_board(points[:, 1:])]) for points in (across, down)]
    fits = [_smooth(points, axis, flat.size) for axis, points in enumerate(on_board)]
    before, after = (float(np.mean([part[k] for part in fits])) for k in (1, 2))
    if before < BENT or after > STRAIGHTER * before:
        return None
    return BentPlacement(flat, np.stack([part[0] for part in fits]), np.eye(3), flat.size)


def _smooth(points: Floats, axis: int, size: tuple[float, float]) -> tuple[Points, float, float]:
    """The movement along one axis that takes the lines to where the points are, and how far they are before and after.

    Least squares of the distances, without outliers, with a spring that holds the higher degrees.
    """
    on_line = points[:, 1:].copy()
    on_line[:, axis] = points[:, 0]
    off = points[:, 1 + axis] - points[:, 0]
    columns = terms(on_sheet(on_line, size))
    degree = np.array([0, 1, 1, 2, 2, 2, 3, 3, 3, 3])
    spring = np.diag(np.where(degree >= 2, STIFFNESS * (degree - 1.0) ** 2, 1e-6))
    weight = np.ones(len(off))
    for _ in range(4):
        found = np.linalg.solve(columns.T @ (columns * weight[:, None]) + spring, columns.T @ (off * weight))
        left = np.abs(off - columns @ found)
        weight = 1 / np.maximum(1.0, left / max(OUTLIER / 2, 1.5 * float(np.median(left))))
    return found, float((np.abs(off) * weight).sum() / weight.sum()), float((left * weight).sum() / weight.sum())
