"""Is what was cut at a grid a level? A level has as many regions as rows, and exactly one answer.

That proves a grid that was hardly seen and regions that were hard to tell, for it hardly comes about by chance; on few
rows only together with something else. How a place is cut is worked out once for each picture.
"""

from dataclasses import replace

import numpy as np

from solvers import queens
from solvers.board import Cell
from solvers.budget import Budget
from solvers.queens import Puzzle
from solvers.verdict import Search, Verdict, search
from vision.pictures.flatten import flatten
from vision.pictures.photo import Photo
from vision.pictures.placement import Placement, box_corners
from vision.regions.appearance import Appearance, evened, measure
from vision.regions.cut import Cut, all_cuts, another_game, best_cut, other_cuts, shaded_cuts
from vision.regions.partition import Labels

SIDE_PX = 40
"""Side of a cell in the flat picture: the thinnest inner lines, 1/40 of a cell, are then a pixel wide."""

UNEVEN, UNSOLVABLE = 0.7, 0.8
"""What a board counts that does not have one region a row, or that has but no answer. Cut-off boards are such, and
so are all other games; together with ``PLAIN`` this asks for a grid beyond doubt."""

PLAIN = 0.6
"""Boards with less score are not mentioned."""

SLIVER = 0.15
"""Part of a cell by which a board may be cropped."""

NODES = 20_000
"""Search nodes for asking whether a board has an answer; levels take a few hundred."""

PROVING = 6
"""Rows from which on it tells something that a board has exactly one answer: on 4 rows there are but two ways to place
queens, on 5 fourteen, on 6 ninety."""

FEW = 5
"""Rows from which on that proves a cut together with something else: colours and lines that agree, or all queens that
stand there already."""

AGREEING = 2
"""So many hypotheses that give the same level with exactly one answer are believed where none gives another by
itself, without putting pieces together."""


def like_level(photo: Photo, placement: Placement, rank: float, *, prove: bool = False) -> float:
    """How much a grid that scores ``rank`` looks cut into the regions of a level, 0..1.

    With ``prove`` it has to have exactly one answer, and to lie in the picture with all its rows: what was added to a
    grid may be a stripe of the page, and is then a region of its own.
    """
    if prove and not in_picture(photo, placement):
        return 0.0
    cut = cut_at(photo, placement)
    if another_game(cut) or (prove and (_has_stripe(cut.labels) or _has_stripe(cut.labels.T))):
        return 0.0
    if not cut.even:
        return 0.0 if prove else rank * UNEVEN
    verdict = verdict_of(cut)
    # Exactly one answer hardly comes about by chance on many rows, nor where hypotheses agree: that makes up for a grid
    # that crosses and crowns obscure.
    if verdict is Verdict.UNIQUE and (len(cut.labels) >= PROVING or cut.agreeing > 0):
        return max(float(rank**0.5), PLAIN)
    return 0.0 if prove else rank * (UNSOLVABLE if verdict is Verdict.NONE else 1.0)


def cut_at(photo: Photo, placement: Placement) -> Cut:
    """How the flat grid at ``placement`` is best cut into regions; looked at once for each place."""
    known = photo.derive(_cuts)
    key = (placement.size, box_corners(placement).tobytes())
    if key not in known:
        known[key] = level_cut(measure(evened(flatten(photo, placement, SIDE_PX), SIDE_PX), SIDE_PX))
    return known[key]


def level_cut(cells: Appearance) -> Cut:
    """The best cut; where that has no answer, one that has exactly one, if there is any."""
    cut = best_cut(cells)
    rows = len(cut.labels)
    if another_game(cut) or rows < FEW:
        return cut
    voted = None if rows >= PROVING and _is_plain_level(cut) else _voted(cells)
    if voted is not None:
        return voted
    if rows < PROVING:
        return cut
    if not cut.even:
        levels = [other for other in shaded_cuts(cut) if verdict_of(other) is Verdict.UNIQUE]
        return levels[0] if len(levels) == 1 else cut
    if verdict_of(cut) is not Verdict.NONE:
        return cut
    return next((other for other in other_cuts(cells) if verdict_of(other) is Verdict.UNIQUE), cut)


def _is_plain_level(cut: Cut) -> bool:
    """Whether the first hypothesis by itself gave as many regions as rows, with an answer."""
    return cut.even and cut.first and not cut.made and verdict_of(cut) is not Verdict.NONE


def _voted(cells: Appearance) -> Cut | None:
    """The one way to cut the board of all hypotheses that by themselves give a level with exactly one answer.

    None where there is none, or not one that :data:`AGREEING` hypotheses give, or more of them give another by putting
    pieces together: a region of one pale cell may be taken for a part of the one around it.
    """
    levels = [cut for cut in all_cuts(cells) if verdict_of(cut) is Verdict.UNIQUE]
    clean = [cut for cut in levels if not cut.made]
    if not clean or any((cut.labels != clean[0].labels).any() for cut in clean):
        return None
    best = max(clean, key=lambda cut: float(cut.held.min()))
    agreeing = sum(bool((cut.labels == best.labels).all()) for cut in levels)
    return replace(best, agreeing=agreeing) if agreeing >= max(AGREEING, len(levels) - agreeing) else None


def _cuts(_: Photo) -> dict[tuple[tuple[float, float], bytes], Cut]:
    """The cuts of a picture's grids, by place; none at first."""
    return {}


def verdict_of(cut: Cut) -> Verdict:
    """Whether the level has exactly one answer."""
    return _searched(cut.labels).verdict


def only_answer(cut: Cut) -> set[Cell]:
    """Where the level has its queens; nowhere where it has none or several answers."""
    found = _searched(cut.labels) if cut.even else None
    return set(found.answers[0].cells()) if found is not None and found.verdict is Verdict.UNIQUE else set()


def in_picture(photo: Photo, placement: Placement) -> bool:
    """Whether all of the board lies in the picture, but for a sliver of its outermost cells."""
    cols, rows = placement.size
    inner = [(SLIVER, SLIVER), (cols - SLIVER, SLIVER), (cols - SLIVER, rows - SLIVER), (SLIVER, rows - SLIVER)]
    at = placement.to_photo(inner)
    return bool((at > -1).all() and (at < (photo.width, photo.height)).all())


def _has_stripe(labels: Labels) -> bool:
    """Whether the first or the last row is a region of its own."""
    return any(not np.isin(end, rest).any() for end, rest in ((labels[0], labels[1:]), (labels[-1], labels[:-1])))


def level_of(labels: Labels) -> Puzzle:
    """The puzzle with these regions and no queens."""
    return Puzzle(len(labels), (), tuple(tuple(row) for row in labels.tolist()))


def unique_with(cut: Cut, cell: Cell, region: int) -> bool:
    """Whether the board has exactly one answer when the cell belongs to another region."""
    moved = cut.labels.copy()
    moved[cell] = region
    if len(np.unique(moved)) < cut.count:
        return False
    return _searched(moved).verdict is Verdict.UNIQUE


def _searched(labels: Labels) -> Search[queens.Answer]:
    """What a search of the level with these regions comes to."""
    return search(queens.answers(level_of(labels), Budget(nodes=NODES)))
