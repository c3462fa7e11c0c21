"""How much of each side of a flat board's cells shows an edge.

An edge is contrast across a pixel, averaged along the edge over a short stroke. A side is seen when an edge shows along
most of its middle part, close to where it should be; corners may be round and a badge may cover some of it.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.photo import Picture

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]

STROKE_PX = 9
"""Edges are averaged over this length: just below the smallest cell, so a cell's side counts whole."""

NEAR = 0.12
"""An edge belongs to a lattice line within this part of the pitch: half of the widest gap between tiles."""

SIDE_PRESENT = 0.5
"""An edge along this part of a cell's side is the side: digits, badges and pointers may cover the rest."""

SIDE_ENDS = 0.15
"""This part of a side is ignored at each end: round corners, crossing lines."""

BADGED, BARE = 0.3, 0.25
"""A round badge that fills its cell is near a side but for this part of it at each end. There a side shows an edge
along this part at most where only such a badge is near, and along nearly all where it is one."""


def edge_strength(bgr: Picture) -> tuple[Picture, Picture]:
    """Contrast across x and across y at each pixel, averaged along the edge.

    Args:
        bgr: ``uint8 (H, W, 3)``.

    Returns:
        ``upright, level``: ``uint8 (H, W)`` each, the largest mean difference in any colour channel between the two
        neighbours of a pixel, over a stroke of ``STROKE_PX``. Coloured regions of the same grey differ in a channel.
    """
    across_x = cv2.absdiff(bgr[:, 2:], bgr[:, :-2])
    across_y = cv2.absdiff(bgr[2:], bgr[:-2])
    upright = _largest_channel(cv2.blur(across_x, (1, STROKE_PX)))
    level = _largest_channel(cv2.blur(across_y, (STROKE_PX, 1)))
    return _framed(upright, level)


def _framed(upright: Picture, level: Picture) -> tuple[Picture, Picture]:
    """Differences back at the size of the picture."""
    return (
        np.asarray(cv2.copyMakeBorder(upright, 0, 0, 1, 1, cv2.BORDER_CONSTANT), dtype=np.uint8),
        np.asarray(cv2.copyMakeBorder(level, 1, 1, 0, 0, cv2.BORDER_CONSTANT), dtype=np.uint8),
    )


def _largest_channel(picture: cv2.typing.MatLike) -> Picture:
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def side_evidence(edges: Bools, xs: Floats, ys: Floats) -> Floats:
    """How much of each cell's upright side shows an edge; next to nothing where it does so at its middle only: there a
    round badge of a cell is as near as a line would be.

    Args:
        edges: ``bool (H, W)``, where upright edges are.
        xs: ``(C,)`` places of the lattice's upright lines, in pixels.
        ys: ``(R,)`` places of its level lines.

    Returns:
        ``float64 (R - 1, C)``, 0..1.
    """
    shown = _running(edges, xs)
    ends = _part_of(shown, ys, SIDE_ENDS, 1 - BADGED), _part_of(shown, ys, 1 - BADGED, SIDE_ENDS)
    beside = (ends[0] + ends[1]) / 2
    return np.where(beside <= BARE, beside, _part_of(shown, ys, SIDE_ENDS, SIDE_ENDS))


def _running(edges: Bools, xs: Floats) -> Ints:
    """For each line, at how many heights down to each it shows an edge: ``int32 (C, H + 1)``."""
    height, width = edges.shape
    # (Asked a thousand times of a photo: functions of NumPy that are made of others would take half of the time.)
    # Columns of the picture that lie in a row of memory are looked through several times as fast.
    columns = np.ascontiguousarray(edges.T)
    # Row j: at which heights line j shows an edge, then at how many heights down to there.
    shown = np.zeros((len(xs), height + 1), dtype=bool)
    for row, a, b in zip(shown, *_near(xs, width), strict=True):
        if b > a:
            np.logical_or.reduce(columns[a:b], axis=0, out=row[1:])
    return shown.cumsum(axis=1, dtype=np.int32)


def _part_of(run: Ints, ys: Floats, before: float, after: float) -> Floats:
    """How much of each side shows an edge, less these parts of its length before and after."""
    pitch = ys[1] - ys[0]
    starts, ends = ys[:-1] + before * pitch, ys[1:] - after * pitch
    starts, ends = (np.minimum(np.maximum(np.rint(at), 0), run.shape[1] - 1).astype(int) for at in (starts, ends))
    return np.asarray(((run[:, ends] - run[:, starts]) / np.maximum(1, ends - starts)).T, dtype=np.float64)


def _near(xs: Floats, width: int) -> tuple[list[int], list[int]]:
    """The first column of pixels near each line of a lattice, and the one after the last."""
    reach = NEAR * (xs[1] - xs[0])
    first, end = np.maximum(np.rint(xs - reach), 0), np.minimum(np.rint(xs + reach) + 1, width)
    return first.astype(int).tolist(), end.astype(int).tolist()
