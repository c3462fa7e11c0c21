"""Triazzle from a photo: find the tray, read what its edges show without knowing the artwork.

The steps have modules of their own: :mod:`vision.trays.slots` finds the sixteen slots, :mod:`vision.trays.strips` cuts
out what lies along every edge and looks for dots there, :mod:`vision.trays.codes` groups the edges that show the same
and puts every hypothesis to the test with the rules, and :mod:`vision.trays.evidence` decides between arrangements.
What stands here is their order, and what to say when they fail.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from solvers import triazzle as rules
from solvers.message import Message
from solvers.triazzle import SLOTS, TRAY, Puzzle
from vision.boards.phases import lattices
from vision.boards.states import board_at, boards_on
from vision.kind import PROMISING, Aids
from vision.pictures.medians import median
from vision.pictures.photo import Photo
from vision.pictures.photographed import is_surely_screenshot
from vision.pictures.placement import Placement
from vision.reading import Doubt, NotFound, Reading
from vision.trays.codes import CHANCE, EQUAL_CHANCE, Fit, believed, challenged, equals, halves
from vision.trays.evidence import Evidence, Judgement, judge
from vision.trays.slots import LAYOUT, find_tray
from vision.trays.strips import Strips, continuities, cut_strips, find_marks, sheet, similarities

LEAST_DIFFERENT = SLOTS // 2
"""Different pieces on a tray at least, however they are turned: a weave repeats itself."""


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """The tray of sixteen triangles."""
    corners = aids.corners_px
    if corners is not None and len(corners) != 3:
        return NotFound("a Triazzle's tray has three corners: apex, bottom right, bottom left")
    if not aids.thorough and corners is None and is_surely_screenshot(photo):
        return NotFound("trays are looked for in photos first: in what came from a screen they are rare, and no grid")
    place = photo.derive(find_tray) if corners is None else find_tray(photo, corners)
    return [place] if place else NotFound("no triangle of four rows of triangular pieces was seen")


def read(photo: Photo, placement: Placement, aids: Aids) -> Reading[Puzzle] | NotFound:
    """The pieces and the frame of the tray at ``placement``, as codes that have exactly the arrangement found."""
    if _is_ruled(photo, placement):
        return NotFound("square cells lie where the pieces of a Triazzle would")
    strips = cut_strips(photo, placement, LAYOUT, TRAY)
    aids.trace.picture("edge-strips", lambda: sheet(strips, range(len(strips.lab))))
    marks = find_marks(strips)
    if marks is not None:
        aids.trace.note(f"triazzle: marks on {marks.clear:.0%} of the edges")
        similarity = marks.similarities()
        fits = believed(_noted(equals(TRAY, similarity, aids.budget), aids), EQUAL_CHANCE)
        if fits:
            return _reading(fits, Evidence(TRAY, similarity, None), placement)
    similarity, continuity = similarities(strips.details), continuities(strips.shown)
    fits = believed(_noted(halves(TRAY, similarity, continuity, aids.budget), aids), CHANCE)
    if fits:
        fits[0] = challenged(TRAY, fits[0], aids.budget)
        return _reading(fits, Evidence(TRAY, similarity, continuity), placement)
    return NotFound(
        "the halves on the edges could not be told apart well enough to find an arrangement in which all meet",
        board_found=placement.score >= PROMISING and _has_artwork(strips),
    )


def _is_ruled(photo: Photo, placement: Placement) -> bool:
    """Whether most slots of a tray lie on the cells of a board of squares."""
    middles = placement.to_photo([LAYOUT.centre(rules.slot_cell(slot)) for slot in range(SLOTS)])
    boards = (photo.derive_at(board_at, grid) for grid in boards_on(photo, lattices(photo)))
    return any(board is not None and board.holds_most(middles) for board in boards)


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
    return bool(median(shown) > 2.0)


def _different(tiles: Iterable[Sequence[int]]) -> int:
    """How many different pieces there are, however they are turned."""
    return len({min((*tile[k:], *tile[:k]) for k in range(3)) for tile in tiles})


def _reading(fits: Sequence[Fit], evidence: Evidence, placement: Placement) -> Reading[Puzzle] | NotFound:
    equal = evidence.continuity is None
    judgement = judge(evidence, fits, equal)
    codes = judgement.codes
    tiles = tuple(codes[3 * slot : 3 * slot + 3] for slot in range(SLOTS))
    if _different(tiles) < LEAST_DIFFERENT:
        return NotFound("what lies there shows the same again and again, as cloth does and pieces do not")
    puzzle = Puzzle(tiles, codes[3 * SLOTS :], "equal" if equal else "halves")
    confidence = float(1 - np.exp(min(fits[0].chance, CHANCE if fits[0].sure else 0)))
    return Reading(puzzle, placement, confidence=confidence, doubts=_doubts(judgement))


def _doubts(judgement: Judgement) -> list[Doubt]:
    """The slots on which the best arrangement and one nearly as good differ."""
    why = "piece {number} fits nearly as well"
    return [
        Doubt(rules.slot_cell(slot), Message("piece {name}", name=one[0] + 1), 0.5, Message(why, number=other[0] + 1))
        for rival in judgement.rivals[:1]
        for slot, (one, other) in enumerate(zip(judgement.placed, rival, strict=True))
        if one != other
    ]
