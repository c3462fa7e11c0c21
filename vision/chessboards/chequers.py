"""Finds chequered boards: on screens, in print, and real ones seen from any side, pieces standing on them or not.

The points where four cells meet are searched at several sizes, small ones first: there the hatching of old prints and
the grain of wood have become plain grey, while a lattice of saddles (:mod:`vision.chessboards.saddles`) is still one.
Each lattice is laid flat, with some room around it, and every lattice point is asked how much it looks like a crossing
of chequers. The board is the window of points with the most such evidence: at its rim there is none, whatever frame,
table or page lies around it, because outside of a board no cell changes colour with its neighbour. In the end the
homography is laid through the crossings as measured on the flat picture (:mod:`vision.chessboards.crossings`).

All of this looks at the picture in grey. On a screen where that shows no board, single channels of colour are tried.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards import two_colours
from vision.chessboards.crossings import dark_cells, evidence, measured
from vision.chessboards.saddles import Lattice, lattices
from vision.kind import Aids
from vision.pictures.bending import regrown
from vision.pictures.flatten import cut_into_cells, flatten
from vision.pictures.medians import median, medians
from vision.pictures.photo import Photo, Picture
from vision.pictures.photographed import is_photo
from vision.pictures.placement import FlatPlacement
from vision.reading import NotFound

Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]

SIZES_PX = (260, 420, 170, 640, 1000)
"""Longer sides at which saddles are searched. A board that fills its picture has cells of 30 pixels at the first, if it
has 8 of them; hatching wants the third; a board of 16 or one in a corner of a desktop the last."""

WORK_PX = 1600
"""Longer side of the picture on which boards are measured: the cells of one that fills half of it have 100 pixels."""

TINTED = 0.02
"""Part of a picture that has a colour, from which on highlights may hide a chequered board in grey: a row of squares of
one of 16 in a third of the picture."""

LEAST_CELLS, MOST_CELLS = 4, 16

GOOD = 0.8
"""Score from which no further size is tried."""

ACCEPTED = 0.6
"""Least score of a board. Posters and balls in trays reach 0.58; real boards full of pieces start at 0.65."""

WHOLE = 0.1
"""Power of a board's number of cells by which its score counts: a part of a board looks as regular as the whole."""

MARGIN = 3
"""Cells of room around a lattice that are looked at for more of the board."""

SIDE_PX = 20
"""Side of a cell on the flat picture that is asked for evidence: enough for quarters of 4 x 4 pixels."""

COARSE_SIDE_PX, FINE_SIDE_PX = 28, 56
"""The same for measuring crossings while the board grows, and in the end: 3 % of a cell, the accuracy that is wanted,
is then more than one pixel."""

CORNER = 7
"""Corners of cells reach so far in on it: pieces seldom stand there."""

BLOCKS = 0.4
"""Part of the middles of sides that are as dark or bright as their cells below which cells are blocks of three by three
chequers: a piece hides one or two of the four."""

CROSSING_EVIDENCE = 0.34
"""Evidence from which a lattice point counts for the board. A corner of one cell on a plain ground has 0.29 at most."""

FULL = 1.5
"""A side that is one crossing longer than the other has to earn this much more: boards are square."""

TRIMMED = 0.79
"""Most that a board scores from whose rim lines were left out: on larger pictures every third line of theirs may turn
out to be one."""

ALTERNATES = 0.3
"""Part of the usual change between neighbours, by its upper quartile along a line of cells at the rim, up to which that
is no line of the board: deep shade leaves more."""

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

    def scaled(self, factor: float) -> "ChequeredPlacement":
        """The same place in the picture enlarged by ``factor``."""
        return replace(self, matrix=super().scaled(factor).matrix)

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


def find(photo: Photo, aids: Aids) -> Sequence[ChequeredPlacement] | NotFound:
    """The chequered boards in ``photo``, best first, in its pixels; the user's corners and size are obeyed."""
    if aids.corners_px is not None and len(aids.corners_px) == 4:
        return _pointed_at(photo, aids)
    boards = photo.derive(_boards)
    if not boards and aids.thorough and not is_photo(photo):
        boards = photo.derive(_tinted_boards)
    if aids.size is not None:
        boards = [board for board in boards if sorted((board.rows, board.cols)) == sorted(aids.size)]
    if not boards:
        return NotFound("no chequered board was found")
    whole = [board for board in boards if not board.cut_off]
    if not whole and boards[0].score < GOOD:
        return NotFound("no whole chequered board was found")
    if not whole:
        return NotFound("the chequered board is cut off at the edge of the picture", board_seen=True)
    return whole


