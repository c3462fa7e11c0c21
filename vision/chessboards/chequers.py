"""Finds chequered boards: on screens, in print, and real ones seen from any side, pieces standing on them or not.

The points where four cells meet are searched at several sizes, small ones first: there the hatching of old prints and
the grain of wood have become plain grey, while a lattice of saddles (:mod:`vision.chessboards.saddles`) is still one.
Each lattice is laid flat, with some room around it, and every lattice point is asked how much it looks like a crossing
of chequers. The board is the window of points with the most such evidence: at its rim there is none, whatever frame,
table or page lies around it, because outside of a board no cell changes colour with its neighbour. In the end the
homography is laid through the crossings as measured on the flat picture (:mod:`vision.chessboards.crossings`).

All of this looks at the picture in grey. On a screen highlighted squares may spoil most crossings of a small board; it
is then known by the two colours of its other squares.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards.crossings import SIDE_PX, dark_cells, evidence, in_rims, inner_points, measured
from vision.chessboards.saddles import Lattice, lattices
from vision.kind import Aids
from vision.pictures.bending import regrown, rotated
from vision.pictures.flatten import cut_into_cells, flatten
from vision.pictures.medians import median, medians
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, box_corners
from vision.reading import NotFound

Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]

SIZES_PX = (260, 420, 170, 640, 1000)
"""Longer sides at which saddles are searched. A board that fills its picture has cells of 30 pixels at the first, if it
has 8 of them; hatching wants the third; a board of 16 or one in a corner of a desktop the last."""

WORK_PX = 1600
"""Longer side of the picture on which boards are measured: the cells of one that fills half of it have 100 pixels."""

LEAST_CELLS, MOST_CELLS = 4, 16

GOOD = 0.8
"""Score from which no further size is tried."""

ACCEPTED = 0.6
"""Least score of a board. Posters and balls in trays reach 0.58; real boards full of pieces start at 0.65."""

WHOLE = 0.1
"""Power of a board's number of cells by which its score counts: a part of a board looks as regular as the whole."""

MARGIN = 3
"""Cells of room around a lattice that are looked at for more of the board."""

COARSE_SIDE_PX, FINE_SIDE_PX = 28, 56
"""Sides of a cell for measuring crossings while the board grows, and in the end: 3 % of a cell, the accuracy that is
wanted, is then more than one pixel."""

CORNER = 7
"""Corners of cells reach so far in on it: pieces seldom stand there."""

BLOCKS = 0.4
"""Part of the middles of sides that are as dark or bright as their cells below which cells are blocks of three by three
chequers: a piece hides one or two of the four."""

CROSSING_EVIDENCE = 0.34
"""Evidence from which a lattice point counts for the board. A corner of one cell on a plain ground has 0.29 at most."""

FULL = 1.5
"""A side that is one crossing longer than the other has to earn this much more: boards are square."""

ALTERNATES = 0.3
"""Part of the usual change between neighbours, by its upper quartile along a line of cells at the rim, up to which that
is no line of the board: deep shade leaves more."""

EXACT = 0.15
"""How far the colour of a square may be off its kind's on a screen, of the difference of the two kinds."""

APART = 6.0
"""Grey levels between the two kinds at least: less may be what a JPEG made of one colour."""

OWN = 0.75
"""Part of a rim that has the colour of the kind; that of a cell of three by three squares has two thirds."""

OBLONG = 0.85
"""Factor on the score of a board that is not square: rarer than a square one with a row hidden by pieces."""

OUTSIDE = 0.12
"""A corner may lie this part of a cell outside of the picture; more means that the board is cut off."""

IN_STEP = 0.9
"""Length of the mean of places within their squares, as points of a circle, from which on all are the same: they are
within a tenth of a square. What lies on a chequered table is not in step with it."""

STRETCH = 1.9
"""Most that a cell, looked at from straight above, may be longer than wide."""

LOW, LOW_SCORE = 2.8, 0.9
"""The same for boards that are plainly seen, and their least score: from a seat at the table, 20 degrees above it, a
square board looks so flat. Posters of small things in rows reach 0.77."""


