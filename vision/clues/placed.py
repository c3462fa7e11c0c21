"""Patches that are placed already, told by the lines that they hide, and what they say about the clues.

A placed patch of most apps is drawn over the lines between its cells. So where no side is seen between cells they hang
together, and cells that hang together and make a rectangle are a patch: its area is the number of its clue, and it has
no other clue. That is worth much where digits stand on rope or are hard to read, and a board that is filled wholly is
its own answer: when the clues have one answer and just its borders are seen, grid and clues are right, however little
of the grid is in view.

But a side may also be too faint to be seen, rope has edges of its own, and a player may have placed a patch wrongly. So
patches are believed only where most of them agree with numbers that were read with certainty.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np

from solvers.board import Cell
from solvers.budget import Budget, BudgetSpentError
from solvers.stitch import UNKNOWN, Answer, Stitch, answers, answers_among, areas_possible
from vision.boards.cell_sides import SIDE_PRESENT, Bools, Floats, edge_strength, side_evidence
from vision.clues.beliefs import NO_CLUE, Belief, as_text
from vision.clues.ink import flat_side
from vision.clues.repair import Settled
from vision.pictures.flatten import flatten
from vision.pictures.photo import Photo
from vision.pictures.placement import Placement
from vision.reading import Doubt

Patch = frozenset[Cell]
"""The cells of a patch."""

SIDE_PX = 56
"""Side of a cell in the flat board on which sides are looked at."""

CONTRASTS = np.geomspace(120, 6, 11)
"""Grey levels of 255 from which on a difference is an edge: the threads between patches of rope stand out more than the
strands of the rope, and lines on a plain ground are faint. The one at which most patches agree with their numbers
holds for a board."""

LEAST_AGREEING = 2
"""Patches with a certain number of their own area, at least, before any is believed."""

MOSTLY_AGREEING = 0.6
"""Part of the cells that hang together which lies in such patches, at least."""

SURE = 0.9999
"""Probability of a number that was read with certainty and is the area of its patch."""

ODDS = 50.0
"""How much likelier the area of a patch is as the number in it than it would be otherwise."""

THOUGHT_OF = 0.02
"""Probability of the area among what a reader may have seen who did not think of it."""

NODES_TO_PROVE = 1000
"""Search nodes for the answer of a board whose patches are placed: their clues leave hardly a choice."""

HALF_PLACED = 0.5
"""Part of a board's cells on which its answer's patches are placed from which on they prove it."""

BORDERS_PRESENT = 0.8
"""Mean part of the borders between the patches of a filled board that shows an edge, at least."""

CLEARER = 0.6
"""By how much this exceeds the same for sides within patches."""


@dataclass(frozen=True, eq=False)
class Sides:
    """What is seen between the cells of a board at one contrast.

    Attributes:
        across: ``float64 (rows, cols - 1)``, 0..1: how much of the side between cells ``(r, c)`` and ``(r, c + 1)``
            shows an edge.
        down: ``float64 (rows - 1, cols)``, the same between ``(r, c)`` and ``(r + 1, c)``.
        inside: ``bool (rows, cols)``: which places are cells.
    """

    across: Floats
    down: Floats
    inside: Bools


def visible_sides(photo: Photo, placement: Placement) -> list[Sides]:
    """The sides between the cells of the board at ``placement`` at several contrasts, the strongest first; looked at
    once.
    """
    return photo.derive_at(_looked_at, placement)


def _looked_at(photo: Photo, placement: Placement) -> list[Sides]:
    cols, rows = (round(length) for length in placement.size)
    side = flat_side(placement, SIDE_PX)
    upright, level = edge_strength(flatten(photo, placement, side))
    xs, ys = (np.linspace(0, count * side, count + 1) - 0.5 for count in (cols, rows))
    across = (side_evidence(upright > strength, xs, ys)[:, 1:-1] for strength in CONTRASTS)
    down = (side_evidence((level > strength).T, ys, xs).T[1:-1] for strength in CONTRASTS)
    every = np.ones((rows, cols), dtype=bool)
    return [Sides(*both, every) for both in zip(across, down, strict=True)]


def within(sides: Sequence[Sides], inside: Bools) -> list[Sides]:
    """The same of a board with these cells: between a cell and a hole there is a side, between holes there is none."""
    across, down = inside[:, :-1] & inside[:, 1:], inside[:-1] & inside[1:]
    outline_across, outline_down = inside[:, :-1] ^ inside[:, 1:], inside[:-1] ^ inside[1:]
    return [
        Sides(
            np.where(across, side.across, outline_across.astype(float)),
            np.where(down, side.down, outline_down.astype(float)),
            inside,
        )
        for side in sides
    ]


def placed_patches(sides: Sequence[Sides], beliefs: Sequence[Belief]) -> list[Patch]:
    """The patches that are placed, as far as they can be believed: rectangles, also of one cell among them.

    The contrast at which most of them agree with their numbers tells whether there are any; where it joins or splits
    some, those that agree with theirs at another contrast are taken.
    """
    components = [[component for component in _components(side) if len(component) > 1] for side in sides]
    patches = [[component for component in level if _is_rectangle(component)] for level in components]
    agreeing = [[patch for patch in level if _agrees(patch, beliefs)] for level in patches]
    cells = [sum(map(len, level)) for level in agreeing]
    believed = [
        k
        for k, level in enumerate(agreeing)
        if len(level) >= LEAST_AGREEING and cells[k] >= MOSTLY_AGREEING * sum(map(len, components[k]))
    ]
    if not believed:
        return []
    best = max(believed, key=lambda k: cells[k])
    found = _apart([*agreeing[best], *(patch for level in agreeing for patch in level), *patches[best]])
    rows, cols = sides[0].across.shape[0], sides[0].down.shape[1]
    reliable = [patch for patch in found if not _may_lie_beyond(patch, beliefs, rows, cols)]
    return [*reliable, *_lone(found, sides[0].inside)]


def _apart(patches: Iterable[Patch]) -> list[Patch]:
    """The patches without those that share a cell with an earlier one."""
    kept: list[Patch] = []
    taken: set[Cell] = set()
    for patch in patches:
        if not patch & taken:
            kept.append(patch)
            taken |= patch
    return kept


def _may_lie_beyond(patch: Patch, beliefs: Sequence[Belief], rows: int, cols: int) -> bool:
    """Whether a patch is a strip along a whole side of the grid in which nobody read its area.

    Cloth beside a board shows no lines either, and some button on it something that is not read.
    """
    values = {value for belief in beliefs if belief.cell in patch for value, _ in belief.options}
    return _is_along_a_side(patch, rows, cols) and not values & {len(patch), UNKNOWN}


def _is_along_a_side(patch: Patch, rows: int, cols: int) -> bool:
    """Whether a patch is a strip along a whole side of the grid."""
    across, along = {r for r, _ in patch}, {c for _, c in patch}
    below = len(along) == cols and (0 in across or rows - 1 in across)
    return below or (len(across) == rows and (0 in along or cols - 1 in along))


def _lone(patches: Sequence[Patch], inside: Bools) -> list[Patch]:
    """Single cells with nothing but patches and the board's rim around them: no larger patch has room there."""
    free = {(int(r), int(c)) for r, c in np.argwhere(inside)}.difference(*patches)
    return [
        frozenset((cell,))
        for cell in sorted(free)
        if not free & {(cell[0] + dr, cell[1] + dc) for dr, dc in ((-1, 0), (0, 1), (1, 0), (0, -1))}
    ]


