"""Reads the Queens game of coloured regions (LinkedIn's Queens, Star Battle with one star, Parks and their clones).

The board is an n x n grid cut into n coloured regions. Apps draw it in many ways: black borders around regions and
hairlines inside, white lines, the same line everywhere, no lines at all; light, dark, pastel; crosses and crowns
in the cells; hovered, hinted and dimmed cells. The way from the picture to the puzzle:

1. :mod:`vision.grids` finds ruled squares; those that look like coloured regions stay. A board has no upper side of
   its own, so where the picture stands on its head it is the text beside it that says so (:mod:`vision.upright`).
2. :mod:`vision.flatten` lays the board flat, :mod:`vision.cell_looks` measures each cell's colour and the line between
   each two neighbours, :mod:`vision.region_evidence` says how much each two look like one region, and
   :mod:`vision.partition` cuts the board.
3. There must be n regions. Where there are more, pieces of equal colour that do not touch are one region (some
   community levels have such). Where it still does not come out even, other readings of the colours are tried.
4. :mod:`vision.crowns` tells queens from crosses.
5. What hangs by a thread is named as a doubt. The rules are a check: a level has a solution, nearly always only one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from solvers import queens
from solvers.board import Cell
from solvers.budget import Budget
from solvers.queens import Puzzle
from solvers.verdict import Verdict, search
from vision.cell_looks import JUST_VISIBLE, Looks, look
from vision.crowns import MarkGuess
from vision.crowns import queens as queens_on
from vision.flatten import cell_side_px, flatten
from vision.grids import GridGuess, find_grids
from vision.kind import Aids
from vision.partition import Floats, Labels, around, margins, partition, renumbered
from vision.photo import Photo, Picture
from vision.placement import FlatPlacement, Placement
from vision.reading import Doubt, NotFound, Reading
from vision.region_evidence import COLOUR_NOISE, Witnesses, hear
from vision.upright import quarter_turns, set_upright

SIDE_PX = 40
"""Side of a cell in the flat picture: the thinnest inner lines, 1/40 of a cell, are then a pixel wide."""

LEAST_SIDE_PX = 12
"""Side of a cell in the photo below which a line is no longer apart from the cells beside it."""

SIZES = range(4, 17)
"""Rows of the boards that are published: 5 to 13, and a little more. Smaller ones have no solution."""

REGIONS_PER_ROW = (0.5, 2.0)
"""A board of this game has one region a row; cut off, or with regions in several pieces, it has a few more. What has
fewer or more than this many is another game: a sudoku's colours, a chessboard's squares."""

TRUSTED = 0.9
"""At least one witness must be trusted so far."""

FLAT_SHARE = 0.8
"""Share of the cells that are of one colour outside of their middle; a photo of something else has hardly any. What
remains may be striped (hints), covered by a pointer, or cut by round corners."""

FLAT = 0.5
"""How much such a cell may vary, as a part of the smallest step of colour between regions."""

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

SHADED = 2
"""Cells that a pointer or a hint shades at a time."""

SAME_HUE = 0.3
"""How much the colour of a shaded cell may differ from what its shade makes of its region's, as a part of it."""

COARSER = 0.8
"""What a coarser reading of a grid counts against one that was seen directly."""

MOST_LOOKS = 6
"""Grids of a picture whose colours are looked at."""

NODES = 20_000
"""Search nodes for asking whether a board has an answer; levels take a few hundred."""

SURE = 0.9
"""A mark that is a queen with less than this is doubtful."""

WEAK = 0.4
"""Grids that are so much weaker than the best one in the picture are parts of it or noise."""

HELD = 0.3
"""Evidence that holds a cell in its region below which it is named as a doubt; 1 is what one clear witness says of one
neighbour."""

TWIN_FACTOR = 2.0
"""Two pieces are of one colour when all other pieces are at least so many times further apart."""


OPINIONS = 4
"""Gaps between the steps of colour that are tried, the widest first, until a board comes out even."""