@dataclass(frozen=True, eq=False)
class ChequeredPlacement(FlatPlacement):
    """Where a chequered board lies.

    Attributes:
        dark_first: whether the cell (0, 0) is one of the darker ones.
        cut_off: whether part of the board lies outside of the picture.
    """

    dark_first: bool = False
    cut_off: bool = False

    @property
    def level(self) -> bool:
        """Whether the board is an upright rectangle: a screenshot."""
        bent = np.abs(self.matrix[[0, 1, 2, 2], [1, 0, 0, 1]])
        return bool((bent < 1e-9 * np.abs(self.matrix).max()).all())

    @property
    def rows(self) -> int:
        """Rows of cells."""
        return round(self.size[1])

    @property
    def cols(self) -> int:
        """Columns of cells."""
        return round(self.size[0])

    def grown(self, left: int, top: int, right: int, bottom: int) -> "ChequeredPlacement":
        """The board with so many more lines of cells at its sides; fewer where negative."""
        dark = self.dark_first ^ bool((left + top) % 2)
        return replace(regrown(self, (left, top, right, bottom)), dark_first=dark)


def find(photo: Photo, aids: Aids) -> Sequence[ChequeredPlacement] | NotFound:
    """The chequered boards in ``photo``, best first, in its pixels; the user's corners and size are obeyed."""
    if aids.corners_px is not None and len(aids.corners_px) == 4:
        return _pointed_at(photo, aids)
    boards = photo.derive(_boards)
    if aids.size is not None:
        boards = [board for board in boards if sorted((board.rows, board.cols)) == sorted(aids.size)]
    if not boards:
        return NotFound("no chequered board was found")
    whole = [board for board in boards if not board.cut_off]
    if not whole and boards[0].score < GOOD:
        return NotFound("no whole chequered board was found")
    if not whole:
        return NotFound("the chequered board is cut off at the edge of the picture", board_found=True)
    return whole


def is_chequered(photo: Photo, placement: FlatPlacement) -> bool:
    """Whether the grid at ``placement`` is plainly a chequered board, for kinds that see grids of their own there."""
    return _judged(photo, placement).score >= ACCEPTED


def is_plainly_there(photo: Photo) -> bool:
    """Whether ``photo`` plainly shows a chequered board, whole or cut off, somewhere."""
    return any(board.score >= GOOD for board in photo.derive(_boards))


def are_squares(photo: Photo, points_px: npt.ArrayLike) -> bool:
    """Whether most points, ``(N, 2)``, lie on a board that is plainly chequered, and all in step with its squares."""
    for board in photo.derive(_boards):
        at = board.to_board(np.asarray(points_px, np.float64))
        within = ((at > 0) & (at < board.size)).all(axis=1).mean() > 0.5
        in_step = (np.abs(np.exp(2j * np.pi * at).mean(axis=0)) > IN_STEP).all()
        if board.score >= GOOD and within and in_step:
            return True
    return False


def _boards(photo: Photo) -> list[ChequeredPlacement]:
    """All boards of good score, best first; each place once."""
    work = photo.reduced(WORK_PX).like(photo.reduced(WORK_PX).gray)
    found: list[ChequeredPlacement] = []
    plain: list[ChequeredPlacement] = []
    for longest in dict.fromkeys(min(size, max(work.width, work.height)) for size in SIZES_PX):
        if plain:
            break
        small = work.reduced(longest)
        for lattice in lattices(small.bgr):
            place = _around(lattice).scaled(work.scale / small.scale)
            if lattice.is_strewn or any(_overlap(place, board) for board in plain):
                continue
            board = _board(work, place)
            if board is None or board.score < ACCEPTED:
                continue
            found.append(board)
            if board.score >= GOOD and not board.cut_off:
                plain.append(board)
    found.sort(key=lambda board: -board.score * (board.rows * board.cols) ** WHOLE)
    apart: list[ChequeredPlacement] = []
    for board in found:
        if not any(_overlap(board, other) for other in apart):
            apart.append(board)
    return [board.scaled(photo.scale / work.scale) for board in apart]


def _around(lattice: Lattice) -> ChequeredPlacement:
    """The cells at whose corners a lattice has its nodes."""
    nodes = np.array(sorted(lattice.nodes))
    (left, top), (right, bottom) = nodes.min(axis=0).tolist(), nodes.max(axis=0).tolist()
    origin = ChequeredPlacement(lattice.matrix, (0, 0), dark_first=True)
    return origin.grown(1 - left, 1 - top, right + 1, bottom + 1)


def _overlap(one: FlatPlacement, other: FlatPlacement) -> bool:
    """Whether the middle of one board lies on the other."""
    for a, b in ((one, other), (other, one)):
        x, y = b.to_board(a.to_photo([(a.size[0] / 2, a.size[1] / 2)]))[0]
        if 0 < x < b.size[0] and 0 < y < b.size[1]:
            return True
    return False


