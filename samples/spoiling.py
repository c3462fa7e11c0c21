"""Windows in another light, in other colours, out of focus and with noise: what a network is shown of each differs from
step to step.
"""

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import Floats, picture_input
from vision.pictures.photo import Picture


def light(rng: np.random.Generator, inverted: float = 0.0) -> Callable[[Picture], Picture]:
    """Another light and other colours, the same for all pictures ``uint8 (H, W, 3)``; in this share of cases they are
    turned to their negative.
    """
    levels = np.arange(256)[:, None] * np.ones(3)
    if rng.random() < inverted:
        levels = 255 - levels
    if rng.random() < 0.6:
        levels = levels * rng.uniform(0.3, 1.15)
    levels = levels * np.exp(rng.normal(0, 0.1, 3))
    if rng.random() < 0.25:
        levels = levels + rng.uniform(0, 80)
    if rng.random() < 0.5:
        levels = 255 * np.clip(levels / 255, 0, 1.05) ** np.exp(rng.normal(0, 0.2))
    table = np.clip(levels, 0, 255).astype(np.uint8)[None]
    order = rng.permutation(3) if rng.random() < 0.15 else np.arange(3)

    def lit(picture: Picture) -> Picture:
        return np.asarray(cv2.LUT(np.ascontiguousarray(picture), table), np.uint8)[..., order]

    return lit


def compressed(rng: np.random.Generator, picture: Picture) -> Picture:
    """Some pictures as JPEG keeps them."""
    if rng.random() >= 0.3:
        return picture
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 95))])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


class Spoiler(NamedTuple):
    """How a network of pictures sees what was drawn.

    Attributes:
        blur_px, noise: as of :func:`spoilt`.
        ground_off: how far the colour of the ground is off, usually, in grey levels.
        inverted: as of :func:`light`.
        stride: of the network.
    """

    blur_px: float
    noise: float
    ground_off: float
    inverted: float
    stride: int

    def __call__(self, rng: np.random.Generator, shown: Picture, ground: npt.NDArray[np.float64]) -> Floats:
        """What the network is given of a part of a picture whose median colour is ``ground``, in another light, out of
        focus, with noise: ``float32 (3, H, W)``.
        """
        lit = light(rng, self.inverted)
        dyed = lit(np.clip(ground, 0, 255).astype(np.uint8)[None, None])[0, 0]
        varied = spoilt(rng, lit(shown), self.blur_px, self.noise)
        return np.asarray(picture_input(varied, dyed + rng.normal(0, self.ground_off, 3), self.stride)[0])


def spoilt(rng: np.random.Generator, picture: Picture, blur_px: float, noise: float) -> Picture:
    """Some pictures out of focus by up to so much, with a slope of light over them, with noise of up to so many grey
    levels.
    """
    if rng.random() < 0.35:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, 1.0) * blur_px)), np.uint8)
    if rng.random() < 0.4:
        across, down = rng.normal(0, 0.2, 2)
        x, y = (np.linspace(-0.5, 0.5, side, dtype=np.float32) for side in picture.shape[1::-1])
        gain = (1 + np.float32(across) * x + np.float32(down) * y[:, None])[..., None]
        picture = np.clip(picture * gain, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        cv2.setRNGSeed(int(rng.integers(2**31)))
        grain: npt.NDArray[np.int16] = np.empty(picture.shape, np.int16)
        cv2.randn(grain, np.zeros(3), np.full(3, rng.uniform(0, noise)))
        picture = np.asarray(cv2.add(picture, grain, dtype=cv2.CV_8U), np.uint8)
    return picture
