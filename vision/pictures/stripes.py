"""Takes stripes out of a picture: the beat between the grids of a screen and of the camera that photographs it.

Such a beat is a wave over the whole picture, so all of it lies in a few narrow peaks of the picture's spectrum, where
things that are seen in one place only leave next to nothing. Bringing the peaks down to what is usual round them takes
the wave away and nothing else [1]_.

.. [1] R. C. Gonzalez, R. E. Woods, Digital Image Processing, 4th ed., 2018, ch. 4.10 (notch filters).
"""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.photo import Photo, Picture

Floats = npt.NDArray[np.float32]

FEWEST = 24
"""Stripes that there are across a picture at least: what repeats less often may be what is shown."""

OVER = 6.0
"""Strength of a frequency, in what is usual round it, from which it belongs to a peak."""

STANDS_OUT = 15.0
"""The same of the top of a peak: things seen in one place have wide hills."""

ROUND = 31
"""Size of the neighbourhood in the spectrum that tells what is usual."""

WIDTH = 5
"""Reach of a peak about what stands out: stripes are a little curved."""


def without_stripes(photo: Photo) -> Photo:
    """The picture without stripes; itself where it has none."""
    channels = [_unstriped(channel) for channel in cv2.split(photo.bgr)]
    if all(channel is None for channel in channels):
        return photo
    kept = [np.asarray(old) if new is None else new for new, old in zip(channels, cv2.split(photo.bgr), strict=True)]
    return photo.like(np.asarray(cv2.merge(kept), np.uint8))


def _unstriped(channel: npt.NDArray[Any]) -> Picture | None:
    height, width = channel.shape
    size = [cv2.getOptimalDFTSize(length) for length in (height, width)]
    # Mirrored at its rim, a picture has no edges there that it would not have otherwise.
    framed = cv2.copyMakeBorder(channel, 0, size[0] - height, 0, size[1] - width, cv2.BORDER_REFLECT)
    spectrum = np.fft.rfft2(framed.astype(np.float32))
    strength = np.log1p(np.abs(spectrum)).astype(np.float32)
    usual = _usual(strength)
    peaks = _peaks(strength - usual, _many(size))
    if not peaks.any():
        return None
    spectrum[peaks] *= np.exp(np.minimum(0, usual - strength)[peaks])
    flat = np.fft.irfft2(spectrum, s=size)[:height, :width]
    return np.clip(np.rint(flat), 0, 255).astype(np.uint8)


def _usual(strength: Floats) -> Floats:
    """The median round each frequency."""
    step = max(float(strength.max()), 1e-6) / 255
    return np.asarray(cv2.medianBlur((strength / step).astype(np.uint8), ROUND).astype(np.float32) * step)


def _many(size: list[int]) -> npt.NDArray[np.bool_]:
    """Which frequencies make many stripes."""
    down, across = np.fft.fftfreq(size[0]) * size[0], np.fft.rfftfreq(size[1]) * size[1]
    return np.asarray(np.hypot(across[None], down[:, None]) > FEWEST)


def _peaks(over: Floats, many: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which frequencies belong to a peak that stands out; ``over`` are logarithms."""
    near = cv2.dilate(((over > np.log(OVER)) & many).astype(np.uint8), np.ones((WIDTH, WIDTH), np.uint8))
    count, part = cv2.connectedComponents(near)
    stands_out = np.zeros(count, bool)
    stands_out[part[(over > np.log(STANDS_OUT)) & many]] = True
    return np.asarray(stands_out[part])
