"""Does a board end where it is said to end?

A part of a board may be a level by itself and have exactly one answer, and is wrong all the same: screenshots are
cropped, and pages are scrolled until a row lies below a bar. At the edge of a whole board its lines end, and so do its
colours. So each side is looked at a little way beyond: where the lines between the outermost cells go on there, or the
colours of several regions do, the board goes on. Where the picture ends with the board nothing can be seen; that is
told, since a board that was cropped along its outline touches two opposite edges, and one that was cut off only one.
"""

from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards.states import BEYOND, LEAST_SURE, log_odds
from vision.pictures.bending import BentPlacement, OnSheet, regrown
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.margins import SIDES, VARIES, across, ends_alike, margins, opposite
from vision.pictures.medians import median
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement
from vision.regions.affinities import LINE_NOISE
from vision.regions.appearance import evened, measure
from vision.regions.cut import Cut
from vision.regions.partition import Evidence, Floats, pairs_of

DEPTH = 0.35
"""How far beyond its side a board is looked at, in cells: beyond frames, and not as far as most of what stands beside
boards."""

NEARER = 0.2
"""Where lines are looked at once more: a line of text beside a board stands at one depth, and a cell's sides at all."""

VISIBLE_BEYOND = NEARER
"""Least part of a cell that the picture shows beyond a side: less is the outer line or gap and its halo."""

PLACE_VISIBLE = 0.5
"""The same from which on the middles of places beyond are seen, which the network of states then knows."""

TOUCHES = 0.05
"""With no more of a cell beyond it a side lies at the edge of the picture."""

OUTLINED = 0.9
"""A frame or a page keeps its colour along so much of a side: corners may be round."""

SHARE_OF_PX = 0.5
"""Steps across an outline in which its thickness is measured, in pixels."""

LINES_GO_ON = 0.75
"""Share of the lines between the outermost cells that go on beyond them; text and pictures there meet a few."""

TEXT = 1.5
"""Lines between the outermost cells are so many times as strong beyond the board as what lies beyond the middles of the
cells: text and pictures are there as well."""

LIKE_A_LINE = 0.5
"""What is so wide, of the lines inside regions, is such a line."""

CLEAR = 0.5
"""Least contrast of lines beyond a side, of what makes lines clear inside: on a page as dark as the lines, specks
of compression would count as such."""

COLOURS_GO_ON = 0.5
"""Share of the outermost cells whose colours go on. A page may have the colour of one region, so that it takes two."""

Bools = npt.NDArray[np.bool_]
T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True)
class Ends:
    """What is seen beyond a board's sides.

    Attributes:
        goes_on: the sides beyond which the board goes on.
        lopsided: the sides at which the picture ends, as it does not at the opposite ones: a part may be cut off there.
            None where the other two sides are seen to end a square board.
        unseen: these, and the sides at which the picture ends with the board as it does at the opposite ones.
    """

    goes_on: tuple[str, ...] = ()
    lopsided: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()


def ends(photo: Photo, placement: Placement, cut: Cut) -> Ends:
    """What is seen beyond the sides of the board at ``placement``, which was cut into regions as ``cut`` says."""
    if not isinstance(placement, FlatPlacement | BentPlacement):
        raise TypeError("only boards on a sheet have a lattice")
    side = cut.cells.side
    around = measure(_surrounded(photo, placement, side), side)
    steps, lines, clarity = around.colour_steps, around.lines, around.clarity
    same_below, hairline = cut.affinities.colour.at, _hairline(cut)
    a_line = max(LIKE_A_LINE * hairline, LINE_NOISE)
    depths = list(margins(photo, placement).values())
    nearer = cache(lambda: measure(_surrounded(photo, placement, side, depth=NEARER), side).lines)
    states = cache(lambda: _states_around(photo, placement))
    goes_on: list[str] = []
    lopsided: list[str] = []
    unseen: list[str] = []
    ended: list[str] = []
    for k, name in enumerate(SIDES):
        if depths[k] < VISIBLE_BEYOND:
            alone = depths[k - 2] >= VISIBLE_BEYOND
            shown = (depths[k], depths[k] - 1 / cell_side_px(placement))  # The last pixels may be half a frame's.
            outlined = any(_is_outlined(photo, placement, name, depth) for depth in shown)
            if alone and (outlined or _shows_outline(photo, placement, name)):
                ended.append(name)
            elif alone or depths[k] <= TOUCHES:
                unseen.append(name)
                lopsided += [name] * alone
            continue
        apart = _along(steps, k) >= same_below
        is_line = apart | ((_along(lines, k) >= a_line) & (_along(clarity, k) >= CLEAR))
        lines_go_on = hairline > LINE_NOISE and is_line.mean() >= LINES_GO_ON
        lines_go_on = lines_go_on and (apart | (_along(nearer(), k) >= a_line)).mean() >= LINES_GO_ON
        if lines_go_on and not all(_stand_out(photo, placement, side, k, depth) for depth in (DEPTH, NEARER)):
            lines_go_on = apart.mean() >= LINES_GO_ON
        # A page beyond is of one colour.
        on = lines_go_on or (apart.any() and _colours_go_on(_outwards(steps, k) < same_below, _at(cut.labels, k)))
        if on and not (depths[k] >= PLACE_VISIBLE and _at(states(), k)[1:-1].max() <= -LEAST_SURE):
            goes_on.append(name)
        else:
            ended.append(name)
    # A board is square: one of which all rows are seen, from end to end, has all its columns as well.
    whole = any(set(SIDES[k::2]) <= set(ended) for k in (0, 1))
    return Ends(tuple(goes_on)) if whole else Ends(tuple(goes_on), tuple(lopsided), tuple(unseen))