NOT_SQUARE = 0.9
"""What a grid with unlike numbers of rows and columns counts against a square one: no board of this game is drawn so,
and a line of a button or a frame is easily taken for a row."""


@dataclass(frozen=True, eq=False)
class Cut:
    """One way to cut a board into regions.

    Attributes:
        labels: the regions.
        looks: what was measured.
        heard: what was concluded from it.
        even: whether there is one region a row.
        held: how much evidence holds each cell in its region.
        joined: pairs of cells, one of each of two pieces that were taken for one region.
        opinion: 0 for the reading that the colours suggest, more for others that were tried.
    """

    labels: Labels
    looks: Looks
    heard: Witnesses
    even: bool
    held: Floats
    joined: Sequence[tuple[Cell, Cell]] = ()
    opinion: int = 0

    @property
    def count(self) -> int:
        """Regions."""
        return int(self.labels.max()) + 1


# ---------------------------------------------------------------------------------------------------------------------
# Finding


def find(photo: Photo, aids: Aids) -> Sequence[Placement] | NotFound:
    """Grids that look cut into coloured regions, best first, in pixels of ``photo``.

    A grid that is not square is named too where it is the best of its place: :func:`read` then says that a part of the
    board is missing, instead of taking a smaller square for the whole.
    """
    looked_at: list[tuple[float, GridGuess]] = []
    grids = find_grids(photo, aids.trace)
    for guess in _candidates(grids, aids):
        likeness = _likeness(guess, look(flatten(photo, guess.placement, SIDE_PX), SIDE_PX))
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


def _likeness(guess: GridGuess, looks: Looks) -> float:
    """How much a grid looks cut into the regions of a level, 0..1."""
    cut, rank = _best_cut(looks), _rank(guess)
    if _another_game(cut):
        return 0.0
    if not cut.even:
        return rank * UNEVEN
    regions = tuple(tuple(row) for row in cut.labels.tolist())
    verdict = search(queens.answers(Puzzle(len(regions), (), regions), Budget(nodes=NODES))).verdict
    if verdict is Verdict.NONE:
        return rank * UNSOLVABLE
    # Exactly one answer does not come about by chance: that makes up for a grid that crosses and crowns obscure.
    return float(rank**0.5) if verdict is Verdict.UNIQUE else rank


# ---------------------------------------------------------------------------------------------------------------------
# Reading


def read(photo: Photo, placement: Placement, aids: Aids) -> Reading[Puzzle] | NotFound:
    """The regions and queens of the board at ``placement``."""
    cols, rows = (round(length) for length in placement.size)
    flat = flatten(photo, placement, SIDE_PX)
    aids.trace.picture("board", lambda: flat)
    cut = _best_cut(look(flat, SIDE_PX))
    aids.trace.picture("regions", lambda: _draw(cut))
    aids.trace.note(
        f"{cut.count} regions; colours trusted {cut.heard.colour_trust:.2f} (cut at {cut.heard.colour.at:.1f}), "
        f"lines trusted {cut.heard.line_trust:.2f}; a cell is held by {cut.held.min():.2f} at least"
    )
    another = _another_game(cut)
    if another:
        return NotFound(another)
    if rows != cols:
        return NotFound(f"{rows} rows but {cols} columns of coloured regions were seen: a part is missing", True)
    if cut.count < rows:
        return NotFound(f"only {cut.count} coloured regions could be told apart on {rows} rows", True)
    marks = queens_on(cut.looks)
    if len(marks) > rows:
        return NotFound(f"{len(marks)} pieces stand on {rows} rows of coloured regions: this is another game")
    return _told(placement, cut, marks, aids)


