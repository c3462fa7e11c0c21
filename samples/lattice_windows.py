"""Drawn pictures as the network of :mod:`vision.boards.states` sees them: a window of a lattice with the state of each
place.

Boards come from all generators of :mod:`samples`, whole ones and others of every outline, on screens and in photos, of
which some show not all of the board. Of a lattice that is none of the board's (of another pitch, between its lines, on
a board with bent cells, on a page or a picture without a board) all places are holes.
"""

import cv2
import numpy as np
import numpy.typing as npt

from samples import nothing, pages, region_phones, regions, stitch
from samples.camera import photograph, random_shot
from samples.puzzles.outlines import FORMS, Form
from samples.sample import Sample
from vision.boards.states import SIDE_PX
from vision.pictures.bending import regrown
from vision.pictures.flatten import flatten
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

PLACES = 24
"""Rows and columns of a window."""

HOLE, CELL, OUT_OF_VIEW = 0, 1, 2

States = npt.NDArray[np.uint8]

Window = tuple[Picture, States]

STYLES = ("game", "game", "patches", "light", "dark", "slope", "tiles", "linen", "dotted")

WHOLE = 0.35
"""Part of the boards that are rectangles."""

LARGE = 0.08
"""Part of the boards that have up to 20 rows or columns."""

FEW = 0.45
"""Part of the others of which one to three places are missing, mostly within: what is told least surely."""

PAGES, LEVELS, NOTHING = 0.45, 0.04, 0.02
"""Part of the pictures that the second generator draws, that show coloured regions, or no board."""

BENT = 0.08
"""Part of the pictures that show a board with bent cells, where a straight lattice suits some of them."""

PHOTOS = 0.4

CROPPED = 0.12
"""Part of the pictures that end near the board or within it."""

MISPLACED = 0.15
"""Part of the windows that show another lattice than the board's."""

MISCOUNTED = 0.5
"""Part of these that have a row or column more or fewer than the board between its sides."""

ASKEW = 0.02
"""Standard deviation, in cells, by which the corners of a lattice are off."""


def window(rng: np.random.Generator) -> Window:
    """A window of a drawn picture, ``uint8 (PLACES * SIDE_PX, PLACES * SIDE_PX, 3)``, with the states of its places,
    ``uint8 (PLACES, PLACES)``.
    """
    if rng.random() < BENT:
        return _bent(rng)
    what = rng.random()
    if what < NOTHING:
        sample = list(nothing.SCENES.values())[int(rng.integers(len(nothing.SCENES)))](rng)
    else:
        sample = _level(rng) if what < NOTHING + LEVELS else board(rng)
    if rng.random() < PHOTOS:
        size_wh = (1600, 1200) if rng.random() < 0.3 else (1000, 750)
        sample = photograph(sample, random_shot(rng, size_wh, screen=bool(rng.random() < 0.5)), rng)
    if "corners" in sample.truth and rng.random() < CROPPED:
        sample = cropped(rng, sample)
    photo = Photo(np.ascontiguousarray(255 - sample.picture if rng.random() < 0.2 else sample.picture))
    if "corners" not in sample.truth:
        return _empty(rng, photo, _anywhere(rng, photo))
    return _window(rng, photo, sample)


def _bent(rng: np.random.Generator) -> Window:
    """A board with bent cells on a lattice through four of their corners."""
    rows, cols = int(rng.integers(5, 13)), int(rng.integers(5, 11))
    holes = int(rows * cols * rng.uniform(0, 0.3))
    filled = float(rng.choice([0.0, rng.uniform(0.2, 0.8)]))
    bend = float(rng.uniform(0.5, 1.2))
    sample = stitch.draw(
        rng, style="game", rows=rows, cols=cols, holes=holes, bend=bend, filled=filled, unique=False, form="bitten"
    )
    if rng.random() < PHOTOS:
        sample = photograph(sample, random_shot(rng, (1600, 1200), screen=True), rng)
    cells, mesh = cells_of(sample), sample.truth["mesh"]
    while True:
        (top, bottom), (left, right) = (np.sort(rng.choice(length, 2, replace=False)) for length in cells.shape)
        ends = ((top, left), (top, right), (bottom, right), (bottom, left))
        if bottom - top >= 2 and right - left >= 2 and all(cells[end] for end in ends):
            break
    corners = [mesh[f"{r},{c}"][k] for k, (r, c) in enumerate(ends)]
    grid = FlatPlacement.from_corners(corners, (int(right - left) + 1, int(bottom - top) + 1))
    return _empty(rng, Photo(sample.picture), _askew(rng, grid))


