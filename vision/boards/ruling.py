"""The lines of a board in a photo, side by side: where exactly they run.

A search says roughly where a board lies and how many cells it has. Now that each side of each cell is known to a tenth
of a cell, it can be looked at by itself: the picture is averaged along the side, which leaves its line and takes the
noise away, and what is seen across it is compared with the noise beside it. From that follow

1. *where it lies*: the homography through all seen sides, by least squares without the outliers;
2. *how it bends*: what is left over, as a smooth movement of the sheet (:mod:`vision.pictures.bending`).

How far the board reaches, its cells tell (:mod:`vision.boards.states`).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf

import numpy as np
import numpy.typing as npt

from vision.boards.line_sides import IN_LINE, NEAR, ONE_QUIET, PRESENT, LineSides, line_sides
from vision.boards.quads import line_homography
from vision.pictures.bending import BentPlacement, on_sheet, terms
from vision.pictures.medians import median
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement, Points

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

MOST_ROUNDS = 7
"""Times that a board is measured."""

CHANCE = 0.06
"""Part of the sides that are seen where there is no board, at least: text and other things may stand at the right
place."""

HIDDEN = (0.04, 0.7)
"""Part of a board's sides that are not seen, at least and at most: under patches, under glare."""

SCATTER, MOST_OFF = 0.03, 4.0
"""Standard deviation of a line's place about the fitted one, in cells; and the most that one far off speaks against."""

SETTLED = 0.03
"""A board whose corners move by less than this, in cells, lies where it should: a line is seen as well from there."""

OUTLIER = 0.05
"""Sides further from the fitted lines than this, in cells, are left out when they are further than most."""

PAGE_EDGE = 0.1
"""An outer line that lies so far, in cells, from where the inner ones say may be no line of the board."""

INNER_PRESENT, OUTER_PRESENT = 0.5, 0.7
"""So much is seen of a board's inner lines, and of each outer one, close to where these say that it lies, where the
plainer line beside that is the edge of a page."""

BENT = 0.012
"""A bend is believed from this on: the mean distance, in cells, of the lines from where a flat board has them."""

STRAIGHTER = 0.8
"""And when it leaves at most this part of it."""

STIFFNESS = 0.3
"""Weight of a bend's third degree being small, against one side each: where no line is seen paper runs on evenly."""

LEAST_SIDES = 14
"""Sides of each direction that tell a bend."""


@dataclass(frozen=True, eq=False)
class Ruled:
    """A board whose lines were measured one by one.

    Attributes:
        placement: the homography that suits them best.
        bent: the same with a bend, where the lines show one.
        upright: ``bool (rows, cols + 1)``: the side left of a cell is seen.
        level: ``bool (rows + 1, cols)``: the side above.
        evidence: how much likelier (natural logarithm) what is seen is on such a board than by chance.
        share: 0..1, how much is seen of the upright sides, or of the level ones, whichever is less: strands of rope run
            one way.
    """

    placement: FlatPlacement
    bent: BentPlacement | None
    upright: Bools
    level: Bools
    evidence: float
    share: float


def ruled(photo: Photo, placement: FlatPlacement) -> Ruled:
    """The board whose lines run near those of ``placement``, with all of its rows and columns; just there where what is
    seen is likelier to be there by chance.
    """
    flat, bent, sides = placement, None, line_sides(photo, placement)
    if _evidence(sides) > 0:
        flat, _, sides = _settled(photo, flat, sides, _flat_only)
        flat, bent, sides = _settled(photo, flat, line_sides(photo, flat), _bent)
        flat, bent, sides = _off_the_page(photo, flat, bent, sides)
    share = min(float(sides.upright.mean()), float(sides.level.mean()))
    return Ruled(flat, bent, sides.upright >= PRESENT, sides.level >= PRESENT, _evidence(sides), share)


def _settled(
    photo: Photo,
    flat: FlatPlacement,
    sides: LineSides,
    bend: Callable[[FlatPlacement, Floats, Floats], BentPlacement | None],
) -> tuple[FlatPlacement, BentPlacement | None, LineSides]:
    """The board laid through its lines, with a bend where ``bend`` sees one, and what is seen of its ``sides`` then.

    From where it lies after each look more of its sides may be seen, and that it goes on: it is looked at again until
    it lies still, or moves as far as the time before, as it does where there are no lines.
    """
    bent: BentPlacement | None = None
    moved = inf
    for _ in range(MOST_ROUNDS):
        before = bent or flat
        across, down = _seen_in_photo(before, sides)
        flat = _laid(flat, across, down)
        bent = bend(flat, across, down)
        last, moved = moved, _moved(before, bent or flat)
        if moved < SETTLED:
            return flat, bent, sides
        sides = line_sides(photo, bent or flat)
        if inf > moved >= last:
            break
    return flat, bent, sides


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
    return _laid(placement, *_seen_in_photo(placement, line_sides(photo, placement)))


