"""Upright and level edges of a picture: contrast across a pixel, averaged along the edge over a short stroke."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.photo import Picture

STROKE_PX = 9
"""Edges are averaged over this length: just below the smallest cell, so a cell's side counts whole."""

LONG_STROKE_PX = 13
"""The same in straightened photos, where boards are larger in view than on whole screens."""


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


def quiet_edge_strength(bgr: Picture) -> tuple[Picture, Picture]:
    """The same for photos: differences are averaged with their signs, so that noise and moire cancel out."""
    upright, level = None, None
    for channel in cv2.split(bgr):
        across_x = cv2.subtract(channel[:, 2:], channel[:, :-2], dtype=cv2.CV_16S)
        across_y = cv2.subtract(channel[2:], channel[:-2], dtype=cv2.CV_16S)
        here_x = cv2.convertScaleAbs(cv2.boxFilter(across_x, -1, (1, LONG_STROKE_PX)))
        here_y = cv2.convertScaleAbs(cv2.boxFilter(across_y, -1, (LONG_STROKE_PX, 1)))
        upright = here_x if upright is None else cv2.max(upright, here_x)
        level = here_y if level is None else cv2.max(level, here_y)
    return _framed(np.asarray(upright, dtype=np.uint8), np.asarray(level, dtype=np.uint8))


def _framed(upright: Picture, level: Picture) -> tuple[Picture, Picture]:
    """Differences back at the size of the picture."""
    return (
        np.asarray(cv2.copyMakeBorder(upright, 0, 0, 1, 1, cv2.BORDER_CONSTANT), dtype=np.uint8),
        np.asarray(cv2.copyMakeBorder(level, 1, 1, 0, 0, cv2.BORDER_CONSTANT), dtype=np.uint8),
    )


def _largest_channel(picture: cv2.typing.MatLike) -> Picture:
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def close_at_picture_border(
    upright: npt.NDArray[np.bool_], level: npt.NDArray[np.bool_], box: tuple[int, int, int, int], shape: tuple[int, ...]
) -> None:
    """Where the board is cut by the picture's border, the border stands for its outline."""
    x0, y0, x1, y1 = box
    reach = STROKE_PX // 2
    if x0 <= reach:
        upright[:, 0] = True
    if y0 <= reach:
        level[0] = True
    if x1 >= shape[1] - reach:
        upright[:, -1] = True
    if y1 >= shape[0] - reach:
        level[-1] = True
