"""Finds boards of coloured regions (LinkedIn's Queens, Star Battle with one star, Parks and their clones).

The board is an n x n grid cut into n coloured regions. Apps draw it in many ways: black borders around regions and
hairlines inside, white lines, the same line everywhere, no lines at all; light, dark, pastel; crosses and crowns in the
cells; hovered, hinted and dimmed cells.

Of the lattices of a picture (:mod:`vision.boards.phases`) those that look like coloured regions stay.

A board has no upper side of its own, so where the picture stands on its head it is the text beside it that says so
(:mod:`vision.pictures.upright`).
"""

from collections.abc import Sequence
from dataclasses import replace

from solvers.verdict import Verdict
from vision.boards.grids import GridGuess, find_grids
from vision.boards.states import board_at
from vision.kind import Aids
from vision.pictures.bending import regrown
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement
from vision.pictures.upright import quarter_turns, set_upright
from vision.reading import NotFound
from vision.regions.appearance import in_colours
from vision.regions.candidates import SIZES, candidates, rank
from vision.regions.cut import another_game
from vision.regions.ends import ends
from vision.regions.levels import PLAIN, SIDE_PX, cut_at, in_picture, like_level, verdict_of

EXAMPLE = 0.75
"""Boards that are not so wide as this part of the widest one in the picture are examples beside the rules, or a
thumbnail of yesterday's, and no answer where the widest cannot be read."""

POINTED_AT = 0.9
"""Score of a grid that was not seen, but whose corners somebody gave."""

MOST_GROWN = 2
"""Times that a row and a column are added to a square that goes on."""


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """Grids that look cut into coloured regions, best first, in pixels of ``photo``.

    A grid that is not square is named too where it is the best of its place, and a smaller square in a larger board:
    :func:`read` then says that a part of the board is missing. Of several levels of about one size none is found: they
    may be examples beside a board that is not seen.
    """
    if aids.corners_px is not None:
        return _pointed_at(photo, aids.corners_px, aids.size)
    found = _placed(photo, find_grids(photo, aids.trace), aids)
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
