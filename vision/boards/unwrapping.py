"""Lattices unwrapped from phases: counted in whole cells from where the phases are surest [1]_.

Cells are counted outwards from a seed, and what leads from pixels to cells is fitted anew as more of them are counted:
a homography; or where the phases fit no sheet, a thin plate (:mod:`vision.pictures.thin_plate`), which lets cells bend.

References:
    .. [1] D. C. Ghiglia, M. D. Pritt, "Two-Dimensional Phase Unwrapping", Wiley 1998.
    .. [2] K. V. Mardia, P. E. Jupp, "Directional Statistics", Wiley 2000, section 3.5.7.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from heapq import heappop, heappush
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import Floats as Singles
from vision.pictures.bending import BentPlacement, moved
from vision.pictures.masks import box_of
from vision.pictures.medians import percentiles
from vision.pictures.placement import FlatPlacement, Points, through
from vision.pictures.thin_plate import ThinPlate, fitted

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Waves = npt.NDArray[np.complex64]

Grid = FlatPlacement | BentPlacement

FEWEST, MOST_LINES = 6, 60
"""Connected cells of a lattice at least, and rows or columns at most (the largest published boards have 50)."""

WINDOW = 9
"""Side of the window over which the pitch is taken where unwrapping begins, in places of the field."""

SEEDS = 4
"""Places at which unwrapping of a region begins, at most, the surest first."""

REACH, FURTHER, AFFINE = 0.7, 1.4, 3.0
"""How far from its beginning a lattice is fitted first, in cells; how many times as far the next time; and up to where
perspective does not show."""

OFF, CLOSE = 0.3, 0.12
"""Phases that are further off the fitted ones, in cells, are left out; those within the second are explained."""

EXPLAINED = 0.5
"""Part of a region's phases that a lattice explains at least."""

PLAIN = 0.9
"""Of a lattice that explains so much no other place to begin at is tried."""

SHARPEST = 0.03
"""Standard deviation of the surest phases from where a smooth sheet has them, in cells."""

SURE = 0.3
"""Phases are fitted where their waves are so long at least."""

MOST_ROUNDS, LAST = 30, 2
"""Times that a homography is fitted, at most; and times that it is fitted to what is close alone, in the end."""

RIM = 0.002
"""Part of a region's places on each side that may be none of its lattice's."""

SAMPLES, MOSTLY = 4, 0.5
"""Places in a cell, each way, at which it is asked whether a region shows it; and the part of them at which it does."""

SINGULAR = 1e-9
"""Determinant of a homography from places to cells, at least: cells are no larger than pictures."""

LEAST_PLACES, MOST_PLACES = 12, 3000
"""Of a field, to which a homography is fitted, at least and at most."""

BENT, MOST_BENT = 0.015, 0.22
"""A sheet is bent where phases are off a flat one by the first on average, in cells, and by the second at most: drawn
paper bends lines by up to 0.18, and cells that are bent themselves are mostly off by more."""

KNOTS = 4
"""Knots along each side of a sheet of paper; cells that bend have one each."""

STIFFNESS, SUPPLE = 0.01, 0.05
"""Of the thin plates that paper and cells are, against the mean square of what they leave over, in cells."""

THINNED = 5
"""Places along a cell's side to which a thin plate is fitted."""

FURTHER_ON = 0.8
"""How far cells that bend are counted on from those that are counted, in cells."""

MOST_BENT_CELLS = 400
"""Cells of a board that bend at most: what it takes to fit a thin plate grows with the cube of its knots."""

FEW = 3
"""Places of a cell from which on it has a knot."""

SETTLED = 1.002
"""Counting ends where it reaches no more than so many times the places of the last time."""