# --- from a lattice to a board ----------------------------------------------------------------------------------------


def _board(photo: Photo, lattice: ChequeredPlacement) -> ChequeredPlacement | None:
    """The board that a lattice belongs to."""
    if max(lattice.size) >= 2 * (MOST_CELLS + 1):
        return None
    placed = _grown(photo, lattice)
    if placed is None:
        return None
    # Found on a small picture a lattice drifts away from the board's far cells: on from what is measured by now.
    for _ in range(MOST_CELLS // MARGIN):
        larger = _grown(photo, placed)
        if larger is None or larger.rows * larger.cols <= placed.rows * placed.cols:
            break
        placed = larger
    if not _plausible(placed, photo):
        return None
    board = _refined(photo, _trimmed(photo, placed), FINE_SIDE_PX)
    board = replace(board, score=_score(_flat(photo, board), board.dark_first))
    if board.level or board.score < ACCEPTED:
        board = _evenly_coloured(photo, board)
    if not LEAST_CELLS <= min(board.size) <= max(board.size) <= MOST_CELLS:
        return None
    if board.score < LOW_SCORE and _stretch(board) > STRETCH:
        return None
    return replace(board, cut_off=_is_cut_off(board, photo))


def _evenly_coloured(photo: Photo, board: ChequeredPlacement) -> ChequeredPlacement:
    """The board whose crossings highlights spoil, judged by the two colours of its squares."""
    level = board
    if not board.level:  # Few crossings that are spoilt lean any way.
        matrix = measured(photo, board, board.dark_first, FINE_SIDE_PX, level=True)
        if matrix is None:
            return board
        level = replace(board, matrix=matrix)
    wide = level.grown(*[MARGIN] * 4)
    inside = photo.holds(wide.to_photo(inner_points(wide.rows + 1, wide.cols + 1) - 0.5))
    own = _have_their_colour(_flat(photo, wide), wide.dark_first)
    own &= inside.reshape(own.shape)
    left, top, right, bottom = _best_window(own.astype(np.float64), ACCEPTED, LEAST_CELLS) or (wide.cols, 0, 0, 0)
    lines = MARGIN - left, MARGIN - top, right - level.cols - MARGIN + 1, bottom - level.rows - MARGIN + 1
    if min(lines) < 0:
        return board
    share = float(own[top : bottom + 1, left : right + 1].mean())
    more = level.grown(*lines)
    more = replace(more, score=share * (1.0 if more.rows == more.cols else OBLONG))
    return max(board, more, key=lambda each: (each.rows * each.cols, each.score))


def _have_their_colour(flat: Plane, dark_first: bool) -> npt.NDArray[np.bool_]:
    """Which squares of a flat board with :data:`MARGIN` lines around it have exactly the colour of their kind.

    On a screen all squares of a kind have one colour to the grey level, but for those that are highlighted.
    """
    rims = in_rims(flat)
    dark = dark_cells(len(rims), rims.shape[1], dark_first)
    within = np.s_[MARGIN:-MARGIN, MARGIN:-MARGIN]
    levels, kinds = medians(rims, axis=2)[within], dark[within]
    near = EXACT * max(APART, median(levels[~kinds]) - median(levels[kinds]))
    black, white = _most_frequent(levels[kinds], near), _most_frequent(levels[~kinds], near)
    off = np.abs(rims - np.where(dark, black, white)[..., None])
    own = ((off < EXACT * (white - black)).mean(axis=2) > OWN) & (white - black >= APART)
    for lines, kinds in ((own, dark), (own.T, dark.T)):  # The page beside the board may have one of its colours.
        inner, of_kind = lines[MARGIN:-MARGIN], kinds[MARGIN:-MARGIN]
        page = ~(inner & of_kind).any(axis=0) | ~(inner & ~of_kind).any(axis=0)
        page[MARGIN:-MARGIN] = False
        lines[:, page] = False
    return np.asarray(own)


def _most_frequent(levels: Plane, near: float) -> float:
    """The level that most others are near to; on a board of 4 x 4 half of the squares of a kind may be spoilt."""
    close = np.abs(levels[:, None] - levels[None]) < near
    return median(levels[close[int(close.sum(axis=1).argmax())]])


def _flat(photo: Photo, placed: FlatPlacement) -> Plane:
    return np.asarray(flatten(photo, placed, SIDE_PX), dtype=np.float32)


def _grown(photo: Photo, placed: ChequeredPlacement) -> ChequeredPlacement | None:
    """The board whose crossings are seen between the cells at ``placed`` and around them."""
    # The cells at the rim give their crossings quarters.
    wide = next((each for more in range(MARGIN, -1, -1) if _in_front(each := placed.grown(*[more] * 4))), None)
    if wide is None:
        return None
    strength = evidence(_flat(photo, wide), wide.dark_first)
    inside = photo.holds(wide.to_photo(inner_points(wide.rows, wide.cols))).reshape(strength.shape)
    window = _best_window(np.where(inside, strength, -0.5), CROSSING_EVIDENCE, LEAST_CELLS - 1)
    if window is not None:
        left, top, right, bottom = window
        placed = wide.grown(-left, -top, right + 2 - wide.cols, bottom + 2 - wide.rows)
    return _refined(photo, _upright(placed), COARSE_SIDE_PX)


def _trimmed(photo: Photo, placed: ChequeredPlacement) -> ChequeredPlacement:
    """The board without lines of the table at its rim, where its frame made crossings: their cells do not alternate."""
    levels = medians(in_rims(_flat(photo, placed)), axis=2)
    signed = np.where(dark_cells(placed.rows, placed.cols, placed.dark_first), -levels, levels)
    sides = [0, 0, 0, 0]  # Lines to leave out at the left, top, right, bottom.
    for _ in range(2 * MARGIN):
        left, top, right, bottom = sides
        part = signed[top : len(signed) - bottom, left : signed.shape[1] - right]
        if min(part.shape) <= LEAST_CELLS:
            break
        usual = median(part[:, 1:] + part[:, :-1])
        lines = (part[:, 0], part[0], part[:, -1], part[-1])
        changes = [float(np.quantile(line[1:] + line[:-1], 0.75)) for line in lines]  # pieces spoil some of them
        if min(changes) > ALTERNATES * usual:
            break
        sides[int(np.argmin(changes))] += 1
    return placed.grown(*(-lines for lines in sides))


def _refined(photo: Photo, placed: ChequeredPlacement, side: int) -> ChequeredPlacement:
    """The board where its crossings are seen to be."""
    matrix = measured(photo, placed, placed.dark_first, side)
    return placed if matrix is None else replace(placed, matrix=matrix)


def _in_front(placed: FlatPlacement) -> bool:
    """Whether a board lies before the camera, none of it shrunk towards the horizon."""
    cols, rows = placed.size
    depth = np.array([(0, 0, 1), (cols, 0, 1), (cols, rows, 1), (0, rows, 1)]) @ placed.matrix[2]
    return bool((depth > 0).all() or (depth < 0).all()) and float(np.abs(depth).max() / np.abs(depth).min()) < 5


def _best_window(strength: Floats, least: float, fewest: int) -> tuple[int, int, int, int] | None:
    """The window (left, top, right, bottom; inclusive) in which most is seen beyond ``least``, preferring squares.

    It has ``fewest`` rows and columns at least.
    """
    rows, cols = strength.shape
    total = np.zeros((rows + 1, cols + 1))
    total[1:, 1:] = (strength - least).cumsum(axis=0).cumsum(axis=1)
    best: tuple[float, tuple[int, int, int, int]] | None = None
    for height, width in product(range(fewest, fewest + MOST_CELLS - LEAST_CELLS + 1), repeat=2):
        if height > rows or width > cols:
            continue
        sums = total[height:, width:] - total[:-height, width:] - total[height:, :-width] + total[:-height, :-width]
        top, left = (int(i) for i in np.unravel_index(int(np.argmax(sums)), sums.shape))
        score = float(sums[top, left]) - FULL * abs(height - width)
        if best is None or score > best[0]:
            best = score, (left, top, left + width - 1, top + height - 1)
    return best[1] if best is not None and best[0] > 0 else None


def _upright(placed: ChequeredPlacement) -> ChequeredPlacement:
    """The same board, its columns counted in the direction that is nearest to the picture's right."""
    for _ in range(4):
        cols, rows = placed.size
        x, y = np.diff(placed.to_photo([(0, rows / 2), (cols, rows / 2)]), axis=0)[0]
        if x >= abs(y):
            break
        placed = replace(rotated(placed, 1), dark_first=placed.dark_first ^ bool((placed.rows - 1) % 2))
    return placed


def _plausible(placed: ChequeredPlacement, photo: Photo) -> bool:
    """Whether the board is convex, not on edge, and mostly in the picture."""
    corners = box_corners(placed)
    sides = np.roll(corners, -1, axis=0) - corners
    following = np.roll(sides, -1, axis=0)
    if (sides[:, 0] * following[:, 1] <= sides[:, 1] * following[:, 0]).any() or _stretch(placed) > LOW:
        return False
    return bool(photo.holds(placed.to_photo([np.array(placed.size) / 2])).all())


def _stretch(placed: ChequeredPlacement) -> float:
    """How many times as long as wide, or as wide as long, cells are seen."""
    corners = box_corners(placed)
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) / np.tile(placed.size, 2)
    wide, high = lengths[::2].sum(), lengths[1::2].sum()
    return float(max(wide, high) / min(wide, high))


