"""Finds boards of coloured regions (LinkedIn's Queens, Star Battle with one star, Parks and their clones).

The board is an n x n grid cut into n coloured regions. Apps draw it in many ways: black borders around regions and
hairlines inside, white lines, the same line everywhere, no lines at all; light, dark, pastel; crosses and crowns in the
cells; hovered, hinted and dimmed cells.

:mod:`vision.boards.grids` finds ruled squares; those that look like coloured regions stay. Boards without lines, under
crosses, in the dark or of nearly the page's colour show too few of their lines to find their rows. But they end all
around: they are found by their outline, a square box of edges, and by the number of rows that makes a level. What makes
a level with exactly one answer at one number of rows makes none at any other, where cells hold parts of several
regions.

A board has no upper side of its own, so where the picture stands on its head it is the text beside it that says so
(:mod:`vision.pictures.upright`).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from solvers.verdict import Verdict
from vision.boards.boxes import Box, boxes_of_edges, halved_edges
from vision.boards.edges import edge_strength
from vision.boards.fitting import GridGuess
from vision.boards.grids import STRENGTHS, WORK_PX, find_grids, find_leaning_grids, find_upright_grids
from vision.boards.quads import is_photo
from vision.boards.states import board_at
from vision.kind import Aids
from vision.pictures.bending import regrown
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement
from vision.pictures.upright import quarter_turns, set_upright
from vision.reading import NotFound
from vision.regions.appearance import MOST, in_colours, rings
from vision.regions.candidates import LEAST_SIDE_PX, SIZES, candidates, rank
from vision.regions.cut import FLAT, FLAT_SHARE, another_game, flat_cells
from vision.regions.ends import ends
from vision.regions.levels import PLAIN, SIDE_PX, cut_at, in_picture, like_level, verdict_of

EXAMPLE = 0.75
"""Boards that are not so wide as this part of the widest one in the picture are examples beside the rules, or a
thumbnail of yesterday's, and no answer where the widest cannot be read."""

POINTED_AT = 0.9
"""Score of a grid that was not seen, but whose corners somebody gave."""

MOST_GROWN = 2
"""Times that a row and a column are added to a square that goes on."""

SQUARE = 0.03
"""By what part of itself a board may be wider than high, or the other way: a handle may stand out at a side."""

BESIDE = 0.02
"""How far from the end of a box of edges, as a part of its side, the side itself is looked for."""

MOST_SQUARES = 3
"""Square boxes of edges in a picture that are looked at, the largest first."""

BORDERS = 0.75
"""Of the steps from cell to cell so many are no larger than those between regions: a third of all lie between regions
where 12 regions share 12 rows, and more on smaller boards."""

PLAIN_CELLS = 0.9
"""Share of the cells that show nothing but one colour outside of their middle at the right number of rows; at others
most cells do as well, for they lie within one region."""

SAME = 0.5
"""How far the corners of the same board may be apart in two boxes, in cells."""

LEAST_SIZE = 6
"""Rows from which on exactly one answer is a proof by itself."""


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """Grids that look cut into coloured regions, best first, in pixels of ``photo``.

    A grid that is not square is named too where it is the best of its place, and a smaller square in a larger board:
    :func:`read` then says that a part of the board is missing. Of several levels of about one size none is found: they
    may be examples beside a board that is not seen.
    """
    if aids.corners_px is not None:
        return _pointed_at(photo, aids.corners_px, aids.size)
    found = _placed(photo, find_grids(photo, aids.trace, thorough=aids.thorough), aids)
    if not found and aids.thorough and is_photo(photo):
        found = _placed(photo, find_upright_grids(photo), aids)
    if not found and aids.thorough:
        found = [place for place in _placed(photo, find_leaning_grids(photo), aids) if cut_at(photo, place).even]
    if not found:
        return NotFound("no grid cut into coloured regions was seen")
    if len(found) > 1 and sum(is_level(photo, place) for place in found) > 1:
        why = "several levels are about as large, and which one is meant cannot be told; cut out one of them"
        return NotFound(why, board_seen=True)
    return found