def _level(rng: np.random.Generator) -> Sample:
    """A level of coloured regions."""
    return (regions.draw, regions.capture, region_phones.sent)[int(rng.integers(3))](rng)


def board(rng: np.random.Generator) -> Sample:
    """A Stitch board of any outline on a screen or a page."""
    most = (21, 21) if rng.random() < LARGE else (14, 11)
    rows, cols = int(rng.integers(4, most[0])), int(rng.integers(4, most[1]))
    if rng.random() < 0.5:
        rows, cols = cols, rows
    few = rng.random() < FEW
    holes = int(rng.integers(1, 4)) if few else max(1, int(rows * cols * rng.uniform(0.03, 0.4)))
    holes = 0 if rng.random() < WHOLE else holes
    form: Form = "holed" if few and rng.random() < 0.7 else FORMS[int(rng.integers(len(FORMS)))]
    if rng.random() < PAGES:
        return pages.draw(rng, rows=rows, cols=cols, missing=holes / (rows * cols), form=form, unique=False)
    form = form if holes else "bitten"
    style, beside = str(rng.choice(STYLES)), bool(rng.random() < 0.5)
    return stitch.draw(rng, style=style, rows=rows, cols=cols, holes=holes, form=form, beside=beside, unique=False)


def cells_of(sample: Sample) -> npt.NDArray[np.bool_]:
    """Which places of a board's box are cells, ``bool (rows, cols)``."""
    table = sample.truth.get("clues") or sample.truth["regions"]
    return np.array([[what is not None for what in row] for row in table])


def lattice_of(sample: Sample) -> FlatPlacement:
    """The flat placement that suits a board best, its crossings where they are known."""
    rows, cols = cells_of(sample).shape
    mesh = sample.truth.get("mesh", {}).get("all")
    if mesh is None:
        return FlatPlacement.from_corners(sample.truth["corners"], (cols, rows))
    xs, ys = np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0))
    matrix, _ = cv2.findHomography(np.column_stack([xs.ravel(), ys.ravel()]), np.array(mesh, dtype=np.float64))
    return FlatPlacement(np.asarray(matrix, dtype=np.float64), (cols, rows))


def has_enclosed(states: States) -> npt.NDArray[np.bool_]:
    """Which windows ``(N, rows, cols)`` have a hole between four cells, ``bool (N,)``."""
    cells = np.pad(states == CELL, ((0, 0), (1, 1), (1, 1)))
    between = cells[:, :-2, 1:-1] & cells[:, 2:, 1:-1] & cells[:, 1:-1, :-2] & cells[:, 1:-1, 2:]
    return np.asarray((between & (states == HOLE)).any(axis=(1, 2)))


def cropped(rng: np.random.Generator, sample: Sample) -> Sample:
    """The part of a picture round a board with a small margin, or less than all of the board."""
    corners = np.array(sample.truth["corners"])
    rows, cols = cells_of(sample).shape
    side = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).sum() / 2 / (rows + cols)
    height, width = sample.picture.shape[:2]
    room = rng.uniform(0.0, 0.1 if rng.random() < 0.4 else 0.8, 4)
    room[rng.random(4) < 0.3] = np.inf
    if rng.random() < 0.6:
        room[int(rng.integers(4))] = -rng.uniform(0.0, 3.0)
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    ends = [
        round(float(np.clip(end, 0, most)))
        for end, most in zip(
            np.array([x0, y0, x1, y1]) + room * side * np.array([-1, -1, 1, 1]), (width, height) * 2, strict=True
        )
    ]
    left, top, right, bottom = ends
    if right - left < 4 * side or bottom - top < 4 * side:
        return sample
    part = np.ascontiguousarray(sample.picture[top:bottom, left:right])
    return sample.moved(part, lambda points: np.asarray(points, np.float64) - (left, top))


def _window(rng: np.random.Generator, photo: Photo, sample: Sample) -> Window:
    cells, grid = cells_of(sample), _askew(rng, lattice_of(sample))
    if rng.random() < MISPLACED:
        return _empty(rng, photo, _misplaced(rng, grid))
    rows, cols = cells.shape
    top, left = int(rng.integers(1, PLACES - rows)), int(rng.integers(1, PLACES - cols))
    states = np.full((PLACES, PLACES), HOLE, dtype=np.uint8)
    states[top : top + rows, left : left + cols] = np.where(cells, CELL, HOLE)
    return _cut(photo, regrown(grid, (left, top, PLACES - left - cols, PLACES - top - rows)), states)


