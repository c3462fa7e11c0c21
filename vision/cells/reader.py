"""Reads what stands on the cells of a board: one small convolutional network for boards of all kinds.

Each cell, with a little of its neighbours, is cut out of the board laid flat; what is compared is how far its pixels
are off the middle's median, on a scale that is linear for faint marks and logarithmic for strong ones, so that the
colours of a board say nothing and marks of any contrast say about the same. The network was taught on drawn pictures
alone (``python -m samples.train_cells``) and also knows *something else*: marks that no kind of puzzle here has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import cv2
import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from vision.network import Convolutional, softmax
from vision.pictures.bending import regrown
from vision.pictures.flatten import flatten
from vision.pictures.medians import medians
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement

Floats = npt.NDArray[np.float32]

Mark = Literal[
    "empty", "number", "square", "tall", "wide", "any", "blank", "queen", "knight", "piece", "note", "something else",
    "turned",
]  # fmt: skip
"""What stands on a cell. ``square``, ``tall``, ``wide`` and ``any`` are badges with a number, by their shape, ``blank``
one without; ``piece`` is a chess piece that is neither queen nor knight; ``note`` a small mark of the player's or the
program's, such as a cross, a dot, a ring or a mouse pointer; ``turned`` is a flat piece of any sort that lies on its
side or upside down. Pieces that stand on a real board are something else."""

MARKS: tuple[Mark, ...] = get_args(Mark)
"""In the order of the network's outputs."""

NOTHING: tuple[Mark, ...] = ("empty", "note")
"""What may stand where a kind sees nothing: its players' notes mean nothing to it."""

WHY = "something stands there that this puzzle does not have, or that cannot be read"
"""The doubt about a cell whose mark a kind does not have."""

NETWORK = Path(__file__).with_name("cells.onnx")

_network = Convolutional(NETWORK)

CELL_PX, RIM_PX = 36, 4
"""Side of a cell in a crop, and the rim of its neighbours around it."""

CROP_PX = CELL_PX + 2 * RIM_PX

MIDDLE = slice(CROP_PX // 4, -(CROP_PX // 4), 2)
"""Pixels of a crop, each way, whose median is its ground."""

LINEAR = 10.0
"""Grey levels up to which differences from the ground count as they are; larger ones by their logarithm."""

BARE = 0.98
"""Probability of being empty from which on a cell is not looked at from other sides."""


@dataclass(frozen=True, eq=False)
class Cells:
    """What stands on the cells of a board.

    Attributes:
        likely: ``float32 (rows, cols, len(MARKS))``, calibrated probabilities.
    """

    likely: Floats

    @property
    def numbered(self) -> npt.NDArray[np.bool_]:
        """Which cells most likely carry a number, ``(rows, cols)``."""
        return np.asarray(self.likely.argmax(axis=-1) == MARKS.index("number"))

    def chance(self, *marks: Mark) -> Floats:
        """The probability of any of some marks, ``(rows, cols)``."""
        return np.asarray(self.likely[..., [MARKS.index(mark) for mark in marks]].sum(axis=-1), np.float32)


def read(photo: Photo, placement: Placement) -> Cells:
    """What stands on the cells of the board at ``placement``; remembered with the picture."""
    return photo.derive_at(_read, placement)


def read_turned(photo: Photo, placement: Placement) -> Floats:
    """What stands on the cells if the picture is turned anticlockwise by 0 to 3 quarters: probabilities ``float32 (4,
    rows, cols, len(MARKS))``, by the cells as they lie in the picture; remembered with the picture.
    """
    return photo.derive_at(_read_turned, placement)


def part_numbered(photo: Photo, placement: Placement) -> float:
    """The part of the cells that most likely carry a number, whichever way up they are read, 0..1."""
    found = read_turned(photo, placement).argmax(axis=-1) == MARKS.index("number")
    return float(found.mean(axis=(1, 2)).max())


def _read_turned(photo: Photo, placement: Placement) -> Floats:
    level = read(photo, placement).likely
    likely = np.stack([level] * 4)
    # What is bare is so from all sides.
    marked = level[..., MARKS.index("empty")] < BARE
    patches = crops(photo, placement).reshape(*level.shape[:2], CROP_PX, CROP_PX, 3)[marked]
    for turns in range(1, 4) if len(patches) else ():
        likely[turns][marked] = probabilities(np.ascontiguousarray(np.rot90(patches, turns, (1, 2))))
    return likely


def _read(photo: Photo, placement: Placement) -> Cells:
    cols, rows = (round(length) for length in placement.size)
    return Cells(probabilities(crops(photo, placement)).reshape(rows, cols, len(MARKS)))


def chance_on(photo: Photo, placement: Placement, cells: Sequence[Cell], marks: Sequence[Mark], turn: int) -> Floats:
    """The probability of any of some marks on each of some cells, ``float32 (N,)``, after so many quarter turns."""
    cols = round(placement.size[0])
    patches = crops(photo, placement)[[row * cols + col for row, col in cells]]
    likely = probabilities(np.ascontiguousarray(np.rot90(patches, turn, axes=(1, 2))))
    return np.asarray(likely[:, [MARKS.index(mark) for mark in marks]].sum(axis=1), np.float32)


def crops(photo: Photo, placement: Placement) -> Picture:
    """The cells with their rims, row by row, ``uint8 (rows * cols, CROP_PX, CROP_PX, 3)``."""
    if isinstance(placement, FlatPlacement):
        rim = CELL_PX - RIM_PX
        flat = flatten(photo, regrown(placement, (1, 1, 1, 1)), CELL_PX)[rim:-rim, rim:-rim]
    else:
        # Beyond its cells a bent board has no places.
        bare = flatten(photo, placement, CELL_PX)
        flat = np.asarray(cv2.copyMakeBorder(bare, RIM_PX, RIM_PX, RIM_PX, RIM_PX, cv2.BORDER_REPLICATE), np.uint8)
    windows = np.lib.stride_tricks.sliding_window_view(flat, (CROP_PX, CROP_PX), (0, 1))[::CELL_PX, ::CELL_PX]
    return np.ascontiguousarray(windows.transpose(0, 1, 3, 4, 2)).reshape(-1, CROP_PX, CROP_PX, 3)


def probabilities(bgr: Picture) -> Floats:
    """What stands on crops, ``uint8 (N, CROP_PX, CROP_PX, 3)``: probabilities ``float32 (N, len(MARKS))``."""
    return softmax(_network(inputs(bgr)).reshape(len(bgr), len(MARKS)))


def inputs(bgr: Picture) -> Floats:
    """What the network sees of crops, ``float32 (N, 3, CROP_PX, CROP_PX)``."""
    ground = medians(bgr[:, MIDDLE, MIDDLE].reshape(len(bgr), -1, 3).transpose(0, 2, 1).astype(np.float32), axis=2)
    off = (bgr.transpose(0, 3, 1, 2) - ground[:, :, None, None]) / np.float32(LINEAR)
    return np.asarray(np.arcsinh(off) / 2, np.float32)
