"""How alike the cells of a board are, and how unlike what lies beside it.

One black pit of a black tray may show less of its rim than noise shows of none. But all pits are lit from the same
side, and together they tell what each of them looks like: then each can be held against that.
"""

import numpy as np
import numpy.typing as npt

from vision.balls.looks import patches_at
from vision.pictures.medians import medians
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]


def likeness(photo: Photo, grid: FlatPlacement, cells: Floats, beside: Floats) -> tuple[float, float]:
    """How much the cells of a board look like most of them do, and what lies beside it: mean correlations, -1..1.

    Args:
        photo: the picture.
        grid: units of cells to its pixels.
        cells: their middles, ``(N, 2)``.
        beside: those of places next to the board.
    """
    seen, others = (_unit(patches_at(photo, grid, points)) for points in (cells, beside))
    usual = _unit(medians(seen)[None])[0]
    return float((seen @ usual).mean()), float((others @ usual).mean())


def _unit(patches: Floats) -> Floats:
    """Patches as vectors of no mean and of length 1."""
    rows = patches.reshape(len(patches), -1)
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(1e-9, np.linalg.norm(rows, axis=1, keepdims=True)))
