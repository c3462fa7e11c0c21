"""Crowns and crosses: what players have put into the cells of a coloured-region board.

Queens are drawn as crowns, chess queens, stars or trees; cells that are ruled out carry crosses or dots. Nothing here
knows one of these pictures. What tells them apart in every app is their *shape*: a cross is small, or leaves the
middles of all four sides of its box empty, or looks the same after a quarter turn; a dot is round; and what remains,
large, standing in the middle of its cell and about as wide on its left as on its right, is a queen. A mouse pointer
is none of these; it may hide a queen, so a doubtful mark is compared with the sure queens of the same board.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from vision.pictures.masks import box_of, filled
from vision.pictures.medians import known_medians, median, medians
from vision.regions.looks import JUST_VISIBLE, RIM, STEP, Looks, ring_sides

Mask = npt.NDArray[np.uint8]
"""``uint8 (side, side)``, 0 or 1."""

VISIBLE_MARK = 6 * JUST_VISIBLE
"""How far a mark's colour is at least from its cell's: above what compression leaves around lines (4), below a golden
crown on a dimmed brown cell (8)."""

HALO = 0.3
"""What differs less than this part of a mark's strongest pixels is its halo: compression leaves one around marks."""

SMALL = 0.115
"""Part of a cell's inner area below which a mark is no queen: crosses as apps draw them take 0.02 to 0.05 of it, heavy
ones and dots 0.08, crowns 0.15 and more."""

FAINT = 0.03
"""Part of a cell's inner area below which a mark is a speck or a tiny cross, and its shape says nothing."""

LIGHTER, BOLD = 4 * JUST_VISIBLE, 20 * JUST_VISIBLE
"""A pixel plainly belongs to a mark where its lightness differs so far from its cell's, or its whole colour so far:
JPEG keeps colours at half the size and rounds them more, and leaves stains of colour (up to 16) in empty cells."""

PLAINLY = 0.2
"""Share of such pixels that a mark has at least; stains have none, and the least seen in a queen was a half."""

MOSTLY = 0.45
"""With less of them than this a mark is one with a stain around it."""

SPECK = 0.006
"""Part of a cell's inner area below which what stands apart from the rest of a mark is noise; the balls on
the points of crowns have 0.008."""

TOO_MANY = 0.2
"""Marks that are more than a board's queens are crosses up to this part of a cell's inner area."""

TWO_SIZES = 1.8
"""Marks come in two sizes where the larger have so many times the area of the smaller: then only they are queens."""

NARROW = 0.28
"""A queen is at least so wide and high, in cells; the smallest crown seen is 0.42 by 0.35, crosses up to 0.17."""

SLIGHTEST = 0.2
"""So wide and high is what is left of a small queen whose edge has her cell's colour."""

FIGURE = 0.22
"""Figures are at least so high, in cells."""

OFF_CENTRE = 0.12
"""How far a queen's box may stand from the middle of its cell, in cells (0.08 where a pointer covers a part)."""

INTRUDES = 0.2
"""What touches a cell's rim and has its centre so far from the cell's, in cells, belongs to something beside it."""

SOLID_STRIP, DEEPEST_STRIP = 0.6, 0.4
"""A strip fills this part of the cell's side, and reaches in no further than this part of the cell."""

MIDDLE = 0.1
"""A mark of the cell itself covers some of its middle, so many cells to each side of the centre."""

ALIKE = 3
"""From so many sure queens on, every mark must look like them."""

SIDE_EMPTY = 0.15
"""Filled part of the middle of a side of a mark's box up to which it counts as empty, as on all sides of a cross."""

TURNED_ALIKE = 0.72
"""Overlap with itself after a quarter turn from which on a mark is a cross, a plus or a dot. Crowns and chess queens
reach 0.69, stars 0.52, crosses drawn by machines 0.75 to 1."""

ROUND = 0.92
"""Filled part of its hull from which on such a mark is a dot, and below ``SPREAD`` one with arms."""

SPREAD = 0.85

