"""A second opinion on single digits, independent of Tesseract: a small network that looks at shapes only.

Tesseract is now and then sure of something wrong, and always finds a digit in whatever it is shown. This judge has
other habits: it was trained on digits drawn in several hundred faces, small, blurred, noisy and slanted, cut out by
:mod:`vision.numbers.glyphs` as real ones are from drawn screens and photos, and on whatever else was cut out there
and is no digit: what is between a number and its ring, strands, shadows, hems. Where the two disagree, neither is
believed.

The network is a convolutional one [1]; ``python -m samples.train_judge`` makes its weights.

References:
    1. Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, "Gradient-Based Learning Applied to Document Recognition", in:
       Proceedings of the IEEE 86(11), 1998.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import Convolutional, softmax
from vision.pictures.photo import Picture

Box = tuple[int, int, int, int]
"""``(left, top, right, bottom)`` in pixels, right and bottom exclusive."""

Floats = npt.NDArray[np.float32]

SIDE_PX = 28
"""Of the square that a digit is fitted into."""

NO_DIGIT = 10
"""The class of shapes that are no digit; classes 0 to 9 are the digits."""

NETWORK = Path(__file__).with_name("judge.onnx")

_network = Convolutional(NETWORK)


def fitted(patch: Picture, box: Box) -> Picture:
    """A digit as large as a square holds it, in its middle: ink ``uint8 (SIDE_PX, SIDE_PX)``."""
    left, top, right, bottom = box
    scale = SIDE_PX / max(right - left, bottom - top)
    width, height = (max(1, round(scale * length)) for length in (right - left, bottom - top))
    x, y = (SIDE_PX - width) // 2, (SIDE_PX - height) // 2
    field = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    field[y : y + height, x : x + width] = cv2.resize(
        255 - patch[top:bottom, left:right], (width, height), interpolation=cv2.INTER_AREA
    )
    return field


def network_input(fields: Picture) -> Floats:
    """Fields ``uint8 (N, SIDE_PX, SIDE_PX)`` as the network is given them, ``float32 (N, 1, SIDE_PX, SIDE_PX)``."""
    return np.asarray(fields[:, None] / np.float32(255), np.float32)


def judge(numbers: Sequence[tuple[Picture, Sequence[Box]]]) -> list[Floats]:
    """What the digits of some numbers are.

    Args:
        numbers: for each its patch, black on white ``uint8 (h, w)``, and the boxes of its digits from left to right.

    Returns:
        For each ``float32 (digits, 11)``: the probabilities of 0 to 9 and of no digit.
    """
    digits = [fitted(patch, box) for patch, boxes in numbers for box in boxes]
    if not digits:
        return []
    likely = softmax(_network(network_input(np.stack(digits))).reshape(len(digits), -1))
    ends = np.cumsum([len(boxes) for _, boxes in numbers])
    return np.split(likely, ends[:-1])


def likeness(opinion: Floats) -> float:
    """How much a number looks like one: the chance of its least digit-like shape being a digit of some kind."""
    return float(opinion[:, :NO_DIGIT].max(axis=1).min())
