"""Drawn boards as the network of :mod:`vision.boards.states` sees them: a window of a lattice with the state of each
place.

Boards come from both generators of :mod:`samples`, whole ones and others of every outline, on screens and in photos.
"""

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from samples import pages, stitch
from samples.camera import photograph, random_shot
from samples.puzzles.outlines import FORMS
from samples.sample import Sample
from vision.boards.states import SIDE_PX
from vision.pictures.bending import regrown
from vision.pictures.flatten import flatten
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

PLACES = 18
"""Rows and columns of a window."""

HOLE, CELL, OUT_OF_VIEW = 0, 1, 2

States = npt.NDArray[np.uint8]

LOOKS = ("game", "game", "patches", "light", "dark", "slope", "tiles", "linen")

WHOLE = 0.35
"""Part of the boards that are rectangles."""

PAGES = 0.45
"""Part of the boards that the second generator draws."""

PHOTOS = 0.4

ASKEW = 0.02
"""Standard deviation, in cells, by which the corners of a lattice are off."""

WINDOWS = 2
"""Windows of each picture."""


def windows(rng: np.random.Generator) -> Iterator[tuple[Picture, States]]:
    """Windows of one drawn picture, ``uint8 (PLACES * SIDE_PX, PLACES * SIDE_PX, 3)``, each with the states of its
    places, ``uint8 (PLACES, PLACES)``.
    """
    sample = _drawn(rng)
    if rng.random() < PHOTOS:
        size_wh = (1600, 1200) if rng.random() < 0.3 else (1000, 750)
        sample = photograph(sample, random_shot(rng, size_wh, screen=bool(rng.random() < 0.5)), rng)
    picture = 255 - sample.picture if rng.random() < 0.2 else sample.picture
    photo = Photo(np.ascontiguousarray(picture))
    cells = np.array([[clue is not None for clue in row] for row in sample.truth["clues"]])
    grid = _lattice(sample, *cells.shape)
    for _ in range(WINDOWS):
        yield _window(rng, photo, _askew(rng, grid), cells)


def _drawn(rng: np.random.Generator) -> Sample:
    """A board of any outline on a screen or a page."""
    rows, cols = int(rng.integers(4, 14)), int(rng.integers(4, 11))
    if rng.random() < 0.5:
        rows, cols = cols, rows
    holes = 0 if rng.random() < WHOLE else max(1, int(rows * cols * rng.uniform(0.03, 0.4)))
    if rng.random() < PAGES:
        return pages.draw(rng, rows=rows, cols=cols, missing=holes / (rows * cols), unique=False)
    form = FORMS[int(rng.integers(len(FORMS)))] if holes else "bitten"
    look, beside = str(rng.choice(LOOKS)), bool(rng.random() < 0.5)
    return stitch.draw(rng, look=look, rows=rows, cols=cols, holes=holes, form=form, beside=beside, unique=False)


def _lattice(sample: Sample, rows: int, cols: int) -> FlatPlacement:
    """The flat placement that suits a board best, its crossings where they are known."""
    mesh = sample.truth.get("mesh", {}).get("all")
    if mesh is None:
        return FlatPlacement.from_corners(sample.truth["corners"], (cols, rows))
    xs, ys = np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0))
    matrix, _ = cv2.findHomography(np.column_stack([xs.ravel(), ys.ravel()]), np.array(mesh, dtype=np.float64))
    return FlatPlacement(np.asarray(matrix, dtype=np.float64), (cols, rows))


def _askew(rng: np.random.Generator, grid: FlatPlacement) -> FlatPlacement:
    """The grid as a finder lays it, a little off."""
    cols, rows = grid.size
    corners = np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)]) + rng.normal(0, ASKEW, (4, 2))
    return FlatPlacement.from_corners(grid.to_photo(corners), grid.size)


def _window(
    rng: np.random.Generator, photo: Photo, grid: FlatPlacement, cells: npt.NDArray[np.bool_]
) -> tuple[Picture, States]:
    rows, cols = cells.shape
    top, left = int(rng.integers(1, PLACES - rows)), int(rng.integers(1, PLACES - cols))
    lattice = regrown(grid, (left, top, PLACES - left - cols, PLACES - top - rows))
    states = np.full((PLACES, PLACES), HOLE, dtype=np.uint8)
    states[top : top + rows, left : left + cols] = np.where(cells, CELL, HOLE)
    xs, ys = np.meshgrid(np.arange(PLACES) + 0.5, np.arange(PLACES) + 0.5)
    in_view = photo.holds(lattice.to_photo(np.column_stack([xs.ravel(), ys.ravel()]))).reshape(states.shape)
    states[~in_view] = OUT_OF_VIEW
    return flatten(photo, lattice, SIDE_PX), states