def _empty(rng: np.random.Generator, photo: Photo, grid: FlatPlacement) -> Window:
    """A window somewhere near a lattice whose places are holes."""
    cols, rows = (int(length) for length in grid.size)
    left, top = (PLACES // 2 - length // 2 - int(rng.integers(-4, 5)) for length in (cols, rows))
    lattice = regrown(grid, (left, top, PLACES - left - cols, PLACES - top - rows))
    return _cut(photo, lattice, np.full((PLACES, PLACES), HOLE, dtype=np.uint8))


def _cut(photo: Photo, lattice: FlatPlacement, states: States) -> Window:
    xs, ys = np.meshgrid(np.arange(PLACES) + 0.5, np.arange(PLACES) + 0.5)
    in_view = photo.holds(lattice.to_photo(np.column_stack([xs.ravel(), ys.ravel()]))).reshape(states.shape)
    states[~in_view] = OUT_OF_VIEW
    return flatten(photo, lattice, SIDE_PX), states


def _askew(rng: np.random.Generator, grid: FlatPlacement) -> FlatPlacement:
    """The grid as a finder lays it, a little off."""
    cols, rows = grid.size
    corners = np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)]) + rng.normal(0, ASKEW, (4, 2))
    return FlatPlacement.from_corners(grid.to_photo(corners), grid.size)


def _misplaced(rng: np.random.Generator, grid: FlatPlacement) -> FlatPlacement:
    """A lattice of another pitch, or half a cell off, as finders lay them."""
    if rng.random() < MISCOUNTED:
        return _miscounted(rng, grid)
    pitch = float(rng.choice([1, 2, 1 / 2, 3, 1 / 3, 3 / 2, 2 / 3], p=[0.25, 0.25, 0.25, 0.05, 0.1, 0.05, 0.05]))
    shifts = [(1, 0), (0, 1), (1, 1)] if pitch == 1 else [(0, 0), (0, 1), (1, 0), (1, 1)]
    shift = 0.5 * np.array(shifts[int(rng.integers(len(shifts)))]) * min(1.0, pitch)
    if pitch != 1 and rng.random() < 0.3:
        shift = rng.uniform(0, pitch, 2)
    scale = np.array([(pitch, 0, shift[0]), (0, pitch, shift[1]), (0, 0, 1)])
    size = tuple(max(1, min(PLACES - 2, round(length / pitch))) for length in grid.size)
    return FlatPlacement(grid.matrix @ scale, (size[0], size[1]))


def _miscounted(rng: np.random.Generator, grid: FlatPlacement) -> FlatPlacement:
    """The board's box cut into a row or column more or fewer than it has."""
    size = np.array(grid.size)
    axis, more = int(rng.integers(2)), int(rng.choice([-1, 1]))
    size[axis] = max(2, min(PLACES - 2, size[axis] + more))
    scale = np.diag([*(np.array(grid.size) / size), 1.0])
    return FlatPlacement(grid.matrix @ scale, (int(size[0]), int(size[1])))


def _anywhere(rng: np.random.Generator, photo: Photo) -> FlatPlacement:
    """A lattice that lies anywhere in a picture, upright or a little turned."""
    pitch = float(rng.uniform(0.03, 0.15)) * max(photo.width, photo.height)
    turn = float(rng.normal(0, 0.1)) if rng.random() < 0.5 else 0.0
    cos, sin = pitch * np.cos(turn), pitch * np.sin(turn)
    x, y = rng.uniform(0, 0.5, 2) * (photo.width, photo.height)
    return FlatPlacement(np.array([(cos, -sin, x), (sin, cos, y), (0, 0, 1)]), (8, 8))


def part(rng: np.random.Generator, whole: Window, side: int, any_part: float) -> Window:
    """A square part of a window with all of its board, where that fits; sometimes any of which something is in view.

    Args:
        rng: decides which.
        whole: the window, as of :func:`window`.
        side: places to a side of the part.
        any_part: chance of any.
    """
    shown, states = whole
    while True:
        first = []
        for axis in (1, 0):
            board = np.flatnonzero((states == CELL).any(axis=axis))
            least, most = 0, PLACES - side
            if len(board) and rng.random() >= any_part:
                around = max(0, int(board[-1]) + 2 - side), min(PLACES - side, int(board[0]) - 1)
                least, most = around if around[0] <= around[1] else (least, most)
            first.append(int(rng.integers(least, most + 1)))
        r, c = first
        cut = states[r : r + side, c : c + side]
        if (cut != OUT_OF_VIEW).any():
            return shown[r * SIDE_PX : (r + side) * SIDE_PX, c * SIDE_PX : (c + side) * SIDE_PX], cut
