"""Drawn pictures as the network of :mod:`vision.boards.phases` sees them: windows with the phase of each pixel.

Boards come from all generators of :mod:`samples` whose boards lie on a lattice: Stitch boards of any outline, straight
or bent, levels of coloured regions, chessboards, drawn and real ones with pieces, trays of balls; on screens and in
photos. A few pictures show no board.
"""

from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from samples import balls, bent_boards, chess, nothing, region_phones, regions, standing
from samples.camera import photograph, random_shot
from samples.lattice_windows import board, cells_of, cropped
from samples.sample import Sample
from vision.balls.features import lattice_placement
from vision.balls.reader import pointed_at
from vision.boards.phases import COARSE
from vision.network import ground_of
from vision.pictures.photo import Picture
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]

SIDE_PX = 320
"""Side of a window."""

CELL_PX = (7.5, 110.0)
"""Sides of cells in windows, as far as pictures are enlarged."""

ENLARGED = 1.25
"""How much a picture is enlarged at most."""

EACH = 3
"""Windows of a picture."""

NOTHING, LEVELS, CHESS, STANDING, BALLS, BENT = 0.08, 0.12, 0.06, 0.08, 0.06, 0.2
"""Parts of the pictures without a board, with coloured regions, with a chessboard drawn and a real one, with a tray of
balls, with bent cells."""

PHOTOS, CROPPED = 0.4, 0.3
"""Parts of the pictures that a camera took, and of straight boards whose picture ends near them or within them."""

ANYWHERE = 0.15
"""Part of the windows that lie anywhere; others have a point of the board in them."""

PHASES = 255
"""A phase of one whole cell, as it is stored."""


class Window(NamedTuple):
    """A window of a picture.

    Attributes:
        shown: ``uint8 (SIDE_PX, SIDE_PX, 3)`` BGR.
        lattice: ``uint8 (SIDE_PX / COARSE, SIDE_PX / COARSE, 3)``: how far right and down in its cell a pixel lies, in
            parts of the cell times :data:`PHASES`, and whether it lies on a cell, 0 or 1. *Right* is the axis of the
            board that is nearest to it in the picture.
        ground: ``float64 (3,)``, the median colour of the whole picture.
    """

    shown: Picture
    lattice: Picture
    ground: Floats


def windows(rng: np.random.Generator) -> list[Window]:
    """Windows of a drawn picture."""
    sample = _sample(rng)
    if sample.truth["kind"] == "stitch" and "mesh" not in sample.truth and rng.random() < CROPPED:
        sample = cropped(rng, sample)
    sample = _with_nodes(sample)
    if sample.quality is None and rng.random() < PHOTOS:
        size_wh = (1600, 1200) if rng.random() < 0.5 else (1000, 750)
        sample = photograph(sample, random_shot(rng, size_wh, screen=bool(rng.random() < 0.5)), rng)
    quads = _quads(sample)
    longest = max(sample.picture.shape[:2])
    side = float(np.median(np.linalg.norm(np.diff(quads, axis=1), axis=2))) if len(quads) else longest / 15
    found = []
    for _ in range(EACH):
        factor = min(float(np.exp(rng.uniform(*np.log(CELL_PX)))) / side, ENLARGED, 1600 / longest)
        found.append(_window(rng, sample.picture, quads, factor))
    return found


def _sample(rng: np.random.Generator) -> Sample:
    what = float(rng.random())
    if what < NOTHING:
        return list(nothing.SCENES.values())[int(rng.integers(len(nothing.SCENES)))](rng)
    what -= NOTHING
    if what < LEVELS:
        return (regions.draw, regions.capture, region_phones.sent)[int(rng.integers(3))](rng)
    what -= LEVELS
    if what < CHESS:
        return chess.draw(rng, chess.random_scene(rng, "queens" if rng.random() < 0.5 else "knight"))
    what -= CHESS
    if what < STANDING:
        return standing.random_sample(rng)
    what -= STANDING
    if what < BALLS:
        return _balls(rng)
    what -= BALLS
    return bent_boards.board(rng) if what < BENT else board(rng)


def _balls(rng: np.random.Generator) -> Sample:
    """A tray of balls; each of its places is a cell of the lattice on which they lie."""
    kind = str(rng.choice(list(balls.BOARDS)))
    sample, tray = balls.random_sample(rng, kind), balls.BOARDS[kind].tray
    grid = lattice_placement(pointed_at(sample.truth["corners"], tray), tray)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    mesh = {str(k): grid.to_photo(square + tray.point(cell)).tolist() for k, cell in enumerate(tray.cells)}
    return replace(sample, truth={**sample.truth, "mesh": mesh})