MIRRORED, LYING = 0.6, 0.72
"""Overlap with its mirror image that a queen reaches; pointers reach 0.45. The second for one that lies on its side:
turned over upright, pointers reach 0.63, for an arrow to the upper left is alike on both sides of its shaft."""

LIKE_A_QUEEN = 0.55
"""Overlap with the average queen of the same board that a queen half under a pointer still has."""


LIKE_A_CROSS = 0.65
"""Overlap with the average cross of the same board from which on a mark is one of them, however blurred: these reach
0.77, and small queens among heavy crosses 0.53."""

BLURRED = 0.2
"""Share of the crosses that cover a pixel from which on the thickest, that compression has spread, are there too."""

WITHIN, MUCH = 0.85, 0.35
"""A part of a queen lies so far within her place, and takes so much of it."""

UNSEEN = 0.25
"""So much of a queen must be left, beside what was seen of a mark already, to tell that she has the colour of it."""

MANY = 6
"""So many marks that are crosses by their shape show what the others look like."""


@dataclass(frozen=True)
class MarkGuess:
    """What stands in a cell.

    Attributes:
        queen: how sure it is that it is a queen, 0..1; 0.5 is "something large, but what?", less is a pointer or a
            handle, with or without a queen below it, or a small mark that is no cross.
        why: a clause for people where it is not sure.
    """

    queen: float
    why: str = ""


SLIGHT = MarkGuess(0.4, "a mark that is no cross and may be a small queen")
LIES_OVER = MarkGuess(0.3, "something lies over the cell")
SOMETHING = MarkGuess(0.2, "a mark that is no cross stands there")
UNLIKE = MarkGuess(0.5, "a mark like a queen, but unlike the other queens")
PART = MarkGuess(0.5, "a part of a queen seems to show")
LIKELY = MarkGuess(0.8, "a mark much like the other queens, or something that lies over the cell")
HINT = MarkGuess(0.5, "something faint in the form of a queen seems to stand there")


@dataclass(frozen=True)
class Marks:
    """What stands on a board.

    Attributes:
        queens: the cells that carry a queen, or may carry one; crosses, dots and empty cells are left out.
        strange: marks that are no crosses and do not look like each other, as figures and letters do not.
    """

    queens: Mapping[Cell, MarkGuess]
    strange: int


def marks_on(looks: Looks) -> Marks:
    """Tell apart what stands on a board."""
    rows = looks.shape[0]
    masks = mark_masks(looks)
    shares = {cell: float(mask.sum()) / inner_area(looks.side) for cell, mask in masks.items()}
    marked = {cell: judge(masks[cell]) for cell, share in shares.items() if share >= FAINT}
    guesses = _without_blurred_crosses(marked, masks)
    shaped = {cell: guess for cell, guess in guesses.items() if guess.queen > 0.1}
    surely = [shares[cell] for cell, guess in shaped.items() if guess.queen > 0.9]
    large = _larger_size([shares[cell] for cell in shaped])
    # What is larger than all that look like queens lies over the board: a pointer, or strokes of a finger.
    large = SMALL if large > max(surely, default=np.inf) else max(SMALL, large)
    candidates = {cell: guess for cell, guess in shaped.items() if shares[cell] >= large}
    plain = [masks[cell] for cell, guess in candidates.items() if guess.queen > 0.9]
    queens = ALIKE <= len(plain) <= rows and not _unlike(plain)
    if len(candidates) > rows and max(shares[cell] for cell in candidates) < TOO_MANY and not queens:
        candidates = {}  # So many, so small: crosses whose arms compression has run together.
    # Crosses differ when a pixel of their few changes; what is as high as a figure must be alike in its app.
    alike = _like_crosses(guesses, masks)
    small = [masks[c] for c in guesses if c not in candidates and c not in alike and _may_be_figure(masks[c])]
    strange = _unlike(small) + _unlike([masks[cell] for cell in candidates])
    sure = [masks[cell] for cell, guess in candidates.items() if guess.queen > 0.9]
    at_odds = 1 < len(sure) < ALIKE and _overlap(sure[0], sure[1]) < LIKE_A_QUEEN
    usual = median([shares[cell] for cell in guesses if cell not in shaped] or [0.0])
    least_over = max(SMALL, TWO_SIZES * usual)
    found = {cell: SOMETHING for cell in shaped if cell not in alike}
    found |= {cell: LIES_OVER for cell in guesses if shares[cell] >= least_over}
    # A queen of nearly its cell's colour shows only a part of itself, and looks smaller than the others.
    pale = [
        cell
        for cell in guesses
        if cell not in candidates and cell not in alike and (shares[cell] >= SMALL or not _is_cross(masks[cell]))
    ]
    found |= {cell: PART for cell in pale if sure and _is_part(masks[cell], sure)}
    candidates |= {cell: guess for cell, guess in shaped.items() if cell in pale and _like(masks[cell], sure)}
    for cell, guess in candidates.items():
        doubtful = guess.queen < 0.9
        decided = _compared(masks[cell], sure) if doubtful or len(sure) >= ALIKE else guess
        unlike = decided.queen < 0.5 and not doubtful
        # A mouse pointer may be as alike to firs as a fir whose foot is covered, or upon a dot like a queen beside the
        # only one that stands there: the rules tell.
        likely = decided.queen > 0.9 and (doubtful or at_odds)
        found[cell] = UNLIKE if unlike else LIKELY if likely else decided
    slight = [c for c in marked if c not in alike and (c not in found or found[c].queen < SLIGHT.queen)]
    slight = [cell for cell in slight if _is_slight(masks[cell])]
    found |= {cell: SLIGHT for cell in slight if len(slight) <= rows}
    others = {cell: mask for cell, mask in masks.items() if cell not in found or found[cell].queen <= PART.queen}
    return Marks({**found, **_of_their_form(looks, others, sure)}, strange)


