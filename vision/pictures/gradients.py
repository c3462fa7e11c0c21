"""Where a picture changes, and how much, in that of its channels in which it changes most.

Two things of one brightness and two hues still have a rim between them.
"""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Gradient = tuple[npt.NDArray[Any], npt.NDArray[Any]]
"""``(dx, dy)``, each ``(H, W)``, of the depth that was asked for; Sobel's weights sum to 8 for one level a pixel."""


def strongest_gradient(channels: Sequence[npt.NDArray[Any]], depth: int) -> Gradient:
    """The gradient of that channel, ``(H, W)`` each, in which it is longest; ``depth`` is OpenCV's name of its type."""
    first, *others = channels
    along_x, along_y = _gradient(first, depth)
    most = squared(along_x, along_y)
    for channel in others:
        dx, dy = _gradient(channel, depth)
        length = squared(dx, dy)
        longer = cv2.compare(length, most, cv2.CMP_GT)
        for source, target in ((dx, along_x), (dy, along_y), (length, most)):
            cv2.copyTo(source, longer, target)
    return along_x, along_y


def squared(dx: npt.NDArray[Any], dy: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The squared length of a gradient; of integers exact, since Sobel's sums of bytes are small."""
    x, y = (cv2.multiply(along, along, dtype=cv2.CV_32F) for along in (dx, dy))
    return np.asarray(cv2.add(x, y), np.float32)


def _gradient(channel: npt.NDArray[Any], depth: int) -> Gradient:
    dx, dy = (np.asarray(cv2.Sobel(channel, depth, *axes, ksize=3)) for axes in ((1, 0), (0, 1)))
    return dx, dy