def is_level(photo: Photo, placement: FlatPlacement) -> bool:
    """Whether the grid at ``placement`` is plainly cut into the coloured regions of a level with exactly one answer.

    For kinds that see grids of their own in these boards; where cells are all of one colour it costs next to nothing.
    """
    width, height = placement.size
    if width != height or width not in SIZES or not in_colours(flatten(photo, placement, SIDE_PX), SIDE_PX):
        return False
    cut = cut_at(photo, placement)
    return not another_game(cut) and cut.even and verdict_of(cut) is Verdict.UNIQUE


def _placed(photo: Photo, grids: Sequence[GridGuess], aids: Aids) -> list[FlatPlacement]:
    """Where those of ``grids`` lie that look cut into coloured regions, best first."""
    looked_at: list[tuple[float, GridGuess]] = []
    for guess in candidates(grids, aids):
        # They come best first: where one makes a level with exactly one answer, no later reading of its place does.
        if any(like > rank(level) and _overlap(guess.placement, level.placement) for like, level in looked_at):
            continue
        # Other readings are guesses of ours: only a level with exactly one answer proves them.
        seen = any(guess.placement is grid.placement for grid in grids)
        likeness = like_level(photo, guess.placement, rank(guess), prove=guess not in grids, seen=seen)
        aids.trace.note(f"{guess.rows} x {guess.cols} grid looks like coloured regions: {likeness:.2f}")
        looked_at.append(_squared(photo, guess, likeness) if likeness > 0 or seen else (0.0, guess))
    found: list[FlatPlacement] = []
    for likeness, guess in sorted(looked_at, key=lambda pair: -pair[0]):
        if likeness >= PLAIN and not any(_overlap(guess.placement, better) for better in found):
            found.append(replace(set_upright(guess.placement, quarter_turns(photo)), score=likeness))
    if aids.thorough and not found:
        whole = photo.derive_at(outlined, None if aids.size is None else max(aids.size))
        found += [] if whole is None else [replace(set_upright(whole, quarter_turns(photo)), score=PLAIN)]
    widest = max(map(_width_px, found), default=0.0)
    return [place for place in found if _width_px(place) >= EXAMPLE * widest]


def _squared(photo: Photo, guess: GridGuess, likeness: float) -> tuple[float, GridGuess]:
    """A grid; one that is not all of a square board with the rows that are seen beyond it, where these make a level of
    it: they are less plain than its own, for tiles may have nearly the colour of the page.
    """
    whole = _whole(photo, guess.placement)
    cols, rows = (round(length) for length in whole.size)
    if whole is guess.placement or rows != cols or rows not in SIZES:
        return likeness, guess
    larger = replace(guess, placement=whole, rows=rows, cols=cols)
    grown = like_level(photo, whole, rank(larger), prove=True)
    return (grown, larger) if grown > 0 else (likeness, guess)


def _whole(photo: Photo, placement: FlatPlacement) -> FlatPlacement:
    """A board with the rows and columns by which it goes on; itself where that leads to no rectangle."""
    cols, rows = placement.size
    if cols == rows:
        return _with_corner(photo, placement)
    board = photo.derive_at(board_at, placement)
    if board is None or not board.inside.all() or not isinstance(board.placement, FlatPlacement):
        return placement
    return board.placement


def _with_corner(photo: Photo, placement: FlatPlacement) -> FlatPlacement:
    """A square board with the rows and columns by which it goes on at two sides that meet or at all four, as far as its
    ends; itself where that does not lead to any.
    """
    grown = placement
    for _ in range(MOST_GROWN + 1):
        goes_on = ends(photo, grown, cut_at(photo, grown)).goes_on
        if not goes_on:
            return grown
        left, top, right, bottom = (int(name in goes_on) for name in ("left", "top", "right", "bottom"))
        grown = regrown(grown, (left, top, right, bottom))
        if left + right != top + bottom or not in_picture(photo, grown):
            break
    return placement


def _width_px(placement: FlatPlacement) -> float:
    """How wide a board is in the picture."""
    return cell_side_px(placement) * placement.size[0]


def _overlap(one: FlatPlacement, other: FlatPlacement) -> bool:
    """Whether the middle of one board lies on the other."""
    width, height = other.size
    ((x, y),) = other.to_board(one.to_photo([(one.size[0] / 2, one.size[1] / 2)]))
    return bool(0 <= x <= width and 0 <= y <= height)