def _without_blurred_crosses(guesses: Mapping[Cell, MarkGuess], masks: Mapping[Cell, Mask]) -> dict[Cell, MarkGuess]:
    """The guesses, marks that look like the board's crosses called so: compression runs the arms of some together."""
    alike = _like_crosses(guesses, masks)
    return {cell: MarkGuess(0.0) if cell in alike else guess for cell, guess in guesses.items()}


def _like_crosses(guesses: Mapping[Cell, MarkGuess], masks: Mapping[Cell, Mask]) -> set[Cell]:
    """The marks that look like the average of those that are crosses by their shape; none where those are few."""
    crosses = [masks[cell] for cell, guess in guesses.items() if guess.queen <= 0.1]
    if len(crosses) < MANY:
        return set()
    thin, thick = _average(crosses), _average(crosses, BLURRED)
    if not thin.any() or not _is_cross(thin):  # Figures are alike in size, but their average is a blot.
        return set()
    return {cell for cell in guesses if max(_overlap(masks[cell], form) for form in (thin, thick)) >= LIKE_A_CROSS}


def _unlike(masks: list[Mask]) -> int:
    """How many marks do not look like most of the others; 0 for a few marks, which tell nothing."""
    if len(masks) < ALIKE:
        return 0
    flat = np.array(masks, dtype=np.float64).reshape(len(masks), -1)
    shared, areas = flat @ flat.T, flat.sum(axis=1)
    overlaps = shared / np.maximum(areas[:, None] + areas[None] - shared, 1)
    np.fill_diagonal(overlaps, np.nan)
    return int((known_medians(overlaps, axis=1) < LIKE_A_QUEEN).sum())


def _larger_size(shares: list[float]) -> float:
    """The share of a cell from which on marks are of the larger of two sizes; 0 where all are of one size."""
    ordered = sorted(shares)
    for smaller, larger in pairwise(ordered):
        if larger >= TWO_SIZES * smaller:
            return larger
    return 0.0


def inner_area(side: int) -> int:
    """Pixels of a cell without its rim."""
    return int((side - 2 * round(RIM * side)) ** 2)


def _average(masks: Sequence[Mask], share: float = 0.5) -> Mask:
    """Where at least half of the masks are, or another share."""
    return np.asarray(np.mean(masks, axis=0) >= share).astype(np.uint8)