def _components(sides: Sides) -> list[Patch]:
    """Cells that hang together where no side is seen between them."""
    rows, cols = sides.across.shape[0], sides.down.shape[1]
    # Cells and the gaps between them as pixels of a picture twice as fine.
    open_ways = np.zeros((2 * rows - 1, 2 * cols - 1), dtype=np.uint8)
    open_ways[::2, ::2] = 1
    open_ways[::2, 1::2] = sides.across < SIDE_PRESENT
    open_ways[1::2, ::2] = sides.down < SIDE_PRESENT
    count, labels = cv2.connectedComponents(open_ways, connectivity=4)
    owner = np.asarray(labels)[::2, ::2]
    components: list[set[Cell]] = [set() for _ in range(count)]
    for r, row in enumerate(owner.tolist()):
        for c, label in enumerate(row):
            if sides.inside[r, c]:
                components[label].add((r, c))
    return [frozenset(component) for component in components if component]


def _is_rectangle(component: Patch) -> bool:
    rows, cols = {cell[0] for cell in component}, {cell[1] for cell in component}
    return len(rows) * len(cols) == len(component)


def _agrees(patch: Patch, beliefs: Sequence[Belief]) -> bool:
    """Whether the one number that was read with certainty in a patch is its area."""
    return list(_sure_in(patch, beliefs).values()) == [len(patch)]


def _sure_in(patch: Patch, beliefs: Sequence[Belief]) -> dict[Cell, int]:
    """The numbers that were read with certainty in a patch: of clues, or where none is certain, of what may be one."""
    here = [belief for belief in beliefs if belief.cell in patch]
    may_be = {belief.cell: number for belief in here if (number := belief.number) is not None}
    return _clues_among(here) or may_be


