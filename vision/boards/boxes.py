"""Boxes: connected components of strong edges in a picture, where boards may lie."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.boards.cell_sides import MIN_LINES
from vision.boards.quads import SEARCH_PX
from vision.pictures.photo import Photo, Picture
from vision.pictures.placement import FlatPlacement, Placement, box_corners, overlap

MIN_CELL_PX = 10
"""Smallest cell in the working picture; below it no digit could be read anyway."""

REACHES = (0.0, 0.006, 0.02)
"""How far apart edges may lie and still form one component, as parts of the working picture's longer side: touching
lines, tiles with narrow gaps, tiles with wide gaps."""

MIN_BOX = 0.1
"""Smallest board side as a part of the picture's shorter side."""

MAX_ASPECT = 5.0
"""Boards longer than this are rows of buttons or keyboards."""

PLAIN = 20
"""Contrast of the edges of boards beside one that was solved, in grey levels."""

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
        for box in _components(mask, reach, smallest, MAX_ASPECT):
            x0, y0, x1, y1 = (2 * v for v in box)
            found.append((max(0, x0), max(0, y0), min(width, x1 + 2), min(height, y1 + 2)))
    found.sort(key=_area, reverse=True)
    kept: list[Box] = []
    for box in found:
        if not any(close_by(box, other) for other in kept):
            kept.append(box)
    return kept[:10]


def boxes_beside(photo: Photo, boards: Sequence[Placement]) -> list[FlatPlacement]:
    """Upright boxes, as one cell each, round components of edges that may be boards as well: they lie beside all of
    ``boards`` and are not much smaller than the first; large ones first.
    """
    small = photo.reduced(SEARCH_PX)  # as everybody does who asks whether it is a photo
    factor = small.width / photo.width
    corners = box_corners(boards[0].scaled(factor))
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    least = AS_LARGE * min(right - left, bottom - top)
    height, width = small.gray.shape
    if max(left, top, width - right, height - bottom) < least:
        return []
    edges = cv2.morphologyEx(small.gray, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > PLAIN
    found = sorted(_components(np.asarray(edges, np.uint8), 2 * REACHES[1], least, AS_LONG), key=_area, reverse=True)
    places = [
        FlatPlacement.from_corners([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], (1, 1)).scaled(1 / factor)
        for x0, y0, x1, y1 in found
    ]
    return [place for place in places if not any(overlap(place, board) for board in boards)]


def _components(mask: Picture, reach: float, least: float, aspect: float) -> Iterator[Box]:
    """Boxes round what hangs together in a mask over gaps of up to ``reach`` of its longer side, with a shorter side of
    ``least`` pixels and a longer one of ``aspect`` times as many at most.
    """
    size = 2 * round(reach * max(mask.shape) / 2) + 1
    component = mask if size == 1 else cv2.dilate(mask, np.ones((size, size), np.uint8))
    stats = cv2.connectedComponentsWithStats(component, connectivity=8)[2].reshape(-1, 5)
    grown = size // 2
    for x, y, w, h, _ in stats[1:].tolist():
        if min(w, h) >= least and max(w, h) <= aspect * min(w, h):
            yield x + grown, y + grown, x + w - grown, y + h - grown


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def close_by(one: Box, other: Box) -> bool:
    """Whether two boxes are the same but for a few pixels."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= MIN_CELL_PX / 2