# --- what speaks for it -----------------------------------------------------------------------------------------------


def _hidden(sides: LineSides) -> tuple[float, float]:
    """The parts of the upright and of the level sides inside the board that are not seen.

    Blur and moire often take the lines of one direction only.
    """
    inner = sides.upright[:, 1:-1], sides.level[1:-1]
    upright, level = (float(np.clip(1 - seen.sum() / max(1, seen.size), *HIDDEN)) for seen in inner)
    return upright, level


def _evidence(sides: LineSides) -> float:
    """How much likelier (natural logarithm) the sides of the board are seen as they are than by chance."""
    unseen = _hidden(sides)
    total = 0.0
    views = (
        (sides.upright, sides.off_upright, sides.between_upright),
        (sides.level, sides.off_level, sides.between_level),
    )
    for (seen, off, between), hidden in zip(views, unseen, strict=True):
        chance = float(np.clip(between.mean(), CHANCE, 1 - hidden))
        # Lines lie where they should, to a few hundredths of a cell; what is there by chance lies anywhere nearby.
        placed = np.log(2 * NEAR / (SCATTER * np.sqrt(2 * np.pi))) - np.minimum((off / SCATTER) ** 2 / 2, MOST_OFF)
        total += float((seen * np.log((1 - hidden) / chance) + np.where(seen > ONE_QUIET, seen * placed, 0)).sum())
        total += float(((1 - seen) * np.log(hidden / (1 - chance))).sum())
    return total


# --- where it lies ----------------------------------------------------------------------------------------------------


def _seen_in_photo(placement: FlatPlacement | BentPlacement, sides: LineSides) -> tuple[Floats, Floats]:
    """Points on the upright and on the level lines of the board: ``(N, 3)``, the line's number and the pixel."""
    # Where there is something on one side of a line, it may be what was seen.
    r, j = np.nonzero(sides.upright > ONE_QUIET)
    i, c = np.nonzero(sides.level > ONE_QUIET)
    off_v, off_h = sides.off_upright[r, j], sides.off_level[i, c]
    across, down = np.column_stack([j + off_v, r + 0.5]), np.column_stack([c + 0.5, i + off_h])
    return np.column_stack([j, placement.to_photo(across)]), np.column_stack([i, placement.to_photo(down)])


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
    return np.asarray(points[off <= max(OUTLIER, 2.5 * median(off))])


def _off_the_page(
    photo: Photo, flat: FlatPlacement, bent: BentPlacement | None, sides: LineSides
) -> tuple[FlatPlacement, BentPlacement | None, LineSides]:
    """The board, and what is seen of its sides, where its inner lines say that it lies, if more is seen there, or all
    of its outline.

    The edge of a page that ends just beyond the board is plainer than faint lines, and draws the outer ones to it.
    """
    within, aside = _by_inner_lines(flat, _seen_in_photo(bent or flat, sides))
    if aside <= PAGE_EDGE:
        return flat, bent, sides
    for _ in range(2):
        close = line_sides(photo, within, IN_LINE)
        if _is_outlined(close):
            return within, None, close
        again = line_sides(photo, within)
        if _evidence(again) > _evidence(sides):
            return within, None, again
        within, _ = _by_inner_lines(within, _seen_in_photo(within, again))
    return flat, bent, sides


def _is_outlined(sides: LineSides) -> bool:
    """Whether the inner lines of a board are seen where they should be, and each outer one, too."""
    within = min(sides.upright[:, 1:-1].mean(), sides.level[1:-1].mean())
    outer = min(min(sides.upright[:, end].mean(), sides.level[end].mean()) for end in (0, -1))
    return bool(within >= INNER_PRESENT and outer >= OUTER_PRESENT)


def _by_inner_lines(flat: FlatPlacement, found: tuple[Floats, Floats]) -> tuple[FlatPlacement, float]:
    """The board laid through what is seen of its inner lines, and how far off an outer one is seen then, in cells.

    Args:
        flat: where it was thought to lie.
        found: points on its lines, as of :func:`_seen_in_photo`.
    """
    lines = [(axis, points, round(count)) for axis, (points, count) in enumerate(zip(found, flat.size, strict=True))]
    within = _laid(flat, *(points[(points[:, 0] > 0) & (points[:, 0] < last)] for _, points, last in lines))
    outer = [(axis, points[points[:, 0] == line, 1:], line) for axis, points, last in lines for line in (0, last)]
    aside = [np.abs(within.to_board(seen)[:, axis] - line) for axis, seen, line in outer if len(seen)]
    return within, max((median(off) for off in aside), default=0.0)


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
        weight = 1 / np.maximum(1.0, left / max(OUTLIER / 2, 1.5 * median(left)))
    return found, float((np.abs(off) * weight).sum() / weight.sum()), float((left * weight).sum() / weight.sum())