def _pointed_at(
    photo: Photo, corners_px: Sequence[tuple[float, float]], size: tuple[int, int] | None
) -> Sequence[Placement] | NotFound:
    """The board between the corners that somebody pointed at, with the number of rows that looks best."""
    found = []
    for rows, cols in [size] if size is not None else [(n, n) for n in SIZES]:
        placement = FlatPlacement.from_corners(corners_px, (cols, rows))
        likeness = like_level(photo, placement, POINTED_AT)
        if likeness > 0:
            found.append(replace(placement, score=likeness))
    if not found:
        return NotFound("no coloured regions were seen between the corners that were given")
    return sorted(found, key=lambda placement: -placement.score)


# --- by the outline -----------------------------------------------------------------------------------------------


def outlined(photo: Photo, size: int | None) -> FlatPlacement | None:
    """The only board that has ``size`` rows, or any number of them, and fills the outline of a square; None where there
    is none, or more than one.
    """
    found: list[FlatPlacement] = []
    for left, top, right, bottom in photo.derive(_squares):
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        for rows in SIZES if size is None else [size]:
            place = FlatPlacement.from_corners(corners, (rows, rows))
            if rows >= LEAST_SIZE and cell_side_px(place) >= LEAST_SIDE_PX and _is_level(photo, place):
                found.append(place)
    return found[0] if found and all(_same(found[0], other) for other in found[1:]) else None


def _same(one: FlatPlacement, other: FlatPlacement) -> bool:
    """Whether two boards have the same cells."""
    corners = [(0, 0), one.size]
    return one.size == other.size and bool(np.abs(other.to_board(one.to_photo(corners)) - corners).max() < SAME)


def _is_level(photo: Photo, place: FlatPlacement) -> bool:
    """Whether the board makes a level with exactly one answer, each cell of one colour."""
    flat = flatten(photo, place, SIDE_PX)
    if not (in_colours(flat, SIDE_PX) and _in_plain_cells(flat)) or like_level(photo, place, 1.0, prove=True) == 0:
        return False
    return bool(flat_cells(cut_at(photo, place)).mean() >= FLAT_SHARE)


def _in_plain_cells(flat: Picture) -> bool:
    """Whether most cells of a flat board are of one colour, beside what regions differ: a first look, made quickly, at
    whether it is cut where its cells end.
    """
    cells = rings(flat, SIDE_PX).astype(np.int16)
    colours = np.partition(cells, cells.shape[2] // 2, axis=2)[:, :, cells.shape[2] // 2]
    uneven = np.quantile(np.abs(cells - colours[:, :, None]).max(axis=-1), MOST, axis=2)
    steps = np.concatenate([np.abs(np.diff(colours, axis=k)).max(axis=-1).ravel() for k in (0, 1)])
    return bool((uneven <= FLAT * np.quantile(steps, BORDERS)).mean() >= PLAIN_CELLS)


def _squares(photo: Photo) -> list[tuple[float, ...]]:
    """Left, top, right and bottom of the square boxes of edges, in pixels of the photo, the largest first."""
    work = photo.reduced(WORK_PX)
    upright, level = edge_strength(work.bgr)
    halved, near = halved_edges(upright, level), partial(_nearest_side, upright, level)
    boxes = (box for strength in STRENGTHS for box in boxes_of_edges(halved, upright.shape, strength))
    squares = {near(box) for box in boxes if _is_square(box)}
    factor = photo.scale / work.scale
    largest = sorted(squares, key=lambda square: (square[0] - square[2], square))[:MOST_SQUARES]
    return [tuple(end * factor for end in square) for square in largest]


def _is_square(box: Box) -> bool:
    """Whether a box is about as wide as high."""
    width, height = box[2] - box[0], box[3] - box[1]
    return abs(width - height) <= SQUARE * max(width, height)


def _nearest_side(upright: Picture, level: Picture, box: Box) -> Box:
    """The box with its ends where the strongest edges are nearby."""
    x0, y0, x1, y1 = box
    near = max(1, round(BESIDE * (x1 - x0)))
    (left, right), (top, bottom) = (
        [_strongest(edges, end, near) for end in ends]
        for edges, ends in ((upright[y0:y1], (x0, x1)), (level[:, x0:x1].T, (y0, y1)))
    )
    return left, top, right, bottom


def _strongest(edges: Picture, end: int, near: int) -> int:
    """The column with the strongest edges near an end."""
    low, high = max(0, end - near), min(edges.shape[1], end + near + 1)
    return low + int(np.argmax(edges[:, low:high].mean(axis=0)))
