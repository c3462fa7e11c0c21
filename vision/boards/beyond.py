"""What lies beyond a board's edge.

At the edge of a whole board its lines end. Where they do not, only a part of it was found: a part can solve by itself
and is wrong all the same.
"""

from dataclasses import dataclass

import numpy as np

from vision.boards.cell_sides import SIDE_SEEN, Bools, Floats, side_evidence
from vision.boards.edges import edge_strength, quiet_edge_strength
from vision.boards.grids import STRENGTHS
from vision.boards.line_sides import BEYOND, line_sides
from vision.boards.quads import FLAT_PX, is_photo
from vision.pictures.bending import BentPlacement, OnSheet, regrown
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, box_corners

AROUND = 2
"""Cells in view on each side of a board when it is looked at alone."""

SIDE_PX = 48
"""Side of a cell at which it is looked at, at most: lines show as well as on larger ones."""

OUTLINE_SEEN = 0.8
"""Part of a board's outline that must be seen before what lies beyond its corners is judged; and of what lies there."""

FAINTER_SEEN = 0.93
"""The same at weaker contrasts than those that show the outline, where boxes below a board reach 0.92."""

AS_RULED, LEAST_RULED = 0.5, 0.1
"""A row beyond a board is ruled as well when so much of its sides is seen, of the part that is seen on the board; and
what counts as that part at least."""

GRAIN = 0.25
"""How much is seen half-way between the lines beyond a board, at most, where these are its own."""

ASKEW = 0.005
"""How far the edge of a board runs aside, of its length, at most where no camera saw it."""

MOST_GROWN = 4
"""Times that a row is added to a board that goes on, on each side: a search misses a few under patches or glare."""


Sides = tuple[int, int, int, int]
"""Rows or columns at the left, top, right and bottom."""


@dataclass(frozen=True)
class _Seen:
    """A board's edges at one contrast, its surroundings included.

    Attributes:
        sides_v, sides_h: how much is seen of each cell's upright and level sides, 0..1, with a cell more on each side.
        between: how much is seen half-way between the lines of the row beyond, where there is no line, 0..1: at the
            left, top, right and bottom. Cloth, moire and noise have edges there as well.
    """

    sides_v: Floats
    sides_h: Floats
    between: tuple[float, float, float, float]

    @property
    def textured(self) -> bool:
        """Whether most of what lies around the board is cloth or noise, no cells."""
        return sum(self.between) > len(self.between) * SIDE_SEEN


OUT_OF_PICTURE = 0.5
"""How far a board may reach beyond the picture, in cells: a row that is not seen at all is none of its."""


def goes_on(photo: Photo, placement: FlatPlacement | BentPlacement, *, filled: bool = False) -> bool:
    """Whether the board at ``placement`` goes on beyond its edge, so that only a part of it was found.

    At the corners of a whole board its outline ends. So the lattice is continued by a cell on each side, and where both
    ends of a row out there show a side, at a contrast at which the board's own outline is seen, the board goes on.

    Some patches of a board that is ``filled`` may make a rectangle and be a board in themselves. Beyond such a one
    there are always borders between patches: one side out there is enough.
    """
    seen = _alone(photo, placement)
    if not seen:
        return False
    if seen[0].textured:
        # No paper is cloth: cells of cloth that are bent are a part of the game's own bent board.
        return isinstance(placement, BentPlacement) and lines_follow(photo, placement)
    if filled:
        return _borders_beyond(seen[0])
    return any(_followed(photo, placement, seen))


def whole(photo: Photo, placement: OnSheet) -> OnSheet:
    """The board at ``placement`` with the rows and columns by which it goes on; itself where that leads nowhere.

    A patch that lies across a row hides that it ends: where the outline is not seen any more, it may be further on.
    """
    grown, more = placement, (0, 0, 0, 0)
    hidden: OnSheet | None = None
    for _ in range(MOST_GROWN):
        seen = _alone(photo, grown)
        if seen:
            more = (0, 0, 0, 0) if seen[0].textured else _followed(photo, grown, seen)
        elif hidden is None:
            hidden = grown
        if not any(more):
            return grown
        larger = regrown(grown, more)
        if not _is_in_picture(photo, larger):
            break
        grown = larger
    return placement if hidden is None else hidden


def _is_in_picture(photo: Photo, placement: FlatPlacement | BentPlacement) -> bool:
    """Whether a board lies in the picture; its outermost cells may be cut off by less than their half."""
    corners = box_corners(placement)
    off = OUT_OF_PICTURE * cell_side_px(placement)
    return bool((corners >= -off).all() and (corners <= np.array([photo.width, photo.height]) + off).all())


def _alone(photo: Photo, placement: FlatPlacement | BentPlacement) -> list[_Seen]:
    """The board from straight above at the strongest contrast that shows its outline, and at the weaker ones; nothing
    where none does.

    It is asked for where a board is found and again where it is read, and looked at once.
    """
    return photo.derive_at(_looked_at, placement)


