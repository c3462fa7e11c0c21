"""Triazzle from a photo: find the tray, read what its edges show without knowing the artwork.

The steps have modules of their own: :mod:`vision.trays.slots` finds the sixteen slots, :mod:`vision.trays.strips` cuts
out what lies along every edge, :mod:`vision.trays.marks` looks for dots, :mod:`vision.trays.groups` says which edges
show the same, and :mod:`vision.trays.codes` puts every hypothesis to the test with the rules. What stands here is their
order, and what to say when they fail.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from solvers import triazzle as rules
from solvers.edge_matching import Placed
from solvers.triazzle import SLOTS, TRAY, Puzzle
from vision.kind import Aids
from vision.pictures.photo import Photo
from vision.pictures.placement import Placement
from vision.reading import Doubt, NotFound, Reading
from vision.trays.codes import CHANCE, EQUAL_CHANCE, HEARD, Fit, believed, challenged, codes, equals, halves
from vision.trays.marks import find_marks
from vision.trays.slots import find_trays
from vision.trays.strips import Floats, Strips, continuity, cut_strips, sameness, sheet, strip_points

LAYOUT = rules.layout(Puzzle((), ()))

PLACES = strip_points(LAYOUT, TRAY).mean(axis=(1, 2))
"""The middle of each strip in board units."""


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """The trays of sixteen triangles, best first."""
    corners = aids.corners_px
    if corners is not None and len(corners) != 3:
        return NotFound("a Triazzle's tray has three corners: apex, bottom right, bottom left")
    places = find_trays(photo, corners)
    return places or NotFound("no triangle of four rows of triangular pieces was seen")


def read(photo: Photo, placement: Placement, aids: Aids) -> Reading[Puzzle] | NotFound:
    """The pieces and the frame of the tray at ``placement``, as codes that have exactly the arrangement found."""
    strips = cut_strips(photo, placement, LAYOUT, TRAY)
    aids.trace.picture("edge-strips", lambda: sheet(strips, range(len(strips.lab))))
    marks = find_marks(strips)
    if marks is not None:
        aids.trace.note(f"triazzle: marks on {marks.clear:.0%} of the edges")
        for seen in (marks, marks.evened(strips.ground, PLACES)):
            alike = seen.alikeness()
            fit = believed(_noted(equals(TRAY, alike, aids.budget), aids), EQUAL_CHANCE)
            if fit is not None:
                return _reading(fit, alike, True, placement)
    alike = sameness(strips.details)
    fit = believed(_noted(halves(TRAY, alike, continuity(strips.shown), aids.budget), aids), CHANCE, HEARD)
    if fit is not None:
        return _reading(challenged(TRAY, fit, aids.budget), alike, False, placement)
    return NotFound(
        "the halves on the edges could not be told apart well enough to find an arrangement in which all meet",
        board_seen=_has_artwork(strips),
    )


def _noted(fits: Iterable[tuple[int, Fit | None]], aids: Aids) -> Iterator[tuple[int, Fit | None]]:
    """The same fits, written down as they pass."""
    for tried, fit in fits:
        if fit is not None:
            decades, groups = fit.chance / np.log(10), len(fit.hypothesis.mates)
            aids.trace.note(f"triazzle: hypothesis {tried} with {groups} groups fits, chance 10^{decades:.1f}")
        yield tried, fit


def _has_artwork(strips: Strips) -> bool:
    """Whether most edges show anything at all."""
    shown = np.linalg.norm(strips.shown, axis=3).mean(axis=(1, 2))
    return bool(np.median(shown) > 2.0)


def _reading(fit: Fit, alike: Floats, equal: bool, placement: Placement) -> Reading[Puzzle]:
    told = codes(TRAY, fit, alike, equal)
    tiles = tuple(tuple(told[3 * slot : 3 * slot + 3]) for slot in range(SLOTS))
    puzzle = Puzzle(tiles, tuple(told[3 * SLOTS :]), "equal" if equal else "halves")
    doubts = [] if fit.rival is None else _doubts(fit.placed, fit.rival)
    return Reading(puzzle, placement, confidence=float(1 - np.exp(fit.chance)), doubts=doubts)


def _doubts(best: Placed, rival: Placed) -> list[Doubt]:
    """The slots on which two arrangements, nearly as good, differ."""
    differing = [slot for slot, (one, other) in enumerate(zip(best, rival, strict=True)) if one != other]
    return [
        Doubt(
            rules.slot_cell(slot), f"piece {best[slot][0] + 1}", 0.5, f"piece {rival[slot][0] + 1} fits nearly as well"
        )
        for slot in differing
    ]
