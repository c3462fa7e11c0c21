"""Reads the Queens game of coloured regions (LinkedIn's Queens, Star Battle with one star, Parks and their clones).

The board is an n x n grid cut into n coloured regions. Apps draw it in many ways: black borders around regions and
hairlines inside, white lines, the same line everywhere, no lines at all; light, dark, pastel; crosses and crowns
in the cells; hovered, hinted and dimmed cells. The way from the picture to the puzzle:

1. :mod:`vision.boards.grids` finds ruled squares; those that look like coloured regions stay. A board has no upper side
   of its own, so where the picture stands on its head it is the text beside it that says so
   (:mod:`vision.pictures.upright`).
2. :mod:`vision.pictures.flatten` lays the board flat, :mod:`vision.regions.looks` measures each cell's colour and the
   line between each two neighbours, :mod:`vision.regions.evidence` says how much each two look like one region, and
   :mod:`vision.regions.partition` cuts the board.
3. There must be n regions. Where there are more, pieces of equal colour that do not touch are one region (some
   community levels have such). Where it still does not come out even, other readings of the colours are tried.
4. :mod:`vision.regions.crowns` tells queens from crosses.
5. What hangs by a thread is named as a doubt. The rules are a check: a level has a solution, nearly always only one.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from solvers import queens
from solvers.board import Cell
from solvers.budget import Budget
from solvers.queens import Puzzle
from solvers.verdict import Verdict, search
from vision.boards.grids import GridGuess, find_grids
from vision.kind import Aids
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement
from vision.pictures.upright import quarter_turns, set_upright
from vision.reading import Doubt, NotFound, Reading
from vision.regions.crowns import MarkGuess, marks_on
from vision.regions.cut import Cut, another_game, best_cut, draw
from vision.regions.looks import look
from vision.regions.partition import Floats, Labels, around

SIDE_PX = 40
"""Side of a cell in the flat picture: the thinnest inner lines, 1/40 of a cell, are then a pixel wide."""

LEAST_SIDE_PX = 12
"""Side of a cell in the photo below which a line is no longer apart from the cells beside it."""

SIZES = range(4, 17)
"""Rows of the boards that are published: 5 to 13, and a little more. Smaller ones have no solution."""

SIDES_SEEN = 0.8
"""Share of the sides of cells at which an edge must show: these boards are ruled throughout, but black lines between
dimmed cells are faint."""

UNLIKE_SIDES = 2
"""Rows and columns of a cut-off board differ by so many at most; more is another game."""

UNEVEN, UNSOLVABLE = 0.7, 0.8
"""What a board counts that does not have one region a row, or that has but no answer. Cut-off boards are such, and
so are all other games; together with ``PLAIN`` this asks for a grid beyond doubt."""

PLAIN = 0.6
"""Boards with less score are not mentioned."""

COARSER = 0.8
"""What a coarser reading of a grid counts against one that was seen directly."""

MOST_LOOKS = 6
"""Grids of a picture whose colours are looked at."""

POINTED_AT = 0.9
"""Score of a grid that was not seen, but whose corners somebody gave."""

NODES = 20_000
"""Search nodes for asking whether a board has an answer; levels take a few hundred."""

SURE = 0.9
"""A mark that is a queen with less than this is doubtful."""

STRANGE = 0.75
"""So many marks a row that are neither crosses nor alike are figures: a jigsaw sudoku has 1.4 a row and more, the
stripes of a hint leave a few on the whole board."""

UNPROVEN = 0.5
"""Confidence of regions that were put together to come out even, but are no level with exactly one answer."""

MOST_MOVES = 8
"""Weakly held cells that reasoning may settle; more of them make a bad picture."""

WEAK = 0.4
"""Grids that are so much weaker than the best one in the picture are parts of it or noise."""

HELD = 0.3
"""Evidence that holds a cell in its region below which it is named as a doubt; 1 is what one clear witness says of one
neighbour."""


NOT_SQUARE = 0.9
"""What a grid with unlike numbers of rows and columns counts against a square one: no board of this game is drawn so,
and a line of a button or a frame is easily taken for a row."""


# ---------------------------------------------------------------------------------------------------------------------
# Finding


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """Grids that look cut into coloured regions, best first, in pixels of ``photo``.

    A grid that is not square is named too where it is the best of its place: :func:`read` then says that a part of the
    board is missing, instead of taking a smaller square for the whole.
    """
    if aids.corners_px is not None:
        return _pointed_at(photo, aids.corners_px, aids.size)
    looked_at: list[tuple[float, GridGuess]] = []
    grids = find_grids(photo, aids.trace, thorough=aids.thorough)
    for guess in _candidates(grids, aids):
        likeness = _likeness(photo, guess.placement, _rank(guess))
        if guess not in grids and likeness < guess.score**0.5:
            likeness = 0.0  # Coarser readings are guesses of ours: only a level with exactly one answer proves them.
        aids.trace.note(f"{guess.rows} x {guess.cols} grid looks like coloured regions: {likeness:.2f}")
        if likeness > 0:
            looked_at.append((likeness, guess))
    found: list[FlatPlacement] = []
    for likeness, guess in sorted(looked_at, key=lambda pair: -pair[0]):
        if likeness >= PLAIN and not any(_overlap(guess.placement, better) for better in found):
            whole = max((other for _, other in looked_at if _overlap(other.placement, guess.placement)), key=_rank)
            # The clearer grid of the two tells whether a part of the board is missing.
            chosen = guess if whole.rows == whole.cols else whole
            found.append(replace(set_upright(chosen.placement, quarter_turns(photo)), score=likeness))
    return found or NotFound("no grid cut into coloured regions was seen")


def _candidates(grids: Sequence[GridGuess], aids: Aids) -> list[GridGuess]:
    """The grids that may be boards, and coarser readings of those that count crosses in the cells as lines."""
    tried = [guess for grid in grids for guess in (grid, *(_coarser(grid, times) for times in (2, 3))) if guess]
    fit = sorted((guess for guess in tried if _may_be_board(guess, aids)), key=_rank, reverse=True)
    return [guess for guess in fit if _rank(guess) >= WEAK * _rank(fit[0])][:MOST_LOOKS]


def _rank(guess: GridGuess) -> float:
    return guess.score * (1 if guess.rows == guess.cols else NOT_SQUARE)


def _coarser(guess: GridGuess, times: int) -> GridGuess | None:
    """The same grid with cells so many times as wide and high, where that comes out even."""
    rows, cols = guess.rows // times, guess.cols // times
    if rows * times != guess.rows or cols * times != guess.cols:
        return None
    upright = guess.upright[:, ::times].reshape(rows, times, cols + 1).mean(axis=1)
    level = guess.level[::times].reshape(rows + 1, cols, times).mean(axis=2)
    inside = np.asarray(guess.inside.reshape(rows, times, cols, times).all(axis=(1, 3)), dtype=np.bool_)
    score = _ruled(upright, level) * COARSER
    placement = FlatPlacement.from_corners(guess.corners_px, (cols, rows), score)
    return replace(
        guess, placement=placement, rows=rows, cols=cols, score=score, upright=upright, level=level, inside=inside
    )


def _ruled(upright: Floats, level: Floats) -> float:
    """Share of the sides of cells at which an edge shows."""
    return float((np.concatenate([upright.ravel(), level.ravel()]) > 0.5).mean())


def _may_be_board(guess: GridGuess, aids: Aids) -> bool:
    """Whether a board may have so many rows and columns, is ruled throughout, and large enough to read."""
    if aids.size is not None and sorted(aids.size) != sorted((guess.rows, guess.cols)):
        return False
    return (
        guess.rows in SIZES
        and guess.cols in SIZES
        and abs(guess.rows - guess.cols) <= UNLIKE_SIDES
        and _ruled(guess.upright, guess.level) >= SIDES_SEEN
        and cell_side_px(guess.placement) >= LEAST_SIDE_PX
    )


def _overlap(one: FlatPlacement, other: FlatPlacement) -> bool:
    """Whether the middle of one board lies on the other."""
    width, height = other.size
    ((x, y),) = other.to_board(one.to_photo([(one.size[0] / 2, one.size[1] / 2)]))
    return bool(0 <= x <= width and 0 <= y <= height)


def _likeness(photo: Photo, placement: Placement, rank: float) -> float:
    """How much a grid that scores ``rank`` looks cut into the regions of a level, 0..1."""
    cut = best_cut(look(flatten(photo, placement, SIDE_PX), SIDE_PX))
    if another_game(cut):
        return 0.0
    if not cut.even:
        return rank * UNEVEN
    verdict = search(queens.answers(_level(cut.labels), Budget(nodes=NODES))).verdict
    if verdict is Verdict.NONE:
        return rank * UNSOLVABLE
    # Exactly one answer does not come about by chance: that makes up for a grid that crosses and crowns obscure.
    return float(rank**0.5) if verdict is Verdict.UNIQUE else rank


def _pointed_at(
    photo: Photo, corners_px: Sequence[tuple[float, float]], size: tuple[int, int] | None
) -> Sequence[Placement] | NotFound:
    """The board between the corners that somebody pointed at, with the number of rows that looks best."""
    found = []
    for rows, cols in [size] if size is not None else [(n, n) for n in SIZES]:
        placement = FlatPlacement.from_corners(corners_px, (cols, rows))
        likeness = _likeness(photo, placement, POINTED_AT)
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
    flat = flatten(photo, placement, SIDE_PX)
    aids.trace.picture("board", lambda: flat)
    cut = best_cut(look(flat, SIDE_PX))
    aids.trace.picture("regions", lambda: draw(cut))
    aids.trace.note(
        f"{cut.count} regions; colours trusted {cut.heard.colour_trust:.2f} (cut at {cut.heard.colour.at:.1f}), "
        f"lines trusted {cut.heard.line_trust:.2f}; a cell is held by {cut.held.min():.2f} at least"
    )
    another = another_game(cut)
    if another:
        return NotFound(another)
    if rows != cols:
        return NotFound(f"{rows} rows but {cols} columns of coloured regions were seen: a part is missing", True)
    if cut.count < rows:
        return NotFound(f"only {cut.count} coloured regions could be told apart on {rows} rows", True)
    marks = marks_on(cut.looks)
    aids.trace.note(f"{len(marks.queens)} marks like queens, {marks.strange} unlike all others")
    if max(len(marks.queens), marks.strange / STRANGE) > rows:
        return NotFound(f"figures or other pieces stand on the {rows} rows of coloured regions: this is another game")
    return _told(placement, cut, marks.queens, aids)


def _told(placement: Placement, cut: Cut, marks: Mapping[Cell, MarkGuess], aids: Aids) -> Reading[Puzzle]:
    """The reading, with what is doubtful about it."""
    level = _level(cut.labels)
    standing = {cell for cell, mark in marks.items() if mark.queen > SURE}
    standing = (standing | {c for c, name in aids.given.items() if name == "Q"}) - {
        c for c, name in aids.given.items() if name != "Q"
    }
    unsure = {
        cell: mark
        for cell, mark in marks.items()
        # What lies over a cell that a queen bars already is hardly a queen.
        if mark.queen <= SURE and cell not in aids.given and not _barred(cell, standing, cut.labels)
    }
    alone = search(queens.answers(level, aids.budget)) if cut.even else None
    if alone is not None and alone.verdict is Verdict.UNIQUE:
        # Somebody put a mark exactly where the only answer has a queen: it is one.
        proven = unsure.keys() & set(alone.answers[0].cells())
        standing |= proven
        unsure = {cell: mark for cell, mark in unsure.items() if cell not in proven}
    doubts = [Doubt(cell, "queen", mark.queen, mark.why) for cell, mark in sorted(unsure.items())]
    doubts += _weak_cells(cut, 0 if alone is None else len(alone.answers))
    if (cut.joined or cut.opinion) and (alone is None or alone.verdict is not Verdict.UNIQUE):
        # The number of regions was made right; without exactly one answer nothing says that it was done rightly.
        doubts += [
            Doubt(cell, "region", UNPROVEN, "which pieces are one region is not certain") for cell in _pieces(cut)
        ]
    notes = [f"{_named(a)} and {_named(b)} are taken for one region: their colour is the same" for a, b in cut.joined]
    return Reading(
        replace(level, queens=tuple(sorted(standing))),
        placement,
        confidence=_confidence(cut),
        doubts=doubts,
        notes=notes,
    )


def _pieces(cut: Cut) -> list[Cell]:
    """A cell of each piece that was joined with another; where none was, the first cell of the board stands for all."""
    return [cell for pair in cut.joined for cell in pair] or [(0, 0)]


def _barred(cell: Cell, standing: Collection[Cell], labels: Labels) -> bool:
    """Whether one of the queens forbids another one on this cell."""
    r, c = cell
    return any(
        i == r or j == c or labels[i, j] == labels[r, c] or max(abs(i - r), abs(j - c)) == 1 for i, j in standing
    )


def _named(cell: Cell) -> str:
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


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
        others = {int(cut.labels[i, j]) for i, j in around(cut.labels.shape, r, c)} - {int(cut.labels[r, c])}
        if settled and not any(_unique_with(cut, (r, c), region) for region in others):
            continue
        sureness = _sureness(float(cut.held[r, c]))
        doubts.append(Doubt((r, c), f"region {cut.labels[r, c]}", sureness, "it may belong to another region"))
    return doubts


def _unique_with(cut: Cut, cell: Cell, region: int) -> bool:
    """Whether the board has exactly one answer when the cell belongs to another region."""
    moved = cut.labels.copy()
    moved[cell] = region
    if len(np.unique(moved)) < cut.count:
        return False
    return search(queens.answers(_level(moved), Budget(nodes=NODES))).verdict is Verdict.UNIQUE


def _level(labels: Labels) -> Puzzle:
    return Puzzle(len(labels), (), tuple(tuple(row) for row in labels.tolist()))


def _sureness(held: float) -> float:
    """Evidence as a confidence: 0.5 for none, 1 for what one clear witness says of one neighbour."""
    return float(np.clip(0.5 + held / 2, 0, 1))


def _confidence(cut: Cut) -> float:
    return _sureness(float(cut.held.min())) * (1.0 if cut.even and cut.opinion == 0 else 0.9)
