"""The crossings of a chequered board: how much a place looks like one, and where exactly they are.

At a crossing two dark and two bright quarters meet. The likeness to that pattern is a correlation; its peaks tell where
the crossings are, and a homography through them where the board is.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.flatten import cell_side_px, cut_into_cells, flatten
from vision.pictures.medians import median, percentile
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

SIDE_PX = 20
"""Side of a cell on the flat picture that is asked for evidence: enough for quarters of 4 x 4 pixels."""

WINDOW, FINE_WINDOW = 0.25, 0.16
"""How far a crossing is looked at to each side, in cells, for evidence and to measure it: beyond stand the pieces."""

REACH = 1 / 6
"""How far off its place on the flat picture a crossing may be, in cells."""

LIKE = 0.6
"""Least likeness of a crossing to the pattern that is measured; undisturbed ones have 0.9 and more."""

FEWEST, FEWEST_LEVEL = 6, 4
"""Crossings that have to be measured, of any board and of one that is known to be level."""

INLIER = 0.09
"""How far crossings may lie off the map that is laid through them, in cells; farther ones lose their weight. The halves
of folding boards lie in two planes and are this far off one: both shall count."""

SIMPLER, HAIR = 1.1, 0.004
"""An upright rectangle is preferred if its misfit is at most so many times that of the perspective, plus this part of a
cell: screens are level, and every freedom less is an error less."""


def dark_cells(rows: int, cols: int, dark_first: bool) -> Mask:
    """Which cells of a board are dark, ``bool (rows, cols)``."""
    return np.asarray((np.add.outer(np.arange(rows), np.arange(cols)) % 2 == 0) == dark_first)


def in_rims(flat: Plane) -> Plane:
    """The pixels of a flat picture's cells along their rims, where pieces hide less, ``(rows, cols, N)``."""
    rim = np.zeros((SIDE_PX, SIDE_PX), bool)
    rim[2:-2, 2:-2] = True
    rim[5:-5, 5:-5] = False
    return cut_into_cells(flat, SIDE_PX)[:, :, rim]


def inner_points(rows: int, cols: int) -> Floats:
    """The inner crossings of a board, ``(N, 2)``, row by row."""
    return np.stack(np.meshgrid(np.arange(1.0, cols), np.arange(1.0, rows)), axis=-1).reshape(-1, 2)