@dataclass(frozen=True, eq=False)
class Field:
    """What the network tells of a part of a picture.

    Attributes:
        waves: ``complex64 (2, H, W)``, to the right and down: the argument is 2 pi times the phase, the length how sure
            it is.
        odds: ``float32 (H, W)``: the log odds that a place lies on a cell.
        to_photo: ``float64 (3, 3)``, from its places to pixels of the photo, or to units of the board on ``sheet``.
        sheet: where the board lies that was laid flat.
    """

    waves: Waves
    odds: npt.NDArray[np.float32]
    to_photo: Floats
    sheet: BentPlacement | None = None

    @property
    def cells(self) -> Bools:
        """``bool (H, W)``: what lies on cells."""
        return np.asarray(self.odds > 0)

    def in_photo(self, at: Points) -> Points:
        """Pixels of places, ``(N, 2)`` each."""
        points = through(self.to_photo, at)
        return points if self.sheet is None else self.sheet.to_photo(points)

    def places(self, photo: Points) -> Points:
        """Places of pixels, ``(N, 2)`` each."""
        points = photo if self.sheet is None else self.sheet.to_board(photo)
        return through(np.asarray(np.linalg.inv(self.to_photo), np.float64), points)


def lattice_of(field: Field, region: Bools, on_screen: bool = False) -> Grid | None:
    """The lattice of a region of cells on a sheet; its score is the part of the phases that it explains, each as much
    as it is sure. None where they cannot be unwrapped.

    What comes straight ``on_screen``, no camera saw: cells are rectangles there, though the page may be turned.
    """
    ys, xs = np.nonzero(field.cells)
    at, waves, own = np.column_stack([xs, ys]).astype(np.float64), field.waves[:, ys, xs].T, region[ys, xs]
    best: Grid | None = None
    for seed, pitch in _seeds(field.waves, region):
        matrix = _unwrapped(at[own], waves[own], seed, _begun(field.waves, seed, pitch), on_screen)
        if matrix is None or not abs(np.linalg.det(matrix)) > SINGULAR:
            continue
        # What lies apart from the region and on its lattice all the same is of the board as well.
        board = through(matrix, at)
        near = own | (np.abs(_off(board, waves)).max(axis=1) <= CLOSE)
        shown = np.zeros_like(region)
        shown[ys[near], xs[near]] = True
        box = _box(shown, board[near], partial(through, np.asarray(np.linalg.inv(matrix), np.float64)))
        if box is None:
            continue
        onto = np.asarray(np.linalg.inv(box.origin) @ matrix, np.float64)
        grid = _on_sheet(at[own], waves[own], onto, box.size, on_screen)
        if best is None or grid.score > best.score:
            best = grid
        if best.score >= PLAIN:
            break
    return None if best is None else moved(best, field.to_photo)


def _on_sheet(at: Points, waves: Waves, matrix: Floats, size: tuple[float, float], on_screen: bool) -> Grid:
    """The lattice to whose cells a homography leads from places ``(N, 2)``, with a bend where their phases show one."""
    board, sure = through(matrix, at), np.abs(waves).min(axis=1)
    off = _off(board, waves)
    bend = None if on_screen else _bend(board + off, -off, _deviations(sure), size)
    left = off if bend is None else off + bend.at(board + off)
    flat = FlatPlacement(np.asarray(np.linalg.inv(matrix), np.float64), size, _explained(left, sure))
    return flat if bend is None else BentPlacement(flat, bend, np.eye(3), size)


def _explained(off: Points, sure: Singles) -> float:
    """The part of the phases that are hardly ``off``, in cells, ``(N, 2)``, each as much as it is sure."""
    return float(sure[np.abs(off).max(axis=1) <= CLOSE].sum() / sure.sum())


