"""Reads the Queens game of coloured regions (LinkedIn's Queens, Star Battle with one star, Parks and their clones).

The board is an n x n grid cut into n coloured regions. Apps draw it in many ways: black borders around regions and
hairlines inside, white lines, the same line everywhere, no lines at all; light, dark, pastel; crosses and crowns
in the cells; hovered, hinted and dimmed cells. The way from the picture to the puzzle:

1. :mod:`vision.boards.grids` finds ruled squares; those that look like coloured regions stay. A board has no upper side
   of its own, so where the picture stands on its head it is the text beside it that says so
   (:mod:`vision.pictures.upright`).
2. :mod:`vision.pictures.flatten` lays the board flat, :mod:`vision.regions.light` evens out the light on it,
   :mod:`vision.regions.looks` measures each cell's colour and the line between each two neighbours,
   :mod:`vision.regions.evidence` says how much each two look like one region, and :mod:`vision.regions.partition`
   cuts the board.
3. There must be n regions. Where there are more, pieces of equal colour that do not touch are one region (some
   community levels have such). Where it still does not come out even, other readings of the colours are tried.
4. :mod:`vision.regions.queens` tells queens from crosses.
5. What hangs by a thread is named as a doubt. The rules are a check: a level has a solution, nearly always only one.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solvers import queens
from solvers.board import Cell
from solvers.message import Message, joined, square
from solvers.queens import Puzzle
from solvers.verdict import Verdict, search
from vision.boards import beyond
from vision.boards.fitting import GridGuess
from vision.boards.grids import find_grids, find_leaning_grids, find_upright_grids
from vision.boards.quads import is_photo
from vision.cells import reader
from vision.kind import Aids
from vision.pictures.bending import regrown
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement
from vision.pictures.upright import quarter_turns, set_upright
from vision.reading import Doubt, NotFound, Reading
from vision.regions.candidates import OTHERWISE, SIZES, candidates, may_be_board, rank
from vision.regions.cut import (
    WELL_HELD,
    Cut,
    another_game,
    draw,
    shade_homes,
)
from vision.regions.ends import Ends, ends
from vision.regions.levels import (
    FEW,
    PLAIN,
    PROVING,
    SIDE_PX,
    agreed,
    cut_at,
    in_picture,
    level_of,
    like_level,
    only_answer,
    seconded,
    unique_with,
    verdict_of,
    with_one_voice,
)
from vision.regions.looks import in_colours
from vision.regions.outlines import outlined
from vision.regions.partition import leads, partition
from vision.regions.queens import Placed, placed

EXAMPLE = 0.75
"""Boards that are not so wide as this part of the widest one in the picture are examples beside the rules, or a
thumbnail of yesterday's, and no answer where the widest cannot be read."""

POINTED_AT = 0.9
"""Score of a grid that was not seen, but whose corners somebody gave."""

MOST_GROWN = 2
"""Times that a row and a column are added to a square that goes on."""


FOREIGN_ROW, FOREIGN_ONES = 0.75, 1
"""So many marks that the game does not have make another game of a level, for each row, and of a board that has not
just one answer, in all: a jigsaw sudoku has 1.4 a row, the stripes of a hint leave a few on the whole board."""

ALIKE = 3
"""From so many queens on they tell who put them there."""

UNPROVEN = 0.5
"""Confidence of regions that were put together to come out even, but are no level with exactly one answer."""


MOST_MOVES = 8
"""Weakly held cells that reasoning may settle; more of them make a bad picture."""

HELD = 0.3
"""Evidence that holds a cell in its region below which it is named as a doubt; 1 is what one clear witness says of one
neighbour."""


