"""Lattices of cells by their phase: where in its cell each pixel of a board lies.

A small fully convolutional network tells for each pixel of a picture whether it lies on a cell of a board, and as two
complex numbers how far right and down in its cell. It was taught on drawn boards (:mod:`samples.train_phases`): lines,
tiles, dots, colours or patches are all the same to it. Each connected region of cells is then *unwrapped* [1]_: from
where the phases are surest, whole cells are counted outwards, and the homography that leads from pixels to cells is
fitted anew as more of them are counted. What it leaves over is the bend of the sheet. Where the phases fit no sheet,
cells are bent, and there is no lattice.

What is found reaches as far as the cells that are seen; how far the board does, :mod:`vision.boards.states` tells.

References:
    .. [1] D. C. Ghiglia, M. D. Pritt, "Two-Dimensional Phase Unwrapping", Wiley 1998.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import Convolutional, ground_of, picture_input
from vision.network import Floats as Singles
from vision.pictures.bending import BentPlacement, on_sheet, regrown, scored, terms
from vision.pictures.flatten import cell_side_px
from vision.pictures.masks import box_of
from vision.pictures.medians import median, percentiles
from vision.pictures.photo import Photo, Picture
from vision.pictures.photographed import is_surely_screenshot
from vision.pictures.placement import FlatPlacement, Points, box_corners, enlarging, lie_alike, overlap, through

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Waves = npt.NDArray[np.complex64]

Grid = FlatPlacement | BentPlacement

NETWORK = Path(__file__).with_name("phases.onnx")
"""Tells cosine and sine of the phase to the right and of that down, and the log odds that a pixel lies on a cell."""

COARSE = 4
"""Pixels, each way, that the network tells at a time."""

STRIDE = 16
"""The sides of what the network is given are multiples of this."""

SIZES_PX = (576, 1152)
"""Longest sides of the picture at which it is looked through for lattices, until some are found."""

MOST_ENLARGED = 2.0
"""How much a small picture is enlarged at most for the last of these."""

SMALL_PX, ENOUGH_PX, LARGEST_PX = 20.0, 44.0, 1600
"""Cells smaller than this on a screen, than the second in a photo, are looked at once more, as large as that; and the
longest side of what is looked at then."""

SAME = 0.1
"""Lattices of one size are the same where their corners are no further apart, in cells."""

AROUND = 1.5
"""What is looked at round a lattice then, in cells."""

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

MOST_SCORE = 0.9
"""The score of a lattice that explains all phases: what its cells carry, kinds tell."""

SURE = 0.3
"""Phases are fitted where their waves are so long at least."""

MOST_REGIONS = 4
"""Regions that are looked at, the largest first."""

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

STIFFNESS = 0.01
"""Weight of the squares of a bend's coefficients, against the mean square of what it leaves over."""

_network = Convolutional(NETWORK)


@dataclass(frozen=True, eq=False)
class Field:
    """What the network tells of a part of a picture.

    Attributes:
        waves: ``complex64 (2, H, W)``, to the right and down: the argument is 2 pi times the phase, the length how sure
            it is.
        odds: ``float32 (H, W)``: the log odds that a place lies on a cell.
        to_photo: ``float64 (3, 3)``, from its places to pixels of the photo.
    """

    waves: Waves
    odds: npt.NDArray[np.float32]
    to_photo: Floats

    @property
    def cells(self) -> Bools:
        """``bool (H, W)``: what lies on cells."""
        return np.asarray(self.odds > 0)


def lattices(photo: Photo) -> list[Grid]:
    """The lattices of cells in a picture, in pixels of ``photo``: of the largest region of cells first, as it is seen
    best and as it was seen first. Their score tells how much of the phases they explain. Computed once for each
    picture: the same objects are told each time, for which others remember what they saw there.
    """
    return list(photo.derive(_lattices))


def _lattices(photo: Photo) -> list[Grid]:
    return [scored(grid, MOST_SCORE * grid.score) for grid in all_lattices(photo) if grid.score >= EXPLAINED]


def all_lattices(photo: Photo) -> list[Grid]:
    """The same with those that explain little; the score of each is the part of the phases that it explains, 0..1."""
    found: list[Grid] = []
    longest = max(photo.width, photo.height)
    for longest_px in SIZES_PX:
        small = photo.reduced(longest_px)
        factor, shown = small.scale / photo.scale, small.bgr
        if longest_px == SIZES_PX[0]:
            field = photo.derive(_first_field)
        else:
            if small is photo:
                factor = min(MOST_ENLARGED, longest_px / longest)
                larger = cv2.resize(shown, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR)
                shown = np.asarray(larger, np.uint8)
            field = _field(photo, shown, enlarging(1 / factor))
        grids = _lattices_in(photo, field)
        found = []
        for grid in grids:
            closer = _closer(photo, grid)
            found += closer if any(lie_alike(one, grid, SAME) for one in closer) else [*closer, grid]
        if any(grid.score >= EXPLAINED or cell_side_px(grid) >= SMALL_PX / factor for grid in found):
            break
    return found


