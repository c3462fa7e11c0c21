"""Finds chequered boards: on screens, in print, and real ones seen from any side, pieces standing on them or not.

The points where four cells meet are searched at several sizes, small ones first: there the hatching of old prints and
the grain of wood have become plain grey, while a lattice of saddles (:mod:`vision.chessboards.saddles`) is still one.
Each lattice is laid flat, with some room around it, and every lattice point is asked how much it looks like a crossing
of chequers. The board is the window of points with the most such evidence: at its rim there is none, whatever frame,
table or page lies around it, because outside of a board no cell changes colour with its neighbour. In the end the
homography is laid through the crossings as measured on the flat picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.chessboards.saddles import Lattice, lattices
from vision.kind import Aids
from vision.pictures.flatten import flatten
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement
from vision.reading import NotFound

Floats = npt.NDArray[np.float64]

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

SIDE_PX = 20
"""Side of a cell on the flat picture that is asked for evidence: enough for quarters of 4 x 4 pixels."""

CORNER = 7
"""Corners of cells reach so far in on it: pieces seldom stand there."""

FINE_SIDE_PX = 56
"""The same for measuring crossings: 3 % of a cell, the accuracy that is wanted, is more than one pixel."""

WINDOW, FINE_WINDOW = 0.25, 0.22
"""How far a crossing is looked at to each side, in cells, for evidence and to measure it: beyond stand the pieces."""

WORTH = 0.34
"""Evidence from which a lattice point counts for the board. A corner of one cell on a plain ground has 0.29 at most."""

FULL = 1.5
"""A side that is one crossing longer than the other has to earn this much more: boards are square."""

OBLONG = 0.85
"""Factor on the score of a board that is not square: rarer than a square one with a row hidden by pieces."""

OUTSIDE = 0.12
"""A corner may lie this part of a cell outside of the picture; more means that the board is cut off."""

LIKE = 0.6
"""Least likeness of a crossing to the pattern that is measured; undisturbed ones have 0.9 and more."""

INLIER = 0.09
"""How far crossings may lie off the map that is laid through them, in cells; farther ones lose their weight. The halves
of folding boards lie in two planes and are this far off one: both shall count."""

SIMPLER, HAIR = 1.25, 0.006
"""An upright rectangle is preferred if its misfit is at most so many times that of the perspective, plus this part of a
cell: screens are level, and every freedom less is an error less."""

STRETCH = 1.9
"""Most that a cell, looked at from straight above, may be longer than wide."""


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
    def stretch(self) -> float:
        """Height of a cell over its width where the board is level; 1 where perspective hides it."""
        return float(abs(self.matrix[1, 1] / self.matrix[0, 0])) if self.level else 1.0

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


def _boards(photo: Photo) -> list[ChequeredPlacement]:
    """All boards of good score, best first; each place once."""
    # Large photos are reduced once, and everything is measured on that.
    work = photo.reduced(WORK_PX)
    found: list[ChequeredPlacement] = []
    tried: set[int] = set()
    for longest in SIZES_PX:
        small = work.reduced(longest)
        if small.width in tried:
            continue
        tried.add(small.width)
        for lattice in lattices(small.gray):
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
    return replace(
        placed,
        score=_score(_gray(flatten(photo, placed, SIDE_PX)), placed.dark_first),
        cut_off=_is_cut_off(placed, photo),
    )


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
    return _refined(_refined(_upright(ChequeredPlacement(matrix @ shift, size, 0.0, dark)), photo), photo)


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
        flat = _gray(flatten(photo, placed, SIDE_PX))
        cols, rows = int(placed.size[0]) - 1, int(placed.size[1]) - 1
        dark = dark_first ^ bool((self.low[0] + self.low[1]) % 2)
        evidence = _evidence(flat, SIDE_PX, rows, cols, dark)
        x, y = np.meshgrid(np.arange(cols) + 1.0, np.arange(rows) + 1.0)
        at = placed.to_photo(np.column_stack([x.ravel(), y.ravel()])).reshape(rows, cols, 2)
        inside = (at >= 0).all(axis=2) & (at[..., 0] < photo.width) & (at[..., 1] < photo.height)
        self.evidence = np.where(inside, evidence, -0.5)


def _in_front(matrix: Floats, first: Floats, last: Floats) -> bool:
    """Whether a rectangle of lattice places lies before the camera, none of it shrunk towards the horizon."""
    corners = np.array([(first[0], first[1], 1), (last[0], first[1], 1), (last[0], last[1], 1), (first[0], last[1], 1)])
    depth = corners @ matrix[2]
    return bool((depth > 0).all() or (depth < 0).all()) and float(np.abs(depth).max() / np.abs(depth).min()) < 5


def _gray(bgr: Picture) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.float32)


def _evidence(flat: npt.NDArray[np.float32], side: int, rows: int, cols: int, dark_first: bool) -> Floats:
    """How much each inner crossing of a flat picture looks like one of chequers, about -0.5 .. 1.

    Half of it is the likeness to the pattern, half the difference of the darker of the two bright quarters and the
    brighter of the two dark ones, which is nothing at corners of single cells and at edges.
    """
    half = round(WINDOW * side)
    sign = np.ones((2 * half, 2 * half), np.float32)
    sign[:half, :half] = sign[half:, half:] = -1
    alike = cv2.matchTemplate(flat, sign, cv2.TM_CCOEFF_NORMED)
    quarter = cv2.blur(flat, (half - 1, half - 1))
    evidence = np.zeros((rows, cols))
    steps = np.zeros((rows, cols))
    reach = half // 2 + 1
    for r, c in product(range(rows), range(cols)):
        x, y = (c + 1) * side, (r + 1) * side
        flip = 1.0 if dark_first ^ bool((r + c) % 2) else -1.0
        near = flip * alike[y - half - 1 : y - half + 2, x - half - 1 : x - half + 2]
        one = quarter[y - reach, x - reach], quarter[y + reach - 1, x + reach - 1]
        two = quarter[y - reach, x + reach - 1], quarter[y + reach - 1, x - reach]
        bright, dark = (two, one) if flip > 0 else (one, two)
        evidence[r, c] = np.nan_to_num(near).max()
        steps[r, c] = min(bright) - max(dark)
    usual = max(float(np.percentile(steps, 80)), 1.0)
    return np.asarray((evidence + np.clip(steps / usual, -0.5, 1.0)) / 2 * (steps > -usual), dtype=np.float64)


def _best_window(evidence: Floats) -> tuple[int, int, int, int] | None:
    """The window (left, top, right, bottom; inclusive) of crossings with the most evidence, preferring squares."""
    rows, cols = evidence.shape
    total = np.zeros((rows + 1, cols + 1))
    total[1:, 1:] = (evidence - WORTH).cumsum(axis=0).cumsum(axis=1)
    best: tuple[float, tuple[int, int, int, int]] | None = None
    for height, width in product(range(LEAST_CELLS - 1, MOST_CELLS), repeat=2):
        if height > rows or width > cols:
            continue
        sums = total[height:, width:] - total[:-height, width:] - total[height:, :-width] + total[:-height, :-width]
        top, left = (int(i) for i in np.unravel_index(int(np.argmax(sums)), sums.shape))
        worth = float(sums[top, left]) - FULL * abs(height - width)
        if best is None or worth > best[0]:
            best = worth, (left, top, left + width - 1, top + height - 1)
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


# --- measuring --------------------------------------------------------------------------------------------------------


def _refined(placed: ChequeredPlacement, photo: Photo) -> ChequeredPlacement:
    """The homography through the crossings as they lie on the flat picture."""
    rows, cols = placed.rows, placed.cols
    flat = _gray(flatten(photo, placed, FINE_SIDE_PX))
    half = round(FINE_WINDOW * FINE_SIDE_PX)
    sign = np.ones((2 * half, 2 * half), np.float32)
    sign[:half, :half] = sign[half:, half:] = -1
    alike = cv2.matchTemplate(flat, sign, cv2.TM_CCOEFF_NORMED)
    reach = FINE_SIDE_PX // 6
    board, measured, heights = [], [], []
    for r, c in product(range(1, rows), range(1, cols)):
        flip = 1.0 if placed.dark_first ^ bool((r + c) % 2) else -1.0
        x, y = c * FINE_SIDE_PX - half, r * FINE_SIDE_PX - half
        near = flip * np.nan_to_num(alike[y - reach : y + reach + 1, x - reach : x + reach + 1])
        peak = _peak(np.asarray(near, dtype=np.float64))
        if peak is not None:
            board.append((c, r))
            measured.append((c + (peak[0] - reach) / FINE_SIDE_PX, r + (peak[1] - reach) / FINE_SIDE_PX))
            heights.append(float(near.max()))
    if len(board) < 6:
        return placed
    # A piece that reaches into a quarter lowers the likeness and pulls the peak away: clean crossings count most.
    weight = np.clip((np.array(heights) - LIKE) / (1 - LIKE), 0.02, 1) ** 3
    matrix = _laid_through(np.array(board, np.float64), placed.to_photo(measured), weight, placed)
    return placed if matrix is None else replace(placed, matrix=matrix)


def _side(placed: ChequeredPlacement) -> float:
    """The side of a cell in the middle of the board, in pixels."""
    middle = np.array([(placed.cols / 2, placed.rows / 2)])
    a, b, c = placed.to_photo(middle + np.array([(0, 0), (1, 0), (0, 1)]))
    return float((np.hypot(*(b - a)) + np.hypot(*(c - a))) / 2)


def _laid_through(board: Floats, at: Floats, weight: Floats, placed: ChequeredPlacement) -> Floats | None:
    """The simplest map that fits crossings: a level rectangle, or any perspective."""
    side = _side(placed)
    perspective = _perspective(board, at, weight, placed.matrix, INLIER * side)
    if perspective is None:
        return None
    usual = _misfit(perspective, board, at) / side
    level = _level(board, at)
    if level is not None and _misfit(level, board, at) / side < SIMPLER * usual + HAIR:
        return level
    return perspective


def _perspective(board: Floats, at: Floats, weight: Floats, start: Floats, reach: float) -> Floats | None:
    """The homography through weighted crossings, by reweighted least squares (Geman and McClure) from ``start``."""
    matrix = start / start[2, 2]
    home = np.column_stack([board, np.ones(len(board))])
    for step in range(12):
        mapped = home @ matrix.T
        seen = mapped[:, :2] / mapped[:, 2:]
        off = at - seen
        # The net is cast wide at first and narrowed: half of the crossings of a full board are disturbed.
        wide = reach * max(1.0, 3 - step / 2)
        trust = weight / (1 + (off**2).sum(axis=1) / wide**2) ** 2
        slope = np.zeros((len(board), 2, 8))
        for axis in (0, 1):
            slope[:, axis, 3 * axis : 3 * axis + 3] = home / mapped[:, 2:]
            slope[:, axis, 6:] = -seen[:, axis : axis + 1] * board / mapped[:, 2:]
        root = np.sqrt(trust)[:, None]
        change = np.linalg.lstsq((slope * root[..., None]).reshape(-1, 8), (off * root).ravel(), rcond=None)[0]
        matrix = matrix + np.append(change, 0.0).reshape(3, 3)
    return matrix if np.isfinite(matrix).all() else None


def _misfit(matrix: Floats, board: Floats, at: Floats) -> float:
    """How far off the three best quarters of the crossings are, in pixels."""
    off = cv2.perspectiveTransform(board[None], matrix)[0] - at
    return float(np.quantile(np.hypot(*off.T), 0.75))


def _level(board: Floats, at: Floats) -> Floats | None:
    """The upright rectangle through crossings: each coordinate by the median of slopes (Theil and Sen)."""
    lines = []
    for axis in (0, 1):
        i, j = np.triu_indices(len(board), 1)
        step = board[j, axis] - board[i, axis]
        apart = step != 0
        if not apart.any():
            return None
        slope = float(np.median((at[j, axis] - at[i, axis])[apart] / step[apart]))
        lines.append((slope, float(np.median(at[:, axis] - slope * board[:, axis]))))
    (a, b), (c, d) = lines
    return np.array([(a, 0, b), (0, c, d), (0, 0, 1)], dtype=np.float64)


def _peak(near: Floats) -> tuple[float, float] | None:
    """The highest place of a map, between its samples; None at the rim or where nothing is alike."""
    y, x = (int(i) for i in np.unravel_index(int(np.argmax(near)), near.shape))
    if near[y, x] < LIKE or not (0 < y < near.shape[0] - 1 and 0 < x < near.shape[1] - 1):
        return None
    return x + _vertex(*near[y, x - 1 : x + 2]), y + _vertex(*near[y - 1 : y + 2, x])


def _vertex(before: float, here: float, after: float) -> float:
    """Where the parabola through three samples is highest, from the middle one."""
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else float((before - after) / (2 * bend))


def _plausible(placed: ChequeredPlacement, photo: Photo) -> bool:
    """Whether the board is convex, not on edge, and mostly in the picture."""
    cols, rows = placed.size
    corners = placed.to_photo([(0, 0), (cols, 0), (cols, rows), (0, rows)])
    sides = np.roll(corners, -1, axis=0) - corners
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if (turns <= 0).any():
        return False
    lengths = np.hypot(*sides.T) / np.array([cols, rows, cols, rows])
    wide, high = (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
    if max(wide, high) > STRETCH * min(wide, high):
        return False
    centre = placed.to_photo([(cols / 2, rows / 2)])[0]
    return bool(0 < centre[0] < photo.width and 0 < centre[1] < photo.height)


def _is_cut_off(placed: ChequeredPlacement, photo: Photo) -> bool:
    """Whether more than a sliver of the rim lies outside of the picture, or may lie there."""
    cols, rows = placed.size
    # An oblong board that ends where the picture ends is a square one cut between two rows.
    inset = OUTSIDE if rows == cols else -OUTSIDE
    inner = [(inset, inset), (cols - inset, inset), (cols - inset, rows - inset), (inset, rows - inset)]
    at = placed.to_photo(inner)
    return not bool((at > -1).all() and (at[:, 0] < photo.width).all() and (at[:, 1] < photo.height).all())


def _score(flat: npt.NDArray[np.float32], dark_first: bool) -> float:
    """The mean evidence of the crossings of a flat board with cells of ``SIDE_PX``, times how well the cells alternate,
    at their rims and at their corners; 0 where they alternate too badly for any evidence to make up for it.
    """
    rows, cols = (length // SIDE_PX for length in flat.shape)
    cells = flat.reshape(rows, SIDE_PX, cols, SIDE_PX).swapaxes(1, 2)
    rim = np.ones((SIDE_PX, SIDE_PX), bool)
    rim[5:-5, 5:-5] = False
    rim[:2] = rim[-2:] = rim[:, :2] = rim[:, -2:] = False
    level = np.median(cells[:, :, rim], axis=2)
    dark = (np.add.outer(np.arange(rows), np.arange(cols)) % 2 == 0) == dark_first
    # The level to pass is taken from the neighbourhood, so that uneven light does not matter: the middle of quartiles
    # of 4 x 4 cells, which a black piece on a pale board does not move.
    near = np.lib.stride_tricks.sliding_window_view(np.pad(level, ((2, 1), (2, 1)), "symmetric"), (4, 4))
    around = np.quantile(near, (0.25, 0.75), axis=(2, 3)).mean(axis=0)
    if float(np.mean((level < around) == dark)) < ACCEPTED:
        return 0.0
    # Slanting bands make brighter and darker cells, too, but run through corners. Cells that are larger than chequers
    # alternate at their corners, where the crossings are, but not along their rims.
    ends = slice(2, CORNER), slice(SIDE_PX - CORNER, SIDE_PX - 2)
    corners = [np.median(cells[:, :, y, x], axis=(2, 3)) for y in ends for x in ends]
    right = min(float(np.mean((part < around) == dark)) for part in (level, np.array(corners)))
    evidence = _evidence(flat, SIDE_PX, rows - 1, cols - 1, dark_first)
    return float(np.clip(evidence.mean() * 1.1, 0, 1) * right * (1.0 if rows == cols else OBLONG))


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