def is_chequered(photo: Photo, placement: FlatPlacement) -> bool:
    """Whether the grid at ``placement`` is plainly a chequered board, for kinds that see grids of their own there."""
    flat = _gray(flatten(photo, placement, SIDE_PX))
    return max(_score(flat, dark_first) for dark_first in (False, True)) >= ACCEPTED


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
    return _boards_on(photo, photo.reduced(WORK_PX).like(photo.reduced(WORK_PX).gray))


def _tinted_boards(photo: Photo) -> list[ChequeredPlacement]:
    """The same, as one channel of colour shows them: highlights hardly tint the channel that is as strong as they."""
    work = photo.reduced(WORK_PX)
    planes = [np.ascontiguousarray(work.bgr[..., channel]) for channel in range(3)]
    # What is grey was looked at.
    tinted = [plane for plane in planes if (plane != work.gray).mean() > TINTED]
    looks = [_boards_on(photo, work.like(plane)) for plane in tinted]
    return max(looks, key=lambda found: found[0].score if found else 0.0, default=[])


def _boards_on(photo: Photo, work: Photo) -> list[ChequeredPlacement]:
    """The boards on a grey picture of ``photo``, ``uint8 (H, W)``, as places in that."""
    found: list[ChequeredPlacement] = []
    tried: set[int] = set()
    for longest in SIZES_PX:
        small = work.reduced(longest)
        if small.width in tried:
            continue
        tried.add(small.width)
        for lattice in lattices(small.bgr):
            if lattice.is_strewn:
                continue
            plain = [board for board in found if board.score >= GOOD and not board.cut_off]
            if any(_lies_on(lattice, small.scale / work.scale, board) for board in plain):
                continue
            board = _board(work, small, lattice)
            if board is not None and board.score >= ACCEPTED:
                found.append(board)
        if any(board.score >= GOOD and not board.cut_off for board in found):
            break
    found.sort(key=lambda board: -board.score * (board.rows * board.cols) ** WHOLE)
    apart: list[ChequeredPlacement] = []
    for board in found:
        if not any(_overlap(board, other) for other in apart):
            apart.append(board)
    return [board.scaled(photo.scale / work.scale) for board in apart]


def _lies_on(lattice: Lattice, scale: float, board: ChequeredPlacement) -> bool:
    """Whether the middle of a lattice, found on a picture brought down by ``scale``, lies on a board."""
    middle = np.mean(sorted(lattice.nodes), axis=0)
    at = FlatPlacement(lattice.matrix, (1, 1)).scaled(1 / scale).to_photo([tuple(middle)])
    x, y = board.to_board(at)[0]
    return bool(0 < x < board.cols and 0 < y < board.rows)


def _overlap(one: FlatPlacement, other: FlatPlacement) -> bool:
    """Whether the middle of one board lies on the other."""
    for a, b in ((one, other), (other, one)):
        x, y = b.to_board(a.to_photo([(a.size[0] / 2, a.size[1] / 2)]))[0]
        if 0 < x < b.size[0] and 0 < y < b.size[1]:
            return True
    return False


# --- from a lattice to a board ----------------------------------------------------------------------------------------


