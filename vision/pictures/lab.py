"""CIELAB, in which equal distances look about equally different [1]_.

OpenCV converts as well, and faster, but first fills tables, which takes longer than all the colours of one picture do.
Who starts to read a picture has them filled beside it (:func:`fill_tables`); who needs few colours uses :func:`lab`,
which needs no tables.

.. [1] ISO/CIE 11664-4:2019, Colorimetry, part 4: CIE 1976 L*a*b* colour space; sRGB is IEC 61966-2-1:1999.
"""

from functools import cache
from threading import Thread

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_SRGB_TO_XYZ = np.array(
    [(0.412453, 0.357580, 0.180423), (0.212671, 0.715160, 0.072169), (0.019334, 0.119193, 0.950227)], np.float32
)
_WHITE = np.array((0.950456, 1.0, 1.088754), np.float32)
_FROM_BGR = np.ascontiguousarray((_SRGB_TO_XYZ / _WHITE[:, None])[:, ::-1])
_TO_BGR = np.linalg.inv(_FROM_BGR.astype(np.float64)).T
_TO_LAB = np.array([(0, 116, 0, -16), (500, -500, 0, 0), (0, 200, -200, 0)], np.float32)
"""Matrices for columns; the last one takes the roots of the shares of white's light to L, a, b."""

_DARK, _SLOPE = 216 / 24389, 24389 / 27 / 116
"""Share of white's light up to which lightness follows it in a line, and how steeply."""


def _linear(grey: Floats) -> Floats:
    return np.where(grey <= 0.04045, grey / 12.92, ((grey + 0.055) / 1.055) ** 2.4).astype(np.float32)


_LINEAR = _linear((np.arange(256) / 255).astype(np.float32))


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
    light = cv2.transform(_LINEAR[bgr].reshape(-1, 1, 3), _FROM_BGR)
    share = np.asarray(cv2.pow(light, 1 / 3), np.float32)
    np.copyto(share, np.float32(_SLOPE) * light + np.float32(16 / 116), where=light <= _DARK)
    return np.asarray(cv2.transform(share, _TO_LAB), np.float32).reshape(bgr.shape)


def bgr(lab: npt.ArrayLike) -> Floats:
    """CIELAB ``(..., 3)`` as blue, green and red ``float32 (..., 3)``, 0..255; what no screen shows is clipped."""
    lightness, a, b = np.moveaxis(np.asarray(lab, np.float64), -1, 0)
    y = (lightness + 16) / 116
    share = np.stack([y + a / 500, y, y - b / 200], axis=-1)
    light = np.clip(np.where(share**3 > _DARK, share**3, (share - 16 / 116) / _SLOPE) @ _TO_BGR, 0, 1)
    grey = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return (255 * grey).astype(np.float32)