def _is_cut_off(placed: ChequeredPlacement, photo: Photo) -> bool:
    """Whether more than a sliver of the rim lies outside of the picture, or may lie there."""
    # An oblong board that ends where the picture ends is a square one cut between two rows.
    more = -OUTSIDE if placed.rows == placed.cols else OUTSIDE
    return not photo.holds(box_corners(regrown(placed, (more, more, more, more))), 1.0).all()


def _score(flat: Plane, dark_first: bool) -> float:
    """The mean evidence of the crossings of a flat board with cells of ``SIDE_PX``, times how well the cells alternate,
    at their rims and at their corners; 0 where they alternate too badly for any evidence to make up for it.
    """
    level, cells = medians(in_rims(flat), axis=2), cut_into_cells(flat, SIDE_PX)
    rows, cols = level.shape
    dark = dark_cells(rows, cols, dark_first)
    # The level to pass is taken from the neighbourhood, so that uneven light does not matter: the middle of quartiles
    # of 4 x 4 cells, which a black piece on a pale board does not move.
    near = np.lib.stride_tricks.sliding_window_view(np.pad(level, ((2, 1), (2, 1)), "symmetric"), (4, 4))
    around = np.quantile(near, (0.25, 0.75), axis=(2, 3)).mean(axis=0)
    if float(np.mean((level < around) == dark)) < ACCEPTED:
        return 0.0
    # Slanting bands make brighter and darker cells, too, but run through corners. Cells that are larger than chequers
    # alternate at their corners, where the crossings are, but not along their rims.
    ends = slice(2, CORNER), slice(SIDE_PX - CORNER, SIDE_PX - 2)
    corners = [medians(cells[:, :, y, x].reshape(*cells.shape[:2], -1), axis=2) for y in ends for x in ends]
    right = min(float(np.mean((part < around) == dark)) for part in (level, np.array(corners)))
    rim, middle = (slice(2, 5), slice(SIDE_PX - 5, SIDE_PX - 2)), slice(SIDE_PX // 2 - 2, SIDE_PX // 2 + 2)
    sides = [cells[:, :, middle, x] for x in rim] + [cells[:, :, y, middle].swapaxes(2, 3) for y in rim]
    if float(np.mean((medians(np.array(sides).reshape(4, rows, cols, -1), axis=3) < around) == dark)) < BLOCKS:
        return 0.0
    strength = evidence(flat, dark_first)
    return float(np.clip(strength.mean() * 1.1, 0, 1) * right * (1.0 if rows == cols else OBLONG))


def _judged(photo: Photo, placement: FlatPlacement) -> ChequeredPlacement:
    """The grid at ``placement`` as a chequered board, whichever cells are the darker ones."""
    flat = np.asarray(cv2.cvtColor(flatten(photo, placement, SIDE_PX), cv2.COLOR_BGR2GRAY), np.float32)
    boards = [ChequeredPlacement(placement.matrix, placement.size, _score(flat, dark), dark) for dark in (False, True)]
    return max(boards, key=lambda board: board.score)


def _pointed_at(photo: Photo, aids: Aids) -> Sequence[ChequeredPlacement] | NotFound:
    """The board between the corners that the user pointed at, with the number of cells that fits best."""
    assert aids.corners_px is not None
    sizes = [aids.size] if aids.size is not None else [(n, n) for n in range(LEAST_CELLS, MOST_CELLS + 1)]
    guesses = [_judged(photo, FlatPlacement.from_corners(aids.corners_px, (cols, rows))) for rows, cols in sizes]
    best = max(guesses, key=lambda board: board.score)
    if best.score < ACCEPTED:
        return NotFound("no chequered board lies between the given corners")
    return [best]