def _board(photo: Photo, small: Photo, lattice: Lattice) -> ChequeredPlacement | None:
    """The board that a lattice belongs to."""
    nodes = np.array(sorted(lattice.nodes))
    low, high = nodes.min(axis=0), nodes.max(axis=0)
    if (high - low).max() >= 2 * MOST_CELLS:
        return None
    found = FlatPlacement(lattice.matrix, (1, 1)).scaled(photo.scale / small.scale)
    placed = _grown(photo, found.matrix, low, high, lattice.dark_first)
    # Found on a small picture a lattice drifts away from the board's far cells: on from what is measured by now.
    for _ in range(MOST_CELLS // MARGIN):
        if placed is None:
            return None
        larger = _grown(photo, placed.matrix, np.ones(2), np.array(placed.size) - 1.0, placed.dark_first)
        if larger is None or larger.rows * larger.cols <= placed.rows * placed.cols:
            break
        placed = larger
    if placed is None or not _plausible(placed, photo):
        return None
    board = _fitted(photo, placed)
    trimmed = _trimmed(photo, board)
    if trimmed.size != board.size:
        fitted = _fitted(photo, trimmed)
        board = replace(fitted, score=min(fitted.score, TRIMMED))
    if board.level or board.score < ACCEPTED:
        board = _evenly_coloured(photo, board)
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
    (left, top, right, bottom), share = two_colours.seen(photo, level, level.dark_first)
    if share < ACCEPTED:
        return board
    dark = board.dark_first ^ bool((left + top) % 2)
    more = replace(regrown(level, (left, top, right, bottom)), dark_first=dark)
    more = replace(more, score=share * (1.0 if more.rows == more.cols else OBLONG))
    return max(board, more, key=lambda each: (each.rows * each.cols, each.score))


def _fitted(photo: Photo, placed: ChequeredPlacement) -> ChequeredPlacement:
    """The board laid through its crossings as they are seen from near by, with its score."""
    placed = _refined(photo, placed, FINE_SIDE_PX)
    if not placed.level:  # The flat picture has a perspective to lose.
        placed = _refined(photo, placed, FINE_SIDE_PX)
    flat = np.asarray(flatten(photo, placed, SIDE_PX), dtype=np.float32)
    return replace(placed, score=_score(flat, placed.dark_first))


def _grown(photo: Photo, matrix: Floats, low: Floats, high: Floats, dark_first: bool) -> ChequeredPlacement | None:
    """The board whose crossings are those from ``low`` to ``high`` of a lattice, and what is more of it around them."""
    view = _Window(photo, matrix, low, high, dark_first)
    window = _best_window(view.evidence) if view.seen else None
    if window is None:
        return None
    left, top, right, bottom = window
    size = (right - left + 2, bottom - top + 2)
    shift = np.array([(1, 0, view.low[0] + left - 1), (0, 1, view.low[1] + top - 1), (0, 0, 1)], dtype=np.float64)
    dark = dark_first ^ bool((view.low[0] + left - 1 + view.low[1] + top - 1) % 2)
    return _refined(photo, _upright(ChequeredPlacement(matrix @ shift, size, 0.0, dark)), COARSE_SIDE_PX)


def _trimmed(photo: Photo, placed: ChequeredPlacement) -> ChequeredPlacement:
    """The board without lines of the table at its rim, where its frame made crossings: their cells do not alternate."""
    levels = _levels(np.asarray(flatten(photo, placed, SIDE_PX), dtype=np.float32))
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
    left, top, right, bottom = sides
    dark = placed.dark_first ^ bool((left + top) % 2)
    return replace(regrown(placed, (-left, -top, -right, -bottom)), dark_first=dark)


def _refined(photo: Photo, placed: ChequeredPlacement, side: int) -> ChequeredPlacement:
    """The board where its crossings are seen to be."""
    matrix = measured(photo, placed, placed.dark_first, side)
    return placed if matrix is None else replace(placed, matrix=matrix)


class _Window:
    """The evidence for crossings at and around a lattice.

    ``evidence`` is ``float64 (rows, columns)`` of crossings, the first being the lattice place ``low``.
    """

    def __init__(self, photo: Photo, matrix: Floats, low: Floats, high: Floats, dark_first: bool) -> None:
        for margin in range(MARGIN, -1, -1):
            # One more cell all round gives the crossings at the rim their quarters.
            first, last = low - margin - 1, high + margin + 1
            if _in_front(matrix, first, last):
                break
        else:
            self.seen = False
            return
        self.seen = True
        self.low = first + 1
        shift = np.array([(1, 0, first[0]), (0, 1, first[1]), (0, 0, 1)], dtype=np.float64)
        placed = FlatPlacement(matrix @ shift, (int(last[0] - first[0]), int(last[1] - first[1])))
        flat = np.asarray(flatten(photo, placed, SIDE_PX), dtype=np.float32)
        cols, rows = int(placed.size[0]) - 1, int(placed.size[1]) - 1
        dark = dark_first ^ bool((self.low[0] + self.low[1]) % 2)
        seen = evidence(flat, SIDE_PX, rows, cols, dark)
        x, y = np.meshgrid(np.arange(cols) + 1.0, np.arange(rows) + 1.0)
        at = placed.to_photo(np.column_stack([x.ravel(), y.ravel()])).reshape(rows, cols, 2)
        inside = (at >= 0).all(axis=2) & (at[..., 0] < photo.width) & (at[..., 1] < photo.height)
        self.evidence = np.where(inside, seen, -0.5)


def _in_front(matrix: Floats, first: Floats, last: Floats) -> bool:
    """Whether a rectangle of lattice places lies before the camera, none of it shrunk towards the horizon."""
    corners = np.array([(first[0], first[1], 1), (last[0], first[1], 1), (last[0], last[1], 1), (first[0], last[1], 1)])
    depth = corners @ matrix[2]
    return bool((depth > 0).all() or (depth < 0).all()) and float(np.abs(depth).max() / np.abs(depth).min()) < 5


def _gray(bgr: Picture) -> Plane:
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.float32)