def _states_around(photo: Photo, placement: OnSheet) -> Floats:
    """The log odds that the places of a board, and a row of them on each side, are cells: a photo's grain may look like
    the lines of a board that goes on.
    """
    next_to_it = slice(BEYOND - 1, 1 - BEYOND)
    return log_odds(photo, regrown(placement, (BEYOND,) * 4))[next_to_it, next_to_it]


def _surrounded(
    photo: Photo, placement: OnSheet, side: int, along: int | None = None, depth: float = DEPTH
) -> npt.NDArray[np.uint8]:
    """The flat board with a row of cells on each side that repeat what is seen ``depth`` cells beyond the board.

    Light is evened out. With ``along`` all of it lies half a cell further along that side: lines are where the middles
    of cells were.
    """
    x, y = (0.0, 0.0) if along is None else (0.5, 0.0) if along % 2 == 0 else (0.0, 0.5)
    wide = flatten(photo, regrown(placement, (1 - x, 1 - y, 1 + x, 1 + y)), side)
    off = round((1 - depth) * side)
    near = wide[off:-off, off:-off]
    framed = np.asarray(cv2.copyMakeBorder(near, off, off, off, off, cv2.BORDER_REPLICATE), dtype=np.uint8)
    return evened(framed, side, beside=1)


def _stand_out(photo: Photo, placement: OnSheet, side: int, k: int, depth: float) -> bool:
    """Whether lines are seen so far beyond a side in grey, where compression leaves least, and more there than beyond
    the middles of the cells.
    """
    places = (_surrounded(photo, placement, side, along, depth) for along in (None, k))
    there, between = (measure(_in_grey(place), side).lines for place in places)
    widths = median(_along(there, k))
    return widths >= max(LINE_NOISE, TEXT * median(_along(between, k)))


def _in_grey(bgr: Picture) -> Picture:
    """The same picture without its colours, in three channels."""
    return np.asarray(cv2.cvtColor(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def _is_outlined(photo: Photo, placement: OnSheet, side: str, depth: float) -> bool:
    """Whether a picture that ends ``depth`` cells beyond a side shows there the frame, or the page, that lies as far
    beyond the opposite one. Where a board was cut off its cells are seen, or the lines between them.
    """
    cols, rows = (round(length) for length in placement.size)
    return depth > 0 and ends_alike(photo, placement, np.ones((rows, cols), bool), side, depth, least=OUTLINED)


def _shows_outline(photo: Photo, placement: OnSheet, side: str) -> bool:
    """Whether a picture that ends with a side shows an outline there, as thick as that of the opposite side. Where a
    board was cut off along its lines, half of one is seen.
    """
    here, there = (_outline_px(photo, placement, one) for one in (side, opposite(side)))
    return there > 0 and here >= there - SHARE_OF_PX


def _outline_px(photo: Photo, placement: OnSheet, side: str) -> float:
    """How thick the outline at a side is, in pixels, as far as the picture shows it; 0 where it does not, and where
    its colour varies.
    """
    cols, rows = (round(length) for length in placement.size)
    step = SHARE_OF_PX / cell_side_px(placement)
    depths = np.arange(-NEARER, NEARER, step)
    colours, inside = across(photo, placement, np.ones((rows, cols), bool), side, depths)
    shown = np.flatnonzero(inside & (depths <= step))
    if not len(shown):
        return 0.0
    nearest = int(shown[-1])
    outline = np.median(colours[nearest], axis=0)
    alike = inside & ((np.linalg.norm(colours - outline, axis=2) < VARIES).mean(axis=1) >= OUTLINED)
    if not alike[nearest]:
        return 0.0
    ends = np.concatenate([[-1], np.flatnonzero(~alike), [len(alike)]])
    after = int(np.searchsorted(ends, nearest))
    return float((ends[after] - ends[after - 1] - 1) * SHARE_OF_PX)


def _at(table: npt.NDArray[T], k: int) -> npt.NDArray[T]:
    """The row or column of a table at a side."""
    return (table[0], table[:, -1], table[-1], table[:, 0])[k]


def _along(evidence: Evidence, k: int) -> Floats:
    """What is between the cells beyond a side, but for the corners."""
    return _at(evidence.right if k % 2 == 0 else evidence.down, k)[1:-1]


def _outwards(evidence: Evidence, k: int) -> Floats:
    """What is between the outermost cells and those beyond."""
    return _at(evidence.down if k % 2 == 0 else evidence.right, k)[1:-1]


def _hairline(cut: Cut) -> float:
    """The usual width of the lines between cells of one region, in cells."""
    first, second = pairs_of(cut.labels)
    inside = cut.cells.lines.values[first == second]
    return median(inside) if len(inside) else 0.0


def _colours_go_on(same: Bools, regions: npt.NDArray[np.intp]) -> bool:
    """Whether cells beyond have the colours of those beside them, and not all of one region."""
    return bool(same.mean() >= COLOURS_GO_ON and len(np.unique(regions[same])) > 1)
