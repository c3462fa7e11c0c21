"""One box of a picture: the grids that may lie in it, and how good each is.

The profiles of the box's edges say at which spacings they recur (:mod:`vision.boards.combs`). Each such lattice is laid
on the box; what is seen of its cells' sides (:mod:`vision.boards.cell_sides`) says how far the board reaches on it and
how much of a grid it is.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.boards.boxes import MIN_CELL_PX, Box
from vision.boards.cell_sides import (
    MIN_LINES,
    NEAR,
    SIDE_PRESENT,
    Bools,
    Floats,
    board_extent,
    column_counts,
    enclosed,
    explained_part,
    fitted_lines,
    grid_score,
    side_evidence,
    squareness,
)
from vision.boards.combs import Comb, lattices, sharpened
from vision.boards.edges import close_at_picture_border
from vision.pictures.bending import BentPlacement
from vision.pictures.flatten import cell_side_px
from vision.pictures.photo import Picture
from vision.pictures.placement import FlatPlacement

MAX_LINES = 60
"""Rows or columns that make a board at most (the largest published boards have 50)."""

PLAIN = 0.6
"""Once a lattice in a box has this score, less likely ones are not tried."""

HOPELESS = 0.55
"""A lattice in a box is not measured where so much less of its sides shows an edge than of another one's there: those
that cut each cell in pieces, mostly."""


EVIDENCE_EACH = 1.6
"""The evidence of a guess for each of its sides where all of them are seen, at their places: whole boards have 2.0 and
more there, grids on the cells of bent boards 1.2 at most."""


@dataclass(frozen=True, eq=False)
class GridGuess:
    """A place where a grid may lie.

    Attributes:
        placement: maps the grid's board units (cells) to pixels of the photo that was searched.
        rows: number of rows of the box around the board.
        cols: number of columns.
        score: 0..1, how much of a regular grid was seen.
        explained: 0..1, the part of all edges inside the grid that lies on its lines; 0 is as much as by chance.
        upright: ``float64 (rows, cols + 1)``, 0..1: how much of the side between cells ``(r, c - 1)`` and ``(r, c)``
            shows an edge.
        level: ``float64 (rows + 1, cols)``, the same for the side between ``(r - 1, c)`` and ``(r, c)``.
        bent: the place on a sheet that is bent, where it is.
        evidence: of its lines (natural logarithm) times the part that is seen; 0 where they were not measured.
    """

    placement: FlatPlacement
    rows: int
    cols: int
    score: float
    explained: float
    upright: Floats
    level: Floats
    bent: BentPlacement | None = None
    evidence: float = 0.0

    @property
    def place(self) -> FlatPlacement | BentPlacement:
        """Where the board lies, on its sheet where that is bent."""
        return self.bent or self.placement

    @cached_property
    def corners_px(self) -> Floats:
        """``float64 (4, 2)``: top left, top right, bottom right, bottom left, in pixels."""
        return self.placement.to_photo([(0, 0), (self.cols, 0), (self.cols, self.rows), (0, self.rows)])

    @property
    def scaled_evidence(self) -> float:
        """Its evidence times a cell's side in pixels.

        A lattice of half the pitch has every line of the board too, cut into twice as many sides of half the length.
        """
        return self.evidence * cell_side_px(self.placement)

    @property
    def is_ruled_throughout(self) -> bool:
        """Whether all of its sides were seen where they should be; those of bent cells lie here and there."""
        return self.evidence >= EVIDENCE_EACH * (self.upright.size + self.level.size)

    def scaled(self, factor: float) -> "GridGuess":
        """The same grid in the picture enlarged by ``factor``."""
        bent = None if self.bent is None else self.bent.scaled(factor)
        return replace(self, placement=self.placement.scaled(factor), bent=bent)


def grids_in(upright: Picture, level: Picture, strength: int, box: Box) -> list[GridGuess]:
    """Grids within one box."""
    x0, y0, x1, y1 = box
    # Upright lines are followed down the picture: their columns lie in a row of memory.
    seen_upright = np.asfortranarray(upright[y0:y1, x0:x1] > strength)
    seen_level = level[y0:y1, x0:x1] > strength
    close_at_picture_border(seen_upright, seen_level, box, upright.shape)
    profile_x, profile_y = _profiles(seen_upright, seen_level)
    guesses: list[GridGuess] = []
    most = 0.0
    found = lattices(profile_x, profile_y, MIN_CELL_PX, MIN_LINES)
    for across, down in found:
        if len(guesses) >= 2 and max(guess.score for guess in guesses) >= PLAIN:
            break
        rough = _extent_on(seen_upright, seen_level, across, down)
        if rough is None or rough.share < HOPELESS * most:
            continue
        guess = _measure(seen_upright, seen_level, across, down, rough)
        if guess is not None:
            most = max(most, rough.share)
            shift = np.array([(1, 0, x0), (0, 1, y0), (0, 0, 1)], dtype=np.float64)
            guesses.append(replace(guess, placement=replace(guess.placement, matrix=shift @ guess.placement.matrix)))
    return guesses


def _profiles(upright: Bools, level: Bools) -> tuple[Floats, Floats]:
    """How much upright edge there is at each x, and how much level edge at each y, 0..1."""
    height, width = upright.shape
    return _soft(column_counts(upright) / height), _soft(column_counts(level.T) / width)


def _soft(profile: npt.NDArray[np.floating]) -> Floats:
    """Both edges of a thin line become one hump."""
    return np.convolve(np.asarray(profile, dtype=np.float64), np.array([0.25, 0.5, 1, 0.5, 0.25]) / 2.5, "same")


@dataclass(frozen=True, eq=False)
class _Extent:
    """The lattice lines between which a board lies.

    Attributes:
        xs, ys: their places.
        sides_v: how much is seen of each upright side between them.
        share: part of all sides between them that is seen.
    """

    xs: Floats
    ys: Floats
    sides_v: Floats
    share: float


def _measure(upright: Bools, level: Bools, across: Comb, down: Comb, rough: _Extent) -> GridGuess | None:
    """The grid on this lattice, where there is one."""
    # What stands beside the board has bent the lattice a little: look again at the board alone.
    x0, x1, y0, y1 = _span((rough.xs, rough.ys), upright.shape)
    profile_x, profile_y = _profiles(upright[y0:y1, x0:x1], level[y0:y1, x0:x1])
    across, down = sharpened(across, profile_x, x0), sharpened(down, profile_y, y0)
    found = _extent_on(upright, level, across, down)
    if found is None:
        return None
    ys = found.ys
    xs = fitted_lines(upright, found.xs, found.sides_v)
    ys = fitted_lines(level.T, ys, side_evidence(level.T, ys, xs))
    return judged(upright, level, xs, ys)


def _extent_on(upright: Bools, level: Bools, across: Comb, down: Comb) -> _Extent | None:
    """Where the board lies on a lattice; None where none does."""
    xs, ys = across.places(upright.shape[1], 2 * NEAR), down.places(upright.shape[0], 2 * NEAR)
    if min(len(xs), len(ys)) <= MIN_LINES:
        return None
    sides_v = side_evidence(upright, xs, ys)
    sides_h = side_evidence(level.T, ys, xs).T
    extent = board_extent(sides_v > SIDE_PRESENT, sides_h > SIDE_PRESENT)
    if extent is None:
        return None
    top, bottom, left, right = extent
    if max(bottom - top, right - left) > MAX_LINES:
        return None
    own_v, own_h = sides_v[top:bottom, left : right + 1], sides_h[top : bottom + 1, left:right]
    present = sum(np.count_nonzero(own > SIDE_PRESENT) for own in (own_v, own_h))
    share = present / (own_v.size + own_h.size)
    return _Extent(xs[left : right + 1], ys[top : bottom + 1], own_v, share)


def _span(lines: tuple[Floats, Floats], shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """``x0, x1, y0, y1``: the pixels between the outer lines, and what is near them."""
    ends = []
    for places, length in zip(lines, (shape[1], shape[0]), strict=True):
        near = NEAR * (places[1] - places[0])
        ends += [max(0, round(places[0] - near)), min(length, round(places[-1] + near) + 1)]
    return ends[0], ends[1], ends[2], ends[3]


def judged(upright: Bools, level: Bools, xs: Floats, ys: Floats) -> GridGuess:
    """The grid between these lines with its score."""
    sides_v, sides_h = side_evidence(upright, xs, ys), side_evidence(level.T, ys, xs).T
    inside = enclosed(sides_v > SIDE_PRESENT, sides_h > SIDE_PRESENT)
    between_v = side_evidence(upright, (xs[:-1] + xs[1:]) / 2, ys) > SIDE_PRESENT
    between_h = side_evidence(level.T, (ys[:-1] + ys[1:]) / 2, xs).T > SIDE_PRESENT
    elsewhere = float(between_v.mean() + between_h.mean()) / 2
    explained = explained_part(upright, level, xs, ys)
    score = grid_score(sides_v > SIDE_PRESENT, sides_h > SIDE_PRESENT, inside, elsewhere, explained)
    score *= squareness((xs[1] - xs[0]) / (ys[1] - ys[0]))
    corners = [(xs[0], ys[0]), (xs[-1], ys[0]), (xs[-1], ys[-1]), (xs[0], ys[-1])]
    rows, cols = inside.shape
    placement = FlatPlacement.from_corners(corners, (cols, rows), score)
    return GridGuess(placement, rows, cols, score, explained, sides_v, sides_h)
