"""Digits as most typefaces draw them, for those that no clue of a board shows.

Whether what is left of a clue is a 7 can be told although the board shows no other 7: the digits of Pillow's own
typeface, as wide as the board's digits are, are nearer to it than to most others.
"""

import functools
from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures.medians import median

Floats = npt.NDArray[np.float32]

DRAWN_PX = 96
"""Size at which the typeface is drawn; its digits are brought to the board's size."""

INK = 0.5
"""Share of ink from which on a pixel belongs to a digit."""

NARROW = "1"
"""The digit whose width says nothing of others: with and without serifs it differs most."""


def common_digits(own: Mapping[str, Floats], height_px: int) -> dict[str, Floats]:
    """All ten digits, as wide as a board's own.

    Args:
        own: by digit its shape, ``float32 (height_px, any)``, ink 1 and ground 0; one at least.
        height_px: of the digits.
    """
    usual = {digit: shape.shape[1] * height_px / shape.shape[0] for digit, shape in _typeface().items()}
    ratios = [shape.shape[1] / usual[digit] for digit, shape in own.items() if digit != NARROW]
    ratio = median(ratios) if ratios else 1.0
    return {
        digit: _sized(shape, max(1, round(ratio * usual[digit])), height_px) for digit, shape in _typeface().items()
    }


def _sized(shape: Floats, width: int, height: int) -> Floats:
    return np.asarray(cv2.resize(shape, (width, height), interpolation=cv2.INTER_AREA), np.float32)


@functools.cache
def _typeface() -> dict[str, Floats]:
    """The digits of Pillow's own typeface, each cut to its ink."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415  (few boards have a clue that cannot be read)

    font = ImageFont.load_default(DRAWN_PX)
    shapes = {}
    for digit in "0123456789":
        picture = Image.new("L", (2 * DRAWN_PX, 2 * DRAWN_PX))
        ImageDraw.Draw(picture).text((DRAWN_PX / 2, DRAWN_PX / 2), digit, fill=255, font=font)
        drawn = np.asarray(picture, np.float32) / 255
        ys, xs = np.nonzero(drawn >= INK)
        shapes[digit] = np.asarray(drawn[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1], np.float32)
    return shapes