def bent_lattice_of(field: Field, region: Bools) -> BentPlacement | None:
    """The same of cells that bend, wherever the field lies."""
    every = max(1, int(np.sqrt(np.count_nonzero(region) / MOST_PLACES)))
    thinned = (slice(None, None, every),) * 2
    board = _counted(field.waves[:, *thinned], region[thinned])
    ys, xs = np.nonzero(field.cells[thinned])
    at, waves, board = float(every) * np.column_stack([xs, ys]), field.waves[:, every * ys, every * xs].T, board[ys, xs]
    sure, own = np.abs(waves).min(axis=1), np.isfinite(board[:, 0])
    deviations, fits = _deviations(sure), own & (sure >= SURE)
    for within in (OFF, *(CLOSE,) * LAST):
        matrix = _affine(at[fits], board[fits])
        if matrix is None:
            return None
        flat = through(matrix, at)
        knots = _middles(board[fits], flat[fits])
        board = flat + fitted(flat[fits], (board - flat)[fits], deviations[fits], knots, SUPPLE).at(flat)
        off = _off(board, waves)
        board, fits = board + off, (sure >= SURE) & (np.abs(off).max(axis=1) <= within)
    grid = bent_sheet(field.in_photo(at[fits]), board[fits], deviations[fits])
    if grid is None:
        return None
    shown = np.zeros(region[thinned].shape, np.bool_)
    shown[ys, xs] = own | fits
    rows, cols = region.shape
    shown = shown.repeat(every, 0).repeat(every, 1)[:rows, :cols]
    box = _box(shown, board[own | fits], lambda points: field.places(grid.to_photo(points)))
    if box is None:
        return None
    explained = float(sure[own & fits].sum() / sure[own].sum())
    return replace(grid, board=box.origin, size=box.size, sheet=replace(grid.sheet, size=box.size, score=explained))


def _counted(waves: Waves, region: Bools) -> Points:
    """Where each place of a region lies on the board, ``float64 (H, W, 2)``, NaN elsewhere: counted from neighbour to
    neighbour where phases change most evenly first (quality-guided path following [1]_, chapter 4.2).
    """
    even = np.pad(_evenness(waves, region)[0], 1)
    left, width = np.pad(region, 1).ravel(), even.shape[1]
    phases = np.angle(np.pad(waves, ((0, 0), (1, 1), (1, 1)))).reshape(2, -1).T / (2 * np.pi)
    quality, start = even.ravel().tolist(), int(even.argmax())
    board = np.full(phases.shape, np.nan)
    board[start], left[start], ahead = phases[start], False, [(0.0, start)]
    while ahead:
        _, place = heappop(ahead)
        for other in (place - 1, place + 1, place - width, place + width):
            if left[other]:
                step = phases[other] - phases[place]
                board[other], left[other] = board[place] + step - np.rint(step), False
                heappush(ahead, (-quality[other], other))
    return board.reshape(*even.shape, 2)[1:-1, 1:-1]


def bent_sheet(at: Points, board: Points, deviations: npt.NDArray[np.floating]) -> BentPlacement | None:
    """The lattice on which a board's points lie at places, ``(N, 2)`` each, to within standard deviations ``(N,)`` in
    cells: an affine map and a thin plate; None where they lie on a line.
    """
    matrix = _affine(board, at)
    if matrix is None or not abs(np.linalg.det(matrix)) > SINGULAR:
        return None
    sheet = FlatPlacement(matrix, (1, 1))
    bend = fitted(board, sheet.to_board(at) - board, deviations, _middles(board, board), SUPPLE)
    return BentPlacement(sheet, bend, np.eye(3), (1, 1))


def _deviations(sure: Singles) -> Singles:
    """Standard deviations of phases whose waves are so long, in cells: those of a wrapped normal distribution [2]_, no
    smaller than :data:`SHARPEST`.
    """
    wrapped = np.sqrt(-2 * np.log(np.clip(sure, SINGULAR, 1))) / (2 * np.pi)
    return np.asarray(np.hypot(wrapped, SHARPEST), np.float32)


def _middles(board: Points, points: Points) -> Points:
    """The mean of the points of each cell, ``float64 (K, 2)``; ``board`` tells their places on the board."""
    _, cell, counts = np.unique(np.floor(board), axis=0, return_inverse=True, return_counts=True)
    sums = [np.bincount(cell.ravel(), points[:, axis]) for axis in (0, 1)]
    return np.column_stack(sums)[counts >= FEW] / counts[counts >= FEW, None]


