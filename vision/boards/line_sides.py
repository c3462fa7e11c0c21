"""What is seen across each side of the cells of a grid.

The picture is averaged along a side, which leaves its line and takes the noise away; what is seen across it is compared
with the noise beside it. A side is not just seen or not: a faint line, or one with a badge beside it, is worth
something, and many of them are worth much.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.bending import BentPlacement, regrown
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.medians import medians
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Colours = npt.NDArray[np.float32]

SIDE_PX = 32
"""Side of a cell in the flat picture: a line of a fortieth of a cell has nearly a pixel."""

BEYOND = 3
"""Cells that are looked at beyond the board on each side: what is usual in a row, few cells do not tell."""

ENDS = 0.16
"""This part of a side is left out at each end: crossing lines, round corners."""

NEAR = 0.15
"""A line is looked for so far, in cells, from where it should be."""

OVER_NOISE = 5.5
"""A side is seen when the contrast across it is so many times the usual one of its row: the largest of the twenty-odd
differences that are looked at near a line is four times the median where there is only noise."""

NOTHING = 2.6
"""Contrast over the usual one up to which a side shows nothing: beside the lines of drawn photos seven of ten places
have less, of their lines one of ten. In between it is seen the more the more there is."""

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

ONE_QUIET = 0.5
"""How much a side counts as seen that is plain and has something on one side of it only, a badge mostly: of the lines
of drawn photos one of six is so, of places without lines one of eighteen."""

PRESENT = 0.5
"""From so much evidence on a side counts where it is there or not."""

LEAST_CONTRAST = 1.6
"""Grey levels across a side that count at least, after averaging along it."""


@dataclass(frozen=True, eq=False)
class LineSides:
    """What is seen across each side of the cells of a board.

    Attributes:
        upright: ``float64 (rows, cols + 1)``, 0..1: how much the side left of cell ``(r, c)`` is seen: 0 is nothing, 1
            plainly a line, and where it is hard to tell it is between.
        level: ``float64 (rows + 1, cols)``: the side above.
    """

    upright: Floats
    level: Floats


def line_sides(photo: Photo, placement: FlatPlacement | BentPlacement) -> LineSides:
    """What is seen across all sides of the board's cells."""
    side = max(12, min(SIDE_PX, round(cell_side_px(placement))))
    flat = flatten(photo, regrown(placement, (BEYOND,) * 4), side)
    sides = LineSides(_across(flat, side), _across(np.asarray(cv2.transpose(flat), dtype=np.uint8), side).T)
    for axis, (seen, middle) in enumerate(((sides.upright, (0.0, 0.5)), (sides.level, (0.5, 0.0)))):
        inside, nearly = (_in_view(photo, placement, seen.shape, middle, margin) for margin in (NEAR, -NEAR))
        # Beyond the picture its last pixels are repeated: lines of streaks.
        seen[~inside] = 0
        # Where the board is cut by the picture's rim, the rim stands for its outline.
        for line in (0, -1):
            at = (line, slice(None)) if axis else (slice(None), line)
            seen[at][(nearly & ~inside)[at]] = 1
    return sides


def _in_view(
    photo: Photo, placement: Placement, shape: tuple[int, ...], middle: tuple[float, float], margin: float
) -> Bools:
    """Which sides' middles, so many cells right and below of the cells' corners, are in the photo, less a margin."""
    rows, cols = np.indices(shape)
    points = placement.to_photo(np.column_stack([cols.ravel(), rows.ravel()]) + np.array(middle))
    return photo.holds(points, beyond=-margin * cell_side_px(placement)).reshape(shape)


def _across(flat: Picture, side: int) -> Floats:
    """How much of each upright side of the board's cells is seen.

    A line that is hardly seen at one side is plain where it runs on beside the cells above and below.
    """
    height, width = flat.shape[:2]
    ends = round(ENDS * side)
    bands = flat.reshape(height // side, side, width, 3)[:, ends : side - ends].mean(axis=1, dtype=np.float32)
    joined, joined_flank, joined_where = _lines(_over_usual(_running_on(bands), RUNNING_ON), side)
    running = (joined >= OVER_NOISE) & (joined >= OVER_FLANK * joined_flank.max(axis=0))
    excess, flank, _ = _lines(_over_usual(bands, 1), side, np.where(running, joined_where, np.nan))
    seen = np.maximum(_seen(excess, flank), running & (excess >= FAINTLY))
    return np.asarray(seen[BEYOND:-BEYOND, BEYOND:-BEYOND], np.float64)


def _seen(excess: Floats, flank: Floats) -> Floats:
    """How much each side is seen, 0..1, where it has this contrast over the usual one, and its flanks have theirs."""
    stands_out = np.log(np.maximum(excess, NOTHING) / NOTHING) / np.log(OVER_NOISE / NOTHING)
    quiet = (excess >= OVER_FLANK * flank).mean(axis=0)
    return np.asarray(np.minimum(stands_out, 1) * np.where(quiet == 0.5, ONE_QUIET, quiet))


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
        blue, green, red = cv2.split(np.abs(cv2.filter2D(bands, -1, kernel, borderType=cv2.BORDER_REPLICATE)))
        contrast = np.maximum(np.maximum(blue, green), red)  # (many times as fast as over the last axis)
        if kernel.shape[1] % 2 == 0:  # what lies between two pixels is seen at both
            contrast[:, 1:] = np.maximum(contrast[:, 1:], contrast[:, :-1])
        contrast[:, [0, -1]] = 0
        usual = medians(contrast.T)[:, None]
        over = np.maximum(over, contrast / np.maximum(usual, LEAST_CONTRAST / OVER_NOISE / averaged**0.5))
    return over


def _lines(over: Floats, side: int, known: Floats | None = None) -> tuple[Floats, Floats, Floats]:
    """How much contrast there is near each line of each row of cells, on either side of it, and where the line is.

    Where it is ``known`` to be, in cells from its place, it is looked for there: the edge of a badge may be near, too.
    """
    width = over.shape[1]
    reach = max(1, round(NEAR * side))
    lines = np.arange(width // side + 1) * side
    # The line between two cells runs between two pixels: look at as many on both sides.
    window = np.arange(-reach, reach)
    near = over[:, np.clip(lines[:, None] + window, 0, width - 1)]
    if known is not None:
        aside = np.abs((window + 0.5) / side - known[..., None])
        near = np.where(aside > max(IN_LINE, 1 / side), 0, near)  # what is not known is not further aside
    weight = np.maximum(near - 1, 0) ** 2
    where = (weight * (window + 0.5)).sum(axis=2) / np.maximum(weight.sum(axis=2), 1e-9)
    beside = np.arange(round(FLANKS[0] * side), round(FLANKS[1] * side) + 1)
    middle = np.rint(lines + where)[..., None].astype(np.intp)
    flank = np.stack([_highest(over, middle + apart) for apart in (-1 - beside, beside)])
    # Just outside of a board's outline the page may end, and a line beyond may be the outline: there only what is
    # towards the board has to be quiet.
    flank[0, :, : BEYOND + 1], flank[1, :, -BEYOND - 1 :] = flank[1, :, : BEYOND + 1], flank[0, :, -BEYOND - 1 :]
    return near.max(axis=2), flank, where / side


def _highest(contrast: Floats, places: npt.NDArray[np.intp]) -> Floats:
    """The highest contrast at places ``(rows, lines, K)`` of each row."""
    within = np.clip(places, 0, contrast.shape[1] - 1).reshape(len(contrast), -1)
    return np.asarray(np.take_along_axis(contrast, within, axis=1).reshape(places.shape).max(axis=2))