def _clues_among(beliefs: Sequence[Belief]) -> dict[Cell, int]:
    """The clues that were read with certainty."""
    return {belief.cell: belief.value for belief in beliefs if belief.certain and belief.value != NO_CLUE}


def without_clue(patches: Sequence[Patch], beliefs: Sequence[Belief]) -> dict[Cell, int]:
    """The cells of patches in which no number was read, with the number that one of them should have."""
    speaking = {belief.cell for belief in beliefs if belief.value != NO_CLUE}
    return {cell: len(patch) for patch in patches if not patch & speaking for cell in sorted(patch)}


def with_patches(beliefs: Sequence[Belief], patches: Sequence[Patch]) -> list[Belief]:
    """The beliefs with what the placed patches say about their clues."""
    result = {belief.cell: belief for belief in beliefs}
    for patch in patches:
        here = [belief for belief in beliefs if belief.cell in patch]
        sure = _sure_in(patch, beliefs)
        likely = _thinkable(here, len(patch))
        if _agrees(patch, beliefs):
            result |= {belief.cell: Belief(belief.cell, ((sure.get(belief.cell, NO_CLUE), SURE),)) for belief in here}
        elif not _clues_among(here) and len(likely) == 1 and not _may_be_torn(patch, patches, beliefs):
            result[likely[0].cell] = _leaning(likely[0], len(patch))
    return list(result.values())


def _may_be_torn(patch: Patch, patches: Sequence[Patch], beliefs: Sequence[Belief]) -> bool:
    """Whether a patch may be a piece of one that strands of rope part: with another, on which nothing is read, it makes
    a rectangle.
    """
    silent = without_clue(patches, beliefs).keys()
    return any(other != patch and other <= silent and _is_rectangle(patch | other) for other in patches)


def _thinkable(here: Sequence[Belief], area: int) -> list[Belief]:
    """The cells of a patch whose clue may be its area; those on which it was read, where it was read on some."""
    if any(value == UNKNOWN for belief in here for value, _ in belief.options):
        return []
    read = [belief for belief in here if dict(belief.options).get(area)]
    return read or [belief for belief in here if belief.expects(area)]


def _leaning(belief: Belief, area: int) -> Belief:
    """A belief in which the area of the patch round it weighs more than other numbers."""
    options = dict(belief.options)
    chance = max(options.get(area, 0.0), belief.unread / 2, THOUGHT_OF if belief.expects(area) else 0.0)
    likely = ODDS * chance / (ODDS * chance + 1 - chance)
    left = (1 - likely) / max(sum(p for value, p in options.items() if value != area), 1.0)
    leaning = {area: likely} | {value: left * p for value, p in options.items() if value != area}
    ranked = sorted(leaning.items(), key=lambda option: -option[1])
    return replace(belief, options=tuple(ranked), unread=left * belief.unread)


def contradicted(patches: Sequence[Patch], beliefs: Sequence[Belief], answer: Answer) -> list[Cell]:
    """The clues of placed patches, or a cell of those without one, in whose place the answer lays other patches.

    A patch that is at odds with what was surely read in it says nothing: two were taken for one, or the player erred.
    """
    laid = {frozenset(patch.block.cells) for patch in answer}
    clues = {belief.cell for belief in beliefs if belief.value != NO_CLUE}
    reliable = [patch for patch in patches if _agrees(patch, beliefs) or not _sure_in(patch, beliefs)]
    return sorted(min(patch & clues or patch) for patch in reliable if patch not in laid)


def is_half_placed(answer: Answer, patches: Sequence[Patch]) -> bool:
    """Whether the placed patches are all of an answer's, and half of it or more."""
    laid = {frozenset(patch.block.cells) for patch in answer}
    cells = sum(len(patch.block.cells) for patch in answer)
    return laid.issuperset(patches) and sum(map(len, patches)) >= HALF_PLACED * cells


def is_drawn(answer: Answer, sides: Sequence[Sides]) -> bool:
    """Whether an answer is what stands on the board: its borders are seen, and the sides within its patches are not."""
    patches = [frozenset(patch.block.cells) for patch in answer]
    shown = (_shown(patches, side) for side in sides)
    return any(_are_borders(borders, [np.concatenate(parts)]) for borders, *parts in shown)


def _are_borders(borders: Floats, parts: Sequence[Floats]) -> bool:
    """Whether sides between patches show edges, and those within each part do not."""
    within = max((float(part.mean()) for part in parts if len(part)), default=1.0)
    return len(borders) > 0 and bool(borders.mean() >= max(BORDERS_PRESENT, within + CLEARER))


