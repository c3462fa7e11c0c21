"""Moves: the picture of one cell laid onto another, turned; the finished puzzle, made of the puzzle's own pieces."""

import cv2
import numpy as np

from overlay.canvas import Canvas, polygon_mask
from solvers.marks import Move

OVERLAP = -0.012
"""Pieces are laid a hair larger than their cells, so that no seam of the old picture shows between them."""


def paint_move(canvas: Canvas, move: Move) -> None:
    """Cut ``move.source`` out of the picture as it was and lay it on ``move.target``."""
    layout = canvas.layout
    source = canvas.points(layout.cells[move.source])
    target = np.roll(canvas.points(layout.cells[move.target]), -move.turn, axis=0)
    outline = canvas.outline(move.target, OVERLAP)
    window = canvas.window(outline)
    if 0 in window.shape:
        return
    # Three corners fix an affine map, which is all that perspective leaves to see within one piece; four a homography.
    corner = (window.left, window.top)
    if len(source) == 3:
        to_target = cv2.getAffineTransform(source.astype(np.float32), (target - corner).astype(np.float32))
        laid = cv2.warpAffine(canvas.source, to_target, window.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    else:
        to_target = cv2.getPerspectiveTransform(source[:4].astype(np.float32), (target[:4] - corner).astype(np.float32))
        laid = cv2.warpPerspective(canvas.source, to_target, window.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    canvas.blend(window, polygon_mask(window, [outline]), laid.astype(np.float32))
