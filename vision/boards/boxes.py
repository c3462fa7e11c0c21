"""Boxes round connected components of strong edges, where boards may lie beside one that was read."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.pictures.photo import Photo, Picture
from vision.pictures.photographed import SEARCH_PX
from vision.pictures.placement import FlatPlacement, Placement, box_corners, overlap

PLAIN, REACH = 20, 0.012
"""Contrast of the edges of boards beside one that was solved, in grey levels; and how far apart these may lie and still
form one component, in the picture's longer side: tiles with narrow gaps."""

AS_LARGE, AS_LONG = 0.4, 2.0
"""Their shorter side at least, of the solved board's, and their longer side at most, of their shorter one."""

Box = tuple[int, int, int, int]
"""``x0, y0, x1, y1`` in pixels of the working picture, the end excluded."""


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
    found = sorted(_components(np.asarray(edges, np.uint8), REACH, least, AS_LONG), key=_area, reverse=True)
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