def evidence(flat: Plane, dark_first: bool) -> Floats:
    """How much each inner crossing of a flat picture looks like one of chequers, ``(rows, cols)``, about -0.5 .. 1.

    Half of it is the likeness to the pattern, half the difference of the darker of the two bright quarters and the
    brighter of the two dark ones, which is nothing at corners of single cells and at edges.
    """
    side, half = SIDE_PX, round(WINDOW * SIDE_PX)
    rows, cols = (length // side - 1 for length in flat.shape)
    first = side - half
    shape = np.s_[first : first + rows * side : side, first : first + cols * side : side]
    alike = _likeness(flat, half)
    near = np.ones((3, 3), np.uint8)
    dark = dark_cells(rows, cols, dark_first)
    near_alike = np.where(dark, cv2.dilate(alike, near)[shape], -np.asarray(cv2.erode(alike, near))[shape])
    reach = half // 2 + 1
    quarter = np.asarray(cv2.blur(flat, (half - 1, half - 1)))
    before, after = (slice(side + off, side + off + rows * side, side) for off in (-reach, reach - 1))
    left, right = (slice(side + off, side + off + cols * side, side) for off in (-reach, reach - 1))
    one = quarter[before, left], quarter[after, right]
    two = quarter[before, right], quarter[after, left]
    steps = np.where(dark, np.minimum(*two) - np.maximum(*one), np.minimum(*one) - np.maximum(*two))
    usual = max(percentile(steps, 80), 1.0)
    return np.asarray((near_alike + np.clip(steps / usual, -0.5, 1.0)) / 2 * (steps > -usual), dtype=np.float64)


def _likeness(flat: Plane, half: int) -> Plane:
    """The correlation of each window of ``2 * half`` with four quarters of which the first is dark, -1 .. 1.

    ``float32``, by the upper left corner of the window.
    """
    pattern = np.kron([(-1, 1), (1, -1)], np.ones((half, half))).astype(np.float32)
    return np.asarray(cv2.matchTemplate(flat, pattern, cv2.TM_CCOEFF_NORMED), dtype=np.float32)


def measured(photo: Photo, placed: FlatPlacement, dark_first: bool, side: int, *, level: bool = False) -> Floats | None:
    """The homography through the crossings as they lie on the flat picture with cells of ``side`` pixels.

    Args:
        photo: its pixels are grey, ``uint8 (H, W)``.
        placed: where the board lies, to :data:`REACH`.
        dark_first: whether the cell (0, 0) is one of the darker ones.
        side: the more, the more exact.
        level: whether the board is known to be an upright rectangle.

    Returns:
        ``float64 (3, 3)``, from board units to pixels; None where too few crossings can be seen.
    """
    cols, rows = (round(length) for length in placed.size)
    flat = np.asarray(flatten(photo, placed, side), dtype=np.float32)
    half, reach = round(FINE_WINDOW * side), round(REACH * side)
    around = 2 * reach + 1
    patches = np.lib.stride_tricks.sliding_window_view(_likeness(flat, half), (around, around))
    first = side - half - reach
    near = patches[first::side, first::side][: rows - 1, : cols - 1].astype(np.float64)
    near = near * np.where(dark_cells(rows - 1, cols - 1, dark_first), 1.0, -1.0)[..., None, None]
    heights, peaks = _peaks(near.reshape(-1, around, around))
    found = heights >= LIKE
    if found.sum() < (FEWEST_LEVEL if level else FEWEST):
        return None
    board = inner_points(rows, cols)
    at = placed.to_photo((board + (peaks - reach) / side)[found])
    # A piece that reaches into a quarter lowers the likeness and pulls the peak away: clean crossings count most.
    weight = np.clip((heights[found] - LIKE) / (1 - LIKE), 0.02, 1) ** 3
    return _level(board[found], at) if level else _laid_through(board[found], at, weight, placed)


def _peaks(near: Floats) -> tuple[Floats, Floats]:
    """The height, ``(N,)``, and the place (x, y), ``(N, 2)``, of the highest points of maps, ``(N, side, side)``.

    Between their samples; those at the rim have no height.
    """
    count, side, _ = near.shape
    y, x = np.divmod(near.reshape(count, -1).argmax(axis=1), side)
    inside = (x > 0) & (y > 0) & (x < side - 1) & (y < side - 1)
    i, j = np.clip(y, 1, side - 2), np.clip(x, 1, side - 2)
    at = np.arange(count)
    here = near[at, i, j]
    off_x = _vertex(near[at, i, j - 1], here, near[at, i, j + 1])
    off_y = _vertex(near[at, i - 1, j], here, near[at, i + 1, j])
    return np.where(inside, here, 0.0), np.column_stack([j + off_x, i + off_y])


def _vertex(before: Floats, here: Floats, after: Floats) -> Floats:
    """Where the parabolas through three samples each are highest, from the middle one."""
    bend = before - 2 * here + after
    return np.where(bend >= 0, 0.0, (before - after) / (2 * np.where(bend >= 0, -1.0, bend)))


def _laid_through(board: Floats, at: Floats, weight: Floats, placed: FlatPlacement) -> Floats | None:
    """The simplest map that fits crossings: a level rectangle, or any perspective."""
    side = cell_side_px(placed)
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
        projected = mapped[:, :2] / mapped[:, 2:]
        off = at - projected
        # The net is cast wide at first and narrowed: half of the crossings of a full board are disturbed.
        wide = reach * max(1.0, 3 - step / 2)
        trust = weight / (1 + (off**2).sum(axis=1) / wide**2) ** 2
        slope = np.zeros((len(board), 2, 8))
        for axis in (0, 1):
            slope[:, axis, 3 * axis : 3 * axis + 3] = home / mapped[:, 2:]
            slope[:, axis, 6:] = -projected[:, axis : axis + 1] * board / mapped[:, 2:]
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
        slope = median((at[j, axis] - at[i, axis])[apart] / step[apart])
        lines.append((slope, median(at[:, axis] - slope * board[:, axis])))
    (a, b), (c, d) = lines
    return np.array([(a, 0, b), (0, c, d), (0, 0, 1)], dtype=np.float64)