def _seeds(waves: Waves, region: Bools) -> Iterator[tuple[tuple[int, int], Floats]]:
    """Places ``(x, y)`` of a region where its phases are surest, and the pitch there, ``float64 (2, 2)``: cells to the
    right and down for each place to the right and down.
    """
    sure, mean = _evenness(waves, region)
    for _ in range(SEEDS):
        y, x = (int(v) for v in np.unravel_index(int(sure.argmax()), sure.shape))
        if sure[y, x] <= 0:
            return
        yield (x, y), np.asarray(np.angle(mean[:, y, x]) / (2 * np.pi), np.float64).reshape(2, 2)
        sure[max(0, y - 2 * WINDOW) : y + 2 * WINDOW + 1, max(0, x - 2 * WINDOW) : x + 2 * WINDOW + 1] = 0


def _evenness(waves: Waves, region: Bools) -> tuple[Singles, Waves]:
    """How evenly the phases of a region change round each place, ``float32 (H, W)``, and their mean change,
    ``complex64 (2, 2, H, W)``: of each phase, for a place to the right and down.
    """
    shown = waves * region
    along = np.zeros((2, 2, *region.shape), np.complex64)  # [phase, axis]
    along[:, 0, :, :-1] = np.conj(shown[:, :, :-1]) * shown[:, :, 1:]
    along[:, 1, :-1] = np.conj(shown[:, :-1]) * shown[:, 1:]
    parts = along.reshape(4, *region.shape)
    mean = np.array([_boxed(part.real) + 1j * _boxed(part.imag) for part in parts])
    sure = np.where(region, np.abs(mean).min(axis=0), 0)
    return np.asarray(sure, np.float32), mean


def _boxed(values: Singles) -> Singles:
    """Means over windows."""
    contiguous = np.ascontiguousarray(values, np.float32)
    return np.asarray(cv2.boxFilter(contiguous, -1, (WINDOW, WINDOW), borderType=cv2.BORDER_CONSTANT), np.float32)


def _begun(waves: Waves, seed: tuple[int, int], pitch: Floats) -> Floats:
    """The affine map ``float64 (3, 3)`` from places to cells at a seed with the pitch there."""
    matrix = np.eye(3)
    matrix[:2, :2], matrix[:2, 2] = pitch, np.angle(waves[:, seed[1], seed[0]]) / (2 * np.pi) - pitch @ seed
    return matrix


def _unwrapped(at: Points, waves: Waves, seed: tuple[int, int], begun: Floats, on_screen: bool) -> Floats | None:
    """The homography ``float64 (3, 3)`` from places ``(N, 2)`` to cells, counted from a seed where ``begun`` leads
    there; None where hardly any phases fit one.
    """
    middle, sure = np.array([seed], dtype=np.float64), np.abs(waves).min(axis=1) >= SURE
    matrix = begun
    reach, within = REACH, [OFF, *(CLOSE,) * LAST]
    for _ in range(MOST_ROUNDS):
        board = through(matrix, at)
        near = np.abs(board - through(matrix, middle)).max(axis=1) <= reach
        off = _off(board, waves)
        fits = near & sure & (np.abs(off).max(axis=1) <= within[0])
        if np.count_nonzero(fits) < LEAST_PLACES:
            return None
        places, cells = at[fits], (board + off)[fits]
        if on_screen:
            fitted = _rectangles(places, cells)
        else:
            fitted = _affine(places, cells) if reach < AFFINE else _homography(places, cells)
        if fitted is None:
            return None
        matrix, reach = fitted, reach * FURTHER
        within = within[1:] if near.all() else within
        if not within:
            return matrix
    return matrix


def _off(board: Points, waves: Waves) -> Points:
    """How far the phases are off places on a board, in cells: -0.5..0.5, ``(N, 2)``."""
    off = np.angle(waves) / (2 * np.pi) - board
    return np.asarray(off - np.rint(off), np.float64)


