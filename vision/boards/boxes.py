"""Boxes: connected components of strong edges in a picture, where boards may lie."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards.cell_sides import MIN_LINES
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import Placement, box_corners

MIN_CELL_PX = 10
"""Smallest cell in the working picture; below it no digit could be read anyway."""

REACHES = (0.0, 0.006, 0.02)
"""How far apart edges may lie and still form one component, as parts of the working picture's longer side: touching
lines, tiles with narrow gaps, tiles with wide gaps."""

MIN_BOX = 0.1
"""Smallest board side as a part of the picture's shorter side."""

MAX_ASPECT = 5.0
"""Boards longer than this are rows of buttons or keyboards."""

SEARCH_PX = 640
"""Longest side at which other boards are looked for beside one that was solved."""

PLAIN = 20
"""Contrast of their edges, in grey levels."""

AS_LARGE, AS_LONG = 0.4, 2.0
"""Their shorter side at least, of the solved board's, and their longer side at most, of their shorter one."""

Box = tuple[int, int, int, int]
"""``x0, y0, x1, y1`` in pixels of the working picture, the end excluded."""


def halved_edges(upright: Picture, level: Picture) -> Picture:
    """The strongest edge in each two by two pixels: enough to see what hangs together, and four times as fast."""
    strong = cv2.max(upright, level)
    height, width = (length // 2 * 2 for length in strong.shape[:2])
    pairs = np.maximum(strong[0:height:2, :width], strong[1:height:2, :width])
    return np.maximum(pairs[:, 0::2], pairs[:, 1::2])


def boxes_of_edges(halved: Picture, shape: tuple[int, ...], strength: int) -> list[Box]:
    """Boxes around components of edges of at least this strength, large ones first, in a picture of ``shape``."""
    height, width = shape
    mask = np.asarray(halved > strength, dtype=np.uint8)
    smallest = max(MIN_LINES * MIN_CELL_PX, MIN_BOX * min(height, width)) / 2
    found: list[Box] = []
    for reach in REACHES:
        size = 2 * round(reach * max(mask.shape) / 2) + 1
        component = mask if size == 1 else cv2.dilate(mask, np.ones((size, size), np.uint8))
        stats = cv2.connectedComponentsWithStats(component, connectivity=8)[2].reshape(-1, 5)
        grown = size // 2
        for x, y, w, h, _ in stats[1:].tolist():
            if min(w, h) >= smallest and max(w, h) <= MAX_ASPECT * min(w, h):
                shrunk = (x + grown, y + grown, x + w - grown, y + h - grown)
                x0, y0, x1, y1 = (2 * v for v in shrunk)
                found.append((max(0, x0), max(0, y0), min(width, x1 + 2), min(height, y1 + 2)))
    found.sort(key=lambda b: (b[0] - b[2]) * (b[3] - b[1]))
    kept: list[Box] = []
    for box in found:
        if not any(close_by(box, other) for other in kept):
            kept.append(box)
    return kept[:10]


def boxes_beside(photo: Photo, boards: Sequence[Placement]) -> list[Box]:
    """Boxes round components of edges that may be boards as well and lie beside all of ``boards``, large ones first, in
    pixels of ``photo``; none much smaller than the first of these.
    """
    small = photo.reduced(SEARCH_PX)
    factor = small.width / photo.width
    known = [_round(box_corners(board) * factor) for board in boards]
    left, top, right, bottom = known[0]
    least = AS_LARGE * min(right - left, bottom - top)
    height, width = small.gray.shape
    if max(left, top, width - right, height - bottom) < least:
        return []
    edges = cv2.morphologyEx(small.gray, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > PLAIN
    reach = 2 * round(REACHES[1] * SEARCH_PX) + 1
    joined = cv2.dilate(np.asarray(edges, np.uint8), np.ones((reach, reach), np.uint8))
    stats = cv2.connectedComponentsWithStats(joined, connectivity=8)[2].reshape(-1, 5)
    found = [(x, y, x + w, y + h) for x, y, w, h, _ in stats[1:].tolist() if least <= min(w, h) >= max(w, h) / AS_LONG]
    found = [box for box in found if not any(_overlap(box, other) for other in known)]
    found.sort(key=lambda box: (box[0] - box[2]) * (box[3] - box[1]))
    return [_round(np.array(box).reshape(2, 2) / factor) for box in found]


def _round(points: npt.NDArray[np.float64]) -> Box:
    """The box round points ``(N, 2)``."""
    x0, y0, x1, y1 = np.rint([*points.min(axis=0), *points.max(axis=0)]).astype(int).tolist()
    return x0, y0, x1, y1


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def close_by(one: Box, other: Box) -> bool:
    """Whether two boxes are the same but for a few pixels."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= MIN_CELL_PX / 2