def mark_masks(looks: Looks) -> dict[Cell, Mask]:
    """Where each cell, clear of its rim, has another colour than its own; holes in a mark count as filled."""
    rows, cols = looks.shape
    side, rim = looks.side, round(RIM * looks.side)
    lab = looks.lab.reshape(rows, side, cols, side, 3).swapaxes(1, 2).reshape(-1, side, side, 3)
    off = lab - looks.colours.reshape(-1, 1, 1, 3)
    apart = np.linalg.norm(off, axis=-1)
    plain = (np.abs(off[..., 0]) > LIGHTER) | (apart > BOLD)
    # Stripes and texture fill the ring on all four sides; a wide crown leaves most of one of them free.
    sides = [np.quantile(apart[:, part], 0.75, axis=1) for part in ring_sides(side)]
    texture = np.min(sides, axis=0)
    inner = apart[:, rim : side - rim, rim : side - rim]
    strongest = np.quantile(inner.reshape(len(inner), -1), 1 - FAINT / 2, axis=1)
    found = np.zeros((len(inner), side, side), dtype=np.uint8)
    least = np.maximum(texture + VISIBLE_MARK, HALO * strongest)
    found[:, rim : side - rim, rim : side - rim] = inner > least[:, None, None]
    return {
        (r, c): _tidied(mask, seen, rim)
        for (r, c), mask, seen in zip(np.ndindex(rows, cols), found, plain, strict=True)
    }


def _tidied(mask: Mask, plain: npt.NDArray[np.bool_], rim: int) -> Mask:
    """The mark of a cell without what belongs to something else, its holes filled.

    Args:
        mask: what differs from the cell at all.
        plain: ``bool``, of the same shape, what differs as no stain of compression does.
        rim: pixels at each side in which nothing is looked for.
    """
    if not mask.any():
        return mask
    return filled(_without_intruders(_without_strips(mask, rim), plain, rim)).astype(np.uint8)


def _without_strips(mask: Mask, rim: int) -> Mask:
    """The mask without a strip along one of the cell's sides, as far in as it is solid: a handle over the board's edge.

    A crown may touch the strip; its own columns are not solid from near the one rim to near the other.
    """
    stripped = mask.copy()
    inner = stripped[rim : mask.shape[0] - rim, rim : mask.shape[1] - rim]
    for view in (inner, inner[::-1], inner.T, inner.T[::-1]):
        solid = view.mean(axis=1) >= SOLID_STRIP
        depth = len(solid) if solid.all() else int(solid.argmin())
        if 0 < depth <= DEEPEST_STRIP * len(solid):
            # Its round end reaches a little further than its solid part.
            view[: depth + 1] = 0
    return stripped


def _without_intruders(mask: Mask, plain: npt.NDArray[np.bool_], rim: int) -> Mask:
    """The mask without specks, stains, and what reaches in from a neighbour: handles, pointers, tips of large marks."""
    count, labels, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=8)
    low, high = rim, mask.shape[0] - rim
    kept = np.zeros(count, dtype=np.uint8)
    for part in range(1, count):
        left, top, width, height, area = stats[part].tolist()
        at_rim = min(left, top) <= low or max(left + width, top + height) >= high
        off = float(np.abs(centres[part] - (mask.shape[0] - 1) / 2).max()) / mask.shape[0]
        in_the_middle = bool((_middle(labels) == part).any())
        share = plain[labels == part].mean()
        seen = area >= SPECK * inner_area(mask.shape[0]) and share >= PLAINLY
        if seen and share < MOSTLY:
            labels[(labels == part) & ~plain] = 0  # A small mark, and a stain around it.
        kept[part] = seen and (in_the_middle or not (at_rim and off > INTRUDES))
        if kept[part] and at_rim and in_the_middle:
            labels[(labels == part) & ~_torn_off(labels == part, rim)] = 0
    return np.asarray(kept[labels], dtype=np.uint8)


