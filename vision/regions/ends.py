"""Does a board end where it is said to end?

A part of a board may be a level by itself and have exactly one answer, and is wrong all the same: screenshots are
cropped, and pages are scrolled until a row lies below a bar. So the places beyond each side are looked at: where most
are surely cells (:mod:`vision.boards.states`) the board goes on. Where the picture ends with the board nothing can be
seen; that is told, since a board that was cropped along its outline touches two opposite edges, and one that was cut
off only one.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.boards.states import BEYOND, LEAST_SURE, log_odds
from vision.pictures.bending import BentPlacement, OnSheet, regrown
from vision.pictures.flatten import cell_side_px
from vision.pictures.margins import SIDES, VARIES, across, ends_alike, margins, opposite
from vision.pictures.medians import median
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement
from vision.regions.partition import Floats

PLACE_VISIBLE = 0.5
"""Least part of a cell that the picture shows beyond a side for the middles of places there to be seen."""

TOUCHES = 0.05
"""With no more of a cell beyond it a side lies at the edge of the picture."""

OUTLINED = 0.9
"""A frame or a page keeps its colour along so much of a side: corners may be round."""

AROUND = 0.2
"""How far from a side its outline is looked for, in cells: with less beyond it, an outline and its halo may be all."""

SHARE_OF_PX = 0.5
"""Steps across an outline in which its thickness is measured, in pixels."""


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
    if not isinstance(placement, FlatPlacement | BentPlacement):
        raise TypeError("only boards on a sheet have a lattice")
    depths = list(margins(photo, placement).values())
    states = cache(lambda: _states_around(photo, placement))
    goes_on: list[str] = []
    lopsided: list[str] = []
    unseen: list[str] = []
    ended: list[str] = []
    for k, name in enumerate(SIDES):
        if depths[k] >= PLACE_VISIBLE:
            beyond = median(np.rot90(states(), k)[0, 1:-1])
            (goes_on if beyond >= LEAST_SURE else ended).append(name)
            continue
        alone = depths[k - 2] >= AROUND
        shown = (depths[k], depths[k] - 1 / cell_side_px(placement))  # The last pixels may be half a frame's.
        outlined = any(_is_outlined(photo, placement, name, depth) for depth in shown)
        if alone and (outlined or _shows_outline(photo, placement, name)):
            ended.append(name)
        elif alone or depths[k] <= TOUCHES:
            unseen.append(name)
            lopsided += [name] * alone
    # A board is square: one of which all rows are seen, from end to end, has all its columns as well.
    whole = any(set(SIDES[k::2]) <= set(ended) for k in (0, 1))
    return Ends(tuple(goes_on)) if whole else Ends(tuple(goes_on), tuple(lopsided), tuple(unseen))


def _states_around(photo: Photo, placement: OnSheet) -> Floats:
    """The log odds that the places of a board, and a row of them on each side, are cells."""
    next_to_it = slice(BEYOND - 1, 1 - BEYOND)
    return log_odds(photo, regrown(placement, (BEYOND,) * 4))[next_to_it, next_to_it]


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
    depths = np.arange(-AROUND, AROUND, step)
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