def _told(placement: Placement, cut: Cut, marks: Mapping[Cell, MarkGuess], aids: Aids) -> Reading[Puzzle]:
    """The reading, with what is doubtful about it."""
    n = len(cut.labels)
    regions = tuple(tuple(row) for row in cut.labels.tolist())
    standing = {cell for cell, mark in marks.items() if mark.queen > SURE}
    standing = (standing | {c for c, name in aids.given.items() if name == "Q"}) - {
        c for c, name in aids.given.items() if name != "Q"
    }
    unsure = {cell: mark for cell, mark in marks.items() if mark.queen <= SURE and cell not in aids.given}
    alone = search(queens.answers(Puzzle(n, (), regions), aids.budget)) if cut.even else None
    if alone is not None and alone.verdict is Verdict.UNIQUE:
        # Somebody put a mark exactly where the only answer has a queen: it is one.
        proven = unsure.keys() & set(alone.answers[0].cells())
        standing |= proven
        unsure = {cell: mark for cell, mark in unsure.items() if cell not in proven}
    doubts = [Doubt(cell, "queen", mark.queen, mark.why) for cell, mark in sorted(unsure.items())]
    doubts += _weak_cells(cut, solvable=alone is not None and bool(alone.answers))
    notes = [f"{_named(a)} and {_named(b)} are taken for one region: their colour is the same" for a, b in cut.joined]
    return Reading(
        Puzzle(n, tuple(sorted(standing)), regions), placement, confidence=_confidence(cut), doubts=doubts, notes=notes
    )


def _named(cell: Cell) -> str:
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def _weak_cells(cut: Cut, *, solvable: bool) -> list[Doubt]:
    """The cells that may belong to another region."""
    # A level without an answer has most likely been misread: then more must hold a cell.
    needed = HELD if solvable and cut.opinion == 0 else 2 * HELD
    weak = np.argwhere(cut.held < needed)
    return [
        Doubt(
            (int(r), int(c)),
            f"region {cut.labels[r, c]}",
            _sureness(float(cut.held[r, c])),
            "it may belong to another region",
        )
        for r, c in weak
    ]


def _sureness(held: float) -> float:
    """Evidence as a confidence: 0.5 for none, 1 for what one clear witness says of one neighbour."""
    return float(np.clip(0.5 + held / 2, 0, 1))


def _confidence(cut: Cut) -> float:
    return _sureness(float(cut.held.min())) * (1.0 if cut.even and cut.opinion == 0 else 0.9)


# ---------------------------------------------------------------------------------------------------------------------
# Cutting


def _best_cut(looks: Looks) -> Cut:
    """The first opinion about the colours that gives one region a row, else the first of all."""
    first: Cut | None = None
    for opinion in range(OPINIONS):
        cut = _cut(looks, opinion)
        if cut.even:
            return cut
        first = first or cut
    assert first is not None
    return first


def _cut(looks: Looks, opinion: int) -> Cut:
    heard = hear(looks, opinion)
    pieces = partition(heard.bonds)
    held = margins(heard.bonds, pieces)
    rows = looks.shape[0]
    labels, joined = _joined(pieces, looks, heard.colour.at, rows)
    labels = _unshaded(labels, looks, rows)
    return Cut(labels, looks, heard, int(labels.max()) + 1 == rows == looks.shape[1], held, joined, opinion)


def _joined(pieces: Labels, looks: Looks, same_below: float, wanted: int) -> tuple[Labels, list[tuple[Cell, Cell]]]:
    """Pieces of the same colour made one region, the most alike first, until ``wanted`` regions are left.

    Where that cannot be done beyond doubt, nothing is joined: a board that is cut off has regions too many as well.
    """
    surplus = int(pieces.max()) + 1 - wanted
    if surplus <= 0:
        return pieces, []
    colours = np.array([np.median(looks.colours[pieces == k], axis=0) for k in range(int(pieces.max()) + 1)])
    apart = np.linalg.norm(colours[:, None] - colours[None], axis=-1)
    a, b = np.triu_indices(len(colours), 1)
    order = np.argsort(apart[a, b], kind="stable")
    labels = pieces.copy()
    joined: list[tuple[Cell, Cell]] = []
    last = 0.0
    for i in order.tolist():
        one, other = int(labels[pieces == a[i]][0]), int(labels[pieces == b[i]][0])
        distance = float(apart[a[i], b[i]])
        if one == other:
            continue
        if len(joined) == surplus:
            clear = distance + COLOUR_NOISE >= TWIN_FACTOR * (last + COLOUR_NOISE)
            return (renumbered(labels), joined) if clear else (pieces, [])
        if distance > same_below:
            return pieces, []
        labels[labels == other] = one
        joined.append((_first(pieces, int(a[i])), _first(pieces, int(b[i]))))
        last = distance
    return (renumbered(labels), joined) if len(joined) == surplus else (pieces, [])