def _torn_off(part: npt.NDArray[np.bool_], rim: int) -> npt.NDArray[np.bool_]:
    """A mark in the middle without what comes in from the rim and just touches it: a button over the board.

    The outline of a crown may be as thin as where two marks touch, but what it encloses belongs to it.
    """
    side, brush = part.shape[0], np.ones((3, 3), dtype=np.uint8)
    labels = cv2.connectedComponents(cv2.erode(filled(part).astype(np.uint8), brush), connectivity=8)[1]
    near_rim = np.ones((side, side), dtype=np.bool_)
    near_rim[rim + 2 : side - rim - 2, rim + 2 : side - rim - 2] = False  # The brush takes one pixel at each side.
    central, at_rim = ({*place.ravel().tolist()} - {0} for place in (_middle(labels), labels[near_rim]))
    if central & at_rim:
        return part
    foreign, own = (
        np.asarray(cv2.dilate(inside.astype(np.uint8), brush), dtype=np.bool_) & part
        for inside in (np.isin(labels, [*at_rim]), (labels > 0) & np.isin(labels, [*at_rim], invert=True))
    )
    return own if foreign.sum() >= FAINT * inner_area(side) else part


def _middle(cell: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The part of a cell that a mark of its own covers some of."""
    middle = slice(round((0.5 - MIDDLE) * cell.shape[0]), round((0.5 + MIDDLE) * cell.shape[0]))
    return cell[middle, middle]


def judge(mask: Mask) -> MarkGuess:
    """What one mark looks like, by its shape alone."""
    side = mask.shape[0]
    box = mask[box_of(mask)]
    height, width = box.shape
    if max(height, width) < NARROW * side or _is_cross(mask):
        return MarkGuess(0.0)
    if min(height, width) < NARROW * side:
        return MarkGuess(0.0)  # a stroke
    # A crop of a turned page may show its crowns lying on their side.
    mirrored = _overlap(box, box[:, ::-1]) >= MIRRORED or _overlap(box, box[::-1]) >= LYING
    if _off_centre(mask) <= OFF_CENTRE and mirrored:
        return MarkGuess(1.0)
    return MarkGuess(0.5, "a mark that may be a queen or something that lies over the cell")


def _is_slight(mask: Mask) -> bool:
    """Whether a mark is like a queen by its shape, but for its size."""
    box, side = mask[box_of(mask)], mask.shape[0]
    large = min(box.shape) >= SLIGHTEST * side and max(box.shape) >= NARROW * side
    return large and not _is_cross(mask) and _off_centre(mask) <= OFF_CENTRE and _overlap(box, box[:, ::-1]) >= MIRRORED


def _off_centre(mask: Mask) -> float:
    """How far the middle of a mark's box is from the middle of its cell, in cells."""
    side = mask.shape[0]
    return float(np.hypot(*((part.start + part.stop - side) / 2 for part in box_of(mask))) / side)


def _is_cross(mask: Mask) -> bool:
    """Whether a mark is a cross, a plus or a dot by its shape."""
    box = mask[box_of(mask)]
    solid = _solidity(mask, np.argwhere(mask))
    return _sides_empty(box) or (_overlap_turned(box) >= TURNED_ALIKE and not SPREAD < solid < ROUND)


def _may_be_figure(mask: Mask) -> bool:
    """Whether a mark is as high as a figure and no cross."""
    return len(mask[box_of(mask)]) >= FIGURE * len(mask) and not _is_cross(mask)


def _compared(mask: Mask, sure: Iterable[Mask]) -> MarkGuess:
    """A doubtful mark beside the sure queens of its board; where there are none it is a pointer or a handle."""
    queens = list(sure)
    if not queens:
        return LIES_OVER
    average = _average(queens)
    if _overlap(mask, average) >= LIKE_A_QUEEN:
        return MarkGuess(1.0)
    # Less alike, but all of the queen's place taken: something large lies there, with or without a queen below.
    covered = float((mask & average).sum()) / max(1, int(average.sum()))
    return MarkGuess(0.5, "something covers the place of a queen") if covered >= LIKE_A_QUEEN else LIES_OVER


def _like(mask: Mask, sure: Sequence[Mask]) -> bool:
    """Whether a mark looks like the sure queens of its board."""
    return bool(sure) and _compared(mask, sure).queen > 0.9


def _of_their_form(looks: Looks, cells: Mapping[Cell, Mask], sure: Sequence[Mask]) -> dict[Cell, MarkGuess]:
    """Those of ``cells`` in which the form of the sure queens is seen, however little it differs from the cell.

    A green tree on a green cell shows its trunk and no more, and it is as dim as crosses on a dimmed cell. But where
    its form is known, the usual colours inside and outside of it tell where to cut, and the cut has that form again.
    """
    if not sure:
        return {}
    side, rim = looks.side, round(RIM * looks.side)
    inner = np.zeros((side, side), dtype=np.uint8)
    inner[rim : side - rim, rim : side - rim] = 1
    form, blurred = _average(sure) & inner, np.ones((3, 3), dtype=np.uint8)
    inside = np.asarray(cv2.erode(form, blurred), dtype=np.bool_)
    outside = (inner > 0) & (np.asarray(cv2.dilate(form, blurred)) == 0)
    found = {}
    for cell, mark in cells.items():
        clear = cv2.dilate(mark, blurred) == 0
        if (inside & clear).sum() <= UNSEEN * inside.sum() or not (outside & clear).any():
            continue
        lab = looks.cell(*cell)
        queen, ground = (medians(lab[part & clear]) for part in (inside, outside))
        step = float(np.linalg.norm(queen - ground))
        along = (lab - ground) @ (queen - ground) / max(step, JUST_VISIBLE)
        cut = np.asarray(((along > step / 2) & (inner > 0)) | (mark > 0), dtype=np.uint8)
        if _overlap(_tidied(cut, inner > 0, rim), form) < LIKE_A_QUEEN:
            continue
        varies = max(median(np.abs(along[inside & clear] - step)), median(np.abs(along[outside & clear])))
        if step > VISIBLE_MARK + varies:
            found[cell] = MarkGuess(1.0)
        elif step > STEP + varies:
            found[cell] = HINT
    return found


def _is_part(mask: Mask, sure: Sequence[Mask]) -> bool:
    """Whether a mark lies within the place that a queen of this board takes up, and takes much of it."""
    average = np.mean(sure, axis=0) >= 0.5
    common = float((mask & average).sum())
    return common >= WITHIN * float(mask.sum()) and common >= MUCH * float(average.sum())


def _overlap(a: Mask, b: Mask) -> float:
    """Intersection over union of two masks of one shape, 0..1."""
    return float((a & b).sum()) / max(1, int((a | b).sum()))


def _overlap_turned(box: Mask) -> float:
    """How alike a mark is to itself after a quarter turn about the middle of its box."""
    side = max(box.shape)
    square = np.zeros((side, side), dtype=np.uint8)
    top, left = (side - box.shape[0]) // 2, (side - box.shape[1]) // 2
    square[top : top + box.shape[0], left : left + box.shape[1]] = box
    return _overlap(square, np.rot90(square))


def _solidity(mask: Mask, at: npt.NDArray[np.intp]) -> float:
    """A mark's part of its convex hull, 0..1."""
    hull = cv2.convexHull(at[:, ::-1].astype(np.int32).reshape(-1, 1, 2))
    filled = cv2.fillConvexPoly(np.zeros_like(mask), np.asarray(hull, dtype=np.int32), 1)
    return float(mask.sum()) / max(1, int(np.asarray(filled).sum()))


def _sides_empty(box: Mask) -> bool:
    """Whether the middle third of each side of the box is empty, a fifth of it deep: the mark of crosses."""
    height, width = box.shape
    deep_y, deep_x = max(1, height // 5), max(1, width // 5)
    rows, cols = slice(height // 3, height - height // 3), slice(width // 3, width - width // 3)
    sides = (box[:deep_y, cols], box[-deep_y:, cols], box[rows, :deep_x], box[rows, -deep_x:])
    return all(float(side.mean()) <= SIDE_EMPTY for side in sides)