def _looked_at(photo: Photo, placement: FlatPlacement | BentPlacement) -> list[_Seen]:
    cols, rows = (round(length) for length in placement.size)
    side = min(round(cell_side_px(placement)), FLAT_PX // max(rows, cols), SIDE_PX)
    flat = flatten(photo, regrown(placement, (AROUND,) * 4), side)
    upright, level = quiet_edge_strength(flat) if is_photo(photo) else edge_strength(flat)
    # The line between two cells runs between two pixels.
    xs, ys = (side * np.arange(AROUND - 1.0, AROUND + count + 2) - 0.5 for count in (cols, rows))
    looks: list[_Seen] = []
    for strength in STRENGTHS:
        seen_v, seen_h = upright > strength, level > strength
        sides_v, sides_h = side_evidence(seen_v, xs, ys), side_evidence(seen_h.T, ys, xs).T
        outline = [sides_v[1:-1, 1], sides_v[1:-1, -2], sides_h[1, 1:-1], sides_h[-2, 1:-1]]
        if looks or np.mean([(part > SIDE_SEEN).mean() for part in outline]) >= OUTLINE_SEEN:
            looks.append(_Seen(sides_v, sides_h, _between(seen_v, seen_h, xs, ys)))
    return looks


def _between(upright: Bools, level: Bools, xs: Floats, ys: Floats) -> tuple[float, float, float, float]:
    """How much is seen half-way between the lines of the outermost cells of the lattice: left, top, right, bottom."""
    halfway_v = side_evidence(upright, (xs[:-1] + xs[1:]) / 2, ys)
    halfway_h = side_evidence(level.T, (ys[:-1] + ys[1:]) / 2, xs).T
    # Beside the board runs the edge of the page or the screen.
    rows = (halfway_h[1:-1, 0], halfway_v[0, 1:-1], halfway_h[1:-1, -1], halfway_v[-1, 1:-1])
    left, top, right, bottom = (float(row.mean()) for row in rows)
    return left, top, right, bottom


def _followed(photo: Photo, placement: FlatPlacement | BentPlacement, seen: list[_Seen]) -> Sides:
    """1 where a row of the board follows beyond its edge, else 0."""
    more = _outline_continues(seen[0])
    if any(more) or is_photo(photo) or not _stands_upright(placement):
        return more
    # On a screen a row may be bordered by a fainter outline than the others, where no patch lies on the page.
    fainter = (_rows_that_follow(look) for look in seen[1:] if not look.textured)
    return next((rows for rows in fainter if any(rows)), more)


def _outline_continues(seen: _Seen, least: float = OUTLINE_SEEN) -> Sides:
    """1 where both ends of a row beyond the edge show a side, else 0: at the left, top, right and bottom.

    The grain of a table may run on from a page that ends there; then a line across it has to be seen as well. Filled
    patches may stand out at the ends of a row: then one that is closed all along and divided between two cells is one.
    """
    sides_v, sides_h = seen.sides_v, seen.sides_h
    beyond = (sides_h[1:-1, 0], sides_v[0, 1:-1], sides_h[1:-1, -1], sides_v[-1, 1:-1])
    left, top, right, bottom = (
        int(_follows(row, line, between, least))
        for row, line, between in zip(beyond, _closing(seen), seen.between, strict=True)
    )
    return left, top, right, bottom


def _follows(away: Floats, closing: Floats, between: float, least: float) -> bool:
    """Whether a row beyond an edge is the board's, by its sides that lead away from there and those that close it."""
    if min(away[0], away[-1]) >= least:
        return bool(between <= GRAIN or (between <= SIDE_SEEN and closing.max() > SIDE_SEEN))
    return bool(between <= GRAIN and away[1:-1].max(initial=0) >= FAINTER_SEEN and closing.min() > SIDE_SEEN)


def _closing(seen: _Seen) -> tuple[Floats, Floats, Floats, Floats]:
    """How much is seen of the line that closes the row beyond: at the left, top, right and bottom."""
    sides_v, sides_h = seen.sides_v, seen.sides_h
    return sides_v[1:-1, 0], sides_h[0, 1:-1], sides_v[1:-1, -1], sides_h[-1, 1:-1]


def lines_follow(photo: Photo, placement: FlatPlacement | BentPlacement) -> bool:
    """Whether a row beyond the edge shows lines as those of the board do, the noise of a dim photo taken away."""
    sides = line_sides(photo, placement)
    upright, level = sides.plain_upright, sides.plain_level
    within, outer = slice(BEYOND, -BEYOND), [BEYOND - 1, -BEYOND]
    across = upright[outer, within].mean(axis=1) / max(LEAST_RULED, upright[within, within].mean())
    down = level[within, outer].mean(axis=0) / max(LEAST_RULED, level[within, within].mean())
    return bool(max(*across, *down) > AS_RULED)


def _stands_upright(placement: FlatPlacement | BentPlacement) -> bool:
    """Whether the lines of a board run along the rows and columns of pixels, as no camera sees them."""
    corners = box_corners(placement)
    edges = np.abs(np.roll(corners, -1, axis=0) - corners)
    return bool((edges.min(axis=1) <= ASKEW * edges.max(axis=1)).all())


def _rows_that_follow(seen: _Seen) -> Sides:
    """1 where the outline continues, and a line closes the row out there."""
    closed = ((line > SIDE_SEEN).mean() >= OUTLINE_SEEN for line in _closing(seen))
    continues = _outline_continues(seen, FAINTER_SEEN)
    left, top, right, bottom = (int(more and ends) for more, ends in zip(continues, closed, strict=True))
    return left, top, right, bottom


def _borders_beyond(seen: _Seen) -> bool:
    """Whether any side is seen that leads away from the board."""
    sides_v, sides_h = seen.sides_v, seen.sides_h
    beyond = (sides_v[0, 1:-1], sides_v[-1, 1:-1], sides_h[1:-1, 0], sides_h[1:-1, -1])
    return any(float(row.max()) >= OUTLINE_SEEN for row in beyond)