def _unshaded(labels: Labels, looks: Looks, wanted: int) -> Labels:
    """Single cells that are a darker or lighter shade of the region around them made a part of it.

    Pointing at a cell shades it, and where all lines are alike its borders do not tell that it still belongs to its
    neighbours. Only where that is the one way to ``wanted`` regions, and no more than :data:`SHADED` cells are.
    """
    surplus = int(labels.max()) + 1 - wanted
    if not 0 < surplus <= SHADED:
        return labels
    into: dict[Cell, int] = {}
    for region in range(int(labels.max()) + 1):
        at = np.argwhere(labels == region)
        if len(at) == 1:
            r, c = at[0].tolist()
            shades = {int(labels[i, j]) for i, j in around(labels.shape, r, c) if _is_shade(looks, (r, c), (i, j))}
            if len(shades) == 1:
                into[r, c] = shades.pop()
    if len(into) != surplus:
        return labels
    merged = labels.copy()
    for cell, region in into.items():
        merged[cell] = region
    return renumbered(merged)


def _is_shade(looks: Looks, one: Cell, other: Cell) -> bool:
    """Whether two cells differ as light and shade do: in lightness, and in how strong their colour is, not in hue."""
    (light, *first), (dark, *second) = looks.colours[one].tolist(), looks.colours[other].tolist()
    if dark > light:
        light, dark, first, second = dark, light, second, first
    scaled = np.array(first) * dark / max(light, JUST_VISIBLE)
    return bool(np.linalg.norm(scaled - second) <= SAME_HUE * max(float(np.linalg.norm(second)), 10 * JUST_VISIBLE))


def _first(pieces: Labels, piece: int) -> Cell:
    r, c = np.argwhere(pieces == piece)[0].tolist()
    return r, c


def _another_game(cut: Cut) -> str:
    """Why this is no board of coloured regions; empty where it may be one."""
    side = min(cut.labels.shape)
    fewest, most = (ratio * side for ratio in REGIONS_PER_ROW)
    if max(cut.heard.colour_trust, cut.heard.line_trust) < TRUSTED:
        return "the cells do not fall into regions by their colours or lines"
    if not fewest <= cut.count <= most:
        return f"{cut.count} regions on {side} rows are another game"
    if float(np.quantile(cut.looks.unevenness, FLAT_SHARE)) > FLAT * max(cut.heard.colour.at, COLOUR_NOISE):
        return "the cells are not of one colour each"
    if all(_is_box(cut.labels == k) for k in range(cut.count)):
        return "all regions are rectangles, as in a sudoku or a finished board of patches"
    return ""


def _is_box(region: npt.NDArray[np.bool_]) -> bool:
    """Whether a region is a rectangle."""
    at = np.argwhere(region)
    height, width = (at.max(axis=0) - at.min(axis=0) + 1).tolist()
    return bool(height * width == len(at))


def _draw(cut: Cut) -> Picture:
    """A stage picture: each region in a colour of its own beside the flat board, weak cells crossed out."""
    hues = (cut.labels * 180 // max(1, cut.count)).astype(np.uint8)
    hsv = np.stack([hues, np.full_like(hues, 160), np.full_like(hues, 230)], axis=-1)
    cells = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    return np.asarray(np.kron(cells, np.ones((SIDE_PX, SIDE_PX, 1), dtype=np.uint8)), dtype=np.uint8)
