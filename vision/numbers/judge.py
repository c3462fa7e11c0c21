"""A second opinion on single digits, independent of Tesseract: a small network that looks at shapes only.

Tesseract is now and then sure of something wrong, and always finds a digit in whatever it is shown. This judge has
other habits: it was trained on digits drawn in several hundred faces, small, blurred, noisy and slanted, cut out by
:mod:`vision.numbers.glyphs` as real ones are from drawn screens and photos, and on whatever else was cut out there
and is no digit: what is between a number and its ring, strands, shadows, hems. Where the two disagree, neither is
believed.

The network has one hidden layer [1]; its weights (``python -m samples.train_judge`` makes them) lie beside this file.

References:
    1. Y. LeCun, L. Bottou, G. Orr, K.-R. Müller, "Efficient BackProp", in: Neural Networks: Tricks of the Trade, 1998.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import probabilities, stored
from vision.pictures.photo import Picture

Box = tuple[int, int, int, int]
"""``(left, top, right, bottom)`` in pixels, right and bottom exclusive."""

Floats = npt.NDArray[np.float32]

HEIGHT, WIDTH = 20, 16
"""The field that a digit is fitted into, in pixels: strokes come out two to four wide."""

NO_DIGIT = 10
"""The class of shapes that are no digit; classes 0 to 9 are the digits."""

WEIGHTS = Path(__file__).with_name("judge.npz")


def fitted(patch: Picture, box: Box) -> Floats:
    """A digit as the network sees it: ``float32 (HEIGHT * WIDTH + 1,)``, ink 0..1, and last its width over height."""
    left, top, right, bottom = box
    ink = 255 - patch[top:bottom, left:right]
    aspect = (right - left) / (bottom - top)
    width = min(WIDTH, max(1, round(HEIGHT * aspect)))
    shrunk = cv2.resize(ink, (width, HEIGHT), interpolation=cv2.INTER_AREA)
    field = np.zeros((HEIGHT, WIDTH), np.float32)
    start = (WIDTH - width) // 2
    field[:, start : start + width] = shrunk
    return np.append(field.ravel() / 255, np.float32(aspect)).astype(np.float32)


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
    seen = probabilities(np.stack(digits), stored(WEIGHTS))
    ends = np.cumsum([len(boxes) for _, boxes in numbers])
    return np.split(seen, ends[:-1])


def likeness(opinion: Floats) -> float:
    """How much a number looks like one: the chance of its least digit-like shape being a digit of some kind."""
    return float(opinion[:, :NO_DIGIT].max(axis=1).min())
