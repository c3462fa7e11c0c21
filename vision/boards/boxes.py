"""Boxes: connected components of strong edges in a picture, where boards may lie."""

import cv2
import numpy as np

from vision.boards.cell_sides import MIN_LINES
from vision.pictures.photo import Picture

MIN_CELL_PX = 10
"""Smallest cell in the working picture; below it no digit could be read anyway."""

REACHES = (0.0, 0.006, 0.02)
"""How far apart edges may lie and still form one component, as parts of the working picture's longer side: touching
lines, tiles with narrow gaps, tiles with wide gaps."""

MIN_BOX = 0.1
"""Smallest board side as a part of the picture's shorter side."""

MAX_ASPECT = 5.0
"""Boards longer than this are rows of buttons or keyboards."""

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


def close_by(one: Box, other: Box) -> bool:
    """Whether two boxes are the same but for a few pixels."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= MIN_CELL_PX / 2
