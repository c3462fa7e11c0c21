"""The light that falls on a ball board, and how its cells would look in an even one.

Two things may tell the light. The tray between the cells is of one colour: what is darker there lies in shadow, and so
do the balls beside it. And once the balls are divided, each piece is of one colour, too.
"""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from solvers.ball_trays import EMPTY, Tray
from vision.balls.looks import CORNER, SIDE_PX, Looks, lattice_placement, measured, white_in
from vision.pictures.flatten import flatten
from vision.pictures.medians import known_medians, median, percentile
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement

Floats = npt.NDArray[np.float64]

EVEN = 0.87
"""Light on the dim side, of that on the bright one, from which it is even enough: colours differ less than shading."""

DARKEST_TRAY = 12.0
"""Grey level of a tray below which it tells nothing of the light but noise."""

MOST_STEP = 0.15
"""Most that the light at a corner differs from the usual round it; at a shadow's edge it is that of either side."""

MOST_OUTLIERS = 0.12
"""Part of the corners where it may differ by more: on drawn boards and printed pages 0.08 do, on toys whose balls leave
no tray to be seen from 0.17 on."""

MOST_GAIN = 2.5
"""Most that a shadow takes: deeper ones hide what lies in them."""

WHITEST, BLEACHED = 255, 0.05
"""Grey level above which there is none, and part of a board that may reach it under an even light. What would be
lighter than white was not in the shadow that the tray tells of: white frames round printed pieces are no light."""

KNOWN = 15
"""Cells from which a field of light is fitted: three times as many as it has numbers."""


def lights(photo: Photo, placement: FlatPlacement, tray: Tray) -> list[Looks]:
    """The cells of a board that lies at ``placement`` as they are and, where light falls unevenly, as if it did not."""
    flat = flatten(photo, lattice_placement(placement, tray), SIDE_PX)
    white = photo.derive(white_in)
    evened = _evened(flat, tray)
    seen = measured(flat, tray, white)
    # Between the corners where the light was seen its edges are as unknown as before.
    return [seen] if evened is None else [seen, replace(measured(evened, tray, white), edges=seen.edges)]


def relit(looks: Looks, rows: str, tray: Tray) -> Looks | None:
    """The cells under an even light, as the pieces tell if ``rows``, a letter for each cell, is right.

    None where that is nothing else: then the light is even, or there are too few balls to tell.
    """
    if sum(letter != EMPTY for letter in rows) < KNOWN:
        return None
    light = np.maximum(1.0, looks.colours[:, 0])
    points = np.array([tray.point(cell) for cell in tray.cells], np.float64)
    pieces = np.array(list(rows))[:, None] == np.array(sorted(set(rows)))
    # Each piece has its own lightness, and the light on all of them changes slowly: their logarithms add up.
    terms = np.hstack([pieces, _slopes(points[:, 0], points[:, 1], tray)])
    solution, *_ = np.linalg.lstsq(terms * light[:, None], np.log(light) * light, rcond=None)
    slopes = solution[pieces.shape[1] :]
    uneven = terms[:, pieces.shape[1] :] @ slopes
    dim, bright = (np.exp(percentile(uneven, share)) for share in (10, 90))
    if dim > EVEN * bright:
        return None
    height, width = looks.flat.shape[:2]
    y, x = np.mgrid[0:height, 0:width] / SIDE_PX - 0.5
    gains = np.clip(bright / np.exp(_slopes(x, y, tray) @ slopes), 1 / MOST_GAIN, MOST_GAIN)
    return replace(measured(_times(looks.flat, gains), tray, looks.white), edges=looks.edges)


def _slopes(x: Floats, y: Floats, tray: Tray) -> Floats:
    """The terms of a quadratic field over the lattice without its constant, ``(..., 5)``."""
    x, y = (part / max(tray.widths) - 0.5 for part in (x, y))
    return np.stack([x, y, x * x, x * y, y * y], axis=-1)


def _times(flat: Picture, gains: Floats) -> Picture:
    return np.asarray(np.clip(flat * gains[..., None], 0, 255), np.uint8)


def _evened(flat: Picture, tray: Tray) -> Picture | None:
    """The flat board under an even light, as the tray between its cells tells; None where that is no other picture.

    A shadow takes the same part of a colour from the tray and from the balls beside it, and the tray is of one colour.
    """
    gaps = _smoothed(_gaps(flat, tray))
    if gaps is None:
        return None
    dim, bright = (percentile(gaps[np.isfinite(gaps)], share) for share in (5, 95))
    if bright < DARKEST_TRAY or dim > EVEN * bright:
        return None
    gains = np.clip(bright / np.maximum(1.0, np.nan_to_num(gaps, nan=bright)), 1 / MOST_GAIN, MOST_GAIN)
    height, width = flat.shape[:2]
    x, y = np.meshgrid((np.arange(width) + 0.5) / SIDE_PX, (np.arange(height) + 0.5) / SIDE_PX)
    spread = cv2.remap(gains.astype(np.float32), x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    evened = _times(flat, np.asarray(spread, np.float64))
    return None if ((evened == WHITEST) & (flat < WHITEST)).mean() > BLEACHED else evened


def _gaps(flat: Picture, tray: Tray) -> Floats:
    """The grey level of the tray where the corners of cells meet, ``(rows + 1, cols + 1)``; NaN where no cell is."""
    half = round(CORNER * SIDE_PX)
    light = flat.mean(axis=2)
    rows, cols = (length // SIDE_PX for length in light.shape)
    seen: dict[tuple[int, int], list[Floats]] = {}
    for cell in tray.cells:
        col, row = tray.point(cell)
        for down, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
            # Only the quarter that lies in the cell: what lies beside the board is no tray.
            y, x = (row + down) * SIDE_PX - half * down, (col + right) * SIDE_PX - half * right
            seen.setdefault((row + down, col + right), []).append(light[y : y + half, x : x + half])
    gaps = np.full((rows + 1, cols + 1), np.nan)
    for corner, parts in seen.items():
        gaps[corner] = median(parts)
    return gaps


def _smoothed(gaps: Floats) -> Floats | None:
    """The numbers with outliers replaced by the median round them: a ball may reach into a gap [1]_.

    None where many are: then it is no plain tray that is seen there.

    .. [1] F. R. Hampel, "The influence curve and its role in robust estimation", JASA 69(346), 1974.
    """
    rows, cols = gaps.shape
    padded = np.pad(gaps, 1, constant_values=np.nan)
    around = np.stack([padded[y : y + rows, x : x + cols] for y in range(3) for x in range(3)])
    usual = gaps.copy()
    known = np.isfinite(gaps)
    usual[known] = known_medians(around[:, known])
    off = np.abs(gaps - usual) > MOST_STEP * usual
    return None if off.sum() > MOST_OUTLIERS * known.sum() else np.where(off, usual, gaps)