def _cells(sample: Sample) -> npt.NDArray[np.bool_]:
    """Which places of a board's box are cells, ``bool (rows, cols)``."""
    truth = sample.truth
    if truth.get("clues") or truth.get("regions"):
        return cells_of(sample)
    return np.ones((truth.get("rows") or truth["n"], truth.get("cols") or truth["n"]), np.bool_)


def _with_nodes(sample: Sample) -> Sample:
    """A flat board with the crossings of its lines, which stay true where a sheet bends."""
    if "corners" not in sample.truth or "mesh" in sample.truth:
        return sample
    rows, cols = _cells(sample).shape
    xs, ys = np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0))
    flat = FlatPlacement.from_corners(sample.truth["corners"], (cols, rows))
    nodes = flat.to_photo(np.column_stack([xs.ravel(), ys.ravel()]))
    return replace(sample, truth={**sample.truth, "mesh": {"all": nodes.tolist()}})


def _quads(sample: Sample) -> Floats:
    """The corners of each cell in the picture, clockwise from its top left one as the board lies there,
    ``float64 (N, 4, 2)``.
    """
    mesh = sample.truth.get("mesh", {})
    if mesh and "all" not in mesh:
        quads = np.array(list(mesh.values()), dtype=np.float64)
    elif "corners" not in sample.truth:
        return np.zeros((0, 4, 2))
    else:
        cells = _cells(sample)
        nodes = np.array(mesh["all"], dtype=np.float64).reshape(*np.add(cells.shape, 1), 2)
        quads = np.stack([nodes[:-1, :-1], nodes[:-1, 1:], nodes[1:, 1:], nodes[1:, :-1]], axis=2)[cells]
    across = (quads[:, 1] - quads[:, 0]).mean(axis=0)
    quarters = round(float(np.arctan2(across[1], across[0]) / (np.pi / 2))) % 4
    return np.roll(quads, quarters, axis=1)


def _window(rng: np.random.Generator, picture: Picture, quads: Floats, factor: float) -> Window:
    size_wh = tuple(max(1, round(length * factor)) for length in picture.shape[1::-1])
    kind = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    shown = np.asarray(cv2.resize(picture, size_wh, interpolation=kind), np.uint8)
    ground = ground_of(shown)
    missing = np.maximum(0, SIDE_PX - np.array(size_wh))
    before = (missing * rng.random(2)).astype(int)
    (left, top), (right, bottom) = before, missing - before
    shown = np.asarray(cv2.copyMakeBorder(shown, top, bottom, left, right, cv2.BORDER_REPLICATE), np.uint8)
    quads = (quads + 0.5) * (np.array(size_wh) / picture.shape[1::-1]) - 0.5 + before
    most = np.array(shown.shape[1::-1]) - SIDE_PX
    if len(quads) and rng.random() >= ANYWHERE:
        first = quads[int(rng.integers(len(quads)))].mean(axis=0) - rng.uniform(0, SIDE_PX, 2)
    else:
        first = rng.uniform(0, most + 1)
    left, top = (int(v) for v in np.clip(first, 0, most))
    box = shown[top : top + SIDE_PX, left : left + SIDE_PX].copy()
    return Window(box, _lattice(quads - (left, top)), ground)


def _lattice(quads: Floats) -> Picture:
    """See :class:`Window`."""
    side = SIDE_PX // COARSE
    lattice = np.zeros((side, side, 3), np.uint8)
    corners = ((quads + 0.5) / COARSE - 0.5).astype(np.float32)
    for quad in corners:
        low, high = np.floor(quad.min(axis=0)).astype(int), np.ceil(quad.max(axis=0)).astype(int) + 1
        low, high = np.maximum(low, 0), np.minimum(high, side)
        if (low >= high).any():
            continue
        square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
        xs, ys = np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]))
        at = np.column_stack([xs.ravel(), ys.ravel(), np.ones(xs.size)]) @ cv2.getPerspectiveTransform(quad, square).T
        within = (at[:, :2] / at[:, 2:]).reshape(*xs.shape, 2)
        inside = ((within >= 0) & (within < 1)).all(axis=2)
        part = lattice[low[1] : high[1], low[0] : high[0]]
        part[inside, :2] = np.rint(within[inside] * PHASES)
        part[inside, 2] = 1
    return lattice
