"""A second opinion on single digits, independent of Tesseract: a small network that looks at shapes only.

Tesseract is now and then sure of something wrong, and always finds a digit in whatever it is shown. This judge has
other habits: it was trained on digits drawn in several hundred faces, small, blurred, noisy and slanted, cut out by
:mod:`vision.glyphs` as real ones are, and on shapes that were cut out of cloth, rope, paper and badges and are no
digits at all. Where the two disagree, neither is believed.

The network has one hidden layer [1]; its weights (``python -m samples.train_judge`` makes them) lie beside this file.

References:
    1. Y. LeCun, L. Bottou, G. Orr, K.-R. Müller, "Efficient BackProp", in: Neural Networks: Tricks of the Trade, 1998.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.glyphs import Box, Glyphs

Floats = npt.NDArray[np.float32]

HEIGHT, WIDTH = 20, 16
"""The field that a digit is fitted into, in pixels: strokes come out two to four wide."""

NO_DIGIT = 10
"""The class of shapes that are no digit; classes 0 to 9 are the digits."""

WEIGHTS = Path(__file__).with_name("digit_judge.npz")


def fitted(glyphs: Glyphs, box: Box) -> Floats:
    """A digit as the network sees it: ``float32 (HEIGHT * WIDTH + 1,)``, ink 0..1, and last its width over height."""
    left, top, right, bottom = box
    ink = 255 - glyphs.patch[top:bottom, left:right]
    aspect = (right - left) / (bottom - top)
    width = min(WIDTH, max(1, round(HEIGHT * aspect)))
    shrunk = cv2.resize(ink, (width, HEIGHT), interpolation=cv2.INTER_AREA)
    field = np.zeros((HEIGHT, WIDTH), np.float32)
    start = (WIDTH - width) // 2
    field[:, start : start + width] = shrunk
    return np.append(field.ravel() / 255, np.float32(aspect)).astype(np.float32)


def judge(glyphs: Sequence[Glyphs]) -> list[Floats]:
    """For each number, what its digits are: ``float32 (digits, 11)``, probabilities of 0 to 9 and of no digit."""
    boxes = [(one, box) for one in glyphs for box in one.boxes]
    if not boxes:
        return []
    seen = probabilities(np.stack([fitted(one, box) for one, box in boxes]), _weights())
    ends = np.cumsum([len(one.boxes) for one in glyphs])
    return np.split(seen, ends[:-1])


def probabilities(seen: Floats, weights: tuple[Floats, Floats, Floats, Floats]) -> Floats:
    """The network: ``float32 (N, HEIGHT * WIDTH + 1)`` to ``(N, 11)``."""
    first, shift, second, offset = weights
    hidden = np.maximum(seen @ first + shift, 0)
    scores = hidden @ second + offset
    scores -= scores.max(axis=1, keepdims=True)
    likely = np.exp(scores)
    return np.asarray(likely / likely.sum(axis=1, keepdims=True), np.float32)


@cache
def _weights() -> tuple[Floats, Floats, Floats, Floats]:
    with np.load(WEIGHTS) as stored:
        first, shift, second, offset = (
            stored[name].astype(np.float32) for name in ("first", "shift", "second", "offset")
        )
    return first, shift, second, offset
