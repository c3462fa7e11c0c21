"""The whole of a bent board as faces: the open cells, and each filled patch with the number on it.

Threads sink into rope here and there, so they do not close. Yet each patch carries one number, and the ground is known:
a flood rises from these, in the wide places first, and where two waters meet lies a seam, through all gaps that
are narrower than a patch.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.clues.cloth import COARSE, SEAM, Bools, Cloth, Ints, boxes_of, flood, nearest_label
from vision.pictures.masks import disc, opened

BROAD = 0.3
"""What is less broad, in cells, is no patch, but the rim of one."""


@dataclass(frozen=True, eq=False)
class Faces:
    """A board's faces.

    Attributes:
        labels: ``int32 (H, W)`` at reduced size: the number of the face that a pixel belongs to; open cells have the
            numbers of the cloth, patches follow, the ground has the last.
        clues: for each filled patch its number and where its clue is, ``bool (H, W)``.
        outline: ``bool (H, W)``: where the outline runs.
        threads: ``bool (H, W)``: where threads run.
        ground: the number of the ground.
    """

    labels: Ints
    clues: Mapping[int, Bools]
    outline: Bools
    threads: Bools
    ground: int

    @cached_property
    def boxes(self) -> npt.NDArray[np.int64]:
        """``left, top, right, bottom`` of each face, ends excluded, ``(N, 4)``."""
        return boxes_of(self.labels)


def faces(cloth: Cloth, clues: Mapping[int, Bools]) -> Faces:
    """The faces of the board on ``cloth``; ``clues`` are the numbers on patches, by the numbers that these get."""
    outline, threads = cloth.shows("outline"), cloth.shows("thread")
    ground = max([cloth.count, *clues]) + 1
    springs = np.where(cloth.shows("ground"), ground, 0).astype(np.int32)
    for number, clue in clues.items():
        springs[clue] = number
    cells = cv2.erode((cloth.labels > 0).astype(np.uint8), disc(max(3, round(SEAM * cloth.side_px) | 1))) > 0
    dry = _coarse((cloth.walls & (springs == 0)) | cells)
    depth = cv2.distanceTransform((~dry).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    risen = flood(np.asarray(depth, np.float32), np.where(dry, 0, _coarse(springs)))
    fine = risen.repeat(COARSE, axis=0).repeat(COARSE, axis=1)[: cells.shape[0], : cells.shape[1]]
    # What no spring reaches is a patch whose number was not seen: it lies on the ground, as no face.
    lost = opened((fine == 0) & cloth.rope & ~cells, round(BROAD * cloth.side_px) | 1)
    labels, _ = nearest_label(np.where(cells, cloth.labels, np.where(lost, ground, fine)))
    return Faces(labels, clues, outline, threads, ground)


def _coarse(mask: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A mask, or numbers, at the size of the flood; nothing of a mask is lost."""
    high, wide = (-(-length // COARSE) for length in mask.shape)
    padded = np.zeros((high * COARSE, wide * COARSE), dtype=mask.dtype)
    padded[: mask.shape[0], : mask.shape[1]] = mask
    return np.asarray(padded.reshape(high, COARSE, wide, COARSE).max(axis=(1, 3)))
