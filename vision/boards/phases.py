"""Lattices of cells by their phase: where in its cell each pixel of a board lies.

A small fully convolutional network tells for each pixel of a picture whether it lies on a cell of a board, and as two
complex numbers how far right and down in its cell. It was taught on drawn boards (:mod:`samples.train_phases`): lines,
tiles, dots, colours or patches are all the same to it, and so are cells that bend. Each connected region of cells is
then unwrapped (:mod:`vision.boards.unwrapping`).

What is found reaches as far as the cells that are seen; how far the board does, :mod:`vision.boards.states` tells.
"""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards.unwrapping import EXPLAINED, LEAST_PLACES, PLAIN, Bools, Field, Grid, bent_lattice_of, lattice_of
from vision.network import Convolutional, ground_of, picture_input
from vision.pictures.bending import BentPlacement, regrown, scored
from vision.pictures.flatten import cell_side_px, flatten
from vision.pictures.masks import largest
from vision.pictures.photo import Photo, Picture
from vision.pictures.photographed import is_surely_screenshot
from vision.pictures.placement import FlatPlacement, Points, box_corners, enlarging, lie_alike, overlap

Floats = npt.NDArray[np.float64]

NETWORK = Path(__file__).with_name("phases.onnx")
"""Tells cosine and sine of the phase to the right and of that down, and the log odds that a pixel lies on a cell."""

COARSE = 4
"""Pixels, each way, that the network tells at a time."""

STRIDE = 16
"""The sides of what the network is given are multiples of this."""

LOOKS_PX = (576, 1152)
"""Longest sides of the picture at which it is looked through for lattices, until some are found."""

MOST_ENLARGED = 2.0
"""How much a small picture is enlarged at most for the last of these."""

SMALL_PX, ENOUGH_PX, LARGEST_PX = 20.0, 44.0, 1600
"""Cells smaller than this on a screen, than the second in a photo or where they bend, are looked at once more, as large
as that; and the longest side of what is looked at then."""

FLAT_PX = 32
"""Side of cells that bend where they are laid flat and looked at last."""

SAME = 0.1
"""Lattices of one size are the same where their corners are no further apart, in cells."""

AROUND = 1.5
"""What is looked at round a lattice then, in cells."""

MOST_SCORE = 0.9
"""The score of a lattice that explains all phases: what its cells carry, kinds tell."""

MOST_REGIONS = 4
"""Regions that are looked at, the largest first."""

_network = Convolutional(NETWORK)


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
    for longest_px in LOOKS_PX:
        small = photo.reduced(longest_px)
        factor, shown = small.scale / photo.scale, small.bgr
        if longest_px == LOOKS_PX[0]:
            field = photo.derive(_first_field)
        else:
            if small is photo:
                factor = min(MOST_ENLARGED, longest_px / longest)
                larger = cv2.resize(shown, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR)
                shown = np.asarray(larger, np.uint8)
            field = _field(photo, shown, enlarging(1 / factor))
        looked = _lattices_in(photo, field)
        found = []
        for grid in looked:
            closer = _closer(photo, grid)
            found += closer if any(lie_alike(one, grid, SAME) for one in closer) else [*closer, grid]
        found = [_flatter(photo, grid) if isinstance(grid, BentPlacement) else grid for grid in found]
        if any(grid.score >= EXPLAINED or cell_side_px(grid) >= SMALL_PX / factor for grid in found):
            break
    return found


def _closer(photo: Photo, grid: Grid) -> list[Grid]:
    """The lattices at the place of one, as they are seen at a size at which cells are large enough; none where they
    were. In photos, with their noise, and of cells that bend more is seen at that size in any case.
    """
    if _first_side_px(photo, grid) >= _least_px(photo, grid):
        return []
    return [one for one in _lattices_in(photo, photo.derive_at(_field_near, grid)) if overlap(one, grid)]


def _flatter(photo: Photo, grid: BentPlacement) -> BentPlacement:
    """The lattice that is seen where cells that bend are laid flat by one: all as large there, and hardly bent."""
    around = regrown(grid, (np.ceil(AROUND),) * 4)
    to_board = np.array([(1, 0, 0.5), (0, 1, 0.5), (0, 0, FLAT_PX)]) / FLAT_PX
    field = replace(_field(photo, flatten(photo, around, FLAT_PX), to_board), sheet=around)
    return bent_lattice_of(field, largest(field.cells)) or grid


def _first_side_px(photo: Photo, grid: Grid) -> float:
    """The side of a lattice's cells in the first look."""
    return cell_side_px(grid) * min(1.0, LOOKS_PX[0] / max(photo.width, photo.height))


def _least_px(photo: Photo, grid: Grid) -> float:
    """The side of cells that is enough."""
    return SMALL_PX if is_surely_screenshot(photo) and isinstance(grid, FlatPlacement) else ENOUGH_PX


def _first_field(photo: Photo) -> Field:
    """What is told of the whole photo at its first size."""
    small = photo.reduced(LOOKS_PX[0])
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


def odds_of_cells(photo: Photo, grid: Grid, points: Points) -> npt.NDArray[np.float32]:
    """The log odds that points near a lattice, ``(N, 2)`` in pixels, lie on cells, whosesoever, ``float32 (N,)``."""
    # How a page ends beside cells that fill the picture is told from farther away.
    first = _least_px(photo, grid) <= _first_side_px(photo, grid) <= ENOUGH_PX
    field = photo.derive(_first_field) if first else photo.derive_at(_field_near, grid)
    x, y = np.rint(field.places(points)).astype(int).T
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
        middle = field.in_photo(np.argwhere(region)[:, ::-1].mean(axis=0)[None])[0]
        if not any(((at := grid.to_board(middle)) >= 0).all() and (at <= grid.size).all() for grid in found):
            found += _lattices_of(field, region, is_surely_screenshot(photo))
    return found


def _lattices_of(field: Field, region: Bools, on_screen: bool) -> list[Grid]:
    """The lattice of a region of cells on a sheet, and where that does not explain them all that of cells that bend."""
    grid = lattice_of(field, region, on_screen)
    if grid is not None and grid.score >= PLAIN:
        return [grid]
    if on_screen and (tilted := lattice_of(field, region)) is not None and tilted.score >= PLAIN:
        return []  # the face of something that is drawn in space
    bent = bent_lattice_of(field, region)
    explaining = [one for one in (grid, bent) if one is not None and one.score >= EXPLAINED]
    return explaining or [one for one in (grid,) if one is not None]


def _ground(photo: Photo) -> Floats:
    """The median colour of a picture, ``(3,)``."""
    return ground_of(photo.reduced(LOOKS_PX[0]).bgr)


def _field(photo: Photo, bgr: Picture, to_photo: Floats) -> Field:
    """What is told of a part of a photo; ``to_photo`` leads from its pixels to those of the photo."""
    photo.budget.spend(0)
    rows, cols = (-(-length // COARSE) for length in bgr.shape[:2])
    told = _network(picture_input(bgr, photo.derive(_ground), STRIDE))[0, :, :rows, :cols]
    waves = (told[[0, 2]] + 1j * told[[1, 3]]).astype(np.complex64)
    return Field(waves, told[4], to_photo @ enlarging(COARSE))