class _Box(NamedTuple):
    """The box round the cells of a lattice: what moves its first cell's corner to the first of all, ``float64 (3, 3)``,
    and how many columns and rows it has.
    """

    origin: Floats
    size: tuple[float, float]


def _box(region: Bools, board: Points, to_field: Callable[[Points], Points]) -> _Box | None:
    """The box round the cells of which a region shows most; None where there are too few, or too many.

    Args:
        region: of places.
        board: where they lie on the board, ``(N, 2)``.
        to_field: leads back to places.
    """
    first, last = (np.floor(percentiles(board, 100 * share)).astype(int) for share in (RIM, 1 - RIM))
    cols, rows = (last - first + 1).tolist()
    if max(cols, rows) > MOST_LINES or min(cols, rows) < 1:
        return None
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES
    x, y = (first[axis] + (np.arange(n)[:, None] + steps).ravel() for axis, n in enumerate((cols, rows)))
    grid = np.column_stack([each.ravel() for each in np.meshgrid(x, y)])
    seen = np.rint(to_field(grid)).astype(int)
    height, width = region.shape
    inside = ((seen >= 0) & (seen < (width, height))).all(axis=1)
    shown = np.zeros(len(grid), np.bool_)
    shown[inside] = region[seen[inside, 1], seen[inside, 0]]
    share = shown.reshape(rows, SAMPLES, cols, SAMPLES).mean(axis=(1, 3))
    _, labels, stats, _ = cv2.connectedComponentsWithStats((share > MOSTLY).astype(np.uint8), connectivity=4)
    cells = np.isin(labels, 1 + np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= FEWEST))
    if not cells.any():
        return None
    down, across = box_of(cells)
    left, top = first[0] + across.start, first[1] + down.start
    origin = np.array([(1, 0, left), (0, 1, top), (0, 0, 1)], dtype=np.float64)
    return _Box(origin, (across.stop - across.start, down.stop - down.start))


def _bend(board: Points, moved: Points, deviations: Singles, size: tuple[float, float]) -> ThinPlate | None:
    """The bend of a sheet of paper by which points in cells are ``moved`` on it; None where it is flat."""
    fits = np.abs(moved).max(axis=1) <= OFF
    if np.count_nonzero(fits) < LEAST_PLACES:
        return None
    every = max(1, np.count_nonzero(fits) // MOST_PLACES)
    points, away, off_by = (values[fits][::every] for values in (board, moved, deviations))
    along = (np.linspace(0, length, KNOTS) for length in size)
    knots = np.column_stack([each.ravel() for each in np.meshgrid(*along)])
    bend = fitted(points, away, off_by, knots, STIFFNESS)
    off = np.abs(bend.at(points))
    return bend if off.mean() >= BENT and off.max() <= MOST_BENT else None


def _affine(at: Points, board: Points) -> Floats | None:
    """The affine map from places to cells by least squares."""
    coefficients, _, rank, _ = np.linalg.lstsq(np.column_stack([at, np.ones(len(at))]), board, rcond=None)
    return np.vstack([coefficients.T, (0, 0, 1)]) if rank == coefficients.shape[0] else None


def _rectangles(at: Points, board: Points) -> Floats | None:
    """The affine map from places to cells that are rectangles, turned by the mean of what their two sides say."""
    matrix = _affine(at, board)
    if matrix is None:
        return None
    (a, b), (c, d) = matrix[:2, :2]
    turn = np.angle(complex(a, b) + complex(d, -c))
    axes = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    matrix[:2, :2] = (matrix[:2, :2] * axes).sum(axis=1, keepdims=True) * axes
    matrix[:2, 2] = (board - at @ matrix[:2, :2].T).mean(axis=0)
    return matrix


def _homography(at: Points, board: Points) -> Floats | None:
    """The homography from places to cells by least squares."""
    every = max(1, len(at) // MOST_PLACES)
    matrix, _ = cv2.findHomography(at[::every], board[::every])
    return None if matrix is None else np.asarray(matrix, np.float64)