# ---------------------------------------------------------------------------------------------------------------------
# Finding


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """Grids that look cut into coloured regions, best first, in pixels of ``photo``.

    A grid that is not square is named too where it is the best of its place, and a smaller square in a larger board:
    :func:`read` then says that a part of the board is missing.
    """
    if aids.corners_px is not None:
        return _pointed_at(photo, aids.corners_px, aids.size)
    found = _placed(photo, find_grids(photo, aids.trace, thorough=aids.thorough), aids)
    if not found and aids.thorough and is_photo(photo):
        found = _placed(photo, find_upright_grids(photo), aids)
    if not found and aids.thorough:
        found = [place for place in _placed(photo, find_leaning_grids(photo), aids) if cut_at(photo, place).even]
    return found or NotFound("no grid cut into coloured regions was seen")


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
        told = _squared(photo, guess, likeness) if likeness > 0 or seen else (0.0, guess)
        looked_at += [told] * (told[0] > 0)
    if aids.thorough and not looked_at:
        looked_at = [told for grid in grids for told in (_completed(photo, grid, aids), _halved(photo, grid, aids))]
        looked_at = [told for told in looked_at if told[0] > 0]
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
    square = guess.rows == guess.cols
    whole = _with_corner(photo, guess.placement) if square else beyond.whole(photo, guess.placement)
    cols, rows = (round(length) for length in whole.size)
    if whole is guess.placement or rows != cols or rows not in SIZES:
        return likeness, guess
    larger = replace(guess, placement=whole, rows=rows, cols=cols)
    grown = like_level(photo, whole, rank(larger), prove=True)
    return (grown, larger) if grown > 0 else (likeness, guess)


def _completed(photo: Photo, guess: GridGuess, aids: Aids) -> tuple[float, GridGuess]:
    """A grid of which too many rows were lost in the dark to look at it by itself, with those that are seen beyond."""
    wanted = max(guess.rows, guess.cols)
    if guess.rows == guess.cols or not may_be_board(replace(guess, rows=wanted, cols=wanted), aids):
        return 0.0, guess
    likeness, larger = _squared(photo, guess, 0.0)
    return (likeness, larger) if larger.rows == larger.cols == wanted else (0.0, guess)


def _halved(photo: Photo, guess: GridGuess, aids: Aids) -> tuple[float, GridGuess]:
    """A square grid with cells half as wide, where that makes a level: every other line of it is lost among crosses."""
    rows = 2 * guess.rows
    placement = FlatPlacement.from_corners(guess.corners_px, (rows, rows))
    finer = replace(guess, placement=placement, rows=rows, cols=rows)
    if guess.rows != guess.cols or not may_be_board(finer, aids):
        return 0.0, guess
    return like_level(photo, placement, rank(finer) * OTHERWISE, prove=True), finer


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


# ---------------------------------------------------------------------------------------------------------------------
# Reading


def read(photo: Photo, placement: Placement, aids: Aids) -> Reading[Puzzle] | NotFound:
    """The regions and queens of the board at ``placement``."""
    cols, rows = (round(length) for length in placement.size)
    aids.trace.picture("board", lambda: flatten(photo, placement, SIDE_PX))
    cut = cut_at(photo, placement)
    aids.trace.picture("regions", lambda: draw(cut))
    aids.trace.note(
        f"{cut.count} regions; colours trusted {cut.heard.colour_trust:.2f} (cut at {cut.heard.colour.at:.1f}), "
        f"lines trusted {cut.heard.line_trust:.2f}; a cell is held by {cut.held.min():.2f} at least"
    )
    another = another_game(cut)
    if another:
        return NotFound(another)
    if rows != cols:
        why = "{rows} rows but {cols} columns of coloured regions were seen: a part is missing"
        return NotFound(Message(why, rows=rows, cols=cols), True)
    where = ends(photo, placement, cut)
    if where.goes_on:
        why = "the board goes on beyond what was found of it ({sides})"
        return NotFound(Message(why, sides=joined(where.goes_on)), True)
    if cut.count < rows:
        # One border that was not seen makes one region of two; where more are lacking this is hardly a level.
        almost = cut.count == rows - 1
        why = "only {count} coloured regions could be told apart on {rows} rows"
        return NotFound(Message(why, count=cut.count, rows=rows), board_seen=almost)
    answer = only_answer(cut)
    seen = placed(reader.read(photo, placement), answer, aids.given)
    aids.trace.note(f"{len(seen.queens)} queens, {len(seen.others)} marks that the game does not have")
    # Where queens stand where the only answer has some the other marks are a player's, however odd.
    a_players = seen.queens <= answer and len(seen.queens) >= ALIKE
    # A grid that has not just one answer is hardly a level: what stands on it tells the game.
    odd = len(seen.others) > (FOREIGN_ROW * rows if answer else FOREIGN_ONES)
    if (odd or len(seen.queens) > rows) and not a_players:
        return NotFound("figures or other pieces stand on the rows of coloured regions: this is another game")
    return _told(placement, cut, seen, where, aids)


