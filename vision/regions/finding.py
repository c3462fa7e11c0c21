"""Finds boards of coloured regions (LinkedIn's Queens, Star Battle with one star, Parks and their clones).

The board is an n x n grid cut into n coloured regions. Apps draw it in many ways: black borders around regions and
hairlines inside, white lines, the same line everywhere, no lines at all; light, dark, pastel; crosses and crowns in the
cells; hovered, hinted and dimmed cells.

Of the lattices of a picture (:mod:`vision.boards.phases`) those that look like coloured regions stay.

A board has no upper side of its own, so where the picture stands on its head it is the text beside it that says so
(:mod:`vision.pictures.upright`).
"""

from collections.abc import Iterator, Sequence

import numpy as np

from solvers.verdict import Verdict
from vision.boards.phases import Grid
from vision.boards.rectangles import rectangles
from vision.kind import Aids
from vision.pictures.bending import rotated, scored, sheet_of
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement
from vision.pictures.upright import quarter_turns
from vision.reading import NotFound
from vision.regions.appearance import in_colours
from vision.regions.cut import another_game
from vision.regions.levels import PLAIN, SIDE_PX, cut_at, like_level, verdict_of

SIZES = range(4, 17)
"""Rows of the boards that are published: 5 to 13, and a little more. Smaller ones have no solution."""

LEAST_SIDE_PX = 12
"""Side of a cell in the photo below which a line is no longer apart from the cells beside it."""

UNLIKE_SIDES = 2
"""Rows and columns of a cut-off board differ by so many at most; more is another game."""

NOT_SQUARE = 0.9
"""What a grid with unlike numbers of rows and columns counts against a square one: no board of this game is drawn so,
and a line of a button or a frame is easily taken for a row."""

OTHERWISE = 0.8
"""What a box with other cells counts against one that was seen."""

EXAMPLE = 0.75
"""Boards that are not so wide as this part of the widest one in the picture are examples beside the rules, or a
thumbnail of yesterday's, and no answer where the widest cannot be read."""

POINTED_AT = 0.9
"""Score of a grid that was not seen, but whose corners somebody gave."""


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """Grids that look cut into coloured regions, best first, in pixels of ``photo``.

    A grid that is not square is named too where it is the best of its place, and a smaller square in a larger board:
    :func:`read` then says that a part of the board is missing. Of several levels of about one size none is found: they
    may be examples beside a board that is not seen.
    """
    if aids.corners_px is not None:
        return _pointed_at(photo, aids.corners_px, aids.size)
    found = _placed(photo, aids)
    if not found:
        return NotFound("no grid cut into coloured regions was seen")
    if len(found) > 1 and sum(is_level(photo, place) for place in found) > 1:
        why = "several levels are about as large, and which one is meant cannot be told; cut out one of them"
        return NotFound(why, board_found=True)
    return found


def is_level(photo: Photo, placement: Grid) -> bool:
    """Whether the grid at ``placement`` is plainly cut into the coloured regions of a level with exactly one answer.

    For kinds that see grids of their own in these boards; where cells are all of one colour it costs next to nothing.
    """
    width, height = placement.size
    if width != height or width not in SIZES or not in_colours(flatten(photo, placement, SIDE_PX), SIDE_PX):
        return False
    cut = cut_at(photo, placement)
    return not another_game(cut) and cut.even and verdict_of(cut) is Verdict.UNIQUE


def _placed(photo: Photo, aids: Aids) -> list[Grid]:
    """Where the grids lie that look cut into coloured regions, best first."""
    rated: list[tuple[float, Grid]] = []
    boxes = rectangles(photo)
    fit = [place for place in (*boxes, *_coarser(boxes)) if _may_be_board(place, aids)]
    for place in sorted(fit, key=_rank, reverse=True):
        # They come best first: where one makes a level with exactly one answer, no later one at its place does.
        if any(like > _rank(level) and _overlap(place, level) for like, level in rated):
            continue
        likeness = like_level(photo, place, _rank(place), prove=place not in boxes)
        aids.trace.note(f"{place.size[1]} x {place.size[0]} grid looks like coloured regions: {likeness:.2f}")
        rated.append((likeness, place))
    found: list[Grid] = []
    for likeness, place in sorted(rated, key=lambda pair: -pair[0]):
        if likeness >= PLAIN and not any(_overlap(place, better) for better in found):
            found.append(scored(rotated(place, quarter_turns(photo)), likeness))
    widest = max(map(_width_px, found), default=0.0)
    return [place for place in found if _width_px(place) >= EXAMPLE * widest]


def _coarser(boxes: Sequence[Grid]) -> Iterator[FlatPlacement]:
    """The boxes with cells two or three times as wide: where nothing shows but the steps between regions, these lie as
    well on a finer lattice. Guesses of ours, that only a level with exactly one answer proves.
    """
    for box in map(sheet_of, boxes):
        cols, rows = (round(length) for length in box.size)
        for times in (2, 3):
            if cols % times == rows % times == 0:
                yield FlatPlacement(
                    box.matrix @ np.diag([times, times, 1.0]), (cols // times, rows // times), box.score * OTHERWISE
                )


def _may_be_board(place: Grid, aids: Aids) -> bool:
    """Whether a board may have so many rows and columns, and is large enough to read."""
    cols, rows = place.size
    if aids.size is not None and sorted(aids.size) != sorted(place.size):
        return False
    sized = rows in SIZES and cols in SIZES and abs(rows - cols) <= UNLIKE_SIDES
    return sized and cell_side_px(place) >= LEAST_SIDE_PX


def _rank(place: Grid) -> float:
    """The score, less for a grid that is not square."""
    return place.score * (1 if place.size[0] == place.size[1] else NOT_SQUARE)


def _width_px(placement: Grid) -> float:
    """How wide a board is in the picture."""
    return cell_side_px(placement) * placement.size[0]


def _overlap(one: Grid, other: Grid) -> bool:
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
            found.append(scored(placement, likeness))
    if not found:
        return NotFound("no coloured regions were seen between the corners that were given")
    return sorted(found, key=lambda placement: -placement.score)
