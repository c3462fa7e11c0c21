"""Does a board end where it is said to end?

A part of a board may be a level by itself and have exactly one answer, and is wrong all the same: screenshots are
cropped, and pages are scrolled until a row lies below a bar. So each side is looked at a little way beyond: where the
network of :mod:`vision.boards.phases` tells cells there, the board goes on. Where the picture ends with the board
nothing can be seen; that is told, since a board that was cropped along its outline touches two opposite edges, and one
that was cut off only one.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.boards.phases import odds_of_cells
from vision.boards.run_out import GOES_ON
from vision.pictures.flatten import cell_side_px
from vision.pictures.margins import PLACES, SIDES, VARIES, across, beyond, ends_alike, margins, opposite
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement

DEPTH = 0.35
"""How far beyond its side a board is looked at, in cells: beyond frames, and not as far as most of what stands beside
boards."""

NEARER = 0.2
"""Where it is looked at once more: a row of buttons beside a board stands at one depth, and its own cells at all."""

SEEN_BEYOND = NEARER
"""Least part of a cell that the picture shows beyond a side: less is the outer line or gap and its halo."""

TOUCHES = 0.05
"""With no more of a cell beyond it a side lies at the edge of the picture."""

OUTLINED = 0.9
"""A frame or a page keeps its colour along so much of a side: corners may be round."""

SHARE_OF_PX = 0.5
"""Steps across an outline in which its thickness is measured, in pixels."""

Bools = npt.NDArray[np.bool_]


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


def ends(photo: Photo, placement: Placement) -> Ends:
    """What is seen beyond the sides of the board at ``placement``."""
    if not isinstance(placement, FlatPlacement):
        return Ends()
    depths = margins(photo, placement)
    goes_on: list[str] = []
    lopsided: list[str] = []
    unseen: list[str] = []
    ended: list[str] = []
    for name in SIDES:
        if depths[name] >= SEEN_BEYOND:
            (goes_on if _goes_on(photo, placement, name) else ended).append(name)
            continue
        alone = depths[opposite(name)] >= SEEN_BEYOND
        shown = (depths[name], depths[name] - 1 / cell_side_px(placement))  # The last pixels may be half a frame's.
        outlined = any(_is_outlined(photo, placement, name, depth) for depth in shown)
        if alone and (outlined or _shows_outline(photo, placement, name)):
            ended.append(name)
        elif alone or depths[name] <= TOUCHES:
            unseen.append(name)
            lopsided += [name] * alone
    # A board is square: one of which all rows are seen, from end to end, has all its columns as well.
    whole = any(set(SIDES[k::2]) <= set(ended) for k in (0, 1))
    return Ends(tuple(goes_on)) if whole else Ends(tuple(goes_on), tuple(lopsided), tuple(unseen))


def _goes_on(photo: Photo, placement: FlatPlacement, side: str) -> bool:
    """Whether cells are seen beyond a side, near it and farther away, as far as the picture goes."""
    points = [beyond(placement, _all(placement), side, np.array([depth])) for depth in (NEARER, DEPTH)]
    seen = [place for place in points if photo.holds(place).all()]
    odds = [odds_of_cells(photo, placement, place).reshape(-1, PLACES).mean(axis=1) for place in seen]
    return bool(odds) and all(float(told.clip(min=0).sum()) >= GOES_ON for told in odds)


def _all(placement: FlatPlacement) -> Bools:
    """All places of a box, ``bool (rows, cols)``."""
    cols, rows = (round(length) for length in placement.size)
    return np.ones((rows, cols), np.bool_)


def _is_outlined(photo: Photo, placement: FlatPlacement, side: str, depth: float) -> bool:
    """Whether a picture that ends ``depth`` cells beyond a side shows there the frame, or the page, that lies as far
    beyond the opposite one. Where a board was cut off its cells are seen, or the lines between them.
    """
    return depth > 0 and ends_alike(photo, placement, _all(placement), side, depth, least=OUTLINED)


def _shows_outline(photo: Photo, placement: FlatPlacement, side: str) -> bool:
    """Whether a picture that ends with a side shows an outline there, as thick as that of the opposite side. Where a
    board was cut off along its lines, half of one is seen.
    """
    here, there = (_outline_px(photo, placement, one) for one in (side, opposite(side)))
    return there > 0 and here >= there - SHARE_OF_PX


def _outline_px(photo: Photo, placement: FlatPlacement, side: str) -> float:
    """How thick the outline at a side is, in pixels, as far as the picture shows it; 0 where it does not, and where
    its colour varies.
    """
    step = SHARE_OF_PX / cell_side_px(placement)
    depths = np.arange(-NEARER, NEARER, step)
    colours, inside = across(photo, placement, _all(placement), side, depths)
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