def _best_window(evidence: Floats) -> tuple[int, int, int, int] | None:
    """The window (left, top, right, bottom; inclusive) of crossings with the most evidence, preferring squares."""
    rows, cols = evidence.shape
    total = np.zeros((rows + 1, cols + 1))
    total[1:, 1:] = (evidence - CROSSING_EVIDENCE).cumsum(axis=0).cumsum(axis=1)
    best: tuple[float, tuple[int, int, int, int]] | None = None
    for height, width in product(range(LEAST_CELLS - 1, MOST_CELLS), repeat=2):
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
        ahead = placed.to_photo([(0, rows / 2), (cols, rows / 2)])
        way = ahead[1] - ahead[0]
        if way[0] >= abs(way[1]):
            break
        # A quarter turn: the new x runs down the old y, backwards.
        turn = np.array([(0, 1, 0), (-1, 0, rows), (0, 0, 1)], dtype=np.float64)
        dark = placed.dark_first ^ bool((rows - 1) % 2)
        placed = replace(placed, matrix=placed.matrix @ turn, size=(rows, cols), dark_first=dark)
    return placed


def _plausible(placed: ChequeredPlacement, photo: Photo) -> bool:
    """Whether the board is convex, not on edge, and mostly in the picture."""
    cols, rows = placed.size
    corners = placed.to_photo([(0, 0), (cols, 0), (cols, rows), (0, rows)])
    sides = np.roll(corners, -1, axis=0) - corners
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if (turns <= 0).any():
        return False
    if _stretch(placed) > LOW:
        return False
    centre = placed.to_photo([(cols / 2, rows / 2)])[0]
    return bool(0 < centre[0] < photo.width and 0 < centre[1] < photo.height)


def _stretch(placed: ChequeredPlacement) -> float:
    """How many times as long as wide, or as wide as long, cells are seen."""
    cols, rows = placed.size
    corners = placed.to_photo([(0, 0), (cols, 0), (cols, rows), (0, rows)])
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) / np.array([cols, rows, cols, rows])
    wide, high = (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
    return float(max(wide, high) / min(wide, high))


def _is_cut_off(placed: ChequeredPlacement, photo: Photo) -> bool:
    """Whether more than a sliver of the rim lies outside of the picture, or may lie there."""
    cols, rows = placed.size
    # An oblong board that ends where the picture ends is a square one cut between two rows.
    inset = OUTSIDE if rows == cols else -OUTSIDE
    inner = [(inset, inset), (cols - inset, inset), (cols - inset, rows - inset), (inset, rows - inset)]
    at = placed.to_photo(inner)
    return not bool((at > -1).all() and (at[:, 0] < photo.width).all() and (at[:, 1] < photo.height).all())


def _score(flat: Plane, dark_first: bool) -> float:
    """The mean evidence of the crossings of a flat board with cells of ``SIDE_PX``, times how well the cells alternate,
    at their rims and at their corners; 0 where they alternate too badly for any evidence to make up for it.
    """
    level, cells = _levels(flat), cut_into_cells(flat, SIDE_PX)
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
    seen = evidence(flat, SIDE_PX, rows - 1, cols - 1, dark_first)
    return float(np.clip(seen.mean() * 1.1, 0, 1) * right * (1.0 if rows == cols else OBLONG))


def _levels(flat: Plane) -> Plane:
    """How bright cells are along their rims, where pieces hide less, ``(rows, cols)``."""
    rim = np.ones((SIDE_PX, SIDE_PX), bool)
    rim[5:-5, 5:-5] = False
    rim[:2] = rim[-2:] = rim[:, :2] = rim[:, -2:] = False
    return np.asarray(medians(cut_into_cells(flat, SIDE_PX)[:, :, rim], axis=2), dtype=np.float32)


def _pointed_at(photo: Photo, aids: Aids) -> Sequence[ChequeredPlacement] | NotFound:
    """The board between the corners that the user pointed at, with the number of cells that fits best."""
    assert aids.corners_px is not None
    sizes = [aids.size] if aids.size is not None else [(n, n) for n in range(LEAST_CELLS, MOST_CELLS + 1)]
    guesses: list[ChequeredPlacement] = []
    for rows, cols in sizes:
        placed = FlatPlacement.from_corners(aids.corners_px, (cols, rows))
        flat = _gray(flatten(photo, placed, SIDE_PX))
        guesses += [ChequeredPlacement(placed.matrix, placed.size, _score(flat, dark), dark) for dark in (False, True)]
    best = max(guesses, key=lambda board: board.score)
    if best.score < ACCEPTED:
        return NotFound("no chequered board lies between the given corners")
    return [best]