def _closer(photo: Photo, grid: Grid) -> list[Grid]:
    """The lattices at the place of one, as they are seen at a size at which cells are large enough; none where they
    were. In photos, with their noise, more is seen at that size in any case.
    """
    if _first_side_px(photo, grid) >= _least_px(photo):
        return []
    return [one for one in _lattices_in(photo, photo.derive_at(_field_near, grid)) if overlap(one, grid)]


def _first_side_px(photo: Photo, grid: Grid) -> float:
    """The side of a lattice's cells in the first look."""
    return cell_side_px(grid) * min(1.0, SIZES_PX[0] / max(photo.width, photo.height))


def _least_px(photo: Photo) -> float:
    """The side of cells that is enough."""
    return SMALL_PX if is_surely_screenshot(photo) else ENOUGH_PX


def _first_field(photo: Photo) -> Field:
    """What is told of the whole photo at its first size."""
    small = photo.reduced(SIZES_PX[0])
    return _field(photo, small.bgr, enlarging(photo.scale / small.scale))


def _field_near(photo: Photo, grid: Grid) -> Field:
    """What is told of a lattice and what lies round it, with cells no larger than is enough."""
    corners = box_corners(regrown(grid, (AROUND,) * 4))
    low = np.clip(np.floor(corners.min(axis=0)), 0, (photo.width - 1, photo.height - 1)).astype(int)
    high = np.clip(np.ceil(corners.max(axis=0)), 1, (photo.width, photo.height)).astype(int)
    part = photo.bgr[low[1] : high[1], low[0] : high[0]]
    factor = min(ENOUGH_PX / cell_side_px(grid), 1.0, LARGEST_PX / max(part.shape[:2]))
    shown = np.asarray(cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    to_photo = np.array([(1, 0, low[0]), (0, 1, low[1]), (0, 0, 1)], dtype=np.float64) @ enlarging(1 / factor)
    return _field(photo, shown, to_photo)


def _field_of(photo: Photo, grid: Grid) -> Field:
    """What is told of a lattice and what lies round it, with cells of a size at which they are seen well."""
    # How a page ends beside cells that fill the picture is told from farther away.
    first = _least_px(photo) <= _first_side_px(photo, grid) <= ENOUGH_PX
    return photo.derive(_first_field) if first else photo.derive_at(_field_near, grid)


def residual(photo: Photo, grid: Grid, inside: Bools) -> float:
    """How far the phases of a board's cells are off its lattice, the median, in cells; NaN where none is seen. A patch
    may mislead all of its own.

    Args:
        photo: where the board is seen.
        grid: the lattice.
        inside: ``bool (rows, cols)``, the places of its box that are cells.
    """
    field = _field_of(photo, grid)
    ys, xs = np.nonzero(field.cells)
    board = grid.to_board(through(field.to_photo, np.column_stack([xs, ys])))
    col, row = np.floor(board).astype(int).T
    height, width = inside.shape
    own = (col >= 0) & (col < width) & (row >= 0) & (row < height)
    own[own] = inside[row[own], col[own]]
    return median(np.abs(_off(board[own], field.waves[:, ys, xs].T[own])).max(axis=1))


def odds_of_cells(photo: Photo, grid: Grid, points: Points) -> npt.NDArray[np.float32]:
    """The log odds that points near a lattice, ``(N, 2)`` in pixels, lie on cells, whosesoever, ``float32 (N,)``."""
    field = _field_of(photo, grid)
    to_field = np.asarray(np.linalg.inv(field.to_photo), np.float64)
    x, y = np.rint(through(to_field, points)).astype(int).T
    rows, cols = field.odds.shape
    return np.asarray(field.odds[y.clip(0, rows - 1), x.clip(0, cols - 1)])


def drawn(photo: Photo, grid: Grid) -> Picture:
    """What is told of a lattice and what lies round it: phases to the right in blue and down in green, cells in red."""
    field = photo.derive_at(_field_near, grid)
    to_right, down = (np.angle(wave) / (2 * np.pi) % 1 for wave in field.waves)
    return np.asarray(255 * np.stack([to_right * field.cells, down * field.cells, field.cells], axis=2), np.uint8)


def _lattices_in(photo: Photo, field: Field) -> list[Grid]:
    """The lattices in a part of a photo at some size, the largest first."""
    photo.budget.spend(0)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(field.cells.astype(np.uint8), connectivity=8)
    areas = stats[1:, cv2.CC_STAT_AREA]
    order = [1 + int(k) for k in np.argsort(-areas, kind="stable") if areas[k] >= LEAST_PLACES]
    found: list[Grid] = []
    for region in (np.asarray(labels == label) for label in order[:MOST_REGIONS]):
        middle = through(field.to_photo, np.argwhere(region)[:, ::-1].mean(axis=0))
        if not any(((at := grid.to_board(middle)) >= 0).all() and (at <= grid.size).all() for grid in found):
            grid = lattice_of(field, region, is_surely_screenshot(photo))
            found += [] if grid is None else [grid]
    return found


def _ground(photo: Photo) -> Floats:
    """The median colour of a picture, ``(3,)``."""
    return ground_of(photo.reduced(SIZES_PX[0]).bgr)


def _field(photo: Photo, bgr: Picture, to_photo: Floats) -> Field:
    """What is told of a part of a photo; ``to_photo`` leads from its pixels to those of the photo."""
    photo.budget.spend(0)
    rows, cols = (-(-length // COARSE) for length in bgr.shape[:2])
    output = _network(picture_input(bgr, photo.derive(_ground), STRIDE))[0, :, :rows, :cols]
    waves = (output[[0, 2]] + 1j * output[[1, 3]]).astype(np.complex64)
    return Field(waves, output[4], to_photo @ enlarging(COARSE))


def lattice_of(field: Field, region: Bools, on_screen: bool = False) -> Grid | None:
    """The lattice of a region of cells; its score is the part of the phases that it explains, each as much as it is
    sure. None where they cannot be unwrapped.

    What comes straight ``on_screen``, no camera saw: cells are rectangles there, though the page may be turned.
    """
    ys, xs = np.nonzero(field.cells)
    at, waves, own = np.column_stack([xs, ys]).astype(np.float64), field.waves[:, ys, xs].T, region[ys, xs]
    best: Grid | None = None
    for seed, pitch in _seeds(field.waves, region):
        matrix = _unwrapped(at[own], waves[own], seed, pitch, on_screen)
        if matrix is None or not abs(np.linalg.det(matrix)) > SINGULAR:
            continue
        # What lies apart from the region and on its lattice all the same is of the board as well.
        near = own | (np.abs(_off(through(matrix, at), waves)).max(axis=1) <= CLOSE)
        shown = np.zeros_like(region)
        shown[ys[near], xs[near]] = True
        box = _box(shown, matrix)
        if box is None:
            continue
        onto = np.asarray(np.linalg.inv(box.origin) @ matrix, np.float64)
        grid = _fitted(at[own], waves[own], onto, box.size, on_screen)
        if best is None or grid.score > best.score:
            best = grid
        if best.score >= PLAIN:
            break
    return None if best is None else moved(best, field.to_photo)


def _fitted(at: Points, waves: Waves, matrix: Floats, size: tuple[float, float], on_screen: bool) -> Grid:
    """The lattice to whose cells a homography leads from places ``(N, 2)``, with a bend where their phases show one."""
    board, sure = through(matrix, at), np.abs(waves).min(axis=1)
    off = _off(board, waves)
    bend = None if on_screen else _bend(board + off, -off, sure, size)
    left = off if bend is None else off + terms(on_sheet(board + off, size)) @ bend.T
    explained = float(sure[np.abs(left).max(axis=1) <= CLOSE].sum() / sure.sum())
    flat = FlatPlacement(np.asarray(np.linalg.inv(matrix), np.float64), size, explained)
    return flat if bend is None else BentPlacement(flat, bend, np.eye(3), size)


def moved(grid: Grid, matrix: Floats) -> Grid:
    """The lattice in a picture to which a homography leads."""
    if isinstance(grid, BentPlacement):
        return replace(grid, sheet=replace(grid.sheet, matrix=matrix @ grid.sheet.matrix))
    return replace(grid, matrix=matrix @ grid.matrix)


def _seeds(waves: Waves, region: Bools) -> Iterator[tuple[tuple[int, int], Floats]]:
    """Places ``(x, y)`` of a region where its phases are surest, and the pitch there, ``float64 (2, 2)``: cells to the
    right and down for each place to the right and down.
    """
    shown = waves * region
    along = np.zeros((2, 2, *region.shape), np.complex64)  # [phase, axis]
    along[:, 0, :, :-1] = np.conj(shown[:, :, :-1]) * shown[:, :, 1:]
    along[:, 1, :-1] = np.conj(shown[:, :-1]) * shown[:, 1:]
    parts = along.reshape(4, *region.shape)
    mean = np.array([_boxed(part.real) + 1j * _boxed(part.imag) for part in parts])
    sure = np.where(region, np.abs(mean).min(axis=0), 0)
    for _ in range(SEEDS):
        y, x = (int(v) for v in np.unravel_index(int(sure.argmax()), sure.shape))
        if sure[y, x] <= 0:
            return
        yield (x, y), (np.angle(mean[:, y, x]) / (2 * np.pi)).reshape(2, 2)
        sure[max(0, y - 2 * WINDOW) : y + 2 * WINDOW + 1, max(0, x - 2 * WINDOW) : x + 2 * WINDOW + 1] = 0


def _boxed(values: Singles) -> Singles:
    """Means over windows."""
    contiguous = np.ascontiguousarray(values, np.float32)
    return np.asarray(cv2.boxFilter(contiguous, -1, (WINDOW, WINDOW), borderType=cv2.BORDER_CONSTANT), np.float32)


def _unwrapped(at: Points, waves: Waves, seed: tuple[int, int], pitch: Floats, on_screen: bool) -> Floats | None:
    """The homography ``float64 (3, 3)`` from places ``(N, 2)`` to cells, counted from a seed with the pitch there; None
    where hardly any phases fit one.
    """
    middle, sure = np.array([seed], dtype=np.float64), np.abs(waves).min(axis=1) >= SURE
    begun = np.angle(waves[(at == middle).all(axis=1)][0]) / (2 * np.pi)
    matrix = np.eye(3)
    matrix[:2, :2], matrix[:2, 2] = pitch, begun - pitch @ middle[0]
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


def _box(region: Bools, matrix: Floats) -> _Box | None:
    """The box round the cells of which a region shows most; None where there are too few, or too many."""
    ys, xs = np.nonzero(region)
    board = through(matrix, np.column_stack([xs, ys]))
    first, last = (np.floor(percentiles(board, 100 * share)).astype(int) for share in (RIM, 1 - RIM))
    cols, rows = (last - first + 1).tolist()
    if max(cols, rows) > MOST_LINES or min(cols, rows) < 1:
        return None
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES
    x, y = (first[axis] + (np.arange(n)[:, None] + steps).ravel() for axis, n in enumerate((cols, rows)))
    grid = np.column_stack([each.ravel() for each in np.meshgrid(x, y)])
    pixels = np.rint(through(np.asarray(np.linalg.inv(matrix), np.float64), grid)).astype(int)
    height, width = region.shape
    inside = ((pixels >= 0) & (pixels < (width, height))).all(axis=1)
    shown = np.zeros(len(grid), np.bool_)
    shown[inside] = region[pixels[inside, 1], pixels[inside, 0]]
    share = shown.reshape(rows, SAMPLES, cols, SAMPLES).mean(axis=(1, 3))
    _, labels, stats, _ = cv2.connectedComponentsWithStats((share > MOSTLY).astype(np.uint8), connectivity=4)
    cells = np.isin(labels, 1 + np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= FEWEST))
    if not cells.any():
        return None
    down, across = box_of(cells)
    left, top = first[0] + across.start, first[1] + down.start
    origin = np.array([(1, 0, left), (0, 1, top), (0, 0, 1)], dtype=np.float64)
    return _Box(origin, (across.stop - across.start, down.stop - down.start))


def _bend(board: Points, moved: Points, sure: Singles, size: tuple[float, float]) -> Points | None:
    """The bend of a sheet, as of :class:`vision.pictures.bending.BentPlacement`, by which points in cells are ``moved``
    on it; None where it is flat.
    """
    fits = np.abs(moved).max(axis=1) <= OFF
    if np.count_nonzero(fits) < LEAST_PLACES:
        return None
    every = max(1, np.count_nonzero(fits) // MOST_PLACES)
    columns, weight = terms(on_sheet(board[fits][::every], size)), sure[fits][::every, None] ** 2
    spring = STIFFNESS * weight.sum() * np.eye(columns.shape[1])
    shift = np.linalg.solve(columns.T @ (columns * weight) + spring, columns.T @ (moved[fits][::every] * weight))
    off = np.abs(columns @ shift)
    return np.asarray(shift.T) if off.mean() >= BENT and off.max() <= MOST_BENT else None


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