def _told(placement: Placement, cut: Cut, seen: Placed, where: Ends, aids: Aids) -> Reading[Puzzle]:
    """The reading, with what is doubtful about it."""
    level = level_of(cut.labels)
    alone = search(queens.answers(level, aids.budget)) if cut.even else None
    unique = alone is not None and alone.verdict is Verdict.UNIQUE
    answer = set(alone.answers[0].cells()) if alone is not None and unique else set()
    standing = seen.queens
    proven = unique and len(cut.labels) >= (FEW if standing == answer else PROVING)
    doubts = list(seen.doubts)
    doubts += _weak_cells(cut, 0 if alone is None else len(alone.answers))
    # A level has one answer: a few rows with several are a part of one where nothing says that they end.
    several = alone is not None and alone.verdict is Verdict.SEVERAL
    open_sides = where.unseen if several and len(cut.labels) < PROVING else where.lopsided
    # A square that was cut off twice, at a side and at one beside it, is a square again and may well be a level.
    said_whole = aids.size is not None or aids.corners_px is not None
    # But of one that is larger not all the queens that are left would be the answer of the square.
    if open_sides and not said_whole and (not proven or (len(where.lopsided) > 1 and standing != answer)):
        why = Message("the board may go on beyond the edge of the picture ({sides})", sides=joined(open_sides))
        doubts.append(Doubt((0, 0), "", UNPROVEN, why, f"--size {level.n}x{level.n}"))
    settled = proven or (unique and (cut.agreeing > 0 or any(told(cut) for told in (agreed, seconded, with_one_voice))))
    settled = settled and not _may_be_shades(cut)
    if (cut.joined or not cut.first) and not settled:
        # The number of regions was made right; without exactly one answer nothing says that it was done rightly.
        doubts += [
            Doubt(cell, "region", UNPROVEN, "which pieces are one region is not certain") for cell in _pieces(cut)
        ]
    alike = "{one} and {other} are taken for one region: their colour is the same"
    notes = [Message(alike, one=square(one), other=square(other)) for one, other in cut.joined]
    return Reading(
        replace(level, queens=tuple(sorted(standing))),
        placement,
        confidence=_confidence(cut),
        doubts=doubts,
        notes=notes,
    )


def _may_be_shades(cut: Cut) -> bool:
    """Whether one of two pieces that were taken for one region is a single cell that may as well be a shade of a region
    beside it: where the board has exactly one answer then, too.
    """
    if not cut.joined:
        return False
    pieces = partition(cut.heard.bonds)
    homes = shade_homes(pieces, cut.looks)
    shades = {cell for pair in cut.joined for cell in pair} & homes.keys()
    tried = {(cell, int(cut.labels[pieces == k][0])) for cell in shades for group in homes[cell] for k in group}
    return any(cut.labels[cell] != region and unique_with(cut, cell, region) for cell, region in tried)


def _pieces(cut: Cut) -> list[Cell]:
    """A cell of each piece that was joined with another; where none was, the first cell of the board stands for all."""
    return [cell for pair in cut.joined for cell in pair] or [(0, 0)]


def _weak_cells(cut: Cut, answers: int) -> list[Doubt]:
    """The cells that may belong to another region.

    Levels have exactly one answer. Where this reading has (``answers`` is 1) and no other home of a weakly held cell
    gives one, the cell is where it belongs; a board without any answer has most likely been misread somewhere, so more
    must hold a cell.
    """
    needed = HELD if answers else 2 * HELD
    weak = [(int(r), int(c)) for r, c in np.argwhere(cut.held < needed)]
    settled = cut.even and answers == 1 and len(weak) <= MOST_MOVES
    doubts = []
    for r, c in weak:
        others = [region for region, lead in leads(cut.heard.bonds, cut.labels, (r, c)).items() if lead < WELL_HELD]
        # A cell that only a region of its own would suit better makes one more than there are.
        if cut.even and not (others if not settled else any(unique_with(cut, (r, c), region) for region in others)):
            continue
        sureness = _sureness(float(cut.held[r, c]))
        doubts.append(
            Doubt(
                (r, c),
                Message("region {name}", name=int(cut.labels[r, c])),
                sureness,
                "it may belong to another region",
            )
        )
    return doubts


def _sureness(held: float) -> float:
    """Evidence as a confidence: 0.5 for none, 1 for what one clear witness says of one neighbour."""
    return float(np.clip(0.5 + held / 2, 0, 1))


def _confidence(cut: Cut) -> float:
    return _sureness(float(cut.held.min())) * (1.0 if cut.even and cut.first else 0.9)
