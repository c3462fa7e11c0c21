"""CIELAB, in which equal distances look about equally different [1]_.

OpenCV fills tables before it converts the first colours, which takes longer than all the colours of one picture do. Who
starts to read a picture has them filled beside it.

.. [1] ISO/CIE 11664-4:2019, Colorimetry, part 4: CIE 1976 L*a*b* colour space; sRGB is IEC 61966-2-1:1999.
"""

from functools import cache
from threading import Thread

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@cache
def fill_tables() -> Thread:
    """Begin to fill OpenCV's tables beside whatever else is done; :func:`converted` waits for them."""
    filling = Thread(target=cv2.cvtColor, args=(np.zeros((1, 1, 3), np.float32), cv2.COLOR_BGR2LAB), name="fill CIELAB")
    filling.start()
    return filling


def converted(colours: npt.NDArray[np.generic], code: int) -> Floats:
    """Colours ``(..., 3)`` through an OpenCV conversion to or from CIELAB, in OpenCV's scales for their type."""
    fill_tables().join()
    rows = colours if colours.ndim == 3 else colours.reshape(1, -1, 3)
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(rows), code), np.float32).reshape(colours.shape)


def lab(bgr: npt.NDArray[np.uint8]) -> Floats:
    """Colours ``uint8 (..., 3)`` in the order blue, green, red as CIELAB ``float32 (..., 3)``: L 0..100, a, b."""
    return converted(bgr.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)


def bgr(lab: npt.ArrayLike) -> Floats:
    """CIELAB ``(..., 3)`` as blue, green and red ``float32 (..., 3)``, 0..255; what no screen shows is clipped."""
    return 255 * np.clip(converted(np.asarray(lab, np.float32), cv2.COLOR_LAB2BGR), 0, 1)