def _shown(patches: Sequence[Patch], seen: Sides) -> list[Floats]:
    """What is seen on the sides between patches that cover the board, then on those within each."""
    owner = np.full(seen.inside.shape, -1)
    for index, patch in enumerate(patches):
        for cell in patch:
            owner[cell] = index
    pairs = [(owner[:, :-1], owner[:, 1:], seen.across), (owner[:-1], owner[1:], seen.down)]
    return [
        np.concatenate([shown[one != other] for one, other, shown in pairs]),
        *(
            np.concatenate([shown[(one == k) & (other == k)] for one, other, shown in pairs])
            for k in range(len(patches))
        ),
    ]


def unlike_placed(
    settled: Settled, patches: Sequence[Patch], beliefs: Sequence[Belief], sides: Sequence[Sides]
) -> Settled:
    """Clues that were corrected so that the answer lays other patches than those that are placed are doubtful; those
    that were read so are not: players err. Nor are those where the answer stands on the board at a stronger contrast:
    strands of rope may part a patch at a weaker one.
    """
    if not settled.repairs or not patches:
        return settled
    answer = only_answer(settled.puzzle)
    clues = {belief.cell for belief in beliefs if belief.value != NO_CLUE}
    speaking = [patch for patch in patches if patch & clues or _may_lack_a_clue(patch, settled)]
    if answer is not None:
        whole = _drawn_patches(answer, sides)
        speaking = [patch for patch in speaking if not any(patch < one for one in whole)]
    torn = [repair.cell for repair in settled.repairs] if answer is None else contradicted(speaking, beliefs, answer)
    why = "another patch is placed here than would be with what was corrected"
    doubts = tuple(Doubt(cell, as_text(settled.puzzle.clue(cell) or NO_CLUE), 0.5, why) for cell in torn)
    return replace(settled, doubts=settled.doubts + doubts)


def _drawn_patches(answer: Answer, sides: Sequence[Sides]) -> set[Patch]:
    """The patches of an answer that are seen as such at the strongest contrast at which all of it is drawn."""
    drawn = next((seen for seen in sides if is_drawn(answer, [seen])), None)
    return set() if drawn is None else {frozenset(patch.block.cells) for patch in answer} & set(_components(drawn))


def _may_lack_a_clue(patch: Patch, settled: Settled) -> bool:
    """Whether a patch on which no clue was seen may be one: the board has an answer with a clue on it and any numbers
    in place of those that were corrected. Else these are cells between which no lines were seen.
    """
    clues = [list(row) for row in settled.puzzle.clues]
    row, col = min(patch)
    clues[row][col] = len(patch)
    puzzle = replace(settled.puzzle, clues=tuple(map(tuple, clues)))
    free = areas_possible(puzzle, [repair.cell for repair in settled.repairs if puzzle.clue(repair.cell)])
    try:
        return next(answers_among(puzzle, free, Budget(nodes=NODES_TO_PROVE)), None) is not None
    except BudgetSpentError:
        return True


FEW_UNREAD = 0.1
"""Part of the clues that may not have been read for certain on a board whose whole answer is drawn: the numbers of nine
out of ten patches are no chance."""

MANY_UNREAD = 0.5
"""The same on a faint grid with few numbers: a page about a board, in whose cells numbers are cut, had two of five that
were read; three of five are read where patches hide the grid."""


def proved(settled: Settled, sides: Sequence[Sides], patches: Sequence[Patch]) -> bool:
    """Whether the clues have one answer, and it is the one that stands on the board.

    None of them may have been corrected; but where all of the answer is drawn, a few may not have been read at all.
    """
    swapped = any(repair.read for repair in settled.repairs)
    if settled.doubts or swapped or len(settled.repairs) > FEW_UNREAD * len(settled.puzzle.clue_cells):
        return False
    answer = only_answer(settled.puzzle)
    if answer is None:
        return False
    return _is_proof(answer, settled, sides) or (not settled.repairs and is_half_placed(answer, patches))


def _is_proof(answer: Answer, settled: Settled, sides: Sequence[Sides]) -> bool:
    """Whether an answer that is drawn speaks for its clues. Cloth beside the board, with a button on it, is drawn as a
    patch along a whole side is, whose clue had to be corrected.
    """
    corrected = {repair.cell for repair in settled.repairs}
    rows, cols = settled.puzzle.rows, settled.puzzle.cols
    strips = (patch for patch in answer if _is_along_a_side(frozenset(patch.block.cells), rows, cols))
    return is_drawn(answer, sides) and not any(patch.clue in corrected for patch in strips)


def only_answer(puzzle: Stitch) -> Answer | None:
    """The answer of a board that has exactly one; None also when it takes long to know."""
    try:
        found = list(islice(answers(puzzle, Budget(nodes=NODES_TO_PROVE)), 2))
    except BudgetSpentError:
        return None
    return found[0] if len(found) == 1 else None
